import { WhetstoneError } from '../../base/host/errors.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { RequestOptions } from './client.ts';

/** A request that was sent; `place` is its whole address. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly place: string;
}

/** The JSON of an answer. The contract of `serve/api` is the server's own: its fields are not checked here again. */
export async function readAnswer<Answer>(
  asked: Asked,
  response: Response,
  request: RequestOptions,
): Promise<Answer> {
  const text = await readText(asked, response, request);
  const answer = parseJson(text);
  if (!isJsonObject(answer)) throw foreignAnswer(asked, response, text);
  return answer as Answer;
}

/** What the server said when it refused. A proxy in between may answer in its own words. */
export async function refusalOf(
  asked: Asked,
  response: Response,
  request: RequestOptions,
): Promise<WhetstoneError> {
  const text = await readText(asked, response, request);
  const answer = parseJson(text);
  const refusal = isJsonObject(answer) ? answer : {};
  const message = typeof refusal['message'] === 'string' ? refusal['message'] : text.slice(0, 200);
  const retryAfter = Number(response.headers.get('retry-after') ?? NaN);
  return new WhetstoneError(
    'server_refused',
    `${asked.method} ${asked.path} was refused with ${response.status}: ${message}`,
    {
      details: {
        status: response.status,
        ...(isJsonObject(refusal['data']) && refusal['data']),
        // A proxy may name a date; the seconds to it are the caller's clock to tell.
        ...(Number.isFinite(retryAfter) && { retry_after: retryAfter }),
      },
    },
  );
}

/** Something that is not a Whetstone server answered, or a proxy spoke for it. */
export function foreignAnswer(
  { method, path, place }: Asked,
  { status }: Response,
  text: string,
): WhetstoneError {
  const said = text.trim() === '' ? 'nothing' : JSON.stringify(text.trim().slice(0, 100));
  return new WhetstoneError(
    'server_unreachable',
    `${method} ${place} was answered with ${status} and ${said}, which is not an answer of a Whetstone server. Check that address and port are right.`,
    { details: { method, path, status } },
  );
}

/** The connection was lost in the middle of an answer. */
export function brokenOff({ method, path, place }: Asked, cause: unknown): WhetstoneError {
  const remedy =
    method === 'POST'
      ? 'It may have been done: ask again with the same idempotency key, and nothing is done twice.'
      : 'Ask again.';
  return new WhetstoneError(
    'server_unreachable',
    `The answer to ${method} ${place} broke off before its end. ${remedy}`,
    { details: { method, path }, cause },
  );
}

async function readText(asked: Asked, response: Response, { signal }: RequestOptions): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw brokenOff(asked, cause);
  }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller sees that it is not an object, and reports its text.
    return undefined;
  }
}
