import type { ConversationRows } from '../../run/loop/conversation/conversation-store.ts';
import type { EpisodeRank } from './rank.ts';
import type {
  EpisodeChange,
  EpisodeEnd,
  EpisodeGrade,
  EpisodeRecord,
  KeyRecord,
  ScoreRecord,
  TurnRecord,
} from './record.ts';

/**
 * Where episodes are kept. Every write is on disk before its promise resolves, and touches one episode only:
 * no operation needs a transaction over two of them, so that the tables can be cut by episode.
 */
export interface Store {
  /** What a person may be shown of where it is: a path, or a host and a database. Never a password. */
  readonly place: string;

  /** Histories of runs that go on. */
  readonly conversations: ConversationRows;
  readonly keys: KeyRows;
  readonly runs: RunRows;
  readonly scores: ScoreRows;
  readonly sums: SumRows;
  /** Where the episodes of each month lie in tables of their own. */
  readonly months?: MonthTables;

  /**
   * Opens an episode, unless its owner has `maxOpen` open ones: exactly so, also among inserts at the same moment. One
   * that goes on from another brings the turns along that it has in common with it.
   */
  insertEpisode(episode: EpisodeRecord, maxOpen?: number, turns?: readonly TurnRecord[]): Promise<Insertion>;
  readEpisode(id: string): Promise<EpisodeRecord | undefined>;
  readEpisodeByKey(owner: string, createdKey: string): Promise<EpisodeRecord | undefined>;
  listEpisodes(query: EpisodeQuery): Promise<readonly EpisodeRecord[]>;
  /** Episodes of an owner that changed at this time or later, the longest ago first. */
  changedEpisodes(owner: string, since: number, limit: number): Promise<readonly EpisodeRecord[]>;
  /** Reads the words of up to this many ended episodes not yet read, so that they are found; answers how many. */
  readWords(limit: number): Promise<number>;

  /** False, and nothing is written, when the episode is complete or `turn` is not its next turn. */
  appendTurn(turn: TurnRecord, change: EpisodeChange): Promise<boolean>;
  /** The turns after `after`, in order, at most this many. */
  readTurns(episode: string, after?: number, limit?: number): Promise<readonly TurnRecord[]>;
  readTurnByKey(episode: string, key: string): Promise<TurnRecord | undefined>;
  /** False when it is complete, or has another number of turns than `turnCount`. */
  endEpisode(id: string, turnCount: number, end: EpisodeEnd, at: number): Promise<boolean>;
  /** Puts another grade in the place of a complete episode's; false when it is not complete. Its turns stay as they are. */
  regradeEpisode(id: string, grade: EpisodeGrade): Promise<boolean>;
  /** Moves the time at which an open episode ends by itself. */
  touchEpisode(id: string, expiresAt: number): Promise<void>;
  /** Open episodes whose time has come. */
  expiredEpisodes(now: number, limit: number): Promise<readonly EpisodeRecord[]>;

  /** All episodes by their ids, after this one: for exports. */
  scanEpisodes(after: string, limit: number): Promise<readonly EpisodeRecord[]>;
  /** Puts back an episode with its turns as they were; false when it is there already. */
  restoreEpisode(episode: EpisodeRecord, turns: readonly TurnRecord[]): Promise<boolean>;
  /** Removes complete episodes that have not changed since, with their turns; answers how many. */
  removeEpisodes(unchangedSince: number, limit: number): Promise<number>;
  /** Gives the room of removed rows back to the disk. */
  compact(): Promise<void>;

  /** Throws `store_unavailable` when it cannot answer. */
  ping(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** API keys, by the hash of their secret. */
export interface KeyRows {
  insert(key: KeyRecord): Promise<void>;
  read(hash: string): Promise<KeyRecord | undefined>;
  list(): Promise<readonly KeyRecord[]>;
  /** False when there is no such key. */
  revoke(id: string, at: number): Promise<boolean>;
}

/** Journals of runs. */
export interface RunRows {
  /** Entries behind the run's entry number `after`; false, and nothing is written, when one is there. */
  append(run: string, after: number, entries: readonly string[]): Promise<boolean>;
  read(run: string): Promise<readonly string[]>;
  /** The runs that have a journal, by their ids, after this one. */
  scan(after: string, limit: number): Promise<readonly string[]>;
  /** Removes the journals of up to this many runs that ended before this time and wait for nobody; answers how many. */
  remove(endedBefore: number, limit: number): Promise<number>;
}

/** Evaluations of texts, and their scores. */
export interface ScoreRows {
  /** Counts one more evaluation of a task by a key; false where it has had as many as it may. */
  countEvaluation(owner: string, task: string, most: number): Promise<boolean>;
  /** False when it is there already. */
  insert(score: ScoreRecord): Promise<boolean>;
  /** Of the evaluations of an owner under a normalisation key: those since a time, or a number of the last ones. */
  summarize(query: ScoreQuery): Promise<ScoreSummary>;
  /** All scores by their ids, after this one: for exports. */
  scan(after: string, limit: number): Promise<readonly ScoreRecord[]>;
}

/** Sums over episodes. */
export interface SumRows {
  /** Adds up to this many ended episodes to the kept sums, which need not be added up again; answers how many. */
  add(limit: number): Promise<number>;
  /** The sums of episodes, separate for what they are grouped by and for each scenario. */
  read(filter: EpisodeFilter, groupBy: readonly EpisodeDimension[]): Promise<readonly EpisodeSums[]>;
  /** By dimension: how many values of complete episodes fall into each twentieth from 0 to 1. */
  countScores(filter: EpisodeFilter): Promise<Readonly<Record<string, readonly number[]>>>;
  /** Of the latest complete episodes that carry a group, this many: how their rewards differ within groups. */
  summarizeGroups(last: number): Promise<GroupSummary>;
}

/** Tables of episodes, month by month, with their turns and words. */
export interface MonthTables {
  /**
   * Makes those of this month and the next, and ends a removal that broke off. Episodes do not wait for it: without
   * their month they are kept elsewhere.
   */
  make(now: number): Promise<void>;
  /** Removes the months in which every episode is complete and has not changed since; answers how many episodes. */
  remove(unchangedSince: number): Promise<number>;
}

/** `taken`: an episode with this id, or with this owner and idempotency key, is there already. `full`: no room. */
export type Insertion = 'inserted' | 'taken' | 'full';

/** Which episodes of an owner: those that agree with all that is said. */
export interface EpisodeFilter {
  readonly owner: string;
  readonly status?: 'open' | 'complete' | undefined;
  readonly collection?: string;
  readonly scenario?: string;
  readonly version?: string;
  readonly variant?: number;
  readonly group?: string;
  readonly study?: string;
  /** By its name. */
  readonly player?: string;
  /** Words and phrases in quotes that all occur in what was said, called and answered: only of ended episodes. */
  readonly words?: string;
}

export interface EpisodeQuery extends EpisodeFilter {
  readonly limit: number;
  /** Only those before this one, newest first. */
  readonly before?: { readonly createdAt: number; readonly id: string };
  /** In another order than the newest first; `before` then says nothing. */
  readonly rank?: EpisodeRank;
}

/** What episodes may be grouped by. */
export type EpisodeDimension =
  | 'player'
  | 'collection'
  | 'scenario'
  | 'version'
  | 'variant'
  | 'group'
  | 'study';

/** The sums of the episodes of one scenario that have something in common. */
export interface EpisodeSums {
  readonly by: Readonly<Record<string, string | number | null>>;
  /** `collection/scenario`. */
  readonly template: string;
  readonly episodes: number;
  readonly complete: number;
  /** When the first of them began. */
  readonly beganAt: number;
  /** The sum of their rewards, and of the squares of these. */
  readonly reward: number;
  readonly squares: number;
  readonly successes: number;
  readonly progress: number;
  /** Of how many it is known whether they succeeded, and what progress they made: a log may not say. */
  readonly withSuccess: number;
  readonly withProgress: number;
  /** In how many the gate was closed. */
  readonly closed: number;
  readonly turns: number;
  /** What was told of what they took. */
  readonly usage: Readonly<Record<string, number>>;
  /** How many rewards fall into each twentieth. */
  readonly bins: readonly number[];
}

export interface ScoreQuery {
  readonly owner: string;
  readonly normalizationKey: string;
  readonly since?: number;
  readonly last?: number;
}

export interface ScoreSummary {
  readonly count: number;
  readonly mean: number;
  /** Of the population. */
  readonly deviation: number;
}

export interface GroupSummary {
  /** Groups of two episodes and more of one task. */
  readonly groups: number;
  /** Those in which every episode earned the same: a trainer learns nothing from them. */
  readonly withoutSpread: number;
}
