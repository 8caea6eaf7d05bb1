import { readFileSync } from 'node:fs';

import { askingOf } from '../language/asking.ts';
import type { Clause } from '../language/clause.ts';
import type { Weights } from '../language/evidence.ts';
import { questionConcepts } from '../language/lexicon.ts';
import { gistFor, isUnseenFor, bestOther, wordScoresFor } from '../language/fact-scores.ts';
import { isBarred, isExplained } from '../language/topic.ts';
import type { Fit } from '../language/topic.ts';
import type { QuestionIndex } from './question-index.ts';

/** What a clause is like, whatever fact it may ask for. */
export interface Form {
  readonly asking: number;
  readonly length: number;
  /** Nothing in it but small words, question words and words of the briefing. */
  readonly readAloud: boolean;
}

export function formOf({ saidWords, tokens }: Clause, { briefing }: QuestionIndex): Form {
  return {
    asking: askingOf(saidWords),
    length: Math.min(1, saidWords.length / 20),
    readAloud: tokens.every(
      ({ word, weight, keys }) =>
        weight < 0.3 || keys.some((key) => questionConcepts.has(key)) || briefing.words.has(word),
    ),
  };
}

/** All that speaks for or against a clause's asking for a fact, in the order that the weights were learnt in. */
export function signsOf(
  form: Form,
  {
    place,
    fit,
    weights,
    fact,
    apart,
  }: {
    /** Of the topic, among the patterns. */
    readonly place: number;
    readonly fit: Fit | undefined;
    readonly weights: Weights;
    /** Its place in the evidence. */
    readonly fact: number;
    /** Facts of other sessions than its own. */
    readonly apart: readonly number[];
  },
  { patterns }: QuestionIndex,
): readonly number[] {
  const { clause } = weights;
  const topic = patterns.topics[place]!;
  const scores = wordScoresFor(weights, fact);
  const unexplained = clause.tokens
    .filter((token, at) => isUnseenFor(weights, fact, at) && !isExplained(topic, token, patterns))
    .reduce((sum, { price }) => sum + price, 0);
  return [
    weights.sums[fact]!,
    bestOther(weights, fact, apart),
    weights.said[fact]!,
    gistFor(weights, fact),
    Number(weights.gist !== undefined),
    form.asking,
    form.length,
    Number(clause.marked),
    Number(!clause.asks || clause.names),
    Number(clause.names),
    Number(clause.orders),
    fit ? Math.max(-1, Math.min(2, fit.margin)) : 0,
    Number(fit !== undefined),
    Number(fit?.sure === true),
    Number(isBarred(topic, clause.tokens)),
    Number(form.readAloud && !fit),
    Math.min(3, unexplained),
    scores.known,
    scores.sum / Math.sqrt(1 + scores.known),
    scores.most,
    scores.second,
    scores.least,
    Math.min(4, scores.unknown),
    scores.unknownHeads,
    Math.min(4, scores.elsewhere),
    Math.min(3, scores.unseenThings),
    scores.endsUnseen,
  ];
}

/** With so many questions for a fact nearly all words that may ask for it are known. */
const manyQuestions = 128;

/** How often the questions for a fact would have to be doubled to be many. */
export function fewness(questions: number): number {
  return Math.log2(manyQuestions / questions);
}

/** A small net that was learnt: see scripts/learn-asked-for.ts and scripts/learn-asked-for-few.ts. */
export interface Net {
  /** For each node what is added to its sum, what that is worth where it is above 0, and what each sign is worth to it. */
  readonly nodes: readonly {
    readonly add: number;
    readonly says: number;
    readonly signs: readonly number[];
  }[];
  readonly output: number;
}

export function readNet(name: 'asked-for' | 'asked-for-few' | 'guess'): Net {
  return JSON.parse(readFileSync(new URL(`./data/${name}.json`, import.meta.url), 'utf8')) as Net;
}

const many = readNet('asked-for');
const few = readNet('asked-for-few');

/**
 * How likely it is that the fact is asked for: above 0, so likely that it is told. Where few questions are written for
 * it, an unseen word says little and a pattern much: that is weighed by weights of their own.
 */
export function chanceOf(signs: readonly number[], questions: number): number {
  return questions >= manyQuestions ? sumBy(many, signs) : sumBy(few, [...signs, fewness(questions)]);
}

/** What a net says of some signs. */
export function sumBy({ nodes, output }: Net, signs: readonly number[]): number {
  let chance = output;
  for (const node of nodes) {
    let sum = node.add;
    for (let at = 0; at < node.signs.length; at++) sum += node.signs[at]! * signs[at]!;
    if (sum > 0) chance += node.says * sum;
  }
  return chance;
}
