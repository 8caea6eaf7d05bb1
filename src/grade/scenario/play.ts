import type { CallOutcome, Observation, TerminalReason } from './transcript.ts';

/** What an episode remembers between turns: plain JSON, so that any server can go on. The scenario room completes it. */
export interface PlayState {
  readonly turn: number;
  readonly revealed: Readonly<Record<string, number>>;
}

/** One turn played by the rules: nothing stored, nothing graded. */
export interface PlayedTurn {
  readonly state: PlayState;
  readonly observation: Observation;
  readonly outcomes: readonly CallOutcome[];
  /** Facts the person told in this turn. */
  readonly revealed: readonly string[];
  readonly ended?: TerminalReason;
}
