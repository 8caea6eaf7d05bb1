/** The source's seven dimensions; a client weighs them with `reward_config`. */
export const dimensions = [
  'success_metrics',
  'failure_metrics',
  'best_practices',
  'rubrics',
  'discovery',
  'output_similarity',
  'decision_match',
] as const;

export type Dimension = (typeof dimensions)[number];

/** Weights of the dimensions: an absent key weighs nothing. Without a config the default formula grades. */
export interface RewardConfig {
  readonly quality_weights: Readonly<Partial<Record<Dimension, number>>>;
  readonly skip_safety_gate?: boolean;
}

/** The numbers that always come together when something was graded. */
export interface GradeNumbers {
  /** 0 to 1, over the whole conversation so far. */
  readonly reward: number;
  readonly success: 0 | 1;
  readonly progress: number;
  readonly gate: 0 | 1;
  /** True when a `reward_config` shaped the reward. */
  readonly shaped: boolean;
  readonly scores: Readonly<Record<string, number>>;
  /** How many criteria would count and wait for a judge's verdict: they hold back success, whoever is to blame. */
  readonly not_judged?: number;
  /** The person understood too little, or whoever speaks for it failed: the model is not to blame. */
  readonly person_fault?: PersonFault;
}

/** One criterion and what it earned. Only keys with the right to `explain` see it. */
export interface Reason {
  readonly id: string;
  readonly kind: string;
  readonly earned: number;
  readonly possible: number;
  readonly turn?: number;
  readonly evidence?: string;
  readonly reason: string;
  readonly not_judged?: boolean;
}

/** A grade with its reasons, for keys with the right to `explain`. */
export interface ExplainedGrade extends GradeNumbers {
  readonly scoring_version: string;
  /** What success, progress and the gate were made of. */
  readonly reasons: readonly Reason[];
  readonly dimensions: readonly ExplainedDimension[];
  /** What judges said, by criterion. */
  readonly verdicts?: Readonly<Record<string, VerdictView>>;
}

export interface VerdictView {
  readonly score: number;
  readonly votes: readonly number[];
  readonly reason: string;
  readonly turn?: number;
  /** The judge failed: the criterion is not judged. */
  readonly failed?: boolean;
  readonly model?: string;
  /** Of all that was asked but the conversation. */
  readonly prompt_hash?: string;
  /** How often a model was asked, and its tokens as far as its provider told them. */
  readonly usage?: { readonly calls: number; readonly input: number; readonly output: number };
}

export interface PersonFault {
  readonly asked: number;
  readonly not_understood: number;
  /** Turns in which the rules spoke, since the person's own voice failed. */
  readonly fell_back?: number;
  /** Only where a grade explains itself. */
  readonly reason?: string;
}

export interface ExplainedDimension {
  readonly name: string;
  readonly score: number;
  readonly weight: number;
  readonly criteria: readonly Reason[];
}
