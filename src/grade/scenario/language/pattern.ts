import { otherPeople } from './common-words.ts';
import type { Lexicon, Token } from './lexicon.ts';
import { tokensOf } from './lexicon.ts';
import { stem } from './stem.ts';

/**
 * Words that must all stand in one clause, in any order, as they are or as something that means the same.
 * `when hurt|pain !treatment`: a word for when, a word for hurt or pain, and none for treatment. `=word` takes no synonyms.
 */
export interface Pattern {
  readonly source: string;
  readonly wanted: readonly (readonly string[])[];
  readonly barred: readonly string[];
  /** Nothing but question words: it would catch every question of its kind, and so catches none. */
  readonly empty: boolean;
  /** The pattern itself speaks of other people. */
  readonly others: boolean;
}

export interface Match {
  /** Longer patterns say more; question words say half. */
  readonly score: number;
  /** Indexes of the tokens it used. */
  readonly used: readonly number[];
}

export function patternOf(source: string, lexicon: Lexicon): Pattern {
  const wanted: string[][] = [];
  const barred: string[] = [];
  const phrases = source
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const plain: string[] = [];
  for (const word of phrases) {
    if (word.startsWith('!')) barred.push(...keysOf(word.slice(1), lexicon, true));
    else if (word.includes('|'))
      wanted.push(word.split('|').flatMap((choice) => choiceKeys(choice, lexicon)));
    else if (word.startsWith('='))
      wanted.push([tokensOf(word.slice(1), lexicon)[0]?.keys[0] ?? word.slice(1)]);
    else plain.push(word);
  }
  for (const token of mergePhrases(tokensOf(plain.join(' '), lexicon)))
    if (token.length > 0) wanted.push([...token]);
  const others = wanted.some((keys) => keys.some((key) => otherPeople.has(key)));
  const empty = wanted.every((keys) =>
    keys.every((key) => vague.has(key) || (questionConcepts.has(key) && !specific.has(key))),
  );
  return { source, wanted, barred, empty, others };
}

/** Words of one phrase ("how long") are one wish, asked for by the concept they share. */
function mergePhrases(tokens: readonly Token[]): readonly (readonly string[])[] {
  const wishes: (readonly string[])[] = [];
  let last: { readonly shared: readonly string[]; readonly index: number } | undefined;
  tokens.forEach((token, index) => {
    const concepts = token.keys.filter((key) => key.startsWith('#'));
    const shared =
      last && last.index === index - 1 ? concepts.filter((key) => last!.shared.includes(key)) : [];
    if (shared.length > 0) {
      wishes[wishes.length - 1] = shared;
      last = { shared, index };
    } else if (!token.empty || concepts.length > 0) {
      // A question word means its concept: a "when" that only joins has none.
      wishes.push(concepts.some((concept) => questionConcepts.has(concept)) ? concepts : token.keys);
      last = { shared: concepts, index };
    }
  });
  return wishes;
}

/** The words of a clause, and all that they may stand for: most patterns are out at the first look. */
export interface Bag {
  readonly tokens: readonly Token[];
  readonly keys: ReadonlySet<string>;
  /** It speaks of other people. */
  readonly others: boolean;
}

export function bagOf(tokens: readonly Token[]): Bag {
  const keys = new Set<string>();
  let others = false;
  for (const token of tokens)
    for (const key of token.keys) {
      keys.add(key);
      if (otherPeople.has(key)) others = true;
    }
  return { tokens, keys, others };
}

/** How well a clause's free tokens meet a pattern, or nothing. */
export function matchPattern(
  pattern: Pattern,
  bag: Bag,
  taken: ReadonlySet<number> = noneTaken,
): Match | undefined {
  const { tokens, keys: all } = bag;
  if (pattern.empty || (bag.others && !pattern.others)) return undefined;
  for (const keys of pattern.wanted) if (!keys.some((key) => all.has(key))) return undefined;
  for (const key of pattern.barred) if (all.has(key)) return undefined;
  const used: number[] = [];
  let score = 0;
  for (const keys of pattern.wanted) {
    const at = firstMeeting(tokens, keys, (index) => taken.has(index) || used.includes(index));
    if (at < 0) return undefined;
    used.push(at);
    const met = tokens[at]!.keys.find((key) => keys.includes(key))!;
    if (vague.has(met)) {
      score += 0.25;
      continue;
    }
    score += questionConcepts.has(met) ? 0.5 : 1;
    // The word as it was written says more than one that merely means the same.
    if (!met.startsWith('#')) score += 0.25;
  }
  return { score, used };
}

const noneTaken: ReadonlySet<number> = new Set();

/**
 * Finds which of many patterns a clause could meet: each stands under the words of the one wish that is rarest among
 * all, and is looked at only when the clause has one of these.
 */
export function patternIndex(patterns: readonly Pattern[]): (bag: Bag) => readonly number[] {
  const common = new Map<string, number>();
  for (const { wanted } of patterns)
    for (const key of wanted.flat()) common.set(key, (common.get(key) ?? 0) + 1);
  const commonness = (keys: readonly string[]) => keys.reduce((sum, key) => sum + common.get(key)!, 0);
  const places = new Map<string, number[]>();
  patterns.forEach(({ wanted, empty }, place) => {
    const [rarest] = wanted.toSorted((one, other) => commonness(one) - commonness(other));
    if (empty || rarest === undefined) return;
    for (const key of new Set(rarest)) places.set(key, [...(places.get(key) ?? []), place]);
  });
  return ({ keys }) => {
    const found = new Set<number>();
    for (const key of keys) for (const place of places.get(key) ?? []) found.add(place);
    return [...found];
  };
}

function firstMeeting(
  tokens: readonly Token[],
  keys: readonly string[],
  isTaken: (index: number) => boolean,
): number {
  for (let index = 0; index < tokens.length; index++) {
    if (isTaken(index)) continue;
    for (const key of tokens[index]!.keys) if (keys.includes(key)) return index;
  }
  return -1;
}

/** "What" and "which" ask for anything: they hardly tell one question from another. */
const vague: ReadonlySet<string> = new Set(['what', 'which']);

/** "How bad" and "how much" say what they ask for by themselves. */
const specific: ReadonlySet<string> = new Set([
  '#how long',
  '#how much',
  '#how many',
  '#how often',
  '#how bad',
]);

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

function choiceKeys(choice: string, lexicon: Lexicon): readonly string[] {
  return choice.startsWith('=') ? [stem(choice.slice(1))] : keysOf(choice, lexicon, false);
}

function keysOf(word: string, lexicon: Lexicon, exact: boolean): readonly string[] {
  const tokens = tokensOf(word.replaceAll('_', ' '), lexicon);
  if (exact) return tokens.flatMap((token) => token.keys).slice(0, 1);
  const wishes = mergePhrases(tokens);
  // A phrase that the words do not know as one is asked for by its last word.
  return wishes.at(-1) ?? tokens.at(-1)?.keys.slice(0, 1) ?? [];
}
