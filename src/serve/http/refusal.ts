import { isWhetstoneError, WhetstoneError, type ErrorCode } from '../../base/host/errors.ts';
import type { RefusalCode } from '../api/envelope.ts';

/** An error as HTTP says it. `retryAfter` is in seconds. */
export interface HttpRefusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 429 | 500 | 503;
  readonly code: RefusalCode;
  readonly message: string;
  readonly turn?: number;
  readonly retryAfter?: number;
  /** What the path takes, for the header `Allow`. */
  readonly allow?: string;
}

const known: Partial<Record<ErrorCode, readonly [HttpRefusal['status'], RefusalCode]>> = {
  request_invalid: [400, 'invalid_request'],
  request_not_json: [400, 'invalid_json'],
  request_too_large: [413, 'too_large'],
  key_refused: [401, 'unauthorized'],
  request_forbidden: [403, 'forbidden'],
  collection_forbidden: [403, 'collection_forbidden'],
  test_not_evaluated: [403, 'forbidden'],
  evaluations_exhausted: [403, 'forbidden'],
  endpoint_unknown: [404, 'not_found'],
  method_refused: [405, 'method_not_allowed'],
  scenario_unknown: [404, 'scenario_not_found'],
  scenario_invalid: [404, 'scenario_not_found'],
  variant_unknown: [400, 'invalid_request'],
  player_unknown: [404, 'not_found'],
  hearing_missing: [404, 'scenario_not_found'],
  page_not_shown: [404, 'scenario_not_found'],
  task_unknown: [400, 'invalid_request'],
  episode_unknown: [404, 'episode_not_found'],
  episode_complete: [409, 'episode_complete'],
  turn_conflict: [409, 'turn_conflict'],
  fork_refused: [409, 'turn_conflict'],
  idempotency_conflict: [409, 'idempotency_conflict'],
  history_mismatch: [400, 'history_mismatch'],
  rate_limited: [429, 'rate_limited'],
  episodes_exhausted: [429, 'busy'],
  server_busy: [429, 'busy'],
  server_stopping: [503, 'stopping'],
  store_unavailable: [503, 'store_unavailable'],
};

/** Where the store is, and what is wrong on which line of a scenario, is the operator's business. */
const forClients: Partial<Record<ErrorCode, string>> = {
  // A connection that is lost in the middle does not say whether the write was done.
  store_unavailable:
    'The store cannot be used now. Ask again later: what was under way may have been stored, and with an idempotency key it is not done twice.',
  scenario_invalid:
    'This scenario cannot be played: it has a fault, which was reported to the operator of the server.',
};

/** What an error becomes at the door. What is not known is ours to mend: its words stay in the log. */
export function refusalOf(error: unknown): HttpRefusal {
  const entry = isWhetstoneError(error) ? known[error.code] : undefined;
  if (!isWhetstoneError(error) || entry === undefined)
    return {
      status: 500,
      code: 'internal',
      message: 'Something broke in the server. Its log has the details under this request id.',
    };
  const [status, code] = entry;
  const { turn, retryAfter, allow } = error.details;
  return {
    status,
    code,
    message: forClients[error.code] ?? error.message,
    ...(typeof turn === 'number' && { turn }),
    ...(typeof allow === 'string' && { allow }),
    ...(typeof retryAfter === 'number'
      ? { retryAfter }
      : code === 'store_unavailable' || code === 'stopping' || code === 'busy'
        ? { retryAfter: 1 }
        : {}),
  };
}

/** A request that is wrong at `path`, in words its sender can act on. */
export function invalid(path: string, problem: string): WhetstoneError {
  return new WhetstoneError('request_invalid', path === '' ? problem : `${path} ${problem}`, {
    details: { path },
  });
}

/** A method that a path does not take. Whatever answers GET answers HEAD. */
export function methodRefused(method: string | undefined, taken: Iterable<string>): WhetstoneError {
  const allow = [...new Set(taken)].flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])).join(', ');
  return new WhetstoneError('method_refused', `This path does not take ${method}; it takes ${allow}.`, {
    details: { allow },
  });
}
