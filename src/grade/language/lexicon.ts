import { commonWords, otherPeople } from './common-words.ts';
import { emptyWords } from './framing-words.ts';
import { Recent } from '../../base/host/recent.ts';
import { stem } from './stem.ts';
import type { Learnt } from './traits.ts';
import { wordsIn } from './words.ts';
import type { Word } from './words.ts';

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
  /** What the evidence that weighed it last knows of it. */
  learnt: Learnt | undefined;
}

/** Words and phrases with the concepts they stand for. */
export interface Lexicon {
  /** By the stem of the first word. */
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>;
  /** Where the scenario has its own: these, and the common ones after them. */
  readonly own: ReadonlyMap<string, readonly Phrase[]>;
  /** Every concept, by its key. */
  readonly concepts: ReadonlySet<string>;
  /** The words met lately that the scenario's own phrases begin with. */
  readonly meanings: Recent<string, Meaning>;
  readonly number: number;
}

interface Phrase {
  readonly stems: readonly string[];
  readonly concept: string;
}

const wordPattern = /[a-z\u00c0-\u024f][a-z\u00c0-\u024f'-]*[a-z\u00c0-\u024f]|[a-z]|\d+(?:[.,-]\d+)*/g;

export function wordsOf(text: string): readonly string[] {
  return text.match(wordPattern) ?? [];
}

let lexicons = 0;

let common: ReadonlyMap<string, readonly Phrase[]> | undefined;

/** The engine's common words, and a scenario's own: its synonyms, and the phrases that its patterns write as one word. */
export function lexiconOf(
  synonyms: readonly (readonly string[])[],
  phrases: readonly string[] = [],
): Lexicon {
  common ??= phrasesOf(commonWords.map((line) => line.split(', ')));
  const own = phrasesOf([...synonyms, ...phrases.map((phrase) => [phrase])]);
  const merged = [...own].map(
    ([first, list]) => [first, [...list, ...(common!.get(first) ?? none)]] as const,
  );
  return {
    phrases: common,
    own: new Map(merged),
    concepts: new Set([...conceptsOf(common), ...conceptsOf(own)]),
    meanings: new Recent(1000),
    number: ++lexicons,
  };
}

function conceptsOf(phrases: ReadonlyMap<string, readonly Phrase[]>): readonly string[] {
  return [...phrases.values()].flatMap((list) => list.map(({ concept }) => concept));
}

function phrasesOf(groups: readonly (readonly string[])[]): ReadonlyMap<string, readonly Phrase[]> {
  const phrases = new Map<string, Phrase[]>();
  for (const group of groups) {
    const concept = `#${group[0]}`;
    for (const form of group) {
      const words = wordsOf(form.toLowerCase());
      // A word that carries no topic means something only within a phrase.
      if (words.length === 0 || (words.length === 1 && emptyWords.has(words[0]!))) continue;
      const stems = words.map(stem);
      const known = phrases.get(stems[0]!);
      if (!known) phrases.set(stems[0]!, [{ stems, concept }]);
      else if (!known.some((one) => one.concept === concept && one.stems.join(' ') === stems.join(' ')))
        known.push({ stems, concept });
    }
  }
  for (const list of phrases.values()) list.sort((a, b) => b.stems.length - a.stems.length);
  return phrases;
}

/** The words of a text with all they may stand for. A phrase gives its concept to each of its words. */
export function tokensOf(text: string, lexicon: Lexicon): readonly Token[] {
  return tokensFrom(wordsIn(text), lexicon);
}

export function tokensFrom(words: readonly Word[], lexicon: Lexicon): readonly Token[] {
  const meanings = words.map((word) => meaningOf(word, lexicon));
  const inPhrases = keysInPhrases(meanings);
  return meanings.map((meaning, index) => {
    const { word } = meaning;
    const head = isHead(words, index);
    const general = word.people && index > 0 && words[index - 1]!.generalises;
    const offered = index === 0 && word.offers && (words[1]?.text === 'i' || words[1]?.text === 'we');
    let keys = inPhrases?.[index];
    if (word.joined && (keys ?? meaning.keys).length === 1)
      keys = [...(keys ?? meaning.keys), ...partsOf(word.text, lexicon)];
    if (!keys && !general && !offered) return head ? meaning.asHead : meaning.alone;
    return tokenOf(word, keys ?? meaning.keys, { head, general, offered });
  });
}

function tokenOf(
  word: Word,
  keys: readonly string[],
  how: { readonly head?: boolean; readonly general?: boolean; readonly offered?: boolean },
): Token {
  const { head = false, general = false, offered = false } = how;
  const weight = weightOf(word, keys);
  const isOther = general || keys.some((key) => otherPeople.has(key));
  const price = isOther ? 3 : head ? weight * 2 : weight;
  const { text, empty } = word;
  return { word: text, keys, empty, weight, price, head, general, offered, learnt: undefined };
}

/** What words stand for where they make phrases; nothing for those that stand for what they always do. */
function keysInPhrases(meanings: readonly Meaning[]): readonly (readonly string[] | undefined)[] | undefined {
  let keys: (string[] | undefined)[] | undefined;
  for (let at = 0; at < meanings.length; at++) {
    const { word, phrases, seconds } = meanings[at]!;
    const begins =
      seconds !== undefined && at + 1 < meanings.length && seconds.has(meanings[at + 1]!.word.stem);
    if (!begins && (keys === undefined || keys[at] === undefined)) continue;
    keys ??= meanings.map(() => undefined);
    keys[at] ??= [word.stem];
    // "how long" is no "how": a question word inside a phrase loses its own meaning.
    let covered = false;
    for (const phrase of phrases) {
      if (!startsWith(meanings, at, phrase.stems)) continue;
      const length = phrase.stems.length;
      if (word.questions) {
        if (length === 1 && covered) continue;
        if (length > 1 && !covered && questionConcepts.has(phrase.concept)) {
          covered = true;
          keys[at] = [];
        }
      }
      const allEmpty = phrase.stems.every((_, offset) => meanings[at + offset]!.word.empty);
      for (let offset = 0; offset < length; offset++) {
        const { word: met } = meanings[at + offset]!;
        if (length > 1 && met.empty && !allEmpty) continue;
        const list = (keys[at + offset] ??= [met.stem]);
        if (!list.includes(phrase.concept)) list.push(phrase.concept);
      }
    }
  }
  return keys;
}

/** A word with all that it stands for, where it makes no phrase with its neighbours. */
export interface Meaning {
  readonly word: Word;
  readonly keys: readonly string[];
  /** What it begins, by itself or with the words behind it. */
  readonly phrases: readonly Phrase[];
  /** The second words of those that have more than one, if any has. */
  readonly seconds: ReadonlySet<string> | undefined;
  readonly alone: Token;
  /** What is asked turns on it. */
  readonly asHead: Token;
}

function meaningOf(word: Word, lexicon: Lexicon): Meaning {
  if (word.lexicon === lexicon.number) return word.latest!;
  const own = lexicon.own.get(word.stem);
  let meaning: Meaning | undefined;
  // What a scenario says nothing of means the same in all of them.
  if (!own) meaning = word.meaning ??= meaningFrom(word, lexicon.phrases.get(word.stem) ?? none);
  else if (!(meaning = lexicon.meanings.get(word.text)))
    lexicon.meanings.set(word.text, (meaning = meaningFrom(word, own)));
  word.lexicon = lexicon.number;
  word.latest = meaning;
  return meaning;
}

function meaningFrom(word: Word, phrases: readonly Phrase[]): Meaning {
  const single = phrases.filter(({ stems }) => stems.length === 1).map(({ concept }) => concept);
  const keys = single.length > 0 ? [...new Set([word.stem, ...single])] : [word.stem];
  const seconds = phrases.flatMap(({ stems }) => stems.slice(1, 2));
  return {
    word,
    keys,
    phrases,
    seconds: seconds.length > 0 ? new Set(seconds) : undefined,
    alone: tokenOf(word, keys, {}),
    asHead: tokenOf(word, keys, { head: true }),
  };
}

/** "Non-smoker" is no word that anybody lists: its parts say what it means. */
function partsOf(word: string, lexicon: Lexicon): readonly string[] {
  return word
    .split('-')
    .filter((part) => part.length > 3 && !emptyWords.has(part))
    .flatMap((part) => {
      const itsStem = stem(part);
      const single = phrasesAt(lexicon, itsStem).filter(({ stems }) => stems.length === 1);
      return [itsStem, ...single.map(({ concept }) => concept)];
    });
}

/** The verb of "did you …" and "who …", the noun of "which …", the quality of "how …". */
function isHead(words: readonly Word[], index: number): boolean {
  // A place below 0 would be looked up as a name.
  if (index === 0) return false;
  const before = words[index - 1]!;
  if (before.asks) return !isCounted(words[index]!.text);
  if (index === 1) return false;
  const two = words[index - 2]!;
  return (before.subject && two.auxiliary) || (two.asks && isCounted(before.text));
}

/** "How many", "how much": what is counted comes behind. */
function isCounted(text: string): boolean {
  return text === 'many' || text === 'much';
}

function weightOf({ text, weight }: Word, keys: readonly string[]): number {
  if (text === 'what' || text === 'which' || text === 'how') return 0;
  // When, where and why are asked as much as what they are asked about.
  return weight < 0.8 && keys.some((key) => questionConcepts.has(key)) ? 0.8 : weight;
}

export const questionConcepts: ReadonlySet<string> = new Set([
  '#when',
  '#where',
  '#who',
  '#why',
  '#how',
  '#how long',
  '#how much',
  '#how many',
  '#how often',
  '#how bad',
]);

const none: readonly Phrase[] = [];

function phrasesAt(lexicon: Lexicon, stem: string): readonly Phrase[] {
  return lexicon.own.get(stem) ?? lexicon.phrases.get(stem) ?? none;
}

function startsWith(meanings: readonly Meaning[], at: number, wanted: readonly string[]): boolean {
  for (let offset = 1; offset < wanted.length; offset++)
    if (meanings[at + offset]?.word.stem !== wanted[offset]) return false;
  return true;
}
