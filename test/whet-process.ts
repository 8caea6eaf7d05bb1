import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A `whet` command that listens, as a process of its own. */
export interface WhetProcess extends AsyncDisposable {
  readonly url: string;
  readonly kill: () => Promise<void>;
  /** Starts it anew, at the same address. */
  readonly again: () => Promise<WhetProcess>;
  /** Ends it as a restart does: it finishes what it has begun. */
  readonly stop: () => Promise<void>;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Resolves once it has said where it listens. */
export async function startWhet(words: readonly string[]): Promise<WhetProcess> {
  const child = spawn(process.execPath, ['bin/whet.js', ...words], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const [address] = /http:\/\/[^"\s]+/.exec(chunk.toString()) ?? [];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', () => reject(new Error(`whet ${words[0]} did not start: ${said}`)));
  });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await gone;
    running.delete(child);
  };
  const kill = (): Promise<void> => end('SIGKILL');
  const again = (): Promise<WhetProcess> => startWhet([...words, '--port', new URL(url).port]);
  return { url, kill, again, stop: () => end('SIGTERM'), [Symbol.asyncDispose]: kill };
}
