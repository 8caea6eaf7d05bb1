import { wordsSaid } from './asking.ts';
import type { Clause } from './clause.ts';

/** The numbers of words, as what they may stand for and as they are said. */
export interface Numbers {
  readonly meant: Map<string, number>;
  readonly said: Map<string, number>;
  /** What a word may stand for, as a trait. */
  readonly keys: Map<string, number>;
  /** Those before; new words go on where these end. */
  readonly known?: Numbers;
}

export function numbers(known?: Numbers): Numbers {
  return { meant: new Map(), said: new Map(), keys: new Map(), ...(known ? { known } : {}) };
}

/**
 * What is counted: what the words may stand for, two side by side, two telling ones in a row; and all words as they are
 * said, alone and two by two. All are numbers, for most are pairs: a text for each would cost more than all the rest.
 */
export function addTraits(
  traits: Set<number>,
  clause: Pick<Clause, 'said' | 'marked' | 'tokens'>,
  its: Numbers,
): void {
  let before = -1;
  let telling = -1;
  for (const { word, keys, weight } of clause.tokens) {
    for (const key of keys) traits.add(traitOf(key, its));
    const own = numberIn(word, 'meant', its);
    if (before >= 0) traits.add(pairOf(before, own));
    before = own;
    if (weight <= 0.3) continue;
    const last = numberIn(keys.at(-1)!, 'meant', its);
    if (telling >= 0) traits.add(pairOf(telling, last));
    telling = last;
  }
  before = -1;
  for (const word of wordsSaid(clause)) {
    const own = numberIn(word, 'said', its);
    traits.add(own);
    if (before >= 0) traits.add(pairOf(before, own));
    before = own;
  }
}

/** "How long" is the same trait whether two words or a phrase with a meaning of its own. */
export function traitOf(key: string, its: Numbers): number {
  let trait = its.known?.keys.get(key) ?? its.keys.get(key);
  if (trait === undefined) {
    const space = key.lastIndexOf(' ');
    trait =
      space < 0
        ? numberIn(key, 'meant', its)
        : pairOf(numberIn(key.slice(0, space), 'meant', its), numberIn(key.slice(space + 1), 'meant', its));
    its.keys.set(key, trait);
  }
  return trait;
}

/** It is a word as it is said, by itself. */
export function isSaidWord(trait: number): boolean {
  return trait < pairs && trait % 2 === 1;
}

function numberIn(word: string, list: 'meant' | 'said', its: Numbers): number {
  const found = its.known?.[list].get(word) ?? its[list].get(word);
  if (found !== undefined) return found;
  const count = (its.known?.[list].size ?? 0) + its[list].size;
  // Another number than the word's meaning has.
  const number = 2 * count + Number(list === 'said');
  its[list].set(word, number);
  return number;
}

/** Of up to 8,000 words all pairs are small integers, which are looked up fastest; beyond, they are still told apart. */
function pairOf(one: number, other: number): number {
  return (one + 1) * pairs + other;
}

const pairs = 2 ** 17;
