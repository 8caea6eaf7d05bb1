import type { PeerOptions } from './client/peer.ts';
import type { ClientSdk } from './sdk.ts';

/** Starts a server, with the few variables that every program needs and what the setting adds. */
export function stdioTransport({
  sdk,
  setting,
  maxMessageBytes,
  onStderr,
}: PeerOptions): InstanceType<ClientSdk['StdioClientTransport']> {
  if (setting.command === undefined) throw new TypeError('This server is not started here.');
  const transport = new sdk.StdioClientTransport({
    command: setting.command,
    args: [...(setting.args ?? [])],
    env: { ...setting.env },
    stderr: 'pipe',
    maxBufferSize: maxMessageBytes,
    ...(setting.cwd !== undefined && { cwd: setting.cwd }),
  });
  transport.stderr?.on('data', (chunk: unknown) => onStderr(String(chunk)));
  return transport;
}
