import { Recent } from '../../../base/host/recent.ts';
import { otherPeople } from './common-words.ts';
import type { Lexicon, Token } from './lexicon.ts';
import { lexiconOf, questionConcepts, tokensOf } from './lexicon.ts';
import type { Bag, Pattern } from './pattern.ts';
import { matchPattern, patternIndex, patternOf, phrasesIn } from './pattern.ts';

/** What may be asked for, by patterns, and the words that a question about it may hold. */
export interface TopicWords {
  readonly patterns: readonly Pattern[];
  /** What its patterns speak of: a word that means none of it is left unexplained. */
  readonly explains: ReadonlySet<string>;
  /** The person's name, and what the whole conversation is about: these need no explaining. */
  readonly given: ReadonlySet<string>;
  readonly barred: ReadonlySet<string>;
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
export interface Listener {
  readonly lexicon: Lexicon;
  readonly topics: readonly TopicWords[];
  /** Every pattern with its topic. */
  readonly patterns: readonly { readonly pattern: Pattern; readonly topic: number }[];
  readonly near: (bag: Bag) => readonly number[];
  /** Whatever some pattern wants. */
  readonly wanted: ReadonlySet<string>;
  /** What the whole conversation is about. */
  readonly about: readonly Token[];
}

/** Listens for topics, each given by its patterns, in a conversation with somebody, about something. */
export function listenFor(
  asks: readonly (readonly string[])[],
  world: { readonly synonyms: readonly (readonly string[])[]; readonly about: string; readonly name: string },
): Listener {
  const heard = patternsOf(asks, world.synonyms);
  const about = tokensOf(world.about, heard.lexicon);
  const name = tokensOf(world.name.toLowerCase(), heard.lexicon);
  const given = new Set([...name, ...about].map((token) => token.keys[0]!));
  return { ...heard, topics: heard.topics.map((words) => ({ ...words, given })), about };
}

interface Patterns extends Omit<Listener, 'topics' | 'about'> {
  readonly topics: readonly Omit<TopicWords, 'given'>[];
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
  const topics = asks.map((sources) => {
    const patterns = sources.map((source) => patternOf(source, lexicon));
    return {
      patterns,
      explains: new Set([
        // When and who are asked only where the very pattern that is met asks them.
        ...patterns.flatMap(({ wanted }) => wanted.flat()).filter((key) => !questionConcepts.has(key)),
        ...patterns.flatMap(({ besides }) => besides),
      ]),
      barred: new Set(patterns.filter(({ aside }) => aside).flatMap(({ barred }) => barred)),
    };
  });
  const patterns = topics.flatMap((words, topic) => words.patterns.map((pattern) => ({ pattern, topic })));
  return {
    lexicon,
    topics,
    patterns,
    near: patternIndex(patterns.map(({ pattern }) => pattern)),
    wanted: new Set(patterns.flatMap(({ pattern }) => pattern.wanted.flat())),
  };
}

/** What nobody explains may weigh as much as what is explained, less this: a single word must stand alone. */
const margin = 0.3;

/** Less than this was hardly a question. */
const leastSaid = 0.4;

/** How much of what is said a topic's words leave unexplained. */
export function unexplainedBy(words: TopicWords, tokens: readonly Token[]): number {
  let sum = 0;
  for (const token of tokens) if (!isExplained(words, token)) sum += priceOf(token);
  return sum;
}

export function isExplained(words: TopicWords, { keys, weight, general }: Token): boolean {
  return (weight === 0 && !general) || keys.some((key) => words.explains.has(key) || words.given.has(key));
}

/** Left unexplained, the verb of "did you …" costs twice, somebody else three. */
function priceOf({ keys, weight, head, general }: Token): number {
  if (general || keys.some((key) => otherPeople.has(key))) return 3;
  return head ? weight * 2 : weight;
}

/** A word is said that speaks against the topic. */
export function isBarred({ barred }: TopicWords, bag: Bag): boolean {
  if (barred.size > 0) for (const key of bag.keys) if (barred.has(key)) return true;
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
  for (const place of listener.near(bag)) {
    const { pattern, topic } = listener.patterns[place]!;
    const words = listener.topics[topic]!;
    const match = matchPattern(pattern, bag);
    // Bars are many, and what is near is seldom met: they are asked last.
    if (!match) continue;
    const offers = tokens.some(({ offered }, index) => offered && !match.used.includes(index));
    let explained = 0;
    let unexplained = 0;
    for (let index = 0; index < free; index++) {
      const token = tokens[index]!;
      if (match.used.includes(index)) explained += Math.max(token.weight, 0.25);
      else if (isExplained(words, token)) explained += token.weight;
      else unexplained += priceOf(token);
    }
    const explains = explained >= leastSaid && unexplained <= explained - margin;
    const sure = explains && !offers && !isBarred(words, bag);
    const score = match.score + (explained - unexplained) / 2 + lean(topic);
    const known = best.get(topic);
    if (!known || (sure === known.sure ? score > known.score : sure))
      best.set(topic, { topic, score, margin: explained - unexplained, sure, used: match.used });
  }
  return [...best.values()].toSorted((one, other) => other.score - one.score);
}
