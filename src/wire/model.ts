import { sleep, systemClock } from '../base/host/clock.ts';
import type { Clock } from '../base/host/clock.ts';
import { isWhetstoneError } from '../base/host/errors.ts';
import { randomId } from '../base/host/random.ts';
import { isJsonObject } from '../base/json/value.ts';
import type { JsonObject, JsonValue } from '../base/json/value.ts';
import { blindHistory } from '../base/message/blind-history.ts';
import type {
  Model,
  ModelCallOptions,
  ModelError,
  ModelEvent,
  ModelRequest,
  Reply,
} from '../base/message/model.ts';
import type { Adapter, Chunk, ReadContext, WriteOptions, WrittenRequest } from './adapter.ts';
import { isErrorBody, readError } from './reply/error.ts';
import { bodyText } from './request/body-text.ts';
import { chunkDecoder } from './line/framing.ts';
import { modelErrorIn, peeked, post, readText } from './line/http.ts';
import type { OpenBody, PeekedBody } from './line/http.ts';
import { filled, parseJson } from './json-fields.ts';
import { connect } from './line/line.ts';
import type { Line, ModelOptions } from './line/line.ts';
import { replyEvents } from './reply/reply-events.ts';
import { readRetryAfter, retryWait } from './line/retry.ts';

/** An adapter and a transport make a model. It throws only for what the caller did wrong; the rest are replies. */
export function providerModel(
  adapter: Adapter,
  provider: string,
  model: string,
  options: ModelOptions = {},
): Model {
  const line = connect(adapter, model, options);
  return {
    name: `${provider}/${model}`,
    api: adapter.api,
    capabilities: { ...adapter.capabilities, images: options.images ?? adapter.capabilities.images },
    generate: (request, callOptions = {}) => generate(line, request, callOptions),
    stream: (request, callOptions = {}) => stream(line, request, callOptions),
  };
}

/** One request on its way: what was written, and how its answer is read. */
interface Exchange {
  readonly line: Line;
  readonly streamed: boolean;
  readonly written: WrittenRequest;
  readonly context: ReadContext;
  readonly signal: AbortSignal | undefined;
}

function begin(
  line: Line,
  request: ModelRequest,
  streamed: boolean,
  signal: AbortSignal | undefined,
): Exchange {
  const { model, options, adapter } = line;
  const writeOptions: WriteOptions = filled({ model, stream: streamed, unfitTools: options.unfitTools });
  const told = options.images === false ? { ...request, messages: blindHistory(request.messages) } : request;
  const written = adapter.writeRequest(told, writeOptions);
  const makeId = options.makeId ?? (() => randomId('call'));
  return { line, streamed, written, context: { model, tools: written.tools, makeId }, signal };
}

async function generate(line: Line, request: ModelRequest, { signal }: ModelCallOptions): Promise<Reply> {
  const exchange = begin(line, request, false, signal);
  for (let attempt = 1; ; attempt++) {
    const { reply, error } = await askOnce(exchange);
    if (reply !== undefined) return reported(reply, exchange);
    const waitMs = retryWait(error, attempt, line.options.retry);
    if (waitMs !== undefined && (await waited(line.clock, waitMs, signal))) continue;
    const last = failedEvents(exchange, error).at(-1);
    if (last?.type === 'finish') return last.reply;
  }
}

type Outcome =
  | { readonly reply: Reply; readonly error?: undefined }
  | { readonly reply?: undefined; readonly error: ModelError };

/** One unstreamed exchange: a reply, or why there is none. */
async function askOnce(exchange: Exchange): Promise<Outcome> {
  try {
    return await readWhole(exchange, await open(exchange));
  } catch (error) {
    return { error: modelErrorOf(exchange, error) };
  }
}

async function readWhole(exchange: Exchange, body: OpenBody): Promise<Outcome> {
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

async function* stream(
  line: Line,
  request: ModelRequest,
  { signal }: ModelCallOptions,
): AsyncGenerator<ModelEvent, void, undefined> {
  const exchange = begin(line, request, true, signal);
  for (let attempt = 1; ; attempt++) {
    const error = yield* streamOnce(exchange);
    if (error === undefined) return;
    const waitMs = retryWait(error, attempt, line.options.retry);
    if (waitMs !== undefined) {
      yield { type: 'retry', attempt, waitMs, error };
      if (await waited(line.clock, waitMs, signal)) continue;
    }
    yield* failedEvents(exchange, error);
    return;
  }
}

/** One streamed exchange. Answers with the error when it failed before anything of the reply had come. */
async function* streamOnce(
  exchange: Exchange,
): AsyncGenerator<ModelEvent, ModelError | undefined, undefined> {
  const telling = new Telling(exchange);
  try {
    const body = await peeked(await open(exchange));
    if (!isStream(exchange, body)) {
      const { reply, error } = await readWhole(exchange, body);
      if (reply === undefined) return error;
      yield* telling.tell(replyEvents(reply));
      return undefined;
    }
    const decoder = chunkDecoder(exchange.line.adapter.framing);
    for await (const bytes of body.bytes) {
      yield* telling.read(decoder.feed(bytes));
      // After an error nothing of the reply can be trusted, and some servers then keep the connection open.
      if (telling.broken) break;
    }
    if (!telling.broken) yield* telling.read(decoder.end());
    yield* telling.end(telling.heard ? brokenOff : noStream(exchange, body));
  } catch (error) {
    yield* telling.end(modelErrorOf(exchange, error));
  }
  return telling.failed;
}

/** Turns the chunks of one exchange into events, and keeps them back until the reply has begun in earnest. */
class Telling {
  readonly #exchange: Exchange;
  #state: unknown;
  #held: ModelEvent[] = [];
  #begun = false;
  /** Something of a stream has come. */
  heard = false;
  /** The provider, or the way to it, has said that the reply went wrong. */
  broken = false;
  /** Why nothing was told: the exchange may be made again. */
  failed: ModelError | undefined;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    this.#state = exchange.line.adapter.reader.begin(exchange.context);
  }

  *read(chunks: readonly Chunk[]): Generator<ModelEvent> {
    for (const chunk of chunks) {
      this.heard = true;
      const [state, events] = this.#exchange.line.adapter.reader.read(this.#state, chunk);
      this.#state = state;
      yield* this.tell(events);
      if (this.broken) return;
    }
  }

  *end(error: ModelError): Generator<ModelEvent> {
    yield* this.tell(this.#exchange.line.adapter.reader.end(this.#state, error)[1]);
  }

  /** The events in which something is said; an error that comes before any of them is no reply, but a failure. */
  *tell(events: readonly ModelEvent[]): Generator<ModelEvent> {
    for (const event of events) {
      if (this.failed !== undefined) return;
      const told = this.#finished(event);
      if (told.type === 'error') this.broken = true;
      if (this.#begun) yield told;
      else if (told.type === 'error') this.failed = told.error;
      else if (told.type === 'start' || told.type === 'usage') this.#held.push(told);
      else {
        this.#begun = true;
        yield* this.#held;
        yield told;
      }
    }
  }

  #finished(event: ModelEvent): ModelEvent {
    const { redact } = this.#exchange.line;
    if (event.type === 'error') return { ...event, error: redact(event.error) };
    if (event.type !== 'finish') return event;
    const { error } = event.reply;
    const reply = error === undefined ? event.reply : { ...event.reply, error: redact(error) };
    return { ...event, reply: reported(reply, this.#exchange) };
  }
}

/**
 * A server that was asked for a stream may refuse, answer whole, or be a proxy with a page of its own. Its first
 * byte tells; content types are wrong too often.
 */
function isStream(exchange: Exchange, { status, firstByte }: PeekedBody): boolean {
  if (status < 200 || status >= 300 || firstByte === '<') return false;
  return exchange.line.adapter.framing === 'ndjson' || (firstByte !== '{' && firstByte !== '[');
}

/** A body of success in which there was no message of a stream. */
function noStream({ line }: Exchange, { status, beginning }: PeekedBody): ModelError {
  const what =
    beginning === undefined
      ? 'sent no body'
      : `sent no stream of ${line.adapter.api}: ${JSON.stringify(beginning)}`;
  return line.redact({ kind: 'network', message: `The server answered ${status} and ${what}.` });
}

/** The end of a reply that never began. */
function failedEvents(exchange: Exchange, error: ModelError): readonly ModelEvent[] {
  const { reader } = exchange.line.adapter;
  const aborted = exchange.signal?.aborted === true;
  const [, events] = reader.end(reader.begin(exchange.context), aborted ? abortedError : error);
  return events.map((event) =>
    event.type === 'finish' ? { ...event, reply: reported(event.reply, exchange) } : event,
  );
}

function open({ line, streamed, written, signal }: Exchange): Promise<OpenBody> {
  const { options } = line;
  // An unstreamed reply shows nothing before it is whole.
  const timeouts = streamed
    ? options.timeouts
    : { ...options.timeouts, connect: Infinity, firstChunk: Infinity };
  const url = line.url(streamed);
  const body = bodyText(written.body);
  return post(url, {
    headers: line.headers(url, body),
    body,
    fetch: options.fetch,
    clock: options.clock,
    timeouts,
    signal,
  });
}

function refusal({ line, written }: Exchange, body: OpenBody, said: JsonValue): ModelError {
  const { status, headers } = body;
  if (status >= 300 && status < 400)
    return {
      kind: 'invalid_request',
      status,
      message: `The server answered ${status} and points to another address. It is not followed, since it would be given the key: set the base URL to it if it is right.`,
    };
  // A page under a status of success is no reply either.
  const error = readError(status, said, readRetryAfter(headers, line.clock.now()));
  return line.redact(nameTool(status < 300 ? { ...error, kind: 'server' } : error, written));
}

/** Providers name a tool by its place; people know it by its name. */
function nameTool(error: ModelError, written: WrittenRequest): ModelError {
  const place = /^tools[.[](\d+)/.exec(error.field ?? '')?.[1];
  const tool = place === undefined ? undefined : written.tools.tools[Number(place)];
  if (tool !== undefined) return { ...error, tool: tool.spec.name };
  if (error.tool === undefined) return error;
  return { ...error, tool: written.tools.ours(error.tool)?.name ?? error.tool };
}

function modelErrorOf({ line }: Exchange, error: unknown): ModelError {
  const damaged = isWhetstoneError(error) && error.code === 'event_stream_corrupt';
  const told = damaged ? { kind: 'network' as const, message: error.message } : modelErrorIn(error);
  if (told === undefined) throw error;
  return line.redact(told);
}

function reported(reply: Reply, { written }: Exchange): Reply {
  if (written.reports.length === 0) return reply;
  const reports = written.reports as unknown as readonly JsonObject[];
  return { ...reply, reports: [...reports, ...(reply.reports ?? [])] };
}

/** False when the waiting was aborted. */
async function waited(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    // The system's own wait keeps the process alive; another clock decides for itself.
    await (clock === systemClock ? sleep(ms, signal) : waitBy(clock, ms, signal));
    return true;
  } catch {
    return false;
  }
}

function waitBy(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason as Error);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}

const brokenOff: ModelError = {
  kind: 'network',
  message: 'The reply ended before its provider had ended it.',
};
const abortedError: ModelError = { kind: 'aborted', message: 'The request was aborted.' };
