import { canonicalKey } from '../../base/message/keys.ts';
import { finished } from '../display/deadline.ts';
import type { Computer } from './computer.ts';

/** Holds keys down around some work, and lets them go in reverse, also when it failed. */
export async function withKeys(
  keys: readonly string[],
  computer: Computer,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  const chord = keys.map(canonicalKey);
  const down = async (): Promise<void> => {
    for (const key of chord) await computer.keyDown(key, signal);
    await work();
  };
  const up = chord.toReversed().map((key) => (grace: AbortSignal) => computer.keyUp(key, grace));
  await finished(down, up, signal);
}

/** A chord, pressed together and let go in reverse. */
export function pressChord(keys: readonly string[], computer: Computer, signal: AbortSignal): Promise<void> {
  return withKeys(keys, computer, signal, async () => undefined);
}

/** Text as a person types it: an end of line is Enter, a tab is the Tab key, all else as it is. */
export async function typeText(text: string, computer: Computer, signal: AbortSignal): Promise<void> {
  for (const [piece] of text.matchAll(/\r\n|[\r\n\t]|[^\r\n\t]+/g)) {
    signal.throwIfAborted();
    if (piece === '\t') await pressChord(['Tab'], computer, signal);
    else if (/^[\r\n]/.test(piece)) await pressChord(['Enter'], computer, signal);
    else await computer.write(piece, signal);
  }
}
