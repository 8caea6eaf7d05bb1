import { harmless } from './terminal-text.ts';

type Write = (text: string | Uint8Array, done?: (error?: Error | null) => void) => boolean;

/** How to write to a stream past its guard. */
const unguarded = new WeakMap<object, Write>();

/**
 * From now on whatever is written to this stream is shown as text: commands to the terminal, which a model, a person, a
 * tool or a file may hold, do nothing. What a command of ours says to the terminal goes through `writeControl`.
 */
export function guardTerminal(stream: NodeJS.WriteStream): void {
  if (unguarded.has(stream)) return;
  const write = stream.write.bind(stream) as (...values: readonly unknown[]) => boolean;
  unguarded.set(stream, write);
  stream.write = (chunk: string | Uint8Array, ...rest: readonly unknown[]) =>
    write(harmless(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()), ...rest);
}

/** Writes text with commands to the terminal; whatever in it is not our own has been made harmless. */
export function writeControl(
  stream: NodeJS.WriteStream,
  text: string | Uint8Array,
  done?: (error?: Error | null) => void,
): void {
  const write = unguarded.get(stream) ?? (stream.write.bind(stream) as Write);
  write(text, done);
}
