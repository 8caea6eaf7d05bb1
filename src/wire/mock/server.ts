import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { sleep } from '../../base/host/clock.ts';
import { isWhetstoneError, WhetstoneError } from '../../base/host/errors.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject } from '../../base/json/value.ts';
import type { ModelError } from '../../base/message/model.ts';
import type { Adapter, ReadRequest } from '../adapter.ts';
import { ReplyAssembler } from '../reply/assemble-reply.ts';
import { readError } from '../reply/error.ts';
import { contentTypes, encodeChunk } from '../transport/framing.ts';
import { parseJson } from '../json-fields.ts';
import { doorOf, doorsText } from './doors.ts';
import { playReply } from './play.ts';
import type { Moment } from './play.ts';
import { ScriptPlayer } from './player.ts';
import type { Asked, MockReplyFields, MockScript, MockStep } from './script.ts';

/** A provider that answers from a script, over HTTP. */
export interface Mock extends AsyncDisposable {
  /** Its address; the base URL of every provider's client, with `/v1` behind it for OpenAI's. */
  readonly url: string;
  readonly port: number;
  /** What was asked, in order. */
  readonly asked: readonly Asked[];
  /** The steps of the script that nothing has asked for. */
  readonly unconsumed: readonly MockStep[];
  close(): Promise<void>;
}

export interface MockOptions {
  /** A free one by default. */
  readonly port?: number;
  /** Hears of each request that the script is asked for. */
  readonly onAsked?: (asked: Asked) => void;
}

/**
 * Starts a provider that answers from a script, whichever API it is asked by.
 * @example
 * await using provider = await mock(['Hello']);
 * const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'none' });
 */
export async function mock(script: MockScript, options: MockOptions = {}): Promise<Mock> {
  const player = new ScriptPlayer(script, options.onAsked);
  const stop = new AbortController();
  const server = createServer((request, response) => {
    // A client that leaves while being answered is not the script's fault.
    answer(player, request, response, stop.signal).catch(() => response.destroy());
  });
  await listen(server, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    stop.abort();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    asked: player.asked,
    get unconsumed() {
      return player.unconsumed;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: Error & { readonly code?: string }) => {
      const taken = cause.code === 'EADDRINUSE';
      reject(
        new WhetstoneError(
          'mock_port_taken',
          taken
            ? `Port ${port} is taken. Choose another, or 0 for a free one.`
            : `Port ${port}: ${cause.message}.`,
          { details: { port }, cause },
        ),
      );
    });
    server.listen(port, '127.0.0.1', resolve);
  });
}

async function answer(
  player: ScriptPlayer,
  request: IncomingMessage,
  response: ServerResponse,
  stopped: AbortSignal,
): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://mock').pathname;
  const door = request.method === 'POST' ? doorOf(path) : undefined;
  if (door === undefined) {
    const message = `The mock has no door ${request.method} ${path}. It answers to POST ${doorsText}.`;
    return sendJson(response, 404, { error: { message, type: 'not_found_error', code: 'not_found' } });
  }
  const { adapter } = door;
  const body = parseJson(await readBody(request));
  if (!isJsonObject(body))
    return refuse(response, adapter, { kind: 'invalid_request', message: 'The body is not a JSON object.' });
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const signal = AbortSignal.any([stopped, gone.signal]);
  const asked = { ...adapter.readRequest(body), ...door.fromPath };
  try {
    await play(player, asked, { adapter, body, response, signal });
  } catch (error) {
    if (!isWhetstoneError(error)) throw error;
    refuse(response, adapter, { kind: 'invalid_request', message: error.message });
  }
}

interface Talk {
  readonly adapter: Adapter;
  readonly body: JsonObject;
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
}

async function play(player: ScriptPlayer, asked: ReadRequest, talk: Talk): Promise<void> {
  const { adapter, body, response, signal } = talk;
  const index = player.asked.length;
  const reply = await player.next({ ...asked, api: adapter.api, body });
  const { fault } = reply;
  if (fault?.hang) return;
  if (fault?.pauseMs !== undefined) await sleep(fault.pauseMs, { signal });
  if (fault?.status !== undefined) {
    if (fault.retryAfter !== undefined) response.setHeader('retry-after', String(fault.retryAfter));
    const said = { error: { message: fault.message ?? 'A scripted fault.' } };
    return refuse(response, adapter, readError(fault.status, said));
  }
  const assembler = new ReplyAssembler(adapter.api, { model: asked.model });
  const id = `reply_${index}`;
  const callId = (call: number): string => `call_${index}_${call}`;
  const moments = playReply(reply, assembler, { model: asked.model, id, callId });
  const written = asked.stream
    ? streamed(adapter, asked.model, id, moments)
    : whole(adapter, asked.model, id, moments);
  response.statusCode = 200;
  response.setHeader('content-type', asked.stream ? contentTypes[adapter.framing] : 'application/json');
  await send(written, reply, talk);
}

type Written = Iterable<Uint8Array | { readonly pauseMs: number }>;

function* streamed(adapter: Adapter, model: string, id: string, moments: Iterable<Moment>): Written {
  let state = adapter.writer.begin({ model, id });
  for (const moment of moments) {
    if ('pauseMs' in moment) {
      yield moment;
      continue;
    }
    const [next, chunks] = adapter.writer.write(state, moment.event);
    state = next;
    for (const chunk of chunks) yield encodeChunk(adapter.framing, chunk);
  }
}

function* whole(adapter: Adapter, model: string, id: string, moments: Iterable<Moment>): Written {
  for (const moment of moments) {
    if ('pauseMs' in moment) yield moment;
    else if (moment.event.type === 'finish')
      yield new TextEncoder().encode(JSON.stringify(adapter.writeReply(moment.event.reply, { model, id })));
  }
}

/** Sends the bytes as the fault asks: one by one, or only some of them. */
async function send(written: Written, { fault }: MockReplyFields, { response, signal }: Talk): Promise<void> {
  let left = fault?.cutAfter ?? Infinity;
  response.flushHeaders();
  for (const piece of written) {
    if ('pauseMs' in piece) {
      await sleep(piece.pauseMs, { signal });
      continue;
    }
    const bytes = piece.subarray(0, left);
    left -= bytes.length;
    if (fault?.oneBytePerChunk) for (const byte of bytes) await write(response, Uint8Array.of(byte));
    else await write(response, bytes);
    if (left <= 0) {
      response.destroy();
      return;
    }
  }
  response.end();
}

function write(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) =>
    response.write(bytes, (error) => (error ? reject(error) : resolve())),
  );
}

function refuse(response: ServerResponse, adapter: Adapter, error: ModelError): void {
  const { status, body } = adapter.writeError(error);
  sendJson(response, status, body);
}

function sendJson(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}
