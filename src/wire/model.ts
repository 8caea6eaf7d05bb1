import { sleep } from '../base/host/clock.ts';
import type { Model, ModelCallOptions, ModelEvent, ModelRequest, Reply } from '../base/message/model.ts';
import type { Adapter } from './adapter.ts';
import {
  beginExchange,
  failedEvents,
  modelErrorOf,
  readWhole,
  reported,
  send,
} from './transport/exchange.ts';
import type { Exchange, Outcome } from './transport/exchange.ts';
import { connect } from './transport/connection.ts';
import type { Connection, ModelOptions } from './transport/connection.ts';
import { retryWait } from './transport/retry.ts';
import { streamOnce } from './transport/stream-once.ts';

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

async function generate(
  line: Connection,
  request: ModelRequest,
  { signal, retry }: ModelCallOptions,
): Promise<Reply> {
  const exchange = beginExchange(line, request, { streamed: false, signal });
  for (let attempt = 1; ; attempt++) {
    const { reply, error } = await askOnce(exchange);
    if (reply !== undefined) return reported(reply, exchange);
    const waitMs = retry === false ? undefined : retryWait(error, attempt, line.options.retry);
    if (waitMs !== undefined && (await waited(line, waitMs, signal))) continue;
    const last = failedEvents(exchange, error).at(-1);
    if (last?.type === 'finish') return last.reply;
  }
}

async function* stream(
  line: Connection,
  request: ModelRequest,
  { signal, retry }: ModelCallOptions,
): AsyncGenerator<ModelEvent, void, undefined> {
  const exchange = beginExchange(line, request, { streamed: true, signal });
  for (let attempt = 1; ; attempt++) {
    const error = yield* streamOnce(exchange);
    if (error === undefined) return;
    const waitMs = retry === false ? undefined : retryWait(error, attempt, line.options.retry);
    if (waitMs !== undefined) {
      yield { type: 'retry', attempt, waitMs, error };
      if (await waited(line, waitMs, signal)) continue;
    }
    yield* failedEvents(exchange, error);
    return;
  }
}

/** One unstreamed exchange: a reply, or why there is none. */
async function askOnce(exchange: Exchange): Promise<Outcome> {
  try {
    return await readWhole(exchange, await send(exchange));
  } catch (error) {
    return { error: modelErrorOf(exchange, error) };
  }
}

/** False when the waiting was aborted. */
async function waited({ clock }: Connection, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await sleep(ms, { signal, clock });
    return true;
  } catch {
    return false;
  }
}
