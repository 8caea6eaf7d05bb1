import type { ModelError, ModelEvent } from '../../base/message/model.ts';
import type { Chunk } from '../adapter.ts';
import { replyEvents } from '../reply/reply-events.ts';
import { modelErrorOf, readWhole, reported, send } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { chunkDecoder } from './framing.ts';
import { peeked } from './http.ts';
import type { PeekedBody } from './http.ts';

/** One streamed exchange. Answers with the error when it failed before anything of the reply had come. */
export async function* streamOnce(
  exchange: Exchange,
): AsyncGenerator<ModelEvent, ModelError | undefined, undefined> {
  const telling = new ReplyGate(exchange);
  try {
    const body = await peeked(await send(exchange));
    if (!isStream(exchange, body)) {
      const { reply, error } = await readWhole(exchange, body);
      if (reply === undefined) return error;
      yield* telling.tell(replyEvents(reply));
      return undefined;
    }
    const decoder = chunkDecoder(exchange.line.adapter.framing);
    for await (const bytes of body.bytes) {
      const chunks = decoder.feed(bytes);
      yield* telling.read(chunks);
      // After an error nothing of the reply can be trusted, and some servers keep the connection open behind their end.
      if (telling.broken || chunks.some(({ text }) => text === '[DONE]')) break;
    }
    if (!telling.broken) yield* telling.read(decoder.end());
    yield* telling.end(telling.heard ? brokenOff : noStream(exchange, body));
  } catch (error) {
    yield* telling.end(modelErrorOf(exchange, error));
  }
  return telling.failed;
}

/** Turns the chunks of one exchange into events, and keeps them back until the reply has begun in earnest. */
class ReplyGate {
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

  /** The events in which something is said; an error that comes before any of them is not a reply, but a failure. */
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
      : `sent no ${line.adapter.api} stream: ${JSON.stringify(beginning)}`;
  return line.redact({ kind: 'network', message: `The server answered ${status} and ${what}.` });
}

const brokenOff: ModelError = {
  kind: 'network',
  message: 'The reply broke off before its provider had finished it.',
};
