import type { StopReason } from '../outcome.ts';
import type { Journal } from '../journal/journal.ts';

/** A conversation as it is listed: all but its words. */
export interface ConversationRecord {
  readonly id: string;
  readonly owner: string;
  /** What the user said first, or whatever name it was given. */
  readonly title: string;
  /** Counts what was saved: who comes with an old one has not seen the latest. */
  readonly version: number;
  readonly messageCount: number;
  /** How its last run ended; null before the first. */
  readonly stop: StopReason | null;
  /** The conversation that it was forked from. */
  readonly forkOf: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What a save changes in addition to the record. */
export interface ConversationChange {
  /** How many messages stay as they are. */
  readonly kept: number;
  /** Those that come behind them, as JSON. */
  readonly messages: readonly string[];
  /** The run whose journal goes with this save: what it brought is in the messages now. */
  readonly run: string;
}

/** Newest first. */
export interface ConversationQuery {
  /** `local` by default. */
  readonly owner?: string;
  /** 50 by default. */
  readonly limit?: number;
  /** Only those behind this one. */
  readonly before?: Pick<ConversationRecord, 'id' | 'updatedAt'>;
}

/** Where conversations are kept. What was saved would survive a power cut. */
export interface ConversationRows {
  read(id: string): Promise<ConversationRecord | undefined>;
  readMessages(id: string): Promise<readonly string[]>;
  /** All or nothing; false, and nothing is written, where its id is taken. */
  insert(record: ConversationRecord, change: ConversationChange): Promise<boolean>;
  /** The same, unless the stored version is the one before the record's. A title that is there stays. */
  save(record: ConversationRecord, change: ConversationChange): Promise<boolean>;
  list(
    query: Required<Pick<ConversationQuery, 'owner' | 'limit'>> & ConversationQuery,
  ): Promise<readonly ConversationRecord[]>;
  /** False when it is not there. */
  rename(id: string, owner: string, title: string): Promise<boolean>;
  /** The journal of a run that was interrupted goes along. False when it is not there. */
  remove(id: string, owner: string, run: string): Promise<boolean>;
  /** All of them by their ids, after this one: for exports. */
  scan(after: string, limit: number): Promise<readonly ConversationRecord[]>;
}

export interface ConversationStore {
  readonly rows: ConversationRows;
  /** A journal of its own for each conversation that is open. */
  journal(): Journal;
}
