import { Recent } from '../../base/host/recent.ts';
import { lexiconOf, questionConcepts } from './lexicon.ts';
import type { Lexicon } from './lexicon.ts';
import { matchPattern, patternOf, phrasesIn } from './pattern.ts';
import type { Pattern } from './pattern.ts';
import { tokensOf } from './tokens.ts';
import type { Token } from './tokens.ts';

/** What may be asked for, by patterns, and the words that a question about it may hold. */
export interface TopicWords {
  readonly patterns: readonly Pattern[];
  /** What its patterns speak of: a word that means none of it is left unexplained. */
  readonly explains: ReadonlySet<string>;
  /** What speaks against it. */
  readonly bars: ReadonlySet<string>;
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

/** Topics in their order, looked up by the words of their patterns. */
export interface TopicIndex extends PatternIndex {
  /** The person's name, and what the whole conversation is about: these need no explaining. */
  readonly given: ReadonlySet<string>;
  /** What the whole conversation is about. */
  readonly about: readonly Token[];
}

interface PatternIndex {
  readonly lexicon: Lexicon;
  readonly topics: readonly TopicWords[];
  /** Every pattern with its topic. */
  readonly patterns: readonly { readonly pattern: Pattern; readonly topic: number }[];
  /** Whatever some pattern wants. */
  readonly wanted: ReadonlySet<string>;
  /** The patterns by the wish that is rarest among all: only these are looked at. */
  readonly byRarest: ReadonlyMap<string, readonly number[]>;
}

/** Topics, each given by its patterns, of a conversation with somebody, about something. */
export function topicIndexOf(
  asks: readonly (readonly string[])[],
  world: { readonly synonyms: readonly (readonly string[])[]; readonly about: string; readonly name: string },
): TopicIndex {
  const index = patternIndexOf(asks, world.synonyms);
  const about = tokensOf(world.about, index.lexicon);
  const name = tokensOf(world.name.toLowerCase(), index.lexicon);
  return { ...index, given: new Set([...name, ...about].map((token) => token.keys[0]!)), about };
}

/** By what they were read from: variants of a scenario differ in names and facts, and hardly ever in patterns. */
const known = new Recent<string, PatternIndex>(100);

function patternIndexOf(
  asks: readonly (readonly string[])[],
  synonyms: readonly (readonly string[])[],
): PatternIndex {
  const source = JSON.stringify([asks, synonyms]);
  let index = known.get(source);
  if (index === undefined) known.set(source, (index = readPatterns(asks, synonyms)));
  return index;
}

function readPatterns(
  asks: readonly (readonly string[])[],
  synonyms: readonly (readonly string[])[],
): PatternIndex {
  const lexicon = lexiconOf(synonyms, [...new Set(asks.flat().flatMap(phrasesIn))]);
  const topics = asks.map((sources) => topicOf(sources.map((source) => patternOf(source, lexicon))));
  const patterns = topics.flatMap((topic, place) =>
    topic.patterns.map((pattern) => ({ pattern, topic: place })),
  );
  const common = new Map<string, number>();
  for (const { pattern } of patterns)
    for (const key of pattern.wanted.flat()) common.set(key, (common.get(key) ?? 0) + 1);
  const commonness = (keys: readonly string[]) => keys.reduce((sum, key) => sum + common.get(key)!, 0);
  const byRarest = new Map<string, number[]>();
  for (const [place, { pattern }] of patterns.entries()) {
    if (pattern.empty || pattern.aside) continue;
    const [rarest] = pattern.wanted.toSorted((one, other) => commonness(one) - commonness(other));
    for (const key of new Set(rarest)) byRarest.set(key, [...(byRarest.get(key) ?? []), place]);
  }
  return { lexicon, topics, patterns, wanted: new Set(common.keys()), byRarest };
}

function topicOf(patterns: readonly Pattern[]): TopicWords {
  // When and who are asked only where the very pattern that is met asks them.
  const speaksOf = patterns.flatMap(({ wanted }) =>
    wanted.flat().filter((key) => !questionConcepts.has(key)),
  );
  const asides = patterns.filter(({ aside }) => aside);
  return {
    patterns,
    explains: new Set([...speaksOf, ...patterns.flatMap(({ besides }) => besides)]),
    bars: new Set(asides.flatMap(({ barred }) => barred)),
  };
}

/** What nobody explains may weigh as much as what is explained, less this: a single word must stand alone. */
const margin = 0.3;

/** Less than this was hardly a question. */
const leastSaid = 0.4;

/** A topic, or what the conversation is about, explains a word. */
export function isExplained(
  { explains }: TopicWords,
  { weight, general, keys }: Token,
  { given }: TopicIndex,
): boolean {
  if (weight === 0 && !general) return true;
  return keys.some((key) => explains.has(key) || given.has(key));
}

/** A word is said that speaks against the topic. */
export function isBarred({ bars }: TopicWords, tokens: readonly Token[]): boolean {
  return tokens.some(({ keys }) => keys.some((key) => bars.has(key)));
}

/** The topics that words may be about, the best first: each has a pattern that they meet, and explains most of them. */
export function fitsOf(
  tokens: readonly Token[],
  index: TopicIndex,
  lean: (topic: number) => number,
  free: number = tokens.length,
): readonly Fit[] {
  const best = new Map<number, Fit>();
  for (const place of placesNear(tokens, index)) {
    const { pattern, topic } = index.patterns[place]!;
    const words = index.topics[topic]!;
    const match = matchPattern(pattern, tokens);
    if (!match) continue;
    const offers = tokens.some(({ offered }, at) => offered && !match.used.includes(at));
    let explained = 0;
    let unexplained = 0;
    for (const [at, token] of tokens.slice(0, free).entries()) {
      if (match.used.includes(at)) explained += Math.max(token.weight, 0.25);
      else if (isExplained(words, token, index)) explained += token.weight;
      else unexplained += token.price;
    }
    const explains = explained >= leastSaid && unexplained <= explained - margin;
    const sure = explains && !offers && !isBarred(words, tokens);
    const score = match.score + (explained - unexplained) / 2 + lean(topic);
    const other = best.get(topic);
    if (!other || (sure === other.sure ? score > other.score : sure))
      best.set(topic, { topic, score, margin: explained - unexplained, sure, used: match.used });
  }
  return [...best.values()].sort((one, other) => other.score - one.score);
}

/** The patterns of which every wish has a word, in their order. */
function placesNear(tokens: readonly Token[], { byRarest, patterns }: TopicIndex): readonly number[] {
  const held = new Set(tokens.flatMap(({ keys }) => keys));
  const near = new Set([...held].flatMap((key) => byRarest.get(key) ?? []));
  const isMet = (place: number) =>
    patterns[place]!.pattern.wanted.every((keys) => keys.some((key) => held.has(key)));
  return [...near].filter(isMet).sort((one, other) => one - other);
}
