import type { Verdicts } from './verdict.ts';

export const dimensionNames = [
  'success_metrics',
  'failure_metrics',
  'best_practices',
  'rubrics',
  'discovery',
  'output_similarity',
  'decision_match',
] as const;

export type DimensionName = (typeof dimensionNames)[number];

/** One criterion, judged: what it earned of what it could, where, and why in a sentence. */
export interface CriterionGrade {
  readonly id: string;
  readonly kind: string;
  readonly earned: number;
  readonly possible: number;
  /** The turn it points to; absent when nothing in the transcript answers it. */
  readonly turn?: number;
  readonly evidence?: string;
  readonly reason: string;
  /** The judge failed or is advisory: counts for nothing. */
  readonly notJudged?: boolean;
}

export interface DimensionGrade {
  readonly score: number;
  readonly weight: number;
  readonly criteria: readonly CriterionGrade[];
}

/** The source's `reward_config`: absent keys weigh nothing. */
export interface RewardConfig {
  readonly qualityWeights: Readonly<Partial<Record<DimensionName, number>>>;
  readonly skipSafetyGate?: boolean;
}

/** A reward from 0 to 1 with its reasons: G × (S + P) / 2, or the shaped mean under a reward config. */
export interface Grade {
  readonly scoringVersion: string;
  readonly reward: number;
  readonly success: 0 | 1;
  readonly progress: number;
  readonly gate: 0 | 1;
  readonly shaped: boolean;
  readonly dimensions: Readonly<Record<DimensionName, DimensionGrade>>;
  /** What S, P and G were made of: required expectations, credit and penalties, prohibited acts. */
  readonly reasons: readonly CriterionGrade[];
  readonly factsFound: readonly { readonly fact: string; readonly turn: number }[];
  readonly factsMissed: readonly string[];
  /** The person understood too little, or lost its voice: the model is not to blame. Changes no number. */
  readonly personFault?: PersonFault;
  /** What judges said, where any was asked: what the grade rests on besides the transcript. */
  readonly verdicts?: Verdicts;
  /** Criteria that would count and have no verdict. They hold back success, and say nothing of the model. */
  readonly notJudged?: readonly string[];
}

export interface PersonFault {
  readonly asked: number;
  readonly notUnderstood: number;
  /** Turns in which the model that speaks for it failed, and the rules spoke. */
  readonly fellBack?: number;
  readonly reason: string;
}
