import type { JsonObject, JsonValue } from '../../base/json/value.ts';

export type TerminalReason = 'completed' | 'error' | 'max_turns_reached' | 'client_terminated';

/** What an episode remembers between turns: plain JSON, so that any server can go on. */
export interface PlayState {
  readonly turn: number;
  /** Facts that are out, with the turn; 0 is the opening. */
  readonly revealed: Readonly<Record<string, number>>;
  /** Those of them that only a tool has shown so far: the person has not told them. */
  readonly shown?: readonly string[];
  /** What was asked for and not told, the last of it at the end. */
  readonly withheld?: readonly string[];
  /** Kinds of courtesy shown so far. */
  readonly rapport: readonly string[];
  /** Questions heard, and how many of them the person could make nothing of. */
  readonly asked: number;
  readonly notUnderstood: number;
  /** Too much was asked at once, and the person said so. */
  readonly crowded?: true;
  /** How often each of the person's moves was made, by its id. */
  readonly moved?: Readonly<Record<string, number>>;
  readonly last: string;
  readonly heard: string;
  readonly world: JsonObject;
  /** Calls so far, without their inputs but for a decision's value. */
  readonly calls: readonly PastCall[];
  readonly session: number;
  readonly sessionTurn: number;
  readonly ended?: TerminalReason;
}

export interface PastCall {
  readonly turn: number;
  readonly session: number;
  readonly name: string;
  readonly value?: JsonValue;
  /** An injected fault answered it: nothing was done, and nothing ends by it. */
  readonly injected?: true;
}
