import { createServer } from 'node:http';
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { randomId } from '../../../base/host/random.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import { invalidRequest, parseError, RpcError } from '../rpc-error.ts';
import type { ServerSdk } from '../sdk.ts';
import { mcpSession } from './session.ts';
import { refusal } from '../stateless/answer.ts';
import type { StatelessServer } from '../stateless/answer.ts';
import { answerHttp, asksStateless } from '../stateless/http.ts';

export interface HttpDoor {
  readonly url: string;
  close(): Promise<void>;
}

/** Sessions beyond this end the one that was silent for longest: a client that never says goodbye costs no memory. */
const mostSessions = 1000;

/** The largest message that is read, in bytes. */
const mostBytes = 4 * 1024 * 1024;

/**
 * Streamable HTTP at `/mcp`, on this machine only. Requests that say who asks are answered one by one; other clients
 * have a session each, with a server of its own.
 */
export async function openHttpDoor(
  port: number,
  sdk: ServerSdk,
  stateless: StatelessServer,
): Promise<HttpDoor> {
  const sessions = new Sessions(sdk, stateless);
  const http = createServer((request, response) => {
    sessions.answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else {
        const { status, body } = refusal(null, error);
        response.writeHead(status === 200 ? 400 : status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      }
    });
  });
  await listen(http, port);
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    close: async () => {
      await sessions.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

type Transport = InstanceType<ServerSdk['StreamableHTTPServerTransport']>;

class Sessions {
  readonly #sdk: ServerSdk;
  readonly #stateless: StatelessServer;
  /** The one that was used last is last. */
  readonly #open = new Map<string, Transport>();

  constructor(sdk: ServerSdk, stateless: StatelessServer) {
    this.#sdk = sdk;
    this.#stateless = stateless;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isFromHere(request)) return refuse(response, 403, 'This server answers only this machine.');
    if (URL.parse(request.url ?? '', 'http://localhost')?.pathname !== '/mcp')
      return refuse(response, 404, 'The MCP endpoint is /mcp.');
    const body = request.method === 'POST' ? await readBody(request) : undefined;
    if (asksStateless(body, request.headers)) return answerHttp(this.#stateless, body, request, response);
    const id = request.headers['mcp-session-id'];
    if (id === undefined) return this.#begin(request, response, body);
    const transport = this.#open.get(String(id));
    // 404 tells a client to start again.
    if (transport === undefined) return refuse(response, 404, 'There is no such session.');
    this.#open.delete(String(id));
    this.#open.set(String(id), transport);
    await transport.handleRequest(request, response, body);
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#open.values()].map((transport) => transport.close()));
  }

  async #begin(
    request: IncomingMessage,
    response: ServerResponse,
    body: JsonValue | undefined,
  ): Promise<void> {
    const transport: Transport = new this.#sdk.StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomId('mcp'),
      onsessioninitialized: (id) => {
        this.#open.set(id, transport);
        const [oldest] = this.#open;
        if (this.#open.size > mostSessions && oldest !== undefined) void oldest[1].close();
      },
    });
    const server = mcpSession(this.#sdk, this.#stateless.service);
    // The SDK's interfaces differ in optional members under exact types; they are its own classes.
    await server.connect(transport as never);
    const { onclose } = transport;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- The SDK's transport is not an EventTarget.
    transport.onclose = () => {
      onclose?.();
      if (transport.sessionId !== undefined) this.#open.delete(transport.sessionId);
    };
    await transport.handleRequest(request, response, body);
    if (transport.sessionId === undefined) await transport.close(); // It did not begin with `initialize`.
  }
}

/** A page of another site, or a name that somebody else points at this machine, may not use its person's tools. */
function isFromHere({ headers }: IncomingMessage): boolean {
  const { origin, host = '' } = headers;
  const here = (name: string): boolean => /^(localhost|127\.0\.0\.1|\[::1\])$/.test(name);
  if (origin !== undefined && !here(URL.parse(origin)?.hostname ?? '')) return false;
  return here(host.replace(/:\d+$/, ''));
}

async function readBody(request: IncomingMessage): Promise<JsonValue> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    throw new RpcError(invalidRequest, 'The content type must be application/json.', { status: 415 });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes)
      throw new RpcError(invalidRequest, `A message may have at most ${mostBytes} bytes.`, { status: 413 });
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as JsonValue;
  } catch {
    throw new RpcError(parseError, 'The body is not JSON.', { status: 400 });
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }));
}

function listen(http: HttpServer, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', (cause: Error & { readonly code?: string }) => {
      const taken = cause.code === 'EADDRINUSE';
      const message = `Port ${port} is taken on 127.0.0.1. Choose another, or 0 for a free one.`;
      reject(taken ? new WhetstoneError('address_taken', message, { details: { port }, cause }) : cause);
    });
    http.listen(port, '127.0.0.1', resolve);
  });
}
