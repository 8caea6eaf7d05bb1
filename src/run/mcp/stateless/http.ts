import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

import { systemClock } from '../../../base/host/clock.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { invalidRequest, RpcError } from '../rpc-error.ts';
import { refusal } from './answer.ts';
import type { StatelessServer } from './answer.ts';
import { checkParameterHeaders, checkStandardHeaders } from './check-headers.ts';
import { isStateless, readEnvelope, statelessVersion } from './envelope.ts';

/** Milliseconds after which a slow answer becomes a stream, and between its signs of life. */
const signOfLife = 10_000;

/** Whether a POST is of the protocol without sessions. A session of the older ones names itself. */
export function asksStateless(body: JsonValue | undefined, headers: IncomingHttpHeaders): body is JsonObject {
  if (isStateless(body)) return true;
  const version = headers['mcp-protocol-version'];
  const newer = typeof version === 'string' && version >= statelessVersion;
  return isJsonObject(body) && newer && headers['mcp-session-id'] === undefined;
}

/** Answers one POST: with JSON, or with a stream of its progress and then the answer. Closing it cancels. */
export async function answerHttp(
  server: StatelessServer,
  message: JsonObject,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (message['id'] === undefined && typeof message['method'] === 'string')
    return void response.writeHead(202).end();
  const gone = new AbortController();
  response.once('close', () => gone.abort(new Error('The client has closed the stream.')));
  const streams = String(request.headers.accept).includes('text/event-stream');
  const writer = new AnswerWriter(response, streams);
  const wrong = await mistakeIn(message, request.headers, server);
  const { status, body } =
    wrong ?? (await server.answer(message, { signal: gone.signal, notify: (each) => writer.notify(each) }));
  writer.end(status, body);
}

async function mistakeIn(
  message: JsonObject,
  headers: IncomingHttpHeaders,
  { service }: StatelessServer,
): Promise<{ status: number; body: JsonObject } | undefined> {
  const { id, method } = message;
  const known = typeof id === 'string' || typeof id === 'number';
  try {
    if (!known || typeof method !== 'string')
      throw new RpcError(invalidRequest, 'A request has an `id` and a `method`.', { status: 400 });
    checkStandardHeaders(message, headers);
    readEnvelope(message);
    checkParameterHeaders(message, headers, await service.offered());
    return undefined;
  } catch (error) {
    return refusal(known ? id : null, error);
  }
}

class AnswerWriter {
  readonly #response: ServerResponse;
  readonly #streams: boolean;
  #stopBeating: () => void;

  constructor(response: ServerResponse, streams: boolean) {
    this.#response = response;
    this.#streams = streams;
    this.#stopBeating = this.#beat();
  }

  notify(notification: JsonObject): void {
    if (this.#streams) this.#write(`data: ${JSON.stringify(notification)}\n\n`);
  }

  end(status: number, body: JsonObject): void {
    this.#stopBeating();
    if (this.#response.destroyed) return;
    if (this.#response.headersSent) {
      this.#response.end(`data: ${JSON.stringify(body)}\n\n`);
      return;
    }
    this.#response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  #write(text: string): void {
    if (this.#response.destroyed) return;
    if (!this.#response.headersSent)
      this.#response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      });
    this.#response.write(text);
  }

  /** A client that hears nothing for minutes takes the connection for lost. */
  #beat(): () => void {
    if (!this.#streams) return () => undefined;
    return systemClock.after(signOfLife, () => {
      this.#write(': still at work\n\n');
      if (!this.#response.destroyed) this.#stopBeating = this.#beat();
    });
  }
}
