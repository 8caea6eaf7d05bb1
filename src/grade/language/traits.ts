import type { Clause } from './clause.ts';
import type { Token } from './lexicon.ts';
import type { Word } from './words.ts';

/** The numbers of words: as what they may stand for, and as they are said. */
export interface Numbers {
  readonly meant: Map<string, number>;
  readonly said: Map<string, number>;
  /** What a word may stand for, as a trait. */
  readonly keys: Map<string, number>;
  /** All that a sentence turns on, together: a letter for what it asks, and one for each of their numbers. */
  readonly gists: Map<string, number>;
  /** Once all is learnt: words that nobody wrote are told apart for as long as one clause is heard. */
  strangers?: Map<string, number>;
}

export function numbers(): Numbers {
  return { meant: new Map(), said: new Map(), keys: new Map(), gists: new Map() };
}

/**
 * What is counted: what the words may stand for, two side by side, two telling ones in a row; and all words as they are
 * said, alone and two by two. All are numbers, for most are pairs: a text for each would cost more than all the rest.
 * Gives back the gist.
 */
export function addTraits(
  traits: Set<number>,
  clause: Pick<Clause, 'saidWords' | 'marked' | 'tokens'>,
  its: Numbers,
): number {
  let asks = clause.marked ? '?' : '.';
  const turnsOn = new Set<number>();
  let before = 0;
  let telling = 0;
  for (const token of clause.tokens) {
    const { keys, own, last } = learntOf(token, its);
    for (const key of keys) traits.add(key);
    if (before > 0) traits.add(pairOf(before, own));
    before = own;
    if (token.weight <= 0.3) {
      asks = openWords.get(token.word) ?? asks;
      continue;
    }
    if (telling > 0) traits.add(pairOf(telling, last));
    telling = last;
    turnsOn.add(last);
  }
  before = 0;
  for (const word of clause.saidWords) {
    const own = saidIn(word, its);
    traits.add(own);
    if (before > 0) traits.add(pairOf(before, own));
    before = own;
  }
  return gistOf(asks, turnsOn, its);
}

/** What a sentence asks, whatever its order and its small words: the same for "Is there a fever?" and "Any fever?". */
function gistOf(asks: string, all: ReadonlySet<number>, its: Numbers): number {
  if (all.size === 0 || all.size > mostInGist) return noGist;
  const turnsOn = [...all].toSorted((one, other) => one - other);
  if (isStrange(turnsOn.at(-1)!)) return noGist;
  const gist = asks + String.fromCharCode(...turnsOn);
  const known = its.gists.get(gist);
  if (known !== undefined) return known;
  if (its.strangers) return noGist;
  const number = -1 - its.gists.size;
  its.gists.set(gist, number);
  return number;
}

const openWords: ReadonlyMap<string, string> = new Map([
  ['what', 'a'],
  ['which', 'i'],
  ['how', 'o'],
]);

/** Nobody asks for so much at once. */
const mostInGist = 100;

/** No trait is so low. */
export const noGist = -(2 ** 31);

/** The numbers of a token. */
export interface Learnt {
  readonly by: Numbers;
  /** Of what it may stand for. */
  readonly keys: readonly number[];
  readonly own: number;
  /** Of the last that it may stand for. */
  readonly last: number;
}

/** Whoever is heard, most words are the ones that were heard last. */
export function learntOf(token: Token, its: Numbers): Learnt {
  if (token.learnt?.by === its) return token.learnt;
  const keys = token.keys.map((key) => traitOf(key, its));
  const learnt = { by: its, keys, own: meantIn(token.word, its), last: meantIn(token.keys.at(-1)!, its) };
  if (![...keys, learnt.own, learnt.last].some(isStrange)) token.learnt = learnt;
  return learnt;
}

/** "How long" is the same trait whether two words or a phrase with a meaning of its own. */
function traitOf(key: string, its: Numbers): number {
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

/** Two numbers as one, of which the first has 15 bits and the other 16: no number of 16 bits is the same. */
function pairOf(one: number, other: number): number {
  return (one << 16) | other;
}

/** It is a word as it is said, or two. */
export function isSaid(trait: number): boolean {
  return (trait & 1) === 1;
}

/** It is one word. */
export function isSingle(trait: number): boolean {
  return trait < 2 ** 16;
}

function meantIn(word: string, its: Numbers): number {
  return its.meant.get(word) ?? numberFor(word, its.meant, its);
}

function saidIn(word: Word, its: Numbers): number {
  if (word.learntBy === its) return word.learnt;
  const number = its.said.get(word.text) ?? numberFor(word.text, its.said, its);
  if (!isStrange(number)) {
    word.learntBy = its;
    word.learnt = number;
  }
  return number;
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

/** It is a stranger's, or the pair of one: good for no other clause. */
function isStrange(trait: number): boolean {
  return (trait & 0xffff) >= firstStranger || trait >> 16 >= firstStranger;
}
