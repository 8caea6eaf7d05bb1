import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Courtesy } from '../language/courtesy.ts';
import type { Picture } from './picture.ts';
import type { PlayState, TerminalReason } from './play-state.ts';

/** A call as an episode sees it: the name of one of its tools, and an input that nobody has checked. */
export interface TurnCall {
  readonly type?: 'artifact' | 'decision' | 'function';
  readonly name: string;
  readonly input: JsonValue;
}

/** `assistant` is the model; `user` is the client's own copy of the person's words: kept, not graded. */
export interface TurnMessage {
  readonly role: 'assistant' | 'user';
  readonly content: string;
  readonly toolCalls?: readonly TurnCall[];
}

/** What the model gets back: the person's words. The source's API gives it the role `assistant`. */
export interface Observation {
  readonly role: 'assistant';
  readonly content: string;
  /** What the opening shows besides. */
  readonly images?: readonly Picture[];
}

/** What the world answered to a function tool; artifacts and decisions answer with a plain receipt. */
export interface CallOutcome {
  readonly name: string;
  readonly output: string;
  readonly isError?: boolean;
  /** The fault was injected by the scenario and is not the model's. */
  readonly injected?: boolean;
  /** What the page kept after it, where it acted on one: by this the turn is played again, without a browser. */
  readonly page?: JsonObject;
}

export interface TranscriptTurn {
  /** Counted from 1. */
  readonly turn: number;
  readonly messages: readonly TurnMessage[];
  readonly outcomes: readonly CallOutcome[];
  readonly observation: Observation;
  readonly voice?: VoiceRecord;
  readonly hearing?: HearingRecord;
}

/** Who was asked for the person's words in a turn, where the rules did not speak for themselves. */
export interface VoiceRecord {
  /** A model's name, or `recording`. */
  readonly by: string;
  /** What it said and was not let through, with the reason. */
  readonly refused?: readonly { readonly said: string; readonly why: string }[];
  /** Why the rules spoke after all. */
  readonly fault?: string;
}

/** Who was asked what a turn asks for, where the rules were not to hear. */
export interface HearingRecord {
  /** A model's name. */
  readonly by: string;
  /** By this the turn was played, and is played again. */
  readonly heard?: HeardTurn;
  /** Why the rules heard after all. */
  readonly fault?: string;
}

/** What somebody heard in a turn, of a closed list. */
export interface HeardTurn {
  /** What is asked for, in this order. */
  readonly asks: readonly string[];
  readonly courtesies: readonly Courtesy[];
  /** How many questions ask for something else. */
  readonly others: number;
}

/** Which task was played: enough to make the same task again. */
export interface TaskReference {
  readonly collection: string;
  readonly scenario: string;
  readonly variant: number;
  readonly seed: number;
  /** The scenario's own version. */
  readonly version: string;
}

/** All that grading reads, besides the scenario and stored verdicts. */
export interface Transcript {
  readonly task: TaskReference;
  readonly opening: Observation;
  readonly turns: readonly TranscriptTurn[];
  readonly terminalReason?: TerminalReason;
  /** The state after the last turn; without it, grading plays the turns again. */
  readonly state?: PlayState;
}
