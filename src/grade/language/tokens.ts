import { otherPeople, phrasesAt, questionConcepts } from './lexicon.ts';
import type { Lexicon, Phrase } from './lexicon.ts';
import { isWorthKeeping, ownCopy, stem } from './stem.ts';
import {
  askers,
  auxiliaries,
  beforePeople,
  emptyWords,
  offering,
  people,
  questionWords,
  subjects,
  weightOf,
  wordsOf,
} from './words.ts';

/** A word as it is compared: its stem, and the concepts (`#when`) that it may stand for. */
export interface Token {
  readonly word: string;
  readonly keys: readonly string[];
  readonly empty: boolean;
  /** How much is left unsaid when nobody explains the word: 0 for "of" and "describe", 1 for "parcel". */
  readonly weight: number;
  /** What it costs when nobody does: the verb of "did you …" twice its weight, somebody else three. */
  readonly price: number;
  /** What is asked turns on it: the verb of "did you …", the noun of "which …". */
  readonly head: boolean;
  /** "Do people …?": the world in general. */
  readonly general: boolean;
  /** The first word of "Shall I …?": an offer, which asks only whether that is wanted. */
  readonly offered: boolean;
}

/** A word with all that it may stand for, where it makes no phrase with its neighbours. */
export interface Meaning {
  readonly word: string;
  readonly stem: string;
  readonly keys: readonly string[];
  readonly weight: number;
  /** What it begins, by itself or with the words behind it. */
  readonly phrases: readonly Phrase[];
}

/** The words of a text with all they may stand for. A phrase gives its concept to each of its words. */
export function tokensOf(text: string, lexicon: Lexicon): readonly Token[] {
  return tokensFrom(wordsOf(text), lexicon);
}

export function tokensFrom(words: readonly string[], lexicon: Lexicon): readonly Token[] {
  const meanings = words.map((word) => meaningOf(word, lexicon));
  const keys = keysInPhrases(meanings);
  return meanings.map((meaning, index) => {
    const { word } = meaning;
    const its = keys[index]!;
    const all = its.length === 1 && isJoined.test(word) ? [...its, ...partsOf(word, lexicon)] : its;
    const weight = weightIn(meaning, all);
    const head = isHead(words, index);
    const general = index > 0 && people.has(word) && beforePeople.has(words[index - 1]!);
    const offered = index === 0 && offering.has(word) && (words[1] === 'i' || words[1] === 'we');
    const isOther = general || all.some((key) => otherPeople.has(key));
    const price = isOther ? 3 : head ? weight * 2 : weight;
    return { word, keys: all, empty: emptyWords.has(word), weight, price, head, general, offered };
  });
}

/** What words stand for beside each other: those that make phrases stand for what these mean. */
function keysInPhrases(meanings: readonly Meaning[]): readonly (readonly string[])[] {
  const keys: string[][] = [];
  for (let at = 0; at < meanings.length; at++) {
    const { word, phrases } = meanings[at]!;
    const longer = phrases.some(({ stems }) => stems.length > 1 && stems[1] === meanings[at + 1]?.stem);
    if (!longer && keys[at] === undefined) {
      keys[at] = [...meanings[at]!.keys];
      continue;
    }
    keys[at] ??= [meanings[at]!.stem];
    // "how long" is not "how": a question word inside a phrase loses its own meaning.
    let covered = false;
    for (const { stems, concept } of phrases) {
      if (stems.some((stem, offset) => meanings[at + offset]?.stem !== stem)) continue;
      if (questionWords.has(word)) {
        if (stems.length === 1 && covered) continue;
        if (stems.length > 1 && !covered && questionConcepts.has(concept)) {
          covered = true;
          keys[at] = [];
        }
      }
      const met = meanings.slice(at, at + stems.length);
      const allEmpty = met.every((one) => emptyWords.has(one.word));
      for (const [offset, one] of met.entries()) {
        if (stems.length > 1 && emptyWords.has(one.word) && !allEmpty) continue;
        const list = (keys[at + offset] ??= [one.stem]);
        if (!list.includes(concept)) list.push(concept);
      }
    }
  }
  return keys;
}

function meaningOf(word: string, lexicon: Lexicon): Meaning {
  const known = lexicon.meanings.get(word);
  if (known !== undefined) return known;
  const itsStem = stem(word);
  const phrases = phrasesAt(itsStem, lexicon);
  const single = phrases.filter(({ stems }) => stems.length === 1).map(({ concept }) => concept);
  const own = isWorthKeeping(word) ? ownCopy(word) : word;
  const weight = weightOf(word, itsStem);
  const meaning = { word: own, stem: itsStem, keys: [...new Set([itsStem, ...single])], weight, phrases };
  if (isWorthKeeping(word)) lexicon.meanings.set(own, meaning);
  return meaning;
}

/** When, where and why are asked as much as what they are asked about. */
function weightIn({ word, weight }: Meaning, keys: readonly string[]): number {
  if (word === 'what' || word === 'which' || word === 'how') return 0;
  return weight < 0.8 && keys.some((key) => questionConcepts.has(key)) ? 0.8 : weight;
}

/** Put together of parts that say what it means. */
const isJoined = /^(?:non|ex|anti|half|self|long|full)-|-(?:free|related|like|wise|based|induced)$/;

/** "Non-smoker" is not a word that anybody lists: its parts say what it means. */
function partsOf(word: string, lexicon: Lexicon): readonly string[] {
  return word
    .split('-')
    .filter((part) => part.length > 3 && !emptyWords.has(part))
    .flatMap((part) => {
      const single = phrasesAt(stem(part), lexicon).filter(({ stems }) => stems.length === 1);
      return [stem(part), ...single.map(({ concept }) => concept)];
    });
}

/** The verb of "did you …" and "who …", the noun of "which …", the quality of "how …". */
function isHead(words: readonly string[], index: number): boolean {
  const before = words[index - 1];
  if (before === undefined) return false;
  if (askers.has(before)) return !isCounted(words[index]!);
  const two = words[index - 2];
  if (two === undefined) return false;
  return (subjects.has(before) && auxiliaries.has(two)) || (askers.has(two) && isCounted(before));
}

/** "How many", "how much": what is counted comes behind. */
function isCounted(word: string): boolean {
  return word === 'many' || word === 'much';
}
