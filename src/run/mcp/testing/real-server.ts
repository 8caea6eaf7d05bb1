import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** The program of a server from npm. */
export function programOf(name: 'server-everything' | 'server-filesystem'): string {
  return fileURLToPath(import.meta.resolve(`@modelcontextprotocol/${name}/dist/index.js`));
}

export interface HttpProcess extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  kill(): Promise<void>;
}

/** `server-everything` over streamable HTTP, in a process of its own. */
export async function everythingOverHttp(port?: number): Promise<HttpProcess> {
  const at = port ?? (await freePort());
  const child = spawn(process.execPath, [programOf('server-everything'), 'streamableHttp'], {
    env: { ...process.env, PORT: String(at) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  for await (const chunk of child.stderr) {
    said += String(chunk);
    if (said.includes('listening on port')) break;
  }
  if (!said.includes('listening on port')) throw new Error(`server-everything did not start: ${said}`);
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  return { url: `http://127.0.0.1:${at}/mcp`, port: at, kill, [Symbol.asyncDispose]: kill };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
