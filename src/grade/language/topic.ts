import { Recent } from '../../base/host/recent.ts';
import type { Lexicon, Token } from './lexicon.ts';
import { lexiconOf, questionConcepts, tokensOf } from './lexicon.ts';
import type { Pattern } from './pattern.ts';
import { matchPattern, patternOf, phrasesIn } from './pattern.ts';

/** What may be asked for, by patterns, and the words that a question about it may hold. */
export interface TopicWords {
  readonly patterns: readonly Pattern[];
  /** By number, what its patterns speak of: a word that means none of it is left unexplained. */
  readonly explains: Uint8Array;
  /** By number, what speaks against it. */
  readonly bars: Uint8Array;
}

/** How a clause fits a topic: better the more of it the topic explains. */
export interface Fit {
  readonly topic: number;
  readonly score: number;
  /** How much more of the question is explained than not. */
  readonly margin: number;
  /** Enough of it is explained, and nothing is said that bars it: the words alone settle it. */
  readonly sure: boolean;
  /** The tokens by which it was recognised. */
  readonly used: readonly number[];
}

/** What is listened for: topics in their order. */
export interface Listener extends Patterns {
  /** The person's name, and what the whole conversation is about: these need no explaining. */
  readonly given: ReadonlySet<string>;
  /** What the whole conversation is about. */
  readonly about: readonly Token[];
}

interface Patterns {
  readonly lexicon: Lexicon;
  readonly topics: readonly TopicWords[];
  /** Every pattern with its topic, and what it wants by number. */
  readonly patterns: readonly {
    readonly pattern: Pattern;
    readonly topic: number;
    readonly wanted: readonly (readonly number[])[];
  }[];
  /** Of whatever patterns speak of. */
  readonly numbers: ReadonlyMap<string, number>;
  /** By number, whether some pattern wants it. */
  readonly wanted: Uint8Array;
  /** By number, the patterns of which it meets the wish that is rarest among all: only these are looked at. */
  readonly near: readonly (readonly number[])[];
  /** By number, while a clause is looked at, whether that stands in it. */
  readonly isHeld: Uint8Array;
}

/** What every topic explains. */
const given = 0;

/** Listens for topics, each given by its patterns, in a conversation with somebody, about something. */
export function listenFor(
  asks: readonly (readonly string[])[],
  world: { readonly synonyms: readonly (readonly string[])[]; readonly about: string; readonly name: string },
): Listener {
  const heard = patternsOf(asks, world.synonyms);
  const about = tokensOf(world.about, heard.lexicon);
  const name = tokensOf(world.name.toLowerCase(), heard.lexicon);
  return { ...heard, given: new Set([...name, ...about].map((token) => token.keys[0]!)), about };
}

/** By what they were read from: variants of a scenario differ in names and facts, and hardly ever in patterns. */
const read = new Recent<string, Patterns>(100);

function patternsOf(
  asks: readonly (readonly string[])[],
  synonyms: readonly (readonly string[])[],
): Patterns {
  const source = JSON.stringify([asks, synonyms]);
  let patterns = read.get(source);
  if (patterns === undefined) read.set(source, (patterns = readPatterns(asks, synonyms)));
  return patterns;
}

function readPatterns(
  asks: readonly (readonly string[])[],
  synonyms: readonly (readonly string[])[],
): Patterns {
  const lexicon = lexiconOf(synonyms, [...new Set(asks.flat().flatMap(phrasesIn))]);
  const listened = asks.map((sources) => sources.map((source) => patternOf(source, lexicon)));
  const all = listened.flat();
  const wanted = all.flatMap((pattern) => pattern.wanted.flat());
  const others = all.flatMap(({ barred, besides }) => [...barred, ...besides]);
  const numbers = new Map([...new Set([...wanted, ...others])].map((key, index) => [key, given + 1 + index]));
  const numberOf = (key: string) => numbers.get(key)!;
  const among = (keys: readonly string[]) => {
    const flags = new Uint8Array(given + 1 + numbers.size);
    for (const key of keys) flags[numberOf(key)] = 1;
    return flags;
  };
  const topics = listened.map((patterns) => {
    // When and who are asked only where the very pattern that is met asks them.
    const speaksOf = patterns.flatMap((pattern) =>
      pattern.wanted.flat().filter((key) => !questionConcepts.has(key)),
    );
    const explains = among([...speaksOf, ...patterns.flatMap(({ besides }) => besides)]);
    explains[given] = 1;
    const asides = patterns.filter(({ aside }) => aside);
    return { patterns, explains, bars: among(asides.flatMap(({ barred }) => barred)) };
  });
  const patterns = topics.flatMap((words, topic) =>
    words.patterns.map((pattern) => ({
      pattern,
      topic,
      wanted: pattern.wanted.map((keys) => keys.map(numberOf)),
    })),
  );
  const near = Array.from({ length: given + 1 + numbers.size }, (): number[] => []);
  const common = new Map<string, number>();
  for (const key of wanted) common.set(key, (common.get(key) ?? 0) + 1);
  const commonness = (keys: readonly string[]) => keys.reduce((sum, key) => sum + common.get(key)!, 0);
  all.forEach(({ wanted: wishes, empty, aside }, place) => {
    const [rarest] = wishes.toSorted((one, other) => commonness(one) - commonness(other));
    if (!empty && !aside) for (const key of new Set(rarest)) near[numberOf(key)]!.push(place);
  });
  return { lexicon, topics, patterns, numbers, wanted: among(wanted), near, isHeld: among([]) };
}

/** The words of a clause, and by number all that each may stand for, without what no pattern speaks of. */
export interface Bag {
  readonly tokens: readonly Token[];
  readonly keys: readonly (readonly number[])[];
}

export function bagOf(tokens: readonly Token[], listener: Listener): Bag {
  const keys = tokens.map((token) => {
    let its: number[] | undefined;
    for (const key of token.keys) {
      const number = listener.numbers.get(key);
      if (number !== undefined) (its ??= []).push(number);
      if (listener.given.has(key)) (its ??= []).push(given);
    }
    return its ?? none;
  });
  return { tokens, keys };
}

const none: readonly number[] = [];

/** What nobody explains may weigh as much as what is explained, less this: a single word must stand alone. */
const margin = 0.3;

/** Less than this was hardly a question. */
const leastSaid = 0.4;

export function isExplained({ explains }: TopicWords, { tokens, keys }: Bag, index: number): boolean {
  const { weight, general } = tokens[index]!;
  if (weight === 0 && !general) return true;
  for (const key of keys[index]!) if (explains[key] === 1) return true;
  return false;
}

/** A word is said that speaks against the topic. */
export function isBarred({ bars }: TopicWords, { keys }: Bag): boolean {
  for (const its of keys) for (const key of its) if (bars[key] === 1) return true;
  return false;
}

/** The topics that words may be about, the best first: each has a pattern that they meet, and explains most of them. */
export function fitsOf(
  bag: Bag,
  listener: Listener,
  lean: (topic: number) => number,
  free: number = bag.tokens.length,
): readonly Fit[] {
  const { tokens } = bag;
  const best = new Map<number, Fit>();
  for (const place of placesNear(bag, listener)) {
    const { pattern, topic } = listener.patterns[place]!;
    const words = listener.topics[topic]!;
    const match = matchPattern(pattern, tokens);
    if (!match) continue;
    const offers = tokens.some(({ offered }, index) => offered && !match.used.includes(index));
    let explained = 0;
    let unexplained = 0;
    for (let index = 0; index < free; index++) {
      const token = tokens[index]!;
      if (match.used.includes(index)) explained += Math.max(token.weight, 0.25);
      else if (isExplained(words, bag, index)) explained += token.weight;
      else unexplained += token.price;
    }
    const explains = explained >= leastSaid && unexplained <= explained - margin;
    const sure = explains && !offers && !isBarred(words, bag);
    const score = match.score + (explained - unexplained) / 2 + lean(topic);
    const known = best.get(topic);
    if (!known || (sure === known.sure ? score > known.score : sure))
      best.set(topic, { topic, score, margin: explained - unexplained, sure, used: match.used });
  }
  const fits = [...best.values()];
  return fits.length > 1 ? fits.sort((one, other) => other.score - one.score) : fits;
}

/** The patterns of which every wish has a word, in their order. */
function placesNear({ keys: all }: Bag, { near, patterns, isHeld }: Listener): readonly number[] {
  const found = new Set<number>();
  for (const keys of all) for (const key of keys) isHeld[key] = 1;
  for (const keys of all)
    for (const key of keys)
      for (const place of near[key]!) if (isMet(patterns[place]!.wanted, isHeld)) found.add(place);
  for (const keys of all) for (const key of keys) isHeld[key] = 0;
  return [...found].toSorted((one, other) => one - other);
}

/** There is a word for each of the wishes. */
function isMet(wishes: readonly (readonly number[])[], isHeld: Uint8Array): boolean {
  for (const keys of wishes) {
    let met = 0;
    for (const key of keys) met |= isHeld[key]!;
    if (met === 0) return false;
  }
  return true;
}
