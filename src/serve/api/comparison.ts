import type { Answered } from './envelope.ts';
import type { PlayerCard } from './player.ts';
import type { StatGroup } from './stats.ts';

/**
 * `GET /api/v1/comparison?run=STUDY/PLAYER&run=…`: one to six runs, task by task. Each name is escaped as in an address;
 * an empty study means all that the player played, an empty player all of the study. The first is the baseline.
 */
export interface ComparisonAnswer extends Answered {
  readonly runs: readonly RunSummary[];
  readonly tasks: readonly ComparedTask[];
}

/** What one player did in one study. */
export interface RunSummary extends Omit<StatGroup, 'by'> {
  readonly study: string | null;
  readonly player: string | null;
  /** Of its latest episode. */
  readonly card?: PlayerCard;
  readonly tasks: number;
  /** By k: the share of tasks of which k trials all succeed. */
  readonly pass_hat_k: Readonly<Record<string, number>>;
  /** How the values of each dimension are spread, in twentieths from 0 to 1. */
  readonly distributions: Readonly<Record<string, readonly number[]>>;
  /** Against the first run, over the tasks that both have; absent with the first, and where they share none. */
  readonly against?: RunDifference;
}

export interface RunDifference {
  readonly difference: number;
  /** 95 %, paired by task; absent where there are too few scenarios. */
  readonly interval?: readonly [number, number];
  readonly verdict: 'better' | 'worse' | 'undecided';
  readonly tasks: number;
}

export interface ComparedTask {
  readonly collection: string;
  readonly scenario: string;
  readonly variant: number;
  /** In the order of the runs; null where a run has none of it. */
  readonly cells: readonly (ComparedCell | null)[];
}

export interface ComparedCell {
  readonly episodes: number;
  readonly complete: number;
  readonly reward?: number;
  readonly success?: number;
}

/** `GET /api/v1/failures` and the filters of episodes: what was missed, the dearest first. */
export interface FailuresAnswer extends Answered {
  /** How many complete episodes were looked at, the latest first. */
  readonly episodes: number;
  /** There are more than that. */
  readonly cut: boolean;
  readonly failures: readonly Failure[];
}

/** One criterion of a scenario that was missed in some episodes. */
export interface Failure {
  readonly collection: string;
  readonly scenario: string;
  readonly kind: string;
  readonly id: string;
  /** Why, in the words of the first example. */
  readonly reason: string;
  readonly episodes: number;
  /** The credit that it cost in all of them. */
  readonly lost: number;
  /** The worst first. */
  readonly examples: readonly {
    readonly episode_id: string;
    readonly reward: number;
    readonly turn?: number;
  }[];
}
