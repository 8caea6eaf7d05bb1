import type { Answered, RefusalCode } from './envelope.ts';
import type { CreateEpisode, EpisodeAnswer, SubmitTurn, TurnAnswer } from './episode.ts';
import type { GradeNumbers, RewardConfig } from './grade.ts';
import type { Message } from './message.ts';

/** What names a task and a conversation about it. */
export interface Conversation {
  readonly collection_slug: string;
  readonly scenario_slug: string;
  readonly messages: readonly Message[];
  readonly variant?: number;
  readonly seed?: number;
}

/** `POST /api/v1/evaluate` */
export interface Evaluate extends Conversation {
  /** Groups evaluations, a run's for instance, in the scoring log. */
  readonly normalization_key?: string;
  /** `7d`, `2w`, `1m` in time, `100n` for the last hundred; at most five. */
  readonly normalization_windows?: readonly string[];
  readonly reward_config?: RewardConfig;
}

export interface Evaluation extends GradeNumbers {
  readonly score_breakdown?: Readonly<Record<string, string>>;
  /** The reward's z-score in each window. */
  readonly normalized?: Readonly<Record<string, number>>;
}

export interface EvaluateAnswer extends Evaluation, Answered {
  readonly scoring_version: string;
  readonly metadata: { readonly scenario_name: string; readonly evaluation_time_ms: number };
}

/** `POST /api/v1/batch/evaluate` */
export interface BatchEvaluate {
  readonly items: readonly (Evaluate & { readonly id: string })[];
}

export interface BatchEvaluateAnswer extends Answered {
  readonly results: readonly BatchResult<Evaluation>[];
  readonly scoring_version: string;
  readonly total_time_ms: number;
}

/** Each item of a batch succeeds or fails by itself. An item that failed has no reward: never train on it. */
export type BatchResult<Value> =
  | ({ readonly id: string; readonly status: 'success' } & Value)
  | {
      readonly id: string;
      readonly status: 'error';
      readonly message: string;
      readonly code: RefusalCode;
      readonly turn?: number;
    };

/** `POST /api/v1/compare` */
export interface Compare {
  readonly collection_slug: string;
  readonly scenario_slug: string;
  readonly variant?: number;
  readonly seed?: number;
  readonly response_a: { readonly messages: readonly Message[] };
  readonly response_b: { readonly messages: readonly Message[] };
  readonly reward_config?: RewardConfig;
}

export interface CompareAnswer extends Answered {
  readonly winner: 'a' | 'b' | 'tie';
  readonly reward_a: number;
  readonly reward_b: number;
  readonly margin: number;
  readonly scoring_version: string;
}

/** `POST /api/v1/batch/episodes` */
export interface BatchEpisodes {
  readonly items: readonly (CreateEpisode & { readonly id: string; readonly idempotency_key?: string })[];
}

export interface BatchEpisodesAnswer extends Answered {
  readonly results: readonly BatchResult<Omit<EpisodeAnswer, 'request_id'>>[];
}

/** `POST /api/v1/batch/turns`: the turns of one episode run in the order of the items. */
export interface BatchTurns {
  readonly items: readonly (Omit<SubmitTurn, 'id'> & {
    readonly id: string;
    readonly episode_id: string;
    readonly idempotency_key?: string;
  })[];
}

export interface BatchTurnsAnswer extends Answered {
  readonly results: readonly BatchResult<Omit<TurnAnswer, 'request_id'>>[];
}
