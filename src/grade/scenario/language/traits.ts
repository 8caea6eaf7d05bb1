import { wordsSaid } from './asking.ts';
import type { Clause } from './clause.ts';

/** The numbers of words: as what they may stand for, and as they are said. */
export interface Numbers {
  readonly meant: Map<string, number>;
  readonly said: Map<string, number>;
  /** What a word may stand for, as a trait. */
  readonly keys: Map<string, number>;
  /** All that a sentence turns on, together. */
  readonly gists: Map<string, number>;
  /** Of one message: words that nobody wrote are told apart for as long as it is heard. */
  readonly strangers?: Map<string, number>;
}

export function numbers(): Numbers {
  return { meant: new Map(), said: new Map(), keys: new Map(), gists: new Map() };
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
    const own = meantIn(word, its);
    if (before >= 0) traits.add(pairOf(before, own));
    before = own;
    if (weight <= 0.3) continue;
    const last = meantIn(keys.at(-1)!, its);
    if (telling >= 0) traits.add(pairOf(telling, last));
    telling = last;
  }
  before = -1;
  for (const word of wordsSaid(clause)) {
    const own = saidIn(word, its);
    traits.add(own);
    if (before >= 0) traits.add(pairOf(before, own));
    before = own;
  }
}

/** "How long" is the same trait whether two words or a phrase with a meaning of its own. */
export function traitOf(key: string, its: Numbers): number {
  const known = its.keys.get(key);
  if (known !== undefined) return known;
  const space = key.lastIndexOf(' ');
  const trait =
    space < 0
      ? meantIn(key, its)
      : pairOf(meantIn(key.slice(0, space), its), meantIn(key.slice(space + 1), its));
  if (!its.strangers) its.keys.set(key, trait);
  return trait;
}

/** It is a word as it is said, by itself. */
export function isSaidWord(trait: number): boolean {
  return trait < pairs && trait % 2 === 1;
}

function meantIn(word: string, its: Numbers): number {
  return its.meant.get(word) ?? numberFor(word, its.meant, its);
}

function saidIn(word: string, its: Numbers): number {
  return its.said.get(word) ?? numberFor(word, its.said, its);
}

/** Even where it is meant, odd where it is said. */
function numberFor(word: string, list: Map<string, number>, { said, strangers }: Numbers): number {
  const odd = Number(list === said);
  if (!strangers) {
    const number = 2 * list.size + odd;
    list.set(word, number);
    return number;
  }
  const key = odd ? `'${word}` : word;
  let stranger = strangers.get(key);
  if (stranger === undefined) strangers.set(key, (stranger = firstStranger + 2 * strangers.size + odd));
  return stranger;
}

/** Of up to 8,000 words all pairs are small integers, which are looked up fastest; beyond, they are still told apart. */
function pairOf(one: number, other: number): number {
  return (one + 1) * pairs + other;
}

const pairs = 2 ** 17;

/** Beyond the words of any person's questions. */
const firstStranger = 2 ** 16;

/** What a sentence asks, whatever its order and its small words: the same for "Is there a fever?" and "Any fever?". */
export function gistOf({ tokens, marked }: Pick<Clause, 'tokens' | 'marked'>, its: Numbers): number {
  const telling: string[] = [];
  let asks = marked ? '?' : '.';
  for (const { word, keys, weight } of tokens) {
    const key = keys.at(-1)!;
    if (weight > 0.3 && !telling.includes(key)) telling.push(key);
    else if (openWords.has(word)) asks = word;
  }
  if (telling.length === 0) return noGist;
  const gist = `${asks} ${telling.sort().join(' ')}`;
  const known = its.gists.get(gist);
  if (known !== undefined) return known;
  if (its.strangers) return noGist;
  const number = -2 - its.gists.size;
  its.gists.set(gist, number);
  return number;
}

const openWords: ReadonlySet<string> = new Set(['what', 'which', 'how']);

export const noGist = -1;
