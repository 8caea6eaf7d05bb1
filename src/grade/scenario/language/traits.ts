import { wordsSaid } from './asking.ts';
import type { Clause } from './clause.ts';
import { NumberMap, pairOf } from './number-map.ts';

/** The numbers of words: as what they may stand for, and as they are said. */
export interface Numbers {
  readonly meant: Map<string, number>;
  readonly said: Map<string, number>;
  /** What a word may stand for, as a trait. */
  readonly keys: Map<string, number>;
  /** All that a sentence turns on, together. */
  readonly gists: Map<string, number>;
  /** Once all is learnt: words that nobody wrote are told apart for as long as one clause is heard. */
  strangers?: Map<string, number>;
}

export function numbers(): Numbers {
  return { meant: new Map(), said: new Map(), keys: new Map(), gists: new Map() };
}

/** Different traits, in the order in which they come. */
export class TraitSet {
  readonly #places = new NumberMap();
  #all = new Int32Array(128);

  get size(): number {
    return this.#places.size;
  }

  /** By its place in the order. */
  at(place: number): number {
    return this.#all[place]!;
  }

  all(): Int32Array {
    return this.#all.subarray(0, this.size);
  }

  add(trait: number): void {
    const { size } = this.#places;
    if (this.#places.get(trait) >= 0) return;
    this.#places.set(trait, size);
    if (size === this.#all.length) {
      const all = this.#all;
      this.#all = new Int32Array(2 * size);
      this.#all.set(all);
    }
    this.#all[size] = trait;
  }

  has(trait: number): boolean {
    return this.#places.get(trait) >= 0;
  }

  clear(): void {
    this.#places.clear();
  }
}

/**
 * What is counted: what the words may stand for, two side by side, two telling ones in a row; and all words as they are
 * said, alone and two by two. All are numbers, for most are pairs: a text for each would cost more than all the rest.
 */
export function addTraits(
  traits: TraitSet,
  clause: Pick<Clause, 'said' | 'marked' | 'tokens'>,
  its: Numbers,
): void {
  let before = 0;
  let telling = 0;
  for (const { word, keys, weight } of clause.tokens) {
    for (const key of keys) traits.add(traitOf(key, its));
    const own = meantIn(word, its);
    if (before > 0) traits.add(pairOf(before, own));
    before = own;
    if (weight <= 0.3) continue;
    const last = meantIn(keys.at(-1)!, its);
    if (telling > 0) traits.add(pairOf(telling, last));
    telling = last;
  }
  before = 0;
  for (const { text } of wordsSaid(clause)) {
    const own = saidIn(text, its);
    traits.add(own);
    if (before > 0) traits.add(pairOf(before, own));
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
  return trait < 2 ** 16 && trait % 2 === 1;
}

function meantIn(word: string, its: Numbers): number {
  return its.meant.get(word) ?? numberFor(word, its.meant, its);
}

function saidIn(word: string, its: Numbers): number {
  return its.said.get(word) ?? numberFor(word, its.said, its);
}

/** From 2 on; even where it is meant, odd where it is said. */
function numberFor(word: string, list: Map<string, number>, { said, strangers }: Numbers): number {
  const odd = Number(list === said);
  if (!strangers) {
    const number = 2 * (list.size + 1) + odd;
    // Nobody's questions hold 12,000 words; those that do are deaf to the rest.
    if (number >= firstStranger) return firstStranger + odd;
    list.set(word, number);
    return number;
  }
  const key = odd ? `'${word}` : word;
  let stranger = strangers.get(key);
  if (stranger === undefined)
    strangers.set(key, (stranger = firstStranger + ((2 * strangers.size + odd) % mostStrangers)));
  return stranger;
}

/** All numbers have 15 bits, as a pair wants them. */
const firstStranger = 3 * 2 ** 13;
const mostStrangers = 2 ** 13;

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
  const number = -1 - its.gists.size;
  its.gists.set(gist, number);
  return number;
}

const openWords: ReadonlySet<string> = new Set(['what', 'which', 'how']);

/** No trait is so low. */
export const noGist = -(2 ** 31);
