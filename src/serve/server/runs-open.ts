import { WhetstoneError } from '../../base/host/errors.ts';
import type { Store } from '../../grade/store/store.ts';

/** Whether a server may run without keys: only on loopback, and by default only while no key exists. */
export async function mayRunOpen(store: Store, host: string, wanted: boolean | undefined): Promise<boolean> {
  const keys = await store.keys.list();
  if (isLoopback(host)) return wanted ?? keys.length === 0;
  if (keys.length === 0 || wanted === true)
    throw new WhetstoneError(
      'keys_needed',
      `The server would be open to everyone who can reach ${host}. Create a key with \`whet keys create\`, or listen on 127.0.0.1.`,
      { details: { host } },
    );
  return false;
}

export async function hasKeys(store: Store): Promise<boolean> {
  try {
    return (await store.keys.list()).length > 0;
  } catch {
    // Requests report a store that is away; here the next check will see it.
    return false;
  }
}

/** Whether an address can only be reached from this machine. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
