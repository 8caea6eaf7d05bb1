import { canonicalKey } from '../../base/message/keys.ts';
import type { Computer } from './computer.ts';
import { always } from './deadline.ts';

/** Holds keys down around some work, and lets them go in reverse, also when it failed. */
export async function withKeys(
  keys: readonly string[],
  computer: Computer,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  const down: string[] = [];
  try {
    for (const key of keys.map(canonicalKey)) {
      down.push(key);
      await computer.keyDown(key, signal);
    }
    await work();
  } finally {
    for (const key of down.toReversed()) await always((grace) => computer.keyUp(key, grace));
  }
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
