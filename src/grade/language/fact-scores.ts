import type { Weights } from './evidence.ts';
import { countIn, saysOf } from './trait-counts.ts';
import type { Row } from './trait-counts.ts';
import { determiners } from './words.ts';

/** How many questions are written for a fact. */
export function questionsFor({ counts }: Weights, fact: number): number {
  return countIn(counts.whole, fact);
}

/** The highest sum of any other fact, except some that are not at stake; where there is no other, nothing suggests one. */
export function bestOther({ sums }: Weights, fact: number, apart: readonly number[]): number {
  const others = sums.filter((_, other) => other !== fact && !apart.includes(other));
  return others.length === 0 ? 0 : Math.max(...others);
}

/** What is said for a fact by all that the clause turns on together. */
export function gistFor({ counts, gist }: Weights, fact: number): number {
  return gist === undefined ? 0 : saysOf(counts, gist)[fact]!;
}

/** A word of the clause, by its place, that is in none of a fact's questions. */
export function isUnseenFor({ rows }: Weights, fact: number, index: number): boolean {
  return !isAsked(rows[index]!, fact);
}

/** What the words that count say by themselves, each by the best of all that it may stand for. */
export interface WordScores {
  /** How many of them anybody ever wrote, and all that these say. */
  readonly known: number;
  readonly sum: number;
  readonly most: number;
  readonly second: number;
  readonly least: number;
  /** What those weigh that nobody ever wrote, and how many of them the question turns on. */
  readonly unknown: number;
  readonly unknownHeads: number;
  /** What those weigh that are in questions, but in none for this fact. */
  readonly elsewhere: number;
  /** How many things are named, with an article or somebody's, that none of its questions names. */
  readonly unseenThings: number;
  /** The last word that counts is in none of its questions. */
  readonly endsUnseen: number;
}

export function wordScoresFor({ clause, counts, rows }: Weights, fact: number): WordScores {
  const says: number[] = [];
  let [unknown, unknownHeads, elsewhere, unseenThings, endsUnseen] = [0, 0, 0, 0, 0];
  for (const [index, { weight, head }] of clause.tokens.entries()) {
    if (weight <= 0.3) continue;
    const its = rows[index]!;
    const unseen = !isAsked(its, fact);
    endsUnseen = Number(unseen);
    if (unseen && index > 0 && determiners.has(clause.tokens[index - 1]!.word)) unseenThings++;
    if (its.length === 0) {
      unknown += weight;
      if (head) unknownHeads++;
      continue;
    }
    if (unseen) elsewhere += weight;
    says.push(Math.max(...its.map((row) => saysOf(counts, row)[fact]!)));
  }
  const sum = says.reduce((all, one) => all + one, 0);
  const [most, second] = [0, 0, ...says].toSorted((one, other) => other - one) as [number, number];
  const least = Math.min(0, ...says);
  const known = says.length;
  return { known, sum, most, second, least, unknown, unknownHeads, elsewhere, unseenThings, endsUnseen };
}

/** One of them is in a question for the fact. */
function isAsked(rows: readonly Row[], fact: number): boolean {
  return rows.some((row) => countIn(row, fact) > 0);
}
