import type { Grade } from './grade.ts';

/** Two grades of one task, side by side. */
export interface Comparison {
  readonly winner: 'a' | 'b' | 'tie';
  readonly rewardA: number;
  readonly rewardB: number;
  readonly margin: number;
}

/** Rewards that differ by less than this are a tie: a pair to learn nothing from. */
export const tieMargin = 0.01;

export function compareGrades(a: Grade, b: Grade): Comparison {
  const margin = Math.abs(a.reward - b.reward);
  return {
    winner: margin < tieMargin ? 'tie' : a.reward > b.reward ? 'a' : 'b',
    rewardA: a.reward,
    rewardB: b.reward,
    margin,
  };
}
