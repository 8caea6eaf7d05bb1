import { stem } from '../../language/stem.ts';
import { wordsOf } from '../../language/words.ts';

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
  for (const word of allWords(text)) found.set(stem(word), (found.get(stem(word)) ?? 0) + 1);
  return found;
}

/** The words of a text in any script; where words are not set apart, each character is one. */
export function allWords(text: string): readonly string[] {
  const lower = text.toLowerCase();
  return [...wordsOf(lower), ...(lower.match(otherWords) ?? [])];
}

const otherWords =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![a-z\u00c0-\u024f\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}])+/gu;
