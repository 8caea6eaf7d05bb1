import { createParser } from 'eventsource-parser';

import type { Fetch } from '../../../base/host/fetch.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { RpcError } from '../rpc-error.ts';
import { statelessVersion } from './envelope.ts';
import { connectionClosed, resultOf, TooLarge } from './exchange.ts';
import type { Exchange, Sending } from './exchange.ts';
import { encodeHeader, namedBy } from './headers.ts';

export interface HttpExchangeOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
  readonly maxMessageBytes: number;
}

/** Each request is a POST of its own; its answer is JSON, or a stream of notifications and then the answer. */
export function httpExchange(options: HttpExchangeOptions): Exchange {
  return {
    send: (message, sending) => post(options, message, sending),
    isGone: () => false,
    close: () => Promise.resolve(),
  };
}

async function post(
  { url, headers, fetch, maxMessageBytes }: HttpExchangeOptions,
  message: JsonObject,
  { signal, headers: more, onNotification }: Sending,
): Promise<JsonObject> {
  const { id, method, params } = message;
  const member = isJsonObject(params) ? params[namedBy[String(method)] ?? ''] : undefined;
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': statelessVersion,
      'mcp-method': String(method),
      ...(typeof member === 'string' && { 'mcp-name': encodeHeader(member) }),
      ...more,
    },
    body: JSON.stringify(message),
    signal,
  });
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('text/event-stream') && response.ok)
    return streamed(response, id, maxMessageBytes, onNotification);
  const text = await boundedText(response, maxMessageBytes);
  const answer = type.includes('json') ? parse(text) : undefined;
  const answers = isJsonObject(answer) && ('result' in answer || 'error' in answer);
  // An error may come before the server has read whose request it is.
  if (answers && (answer['id'] === id || (answer['id'] == null && 'error' in answer)))
    return resultOf(answer);
  if (answers)
    throw new Error(`The server answered request ${JSON.stringify(answer['id'])}, not ${String(id)}.`);
  throw Object.assign(new Error(`The server answered with status ${response.status} and no MCP message.`), {
    code: response.status,
  });
}

async function streamed(
  response: Response,
  id: JsonValue | undefined,
  most: number,
  onNotification: (notification: JsonObject) => void,
): Promise<JsonObject> {
  let answer: JsonObject | undefined;
  let held = 0;
  const parser = createParser({
    onEvent: ({ data }) => {
      held = 0;
      const message = parse(data);
      if (!isJsonObject(message)) return;
      if (message['id'] === undefined) onNotification(message);
      else if (message['id'] === id && !('method' in message)) answer ??= message;
    },
  });
  const text = new TextDecoder();
  for await (const chunk of bytesOf(response)) {
    held += chunk.length;
    if (held > most) throw tooLarge(most);
    parser.feed(text.decode(chunk, { stream: true }));
    if (answer !== undefined) return resultOf(answer);
  }
  throw new RpcError(connectionClosed, 'The stream ended before the answer.');
}

async function boundedText(response: Response, most: number): Promise<string> {
  const text = new TextDecoder();
  let read = '';
  let size = 0;
  for await (const chunk of bytesOf(response)) {
    size += chunk.length;
    if (size > most) throw tooLarge(most);
    read += text.decode(chunk, { stream: true });
  }
  return read + text.decode();
}

/** Leaving the loop cancels the rest. */
function bytesOf(response: Response): AsyncIterable<Uint8Array> {
  return (response.body ?? []) as unknown as AsyncIterable<Uint8Array>;
}

function tooLarge(most: number): TooLarge {
  return new TooLarge(`The answer has more than ${most} bytes.`);
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
