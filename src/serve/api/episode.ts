import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Answered } from './envelope.ts';
import type { PlayerCard } from './player.ts';
import type { EpisodeUsage, TurnUsage } from './usage.ts';
import type { ExplainedGrade, GradeNumbers, RewardConfig } from './grade.ts';
import type { EpisodeTool, Message, Observation, ToolResult } from './message.ts';

/** `POST /api/v1/episodes` */
export interface CreateEpisode {
  readonly collection_slug: string;
  /** Left out only with `split` and `index`, which name a task by its place. */
  readonly scenario_slug?: string;
  /** False: turns answer with reward 0 and no scores. The grade is still kept. */
  readonly score_turns?: boolean;
  readonly config?: JsonObject;
  /** Which wording, facts and person of the scenario; 0 when left out. */
  readonly variant?: number;
  readonly seed?: number;
  /** A label of the client's, to compare episodes by. */
  readonly group?: string;
  /** The study that it is played for: the page shows the episodes of a player in it as one run. */
  readonly study?: string;
  /** Who plays: a card, or a name alone. Every protocol takes it in the header `Whetstone-Player` as well. */
  readonly player?: PlayerCard | string;
  readonly split?: string;
  readonly index?: number;
}

export interface EpisodeAnswer extends Answered {
  readonly episode_id: string;
  readonly initial_observation: Observation;
  readonly tools: readonly EpisodeTool[];
  /** After how many turns it ends at the latest: what `config.max_turns` asked for, or the scenario's limit if that is lower. */
  readonly max_turns: number;
}

/** `POST /api/v1/episodes/{id}/fork` */
export interface ForkEpisode {
  /** The last turn that the new episode has in common with this one; 0 for none. */
  readonly turn: number;
  /** When left out, all forks of one turn of one episode have the same. */
  readonly group?: string;
  /** Who goes on with it; what was played before says nothing of that. */
  readonly player?: PlayerCard | string;
}

/** The episode that was opened, with the turns that it begins with: the next one is `turns.length + 1`. */
export interface ForkAnswer extends EpisodeAnswer {
  readonly forked_from: ForkOrigin;
  readonly turns: readonly EpisodeTurn[];
}

export interface ForkOrigin {
  readonly episode_id: string;
  readonly turn: number;
}

/** `POST /api/v1/episodes/{id}/turns` */
export interface SubmitTurn {
  /** The episode's id again, as the source asks for it; may be left out. */
  readonly id?: string;
  readonly messages: readonly Message[];
  readonly reward_config?: RewardConfig;
  /** What the turn took its player, who alone knows. A repeat may say otherwise: the first counts. */
  readonly usage?: TurnUsage;
  /** The number this turn wants to be: a repeat then answers with the stored turn. */
  readonly turn?: number;
}

export type TerminalReason = 'completed' | 'error' | 'max_turns_reached' | 'client_terminated';

/** The values of a turn's answer; `success`, `progress` and `gate` come with `scores`, in scored turns. */
export interface TurnOutcome extends Partial<Omit<GradeNumbers, 'reward'>> {
  readonly turn: number;
  readonly observation: Observation;
  readonly reward: number;
  readonly episode_complete: boolean;
  /** What the scenario's world answered to calls of function tools. */
  readonly results?: readonly ToolResult[];
  /** A sentence a dimension, for keys with the right to `explain`. */
  readonly score_breakdown?: Readonly<Record<string, string>>;
  readonly terminal_reason?: TerminalReason;
}

export interface TurnAnswer extends TurnOutcome, Answered {}

/** A stored turn: what was submitted, and the same values as its answer had. */
export interface EpisodeTurn extends TurnOutcome {
  readonly messages: readonly Message[];
  /** When it was stored, ISO 8601. */
  readonly at: string;
  readonly usage?: TurnUsage;
}

export type EpisodeStatus = 'open' | 'complete';

/** One line of `GET /api/v1/episodes`. */
export interface EpisodeSummary {
  readonly episode_id: string;
  readonly collection_slug: string;
  readonly scenario_slug: string;
  readonly variant: number;
  readonly seed: number;
  /** The version of the scenario that was played. */
  readonly version: string;
  readonly group: string | null;
  /** Absent where it was played for none. */
  readonly study?: string;
  /** Absent where nobody said who plays. */
  readonly player?: PlayerCard;
  readonly status: EpisodeStatus;
  readonly terminal_reason?: TerminalReason;
  /** ISO 8601. */
  readonly created_at: string;
  readonly updated_at: string;
  readonly turn_count: number;
  /** From its opening to its last change. */
  readonly duration_ms: number;
  readonly usage?: EpisodeUsage;
  /** The numbers of the final grade, once the episode is complete. */
  readonly reward?: number;
  readonly success?: 0 | 1;
  readonly progress?: number;
  readonly gate?: 0 | 1;
  /** Of each dimension. */
  readonly scores?: Readonly<Record<string, number>>;
}

/** `GET /api/v1/episodes?cursor=&limit=` and filters, newest first. */
export interface EpisodeListAnswer extends Answered {
  readonly episodes: readonly EpisodeSummary[];
  /** Ask again with it for the next page; null on the last. */
  readonly next_cursor: string | null;
}

/** Which episodes: those that agree with all that is said. */
export interface EpisodeFilter {
  readonly status?: EpisodeStatus;
  readonly collection?: string;
  readonly scenario?: string;
  readonly version?: string;
  readonly variant?: number;
  readonly group?: string;
  readonly study?: string;
  /** By its name. */
  readonly player?: string;
  /** Words, and phrases in quotes, that all occur in what was said, called and answered; only ended episodes are found. */
  readonly q?: string;
}

export interface EpisodeListQuery extends EpisodeFilter {
  readonly cursor?: string;
  readonly limit?: number;
}

/** `GET /api/v1/episodes/{id}/turns?from=&limit=`: turns in order. */
export interface TurnListAnswer extends Answered {
  readonly turns: readonly EpisodeTurn[];
  /** How many the episode has. */
  readonly turn_count: number;
  /** The `from` of the next page; null on the last. */
  readonly next_from: number | null;
}

export interface TurnListQuery {
  /** The first turn; 1 when left out. */
  readonly from?: number;
  readonly limit?: number;
}

/** `GET /api/v1/episodes/{id}` */
export interface EpisodeDetail extends EpisodeSummary {
  readonly scenario_name: string;
  readonly briefing: string;
  readonly score_turns: boolean;
  readonly max_turns: number;
  /** The episode whose first turns it begins with. */
  readonly forked_from?: ForkOrigin;
  readonly tools: readonly EpisodeTool[];
  readonly initial_observation: Observation;
  readonly turns: readonly EpisodeTurn[];
  /** The numbers of the final grade, once the episode is complete. */
  readonly grade?: GradeNumbers & { readonly scoring_version: string };
  /** Only for keys with the right to `explain`. */
  readonly explain?: EpisodeExplanation;
  /** Where it was read from, if it was not played here: such a log has no reasons of its grade. */
  readonly log?: LogOrigin;
}

/** The log that an episode was read from, and what it says besides. */
export interface LogOrigin {
  readonly file: string;
  /** What the file is. */
  readonly format: string;
  /** What the episode is called there. */
  readonly id: string;
  /** Why it ended, in the words of the log. */
  readonly ended?: string;
  readonly error?: string;
  readonly metadata: JsonObject;
}

export interface EpisodeDetailAnswer extends EpisodeDetail, Answered {}

/** What reveals answers: facts, notes and the reasons of the grade so far. */
export interface EpisodeExplanation {
  readonly facts: readonly FactView[];
  readonly notes: readonly CallNote[];
  /** Of the conversation as it stands, also while the episode is open. */
  readonly grade: ExplainedGrade;
  /** Each expected call beside the one that answered it. */
  readonly expected: readonly ExpectedCallView[];
  /** Turns in which somebody else than the rules was asked for the person's words. */
  readonly voices?: readonly VoiceView[];
  /** Turns in which somebody else than the rules was asked what is asked for. */
  readonly hearings?: readonly HearingView[];
  /** The tool of the scenario's world that broke and so ended the episode, and how, with file and line. */
  readonly world_fault?: { readonly turn: number; readonly tool: string; readonly message: string };
}

/** Who spoke for the person in a turn, what was refused of it, and why the rules spoke after all. */
export interface VoiceView {
  readonly turn: number;
  readonly by: string;
  readonly refused?: readonly { readonly said: string; readonly why: string }[];
  readonly fault?: string;
}

/** What was heard in a turn in place of the rules, or why the rules heard after all. */
export interface HearingView {
  readonly turn: number;
  readonly by: string;
  readonly heard?: {
    readonly asks: readonly string[];
    readonly courtesies: readonly string[];
    readonly others: number;
  };
  readonly fault?: string;
}

/** A fact that the person knows: discovered in a turn, or missed so far. */
export interface FactView {
  readonly id: string;
  readonly text: string;
  readonly discovered: boolean;
  readonly turn?: number;
  /** For a missed fact: words that would have brought it out. */
  readonly question?: string;
}

/** An expected call: what its fields should be, and what was sent, where it was made. */
export interface ExpectedCallView {
  readonly id: string;
  /** The tool's id. */
  readonly call: string;
  readonly turn?: number;
  /** The place of the call in its turn, over all its messages, from 0. */
  readonly index?: number;
  readonly holds: boolean;
  readonly fields: readonly {
    readonly field: string;
    readonly expected: JsonValue;
    readonly got?: JsonValue;
    /** How well it matches, from 0 to 1. */
    readonly share: number;
  }[];
}

/** What a person is shown of a call, in the order of the calls of a turn (over all its messages). */
export interface CallNote {
  readonly turn: number;
  readonly call: number;
  readonly label: string;
  readonly detail?: string;
}

/** `DELETE /api/v1/episodes/{id}` ends it: `client_terminated`. A second time answers alike. */
export interface EndEpisodeAnswer extends Answered {
  readonly episode_id: string;
  readonly status: 'complete';
  readonly terminal_reason: TerminalReason;
  readonly grade: GradeNumbers & { readonly scoring_version: string };
}

/**
 * `GET /api/v1/episodes/{id}/events` (SSE): one `turn` event a turn, its id the turn's number, from `Last-Event-ID`
 * or the first on; at last `complete`, and the stream ends.
 */
export type EpisodeEvent =
  | { readonly event: 'turn'; readonly data: EpisodeTurn }
  | { readonly event: 'complete'; readonly data: EpisodeSummary };

/**
 * `GET /api/v1/events` (SSE): an event for each episode of the key that begins, takes a turn or ends, with its summary
 * as it is then. Its id is the time of the change in milliseconds: `Last-Event-ID` takes the stream up there, and then a
 * few may come twice. Several turns in quick succession may come as one event.
 */
export interface ServerWideEvent {
  readonly event: 'begin' | 'turn' | 'complete';
  readonly data: EpisodeSummary;
}
