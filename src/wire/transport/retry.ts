import { systemRandom } from '../../base/host/random.ts';
import type { Random } from '../../base/host/random.ts';
import type { ModelError } from '../../base/message/model.ts';

export interface RetryOptions {
  /** How often a request is made again; 2 by default, 0 for never. */
  readonly retries?: number;
  /** The wait before the first repetition, in milliseconds; it doubles with each. */
  readonly firstWait?: number;
  /** A provider that asks for more patience than this is taken at its word: no repetition. */
  readonly longestWait?: number;
  readonly random?: Random;
}

/**
 * How long to wait before asking again, or undefined when asking again would not help. `attempt` counts what has been
 * tried, from 1. Only errors that came before anything of a reply may be given here.
 */
export function retryWait(
  error: ModelError,
  attempt: number,
  options: RetryOptions = {},
): number | undefined {
  const { retries = 2, firstWait = 500, longestWait = 60_000, random = systemRandom } = options;
  if (attempt > retries || !isPassing(error)) return undefined;
  if (error.retryAfterMs !== undefined)
    return error.retryAfterMs <= longestWait ? error.retryAfterMs : undefined;
  // Half of the wait is by chance, so that many clients do not come back together.
  const wait = Math.min(firstWait * 2 ** (attempt - 1), longestWait);
  return Math.round(wait / 2 + (wait / 2) * random());
}

/** Errors that may be gone the next time. */
export function isPassing(error: ModelError): boolean {
  if (error.kind === 'aborted' || isSpent(error)) return false;
  const { status } = error;
  // A refusal under a status of success says by its kind whether it may pass; a page, or anything else, does not.
  if (status !== undefined && status < 300)
    return ['overloaded', 'rate_limit', 'timeout'].includes(error.kind);
  if (status !== undefined) return [408, 409, 425, 429].includes(status) || (status >= 500 && status !== 501);
  return ['network', 'timeout', 'overloaded', 'rate_limit', 'server'].includes(error.kind);
}

/** A quota that is used up comes as 429 too. */
function isSpent(error: ModelError): boolean {
  return /insufficient_quota|billing_hard_limit/.test(JSON.stringify(error.raw ?? ''));
}

/** What the headers of a refusal say about when to come back, in milliseconds. */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
