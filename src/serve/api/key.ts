import type { Answered } from './envelope.ts';

/** `GET /api/v1/key`: the key that asks. */
export interface KeyAnswer extends Answered {
  readonly key_id: string;
  readonly name: string | null;
  /** ISO 8601, or null when it never expires. */
  readonly expires_at: string | null;
  /** Null when the key has no limit. */
  readonly rate_limits: readonly RateLimit[] | null;
  /** May see criteria, facts and reasons. */
  readonly explain: boolean;
  /** The collections it is limited to, or null for all. */
  readonly collections: readonly string[] | null;
}

export interface RateLimit {
  /** Requests in a minute. */
  readonly limit: number;
  readonly remaining: number;
  /** When the full limit is back: seconds since 1970. */
  readonly reset: number;
}
