import type { Grade } from './grade.ts';

/** Two grades of one task, side by side. */
export interface Comparison {
  readonly winner: Winner;
  readonly rewardA: number;
  readonly rewardB: number;
  readonly margin: number;
}

/** Rewards that differ by less than this are a tie: a pair to learn nothing from. */
const tieMargin = 0.01;

export type Winner = 'a' | 'b' | 'tie';

export function winnerOf(a: number, b: number): Winner {
  if (Math.abs(a - b) < tieMargin) return 'tie';
  return a > b ? 'a' : 'b';
}

export function compareGrades(a: Grade, b: Grade): Comparison {
  return {
    winner: winnerOf(a.reward, b.reward),
    rewardA: a.reward,
    rewardB: b.reward,
    margin: Math.abs(a.reward - b.reward),
  };
}
