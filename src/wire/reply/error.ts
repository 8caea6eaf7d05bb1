import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { ModelError } from '../../base/message/model.ts';
import { omitUndefined, filledText, listOf, numberOf, objectOf, objectsOf, textOf } from '../json-fields.ts';

type Kind = ModelError['kind'];

/**
 * What any provider says when it refuses or fails, in one shape. `status` is absent for an error that came
 * inside a stream; `body` is parsed JSON, or the text where it is none (an HTML page of a proxy, say).
 */
export function readError(status: number | undefined, body: JsonValue, retryAfterMs?: number): ModelError {
  const said = Array.isArray(body) ? objectOf(body[0]) : objectOf(body);
  const inner = isJsonObject(said['error']) ? said['error'] : said;
  const message = messageOf(status, body, said, inner);
  const field =
    filledText(inner['param']) ?? /\b((?:messages|tools|input|contents)[.[][\w.[\]-]+)/.exec(message)?.[1];
  return omitUndefined({
    kind: kindOf(statusIn(inner, status), codesOf(inner, said), message),
    message,
    status,
    retryAfterMs: retryAfterMs ?? retryDelayOf(inner),
    tool: /(?:function|tool)\s+['"`]([^'"`]+)['"`]/i.exec(message)?.[1],
    field,
    raw: body,
  });
}

/** An error under a status of success; a reply that tells an error of its own is still a reply. */
export function isErrorBody(body: JsonObject): boolean {
  if (body['type'] === 'error' || body['object'] === 'error') return true;
  const { error, detail, choices, output, steps } = body;
  if (output !== undefined || steps !== undefined || listOf(choices).length > 0) return false;
  if (isJsonObject(error) || filledText(error) !== undefined) return true;
  // As web frameworks put it.
  return body['id'] === undefined && (typeof detail === 'string' || Array.isArray(detail));
}

/** Under a status of success, or inside a stream, gateways tell the status as the error's code. */
function statusIn(inner: JsonObject, status: number | undefined): number | undefined {
  if (status !== undefined && status >= 300) return status;
  const code = numberOf(inner['code']) ?? numberOf(inner['status']);
  return code !== undefined && code >= 400 && code < 600 ? code : undefined;
}

function messageOf(status: number | undefined, body: JsonValue, said: JsonObject, inner: JsonObject): string {
  const text =
    filledText(inner['message']) ??
    filledText(said['message']) ??
    filledText(said['error']) ??
    filledText(said['Message']) ??
    filledText(said['detail']) ??
    detailsText(said['detail']) ??
    detailsText(objectOf(inner['message'])['detail']) ??
    filledText(objectsOf(said['errors'])[0]?.['message']);
  if (text !== undefined) return text;
  const where = status === undefined ? 'The stream' : `The server answered ${status} and`;
  if (typeof body !== 'string') return `${where} gave no reason: ${JSON.stringify(body).slice(0, 200)}`;
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(body)?.[1]?.trim();
  if (title !== undefined || /^\s*<(!doctype|html)/i.test(body))
    return `${where} sent an HTML page (${title || 'no title'}) in place of JSON. Something is between, or the base URL is wrong.`;
  return body.trim() === '' ? `${where} sent no body.` : `${where} said: ${body.slice(0, 200)}`;
}

/** FastAPI servers (vLLM and others) list what was wrong with each field. */
function detailsText(detail: JsonValue | undefined): string | undefined {
  const lines = objectsOf(detail).flatMap((each) => filledText(each['msg']) ?? []);
  return lines.length > 0 ? lines.join('; ') : undefined;
}

function codesOf(inner: JsonObject, said: JsonObject): string {
  return [inner['type'], inner['code'], inner['status'], said['type'], said['__type']]
    .filter(textOf)
    .join(' ');
}

const kindOfCode: readonly (readonly [RegExp, Kind])[] = [
  [/context_length_exceeded|context_too_long|request_too_large/i, 'context_too_long'],
  [/content_filter|content_policy|responsible_ai|safety/i, 'content_refused'],
  [/authentication|invalid_api_key|unauthenticated|UnrecognizedClient|ExpiredToken/i, 'authentication'],
  [/permission|AccessDenied/i, 'permission'],
  [/rate_limit|insufficient_quota|resource_exhausted|throttling|too_many_requests/i, 'rate_limit'],
  [/overloaded|unavailable|ServiceUnavailable|ModelNotReady/i, 'overloaded'],
  [/timeout|deadline_exceeded/i, 'timeout'],
  [
    /invalid_request|invalid_argument|invalid_value|ValidationException|not_found|invalid_prompt/i,
    'invalid_request',
  ],
  [/api_error|server_error|internal/i, 'server'],
];

const tooLong =
  /context (?:length|window)|prompt is too long|maximum (?:context|prompt|input) (?:length|size)|input (?:is )?too long|too many (?:input )?tokens|exceeds? the (?:maximum|model'?s?) .*tokens/i;

function kindOf(status: number | undefined, codes: string, message: string): Kind {
  const invalid = status === undefined || (status >= 400 && status < 500 && status !== 429);
  if (invalid && tooLong.test(message)) return 'context_too_long';
  const byCode = kindOfCode.find(([pattern]) => pattern.test(codes))?.[1];
  if (status === 401) return 'authentication';
  if (status === 403 && byCode !== 'content_refused') return 'permission';
  if (status === 429) return 'rate_limit';
  if (status === 529 || status === 503) return 'overloaded';
  if (status === 408 || status === 504) return 'timeout';
  if (byCode !== undefined) return byCode;
  if (status === undefined) return 'other';
  if (status === 413) return 'context_too_long';
  if (status >= 500) return 'server';
  return status >= 400 ? 'invalid_request' : 'other';
}

/** Google says in its details when to come back. */
function retryDelayOf(inner: JsonObject): number | undefined {
  for (const detail of objectsOf(inner['details'])) {
    const seconds = /^([\d.]+)s$/.exec(textOf(detail['retryDelay']) ?? '')?.[1];
    if (seconds !== undefined) return Number(seconds) * 1000;
  }
  return undefined;
}

/** The status under which an error of this kind is usual; for answering as a provider would. */
export function statusOf(error: ModelError): number {
  return error.status ?? statuses[error.kind];
}

const statuses: Readonly<Record<Kind, number>> = {
  authentication: 401,
  permission: 403,
  rate_limit: 429,
  context_too_long: 400,
  content_refused: 400,
  overloaded: 529,
  invalid_request: 400,
  network: 502,
  timeout: 504,
  aborted: 499,
  server: 500,
  other: 500,
};
