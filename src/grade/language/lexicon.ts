import { Recent } from '../../base/host/recent.ts';
import { readLines } from './read-lists.ts';
import { stem } from './stem.ts';
import type { Meaning } from './tokens.ts';
import { emptyWords, wordsOf } from './words.ts';

/** Words and phrases with the concepts they stand for. */
export interface Lexicon {
  /** By the stem of the first word, longer ones first. */
  readonly phrases: Phrases;
  /** Where the scenario has its own: these, and the common ones after them. */
  readonly own: Phrases;
  /** Every concept, by its key. */
  readonly concepts: ReadonlySet<string>;
  /** What the words met lately may stand for. */
  readonly meanings: Recent<string, Meaning>;
}

type Phrases = ReadonlyMap<string, readonly Phrase[]>;

export interface Phrase {
  readonly stems: readonly string[];
  /** `#when` */
  readonly concept: string;
}

let common: Phrases | undefined;

/** The engine's common words, and a scenario's own: its synonyms, and the phrases that its patterns write as one word. */
export function lexiconOf(
  synonyms: readonly (readonly string[])[],
  phrases: readonly string[] = [],
): Lexicon {
  common ??= phrasesOf(
    readLines(new URL('./data/common-words.txt', import.meta.url)).map((line) => line.split(', ')),
  );
  const own = phrasesOf([...synonyms, ...phrases.map((phrase) => [phrase])]);
  const merged = [...own].map(([first, list]) => [first, [...list, ...(common!.get(first) ?? [])]] as const);
  return {
    phrases: common,
    own: new Map(merged),
    concepts: new Set([...conceptsOf(common), ...conceptsOf(own)]),
    meanings: new Recent(2000),
  };
}

/** The phrases that begin with a word. */
export function phrasesAt(itsStem: string, { own, phrases }: Lexicon): readonly Phrase[] {
  return own.get(itsStem) ?? phrases.get(itsStem) ?? [];
}

function conceptsOf(phrases: Phrases): readonly string[] {
  return [...phrases.values()].flatMap((list) => list.map(({ concept }) => concept));
}

function phrasesOf(groups: readonly (readonly string[])[]): Phrases {
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

/** What asks by itself, whatever it is about. */
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

/** Other people: a question about them is not about the person, unless the pattern says so too. */
export const otherPeople: ReadonlySet<string> = new Set([
  '#family',
  '#partner',
  '#child',
  '#friend',
  '#colleague',
  '#neighbour',
]);
