import { isWhetstoneError } from '../../base/host/errors.ts';
import { randomId } from '../../base/host/random.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { stripImages } from '../../base/message/strip-images.ts';
import type { ModelError, ModelEvent, ModelRequest, Reply } from '../../base/message/model.ts';
import type { ReadContext, WriteOptions, WrittenRequest } from '../adapter.ts';
import { betaOf, offerComputers } from '../computer-offer.ts';
import { omitUndefined, parseJson } from '../json-fields.ts';
import { isErrorBody, readError } from '../reply/error.ts';
import { bodyText, wellFormed } from '../request/body-text.ts';
import { modelErrorIn, post, readText } from './http.ts';
import type { OpenBody } from './http.ts';
import type { Connection } from './connection.ts';
import { readRetryAfter } from './retry.ts';

/** One request on its way: what was written, and how its answer is read. */
export interface Exchange {
  readonly line: Connection;
  readonly streamed: boolean;
  readonly written: WrittenRequest;
  readonly context: ReadContext;
  /** A trial of Anthropic's that the request takes part in. */
  readonly beta: string | undefined;
  readonly signal: AbortSignal | undefined;
}

export function beginExchange(
  line: Connection,
  request: ModelRequest,
  { streamed, signal }: Pick<Exchange, 'streamed' | 'signal'>,
): Exchange {
  const { model, options, adapter } = line;
  const writeOptions: WriteOptions = omitUndefined({
    model,
    stream: streamed,
    unfitTools: options.unfitTools,
  });
  const offered = offerComputers(request, adapter.api, model);
  const told = options.images === false ? { ...offered, messages: stripImages(offered.messages) } : offered;
  const beta = adapter.api.endsWith('anthropic') ? betaOf(told.tools) : undefined;
  const written = adapter.writeRequest(told, writeOptions);
  const makeId = options.makeId ?? (() => randomId('call'));
  return { line, streamed, written, beta, context: { model, tools: written.tools, makeId }, signal };
}

/** Sends what was written. */
export function send({ line, streamed, written, beta, signal }: Exchange): Promise<OpenBody> {
  const { options } = line;
  // An unstreamed reply shows nothing before it is whole.
  const timeouts = streamed
    ? options.timeouts
    : { ...options.timeouts, connect: Infinity, firstChunk: Infinity };
  const url = line.url(streamed);
  const body = wellFormed(bodyText(written.body));
  return post(url, {
    headers: withBeta(line.headers(url, body), beta),
    body,
    fetch: options.fetch,
    clock: options.clock,
    timeouts,
    signal,
  });
}

function withBeta(
  headers: Readonly<Record<string, string>>,
  beta: string | undefined,
): Readonly<Record<string, string>> {
  if (beta === undefined) return headers;
  const own = headers['anthropic-beta'];
  return { ...headers, 'anthropic-beta': own === undefined || own.includes(beta) ? beta : `${own},${beta}` };
}

/** A reply, or why there is none. */
export type Outcome =
  | { readonly reply: Reply; readonly error?: undefined }
  | { readonly reply?: undefined; readonly error: ModelError };

/** The answer to a request that was not streamed, or that was not answered with a stream. */
export async function readWhole(exchange: Exchange, body: OpenBody): Promise<Outcome> {
  const text = await readText(body);
  const value = parseJson(text);
  const isFine = body.status >= 200 && body.status < 300;
  if (!isFine || !isJsonObject(value) || isErrorBody(value))
    return { error: refusal(exchange, body, value ?? text) };
  const reply = exchange.line.adapter.readReply(value, exchange.context);
  return isEmpty(reply) ? { error: refusal(exchange, body, value) } : { reply };
}

/** JSON of something else, under a status of success: not a word, no reason to end, no counters. */
function isEmpty({ message, finish, usage, error }: Reply): boolean {
  return (
    message.content.length === 0 && finish.raw === undefined && usage === undefined && error === undefined
  );
}

function refusal({ line, written }: Exchange, body: OpenBody, said: JsonValue): ModelError {
  const { status, headers } = body;
  if (status >= 300 && status < 400)
    return {
      kind: 'invalid_request',
      status,
      message: `The server answered ${status} and points to another address, which is not followed, since it would be given the key. If it is right, set the base URL to it.`,
    };
  // A page under a status of success is not a reply either.
  const error = readError(status, said, readRetryAfter(headers, line.clock.now()));
  return line.redact(
    nameTool(status < 300 && error.kind === 'other' ? { ...error, kind: 'server' } : error, written),
  );
}

/** Providers name a tool by its place; people know it by its name. */
function nameTool(error: ModelError, written: WrittenRequest): ModelError {
  const place = /^tools[.[](\d+)/.exec(error.field ?? '')?.[1];
  const tool = place === undefined ? undefined : written.tools.tools[Number(place)];
  if (tool !== undefined) return { ...error, tool: tool.spec.name };
  if (error.tool === undefined) return error;
  return { ...error, tool: written.tools.ours(error.tool)?.name ?? error.tool };
}

export function modelErrorOf({ line }: Exchange, error: unknown): ModelError {
  const damaged = isWhetstoneError(error) && error.code === 'event_stream_corrupt';
  const told = damaged ? { kind: 'network' as const, message: error.message } : modelErrorIn(error);
  if (told === undefined) throw error;
  return line.redact(told);
}

export function reported(reply: Reply, { written }: Exchange): Reply {
  if (written.reports.length === 0) return reply;
  const reports = written.reports as unknown as readonly JsonObject[];
  return { ...reply, reports: [...reports, ...(reply.reports ?? [])] };
}

/** The end of a reply that never began. */
export function failedEvents(exchange: Exchange, error: ModelError): readonly ModelEvent[] {
  const { reader } = exchange.line.adapter;
  const aborted = exchange.signal?.aborted === true;
  const [, events] = reader.end(reader.begin(exchange.context), aborted ? abortedError : error);
  return events.map((event) =>
    event.type === 'finish' ? { ...event, reply: reported(event.reply, exchange) } : event,
  );
}

const abortedError: ModelError = { kind: 'aborted', message: 'The request was aborted.' };
