import { commonWords, emptyWords } from './common-words.ts';
import { stem } from './stem.ts';

/** A word as it is compared: its stem, and the concepts (`#when`) that it may stand for. */
export interface Token {
  readonly word: string;
  readonly keys: readonly string[];
  readonly empty: boolean;
}

/** Words and phrases with the concepts they stand for. */
export interface Lexicon {
  /** By the stem of the first word. */
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>;
  /** The scenario's own. */
  readonly own: ReadonlyMap<string, readonly Phrase[]>;
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

/** The engine's common words and a scenario's own. */
export function lexiconOf(synonyms: readonly (readonly string[])[]): Lexicon {
  common ??= phrasesOf(commonWords.map((line) => line.split(', ')));
  return { phrases: common, own: phrasesOf(synonyms) };
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
      if (known) known.push({ stems, concept });
      else phrases.set(stems[0]!, [{ stems, concept }]);
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
      if (length > 1 && questionWords.has(words[at]!) && !covered.has(at)) {
        covered.add(at);
        keys[at] = [];
      }
      const allEmpty = phrase.stems.every((_, offset) => emptyWords.has(words[at + offset]!));
      for (let offset = 0; offset < length; offset++)
        if (allEmpty || length === 1 || !emptyWords.has(words[at + offset]!))
          keys[at + offset]!.push(phrase.concept);
    }
  }
  return words.map((word, index) => ({ word, keys: keys[index]!, empty: emptyWords.has(word) }));
}

const none: readonly Phrase[] = [];

function phrasesAt(lexicon: Lexicon, stem: string): readonly Phrase[] {
  const own = lexicon.own.get(stem);
  const shared = lexicon.phrases.get(stem) ?? none;
  return own ? [...own, ...shared] : shared;
}

const questionWords: ReadonlySet<string> = new Set(['how', 'what', 'which', 'when', 'where', 'who', 'why']);

function startsWith(stems: readonly string[], at: number, wanted: readonly string[]): boolean {
  for (let offset = 1; offset < wanted.length; offset++)
    if (stems[at + offset] !== wanted[offset]) return false;
  return true;
}
