import type { IncomingHttpHeaders } from 'node:http';

import type { Context, MiddlewareHandler } from 'hono';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { randomId } from '../../../base/host/random.ts';
import type { ServerContext, ServerEnv } from '../context.ts';
import { leavesBody } from './json-body.ts';
import { refusalOf } from '../refusal.ts';

export interface GateOptions {
  readonly host: string;
  readonly maxInFlight: number;
}

/**
 * What is before every door: nothing new while stopping, no more in flight than fits, and no page of another
 * site that uses the local person's browser.
 */
export class Gate {
  readonly #context: ServerContext;
  readonly #options: GateOptions;
  #inFlight = 0;

  constructor(context: ServerContext, options: GateOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** Why this request may not enter; nothing when it did. What has entered leaves again. */
  enter(path: string, headers: IncomingHttpHeaders): WhetstoneError | undefined {
    const error = this.#refusal(path, headers);
    if (error === undefined) this.#inFlight += 1;
    else
      this.#context.metrics.count('whet_refused_total', 'Requests refused at the door, by reason.', {
        reason: error.code,
      });
    return error;
  }

  /** For work that goes on when its door is done with the request: it leaves by itself. */
  stay(): void {
    this.#inFlight += 1;
  }

  leave(): void {
    this.#inFlight -= 1;
  }

  #refusal(path: string, headers: IncomingHttpHeaders): WhetstoneError | undefined {
    if (this.#context.stopping() && path !== '/health' && path !== '/ready' && path !== '/metrics')
      return new WhetstoneError('server_stopping', 'The server is stopping.');
    // Whether the server is there must be known exactly when it is busy.
    if (path === '/health' || path === '/ready') return undefined;
    if (this.#inFlight >= this.#options.maxInFlight)
      return new WhetstoneError('server_busy', 'Too many requests are in flight. Ask again in a moment.');
    return this.#context.open ? refusalOfSite(headers, this.#options.host) : undefined;
  }
}

/** The gate, before doors that Hono opens. */
export function guard(gate: Gate): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const error = gate.enter(c.req.path, c.env.incoming.headers);
    if (error !== undefined) return answerError(c, error);
    try {
      await next();
    } finally {
      gate.leave();
    }
  };
}

/** A browser says where a request comes from; nobody else has to. */
function refusalOfSite(headers: IncomingHttpHeaders, host: string): WhetstoneError | undefined {
  const { origin, host: name = '', 'sec-fetch-site': site } = headers;
  // The page of another port is another site: it would play as the person at this machine.
  const fromElsewhere =
    site === 'cross-site' ||
    site === 'same-site' ||
    (origin !== undefined && URL.parse(origin)?.host !== name.toLowerCase());
  if (fromElsewhere)
    return new WhetstoneError('request_forbidden', 'Pages of other sites may not use this server.');
  if (forwardedBy.some((header) => headers[header] !== undefined))
    return new WhetstoneError(
      'request_forbidden',
      'This server runs without keys, and the request came through a proxy: everybody who reaches the proxy would be the local person. Create a key with `whet keys create`.',
    );
  // A name that somebody else can point at this machine would let their page in as if it were ours.
  if (name !== '' && !isThisMachine(name.toLowerCase().replace(/:\d+$/, ''), host))
    return new WhetstoneError(
      'request_forbidden',
      'This server runs without keys and answers only to localhost. Create a key to use it under another name.',
    );
  return undefined;
}

/** What proxies add to a request. */
const forwardedBy = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

function isThisMachine(name: string, host: string): boolean {
  return name === host || name === 'localhost' || name === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(name);
}

/** An error outside of every door: in the envelope of the Labs API, with the `detail` of the trainers' protocols. */
export function answerError(c: Context<ServerEnv>, error: unknown, requestId = randomId('req')): Response {
  const { status, code, message, retryAfter, allow } = refusalOf(error);
  const headers: Record<string, string> = { 'x-request-id': requestId };
  if (allow !== undefined) headers['allow'] = allow;
  if (leavesBody(c.env.incoming)) headers['connection'] = 'close';
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  return Response.json(
    { detail: message, message, data: { request_id: requestId, code } },
    { status, headers },
  );
}
