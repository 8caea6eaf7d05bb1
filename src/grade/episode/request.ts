import type { JsonObject } from '../../base/json/value.ts';
import type { TurnMessage } from '../scenario/transcript.ts';
import type { RewardConfig } from '../score/grade.ts';
import type { PlayerCard } from './player-card.ts';
import type { TurnUsage } from './usage.ts';

/** Who is asking: a key, or the local person. */
export interface Caller {
  readonly id: string;
  /** May see criteria, facts and reasons. */
  readonly explain: boolean;
  /** Only these collections; all when absent. */
  readonly collections?: readonly string[];
  /** How many episodes it may have open at once. */
  readonly maxEpisodes?: number;
  /** How often it may have one task evaluated. */
  readonly maxEvaluations?: number;
  /** Who plays the episodes that it opens, where a request does not say so itself. */
  readonly player?: PlayerCard;
}

/** A task by its name, or by its place in a split. */
export interface TaskChoice {
  readonly collection: string;
  readonly scenario?: string;
  readonly variant?: number;
  readonly seed?: number;
  readonly split?: string;
  readonly index?: number;
}

export interface CreateRequest extends TaskChoice {
  readonly scoreTurns: boolean;
  readonly group?: string;
  readonly study?: string;
  readonly player?: PlayerCard;
  /** Overrides: `max_turns` lowers the scenario's limit. */
  readonly config?: JsonObject;
  readonly idempotencyKey?: string;
  /** Hash of the request, by which a repeat is told from another request under the same key or id. */
  readonly hash: string;
  /** A door whose clients name their sessions gives the id. */
  readonly id?: string;
  /** How long it may be idle; the engine's own time when absent. */
  readonly idleMs?: number;
}

/** Where an episode is to be forked, and what the fork is called by. */
export interface ForkRequest {
  /** The last turn that the two have in common; 0 for none. */
  readonly turn: number;
  /** Where left out, all forks of one turn of one episode are a group. */
  readonly group?: string;
  /** Who goes on with it. */
  readonly player?: PlayerCard;
  readonly idempotencyKey?: string;
  /** Hash of the request and the episode. */
  readonly hash: string;
}

export interface TurnRequest {
  readonly messages: readonly TurnMessage[];
  readonly rewardConfig?: RewardConfig;
  readonly usage?: TurnUsage;
  /** The number it wants to be. */
  readonly turn?: number;
  readonly idempotencyKey?: string;
  readonly hash: string;
  /** It takes whatever turn is next when it comes to it: its client sends calls side by side. */
  readonly waits?: boolean;
}

export interface EvaluateRequest extends TaskChoice {
  /** Each message was a turn of its own, also one that says what the person has just said. */
  readonly eachIsTurn?: boolean;
  readonly messages: readonly TurnMessage[];
  readonly rewardConfig?: RewardConfig;
  readonly normalizationKey?: string;
  readonly windows?: readonly string[];
}

/** What an episode was made with, as it is stored. */
export interface EpisodeOptions {
  readonly scoreTurns: boolean;
  readonly explain: boolean;
  readonly idleMs: number;
  readonly maxTurns: number;
  readonly split?: string;
  /** The episode whose turns it begins with, up to this one. */
  readonly forkedFrom?: { readonly episode: string; readonly turn: number };
}
