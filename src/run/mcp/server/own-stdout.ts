import { Writable } from 'node:stream';

/** Standard output for one writer. */
export interface OwnStdout {
  readonly stream: Writable;
  release(): void;
}

/**
 * Takes standard output for a protocol that speaks over it: whatever else the process prints goes to standard error
 * until it is released. One `console.log` in a tool would otherwise break the conversation.
 */
export function takeStdout(): OwnStdout {
  const { stdout, stderr } = process;
  const write = stdout.write;
  const own = write.bind(stdout) as (chunk: Uint8Array, done: (error?: Error | null) => void) => boolean;
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  const stream = new Writable({ write: (chunk: Uint8Array, _encoding, done) => void own(chunk, done) });
  return { stream, release: () => void (stdout.write = write) };
}
