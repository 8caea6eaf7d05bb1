import * as few from './asked-for-few-weights.ts';
import * as many from './asked-for-weights.ts';
import { askingOf } from '../language/asking.ts';
import type { Clause } from '../language/clause.ts';
import { gistFor, isStrangeTo, rivalOf, tellingFor } from '../language/evidence.ts';
import type { Weights } from '../language/evidence.ts';
import { questionConcepts } from '../language/lexicon.ts';
import { isBarred, isExplained } from '../language/topic.ts';
import type { Bag, Fit, TopicWords } from '../language/topic.ts';
import type { QuestionIndex } from './question-index.ts';

/** What a clause is like, whatever fact it may ask for. */
export interface Form {
  readonly asking: number;
  readonly length: number;
  /** Nothing in it but small words, question words and words of the briefing. */
  readonly readAloud: boolean;
}

export function formOf(clause: Clause, { briefing }: QuestionIndex): Form {
  return {
    asking: askingOf(clause.saidWords),
    length: Math.min(1, clause.saidWords.length / 20),
    readAloud: clause.tokens.every(
      ({ word, weight, keys }) =>
        weight < 0.3 || keys.some((key) => questionConcepts.has(key)) || briefing.words.has(word),
    ),
  };
}

/** All that speaks for or against a clause's asking for a fact, in the order that the weights were learnt in. */
export function signsOf(
  form: Form,
  {
    words,
    bag,
    fit,
    weights,
    fact,
    apart,
  }: {
    readonly words: TopicWords;
    readonly bag: Bag;
    readonly fit: Fit | undefined;
    readonly weights: Weights;
    readonly fact: number;
    /** Facts of other sessions than its own. */
    readonly apart: readonly number[];
  },
): readonly number[] {
  const { clause } = weights;
  const { known, sum, most, second, least, unknown, unknownHeads, elsewhere, strangeThings, endsStrange } =
    tellingFor(weights, fact);
  let unexplained = 0;
  bag.tokens.forEach(({ price }, index) => {
    if (isStrangeTo(weights, fact, index) && !isExplained(words, bag, index)) unexplained += price;
  });
  return [
    weights.sums[fact]!,
    rivalOf(weights, fact, apart),
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
    Number(isBarred(words, bag)),
    Number(form.readAloud && !fit),
    Math.min(3, unexplained),
    known,
    sum / Math.sqrt(1 + known),
    most,
    second,
    least,
    Math.min(4, unknown),
    unknownHeads,
    Math.min(4, elsewhere),
    Math.min(3, strangeThings),
    endsStrange,
  ];
}

/** With so many questions for a fact nearly all words that may ask for it are known. */
const manyQuestions = 128;

/** How often the questions for a fact would have to be doubled to be many. */
export function fewness(questions: number): number {
  return Math.log2(manyQuestions / questions);
}

/**
 * How likely it is that the fact is asked for: above 0, so likely that it is told. Where few questions are written for
 * it, a strange word says little and a pattern much: that is weighed by weights of their own.
 */
export function chanceOf(signs: readonly number[], questions: number): number {
  return questions >= manyQuestions ? sumBy(many, signs) : sumBy(few, [...signs, fewness(questions)]);
}

interface Net {
  readonly inputs: number;
  readonly weights: readonly number[];
  readonly hidden: readonly (readonly [number, number])[];
  readonly output: number;
}

function sumBy({ inputs, weights, hidden, output }: Net, signs: readonly number[]): number {
  let chance = output;
  for (let node = 0, at = 0; node < hidden.length; node++) {
    let sum = hidden[node]![0]!;
    for (let sign = 0; sign < inputs; sign++) sum += weights[at++]! * signs[sign]!;
    if (sum > 0) chance += hidden[node]![1]! * sum;
  }
  return chance;
}
