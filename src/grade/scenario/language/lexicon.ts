import { commonWords } from './common-words.ts';
import { emptyWords, framingWords, lightWords } from './framing-words.ts';
import { stem } from './stem.ts';

/** A word as it is compared: its stem, and the concepts (`#when`) that it may stand for. */
export interface Token {
  readonly word: string;
  readonly keys: readonly string[];
  readonly empty: boolean;
  /** How much is left unsaid when nobody explains the word: 0 for "of" and "describe", 1 for "parcel". */
  readonly weight: number;
  /** What is asked turns on it: the verb of "did you …", the noun of "which …". */
  readonly head: boolean;
  /** "Do people …?": the world in general. */
  readonly general: boolean;
  /** The first word of "Shall I …?": an offer, which asks only whether that is wanted. */
  readonly offered: boolean;
}

/** Words and phrases with the concepts they stand for. */
export interface Lexicon {
  /** By the stem of the first word. */
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>;
  /** The scenario's own. */
  readonly own: ReadonlyMap<string, readonly Phrase[]>;
  /** Every concept, by its key. */
  readonly concepts: ReadonlySet<string>;
}

interface Phrase {
  readonly stems: readonly string[];
  readonly concept: string;
}

const wordPattern = /[a-z\u00c0-\u024f][a-z\u00c0-\u024f'-]*[a-z\u00c0-\u024f]|[a-z]|\d+(?:[.,-]\d+)*/g;

export function wordsOf(text: string): readonly string[] {
  return text.match(wordPattern) ?? [];
}

let common: ReadonlyMap<string, readonly Phrase[]> | undefined;

/** The engine's common words, and a scenario's own: its synonyms, and the phrases that its patterns write as one word. */
export function lexiconOf(
  synonyms: readonly (readonly string[])[],
  phrases: readonly string[] = [],
): Lexicon {
  common ??= phrasesOf(commonWords.map((line) => line.split(', ')));
  const own = phrasesOf([...synonyms, ...phrases.map((phrase) => [phrase])]);
  return { phrases: common, own, concepts: new Set([...conceptsOf(common), ...conceptsOf(own)]) };
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
  const words = wordsOf(text);
  const stems = words.map(stem);
  const keys: string[][] = stems.map((one) => [one]);
  const covered = new Set<number>();
  for (let at = 0; at < stems.length; at++) {
    for (const phrase of phrasesAt(lexicon, stems[at]!)) {
      if (!startsWith(stems, at, phrase.stems)) continue;
      const length = phrase.stems.length;
      // "how long" is no "how": a question word inside a phrase loses its own meaning.
      if (length === 1 && covered.has(at) && questionWords.has(words[at]!)) continue;
      if (
        length > 1 &&
        questionConcepts.has(phrase.concept) &&
        questionWords.has(words[at]!) &&
        !covered.has(at)
      ) {
        covered.add(at);
        keys[at] = [];
      }
      for (let offset = 0; offset < length; offset++)
        if (
          length === 1 ||
          !emptyWords.has(words[at + offset]!) ||
          phrase.stems.every((_, index) => emptyWords.has(words[at + index]!))
        )
          if (!keys[at + offset]!.includes(phrase.concept)) keys[at + offset]!.push(phrase.concept);
    }
  }
  words.forEach((word, index) => {
    if (keys[index]!.length === 1 && joined.test(word)) keys[index]!.push(...partsOf(word, lexicon));
  });
  const heads = headsOf(words);
  const offered =
    /^(?:shall|should|may|can|could|must)$/.test(words[0] ?? '') && (words[1] === 'i' || words[1] === 'we')
      ? 0
      : -1;
  return words.map((word, index) => ({
    word,
    keys: keys[index]!,
    empty: emptyWords.has(word),
    weight: weightOf(word, stems[index]!, keys[index]!),
    head: heads.has(index),
    general: people.has(word) && index > 0 && generalBefore.has(words[index - 1]!),
    offered: index === offered,
  }));
}

const joined = /^(?:non|ex|anti|half|self|long|full)-|-(?:free|related|like|wise|based|induced)$/;

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
function headsOf(words: readonly string[]): ReadonlySet<number> {
  const heads = new Set<number>();
  words.forEach((word, index) => {
    const after = words[index + 1];
    if (after === undefined) return;
    if (askers.has(word)) heads.add(after === 'many' || after === 'much' ? index + 2 : index + 1);
    else if (subjects.has(word) && index > 0 && auxiliaries.has(words[index - 1]!)) heads.add(index + 1);
  });
  return heads;
}

const askers: ReadonlySet<string> = new Set(['what', 'which', 'whose', 'how', 'who']);
const subjects: ReadonlySet<string> = new Set([
  'you',
  'she',
  'he',
  'they',
  'it',
  'anyone',
  'anybody',
  'someone',
  'somebody',
]);
const auxiliaries: ReadonlySet<string> = new Set([
  'do',
  'does',
  'did',
  'have',
  'has',
  'had',
  'can',
  'could',
  'will',
  'would',
  'is',
  'are',
  'was',
  'were',
  'may',
  'might',
  'should',
  'shall',
  'must',
]);

/** "Do people …?" and "most people" speak of the world, unless the fact itself speaks of these. */
const people: ReadonlySet<string> = new Set([
  'people',
  'patients',
  'workers',
  'employees',
  'companies',
  'customers',
  'clients',
  'men',
  'women',
  'children',
  'adults',
]);
const generalBefore: ReadonlySet<string> = new Set([
  'do',
  'does',
  'did',
  'can',
  'could',
  'should',
  'are',
  'most',
  'many',
]);

const otherOnes: ReadonlySet<string> = new Set(['other', 'others', 'else', 'another', 'own']);

function weightOf(word: string, itsStem: string, keys: readonly string[]): number {
  if (word === 'what' || word === 'which' || word === 'how') return 0;
  // When, where and why are asked as much as what they are asked about.
  const question = keys.some((key) => questionConcepts.has(key)) ? 0.8 : 0;
  if (emptyWords.has(word) || framingWords.has(itsStem)) return question;
  if (otherOnes.has(word)) return Math.max(question, 0.6);
  if (itsStem === 'work' || itsStem === 'happen' || itsStem === 'try') return Math.max(question, 0.6);
  return Math.max(question, lightWords.has(itsStem) || /^\d/.test(word) ? 0.35 : 1);
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
  const own = lexicon.own.get(stem);
  const shared = lexicon.phrases.get(stem) ?? none;
  return own ? [...own, ...shared] : shared;
}

const questionWords: ReadonlySet<string> = new Set([
  'how',
  'what',
  'which',
  'when',
  'where',
  'who',
  'whom',
  'whose',
  'why',
]);

function startsWith(stems: readonly string[], at: number, wanted: readonly string[]): boolean {
  for (let offset = 1; offset < wanted.length; offset++)
    if (stems[at + offset] !== wanted[offset]) return false;
  return true;
}
