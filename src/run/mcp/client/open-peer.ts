import { isWhetstoneError } from '../../../base/host/errors.ts';
import type { Peer, PeerOptions } from './peer.ts';
import type { Quiet } from './quiet.ts';
import { RpcError } from '../rpc-error.ts';
import { openSession } from './session-peer.ts';
import { unsupportedVersion } from '../stateless/envelope.ts';
import { openStateless } from '../stateless/peer.ts';

/** A program that was started here and knows the newer protocol answers its first question at once; others never do. */
const longestProbe = 5000;

/** Reaches a server in the protocol that it speaks: over HTTP it is asked first, unless the setting says which. */
export async function openPeer(
  options: PeerOptions,
  wait: (ms: number) => Quiet,
  timeout: number,
): Promise<Peer> {
  const { setting } = options;
  const { protocol = setting.url === undefined ? '2025-11-25' : 'auto' } = setting;
  if (protocol !== '2025-11-25') {
    const silentIsOlder = protocol === 'auto' && setting.url === undefined;
    const quiet = wait(silentIsOlder ? Math.min(timeout, longestProbe) : timeout);
    try {
      return await openStateless(options, quiet.signal);
    } catch (error) {
      if (protocol !== 'auto' || !mayBeOlder(error)) throw error;
    } finally {
      quiet.end();
    }
  }
  const quiet = wait(timeout);
  try {
    return await openSession(options, quiet.signal);
  } finally {
    quiet.end();
  }
}

/** Whatever is not an answer of the newer protocol may come from a server that has never heard of it. */
function mayBeOlder(error: unknown): boolean {
  if (isWhetstoneError(error)) return false;
  if (!(error instanceof RpcError)) return !(error instanceof TypeError && error.cause !== undefined);
  if (error.code === unsupportedVersion) return true;
  return error.code > -32020 || error.code < -32099;
}
