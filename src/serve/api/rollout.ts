import type { JsonObject } from '../../base/json/value.ts';
import type { TerminalReason } from '../../grade/scenario/play-state.ts';
import type { Answered } from './envelope.ts';
import type { GradeNumbers } from './grade.ts';

/** `POST /api/v1/rollouts`: one trial of a player of this server, whose model the trainer is. */
export interface CreateRollout {
  /** As the rows of the trainers' protocols name it. */
  readonly task: {
    readonly collection: string;
    readonly scenario?: string;
    readonly variant?: number;
    readonly seed?: number;
    readonly split?: string;
    readonly index?: number;
    readonly group?: string;
  };
  /** The name of a player that the server was started with. */
  readonly player: string;
  /** Where the trainer answers as a provider does, for this trial. */
  readonly base_url: string;
  readonly model?: string;
  /** Given to the player, and neither stored nor logged. */
  readonly api_key?: string;
  /** When the trial is given up; 600 when left out. */
  readonly timeout_s?: number;
}

/** Why a trial has no reward although it was played: leave it out, or try it again. */
export type RolloutFailure =
  | 'agent_error'
  | 'timeout'
  | 'environment_error'
  | 'judge_failed'
  | 'person_fault';

export interface Rollout extends Omit<GradeNumbers, 'reward'>, Answered {
  readonly episode_id: string;
  /** Null where the trial failed for a reason that is not the model's. */
  readonly reward: number | null;
  readonly terminal_reason: TerminalReason;
  readonly failure?: RolloutFailure;
  /** What the agent broke with. */
  readonly error?: string;
  /** What the agent heard and did, in the format ATIF 1.8. */
  readonly trajectory: JsonObject;
}
