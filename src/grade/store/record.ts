/**
 * What is kept: plain rows. Columns that hold JSON are text here, so that an answer comes back with the same bytes;
 * times are milliseconds since 1970.
 */
export interface EpisodeRecord {
  readonly id: string;
  /** The id of the key it belongs to. */
  readonly owner: string;
  readonly collection: string;
  readonly scenario: string;
  readonly version: string;
  readonly variant: number;
  readonly seed: number;
  readonly group: string | null;
  /** The study that it was played for. */
  readonly study: string | null;
  /** What the player is called, and its whole card. */
  readonly player: string | null;
  readonly playerCard: string | null;
  /** The idempotency key of its creation, unique for an owner, and the hash of what asked for it. */
  readonly createdKey: string | null;
  readonly createdHash: string;
  readonly options: string;
  /** The answer to its creation. */
  readonly opening: string;
  readonly state: string;
  readonly status: 'open' | 'complete';
  readonly terminalReason: string | null;
  readonly turnCount: number;
  readonly reward: number | null;
  readonly success: number | null;
  readonly grade: string | null;
  readonly progress: number | null;
  readonly gate: number | null;
  /** The score of each dimension. */
  readonly scores: string | null;
  /** What its turns took, as far as that was told. */
  readonly totalUsage: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When it ends by itself, unless something happens before. */
  readonly expiresAt: number;
}

export interface TurnRecord {
  readonly episode: string;
  readonly turn: number;
  /** The idempotency key it came with, unique in the episode. */
  readonly key: string | null;
  /** Hash of the whole request, and of the messages that were new in it. */
  readonly bodyHash: string;
  readonly messagesHash: string;
  readonly messages: string;
  readonly outcomes: string;
  /** The answer, without the id of the request. */
  readonly answer: string;
  readonly at: number;
  /** What the player said that it took. */
  readonly usage: string | null;
}

export interface EpisodeGrade {
  readonly reward: number;
  readonly success: number;
  readonly progress: number;
  readonly gate: number;
  readonly scores: string;
  readonly grade: string;
}

/** How an episode ended, and its grade. */
export interface EpisodeEnd extends EpisodeGrade {
  readonly terminalReason: string;
}

/** What a turn changes in its episode. */
export interface EpisodeChange {
  readonly state: string;
  readonly expiresAt: number;
  /** What the episode took, with this turn. */
  readonly totalUsage: string;
  readonly end?: EpisodeEnd;
}

export interface KeyRecord {
  readonly id: string;
  /** SHA-256 of the key, in hex: the key itself is never stored. */
  readonly hash: string;
  readonly name: string | null;
  readonly explain: boolean;
  /** Collections it is limited to, as JSON; null for all. */
  readonly collections: string | null;
  /** Requests a minute; null for no limit. */
  readonly rateLimit: number | null;
  /** Open episodes at once; null for the server's default. */
  readonly maxEpisodes: number | null;
  /** Evaluations of one task; null for no limit. */
  readonly maxEvaluations: number | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

/** One evaluation in the scoring log. */
export interface ScoreRecord {
  readonly id: string;
  readonly owner: string;
  readonly normalizationKey: string;
  readonly collection: string;
  readonly scenario: string;
  readonly scoringVersion: string;
  readonly reward: number;
  readonly at: number;
}
