import { wordsOf } from '../scenario/language/lexicon.ts';
import { stem } from '../scenario/language/stem.ts';

/** How close two texts are, from 0 to 1: the share of word stems they have in common (Dice), so that padding lowers it. */
export function similarity(one: string, other: string): number {
  const left = counts(one);
  const right = counts(other);
  let shared = 0;
  let total = 0;
  for (const count of left.values()) total += count;
  for (const [word, count] of right) {
    total += count;
    shared += Math.min(count, left.get(word) ?? 0);
  }
  return total === 0 ? 1 : (2 * shared) / total;
}

function counts(text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const word of wordsOf(text.toLowerCase())) found.set(stem(word), (found.get(stem(word)) ?? 0) + 1);
  return found;
}
