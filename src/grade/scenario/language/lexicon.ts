import { commonWords } from './common-words.ts';
import { emptyWords, framingWords, lightWords } from './framing-words.ts';
import { ownCopy, stem } from './stem.ts';

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
  /** Where the scenario has its own: these, and the common ones after them. */
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
  const merged = [...own].map(
    ([first, list]) => [first, [...list, ...(common!.get(first) ?? none)]] as const,
  );
  return {
    phrases: common,
    own: new Map(merged),
    concepts: new Set([...conceptsOf(common), ...conceptsOf(own)]),
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
  const words = wordsOf(text).map(wordOf);
  const keys: string[][] = words.map((word) => [word.stem]);
  for (let at = 0; at < words.length; at++) {
    // "how long" is no "how": a question word inside a phrase loses its own meaning.
    let covered = false;
    for (const phrase of phrasesAt(lexicon, words[at]!.stem)) {
      if (!startsWith(words, at, phrase.stems)) continue;
      const length = phrase.stems.length;
      if (words[at]!.questions) {
        if (length === 1 && covered) continue;
        if (length > 1 && !covered && questionConcepts.has(phrase.concept)) {
          covered = true;
          keys[at] = [];
        }
      }
      for (let offset = 0; offset < length; offset++)
        if (
          length === 1 ||
          !words[at + offset]!.empty ||
          phrase.stems.every((_, index) => words[at + index]!.empty)
        )
          if (!keys[at + offset]!.includes(phrase.concept)) keys[at + offset]!.push(phrase.concept);
    }
  }
  words.forEach((word, index) => {
    if (word.joined && keys[index]!.length === 1) keys[index]!.push(...partsOf(word.text, lexicon));
  });
  const heads = headsOf(words);
  const [first, second] = words;
  const offers = offering.has(first?.text ?? '') && (second?.text === 'i' || second?.text === 'we');
  return words.map((word, index) => ({
    word: word.text,
    keys: keys[index]!,
    empty: word.empty,
    weight: weightOf(word, keys[index]!),
    head: heads[index] === true,
    general: people.has(word.text) && index > 0 && generalBefore.has(words[index - 1]!.text),
    offered: offers && index === 0,
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

/** What a word is by itself, whatever stands around it. */
interface Word {
  readonly text: string;
  readonly stem: string;
  readonly empty: boolean;
  readonly questions: boolean;
  /** Put together of parts that say what it means. */
  readonly joined: boolean;
  /** How much it leaves unsaid where it asks nothing. */
  readonly weight: number;
}

const known = new Map<string, Word>();

function wordOf(found: string): Word {
  let word = known.get(found);
  if (word === undefined) {
    const text = ownCopy(found);
    const itsStem = stem(text);
    word = {
      text,
      stem: itsStem,
      empty: emptyWords.has(text),
      questions: questionWords.has(text),
      joined: joined.test(text),
      weight: ownWeightOf(text, itsStem),
    };
    // Texts without end come by; the words of a language do not fill this.
    if (known.size < 20_000) known.set(text, word);
  }
  return word;
}

/** The verb of "did you …" and "who …", the noun of "which …", the quality of "how …". */
function headsOf(words: readonly Word[]): readonly (true | undefined)[] {
  const heads: (true | undefined)[] = [];
  for (let index = 0; index < words.length - 1; index++) {
    const { text } = words[index]!;
    const after = words[index + 1]!.text;
    if (askers.has(text)) heads[after === 'many' || after === 'much' ? index + 2 : index + 1] = true;
    else if (index > 0 && subjects.has(text) && auxiliaries.has(words[index - 1]!.text))
      heads[index + 1] = true;
  }
  return heads;
}

const offering: ReadonlySet<string> = new Set(['shall', 'should', 'may', 'can', 'could', 'must']);

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

function weightOf({ text, weight }: Word, keys: readonly string[]): number {
  if (text === 'what' || text === 'which' || text === 'how') return 0;
  // When, where and why are asked as much as what they are asked about.
  return weight < 0.8 && keys.some((key) => questionConcepts.has(key)) ? 0.8 : weight;
}

function ownWeightOf(word: string, itsStem: string): number {
  if (emptyWords.has(word) || framingWords.has(itsStem)) return 0;
  if (otherOnes.has(word)) return 0.6;
  if (itsStem === 'work' || itsStem === 'happen' || itsStem === 'try') return 0.6;
  return lightWords.has(itsStem) || /^\d/.test(word) ? 0.35 : 1;
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

function startsWith(words: readonly Word[], at: number, wanted: readonly string[]): boolean {
  for (let offset = 1; offset < wanted.length; offset++)
    if (words[at + offset]?.stem !== wanted[offset]) return false;
  return true;
}
