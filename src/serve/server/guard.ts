import type { Context, MiddlewareHandler } from 'hono';

import { isWhetstoneError, WhetstoneError } from '../../base/host/errors.ts';
import { randomId } from '../../base/host/random.ts';
import type { NodeBindings, ServerContext } from './context.ts';
import { refusalOf } from './refusal.ts';

/**
 * What stands before every door: nothing new while stopping, no more in flight than fits, and no page of another
 * site that uses the local person's browser.
 */
export function guard(
  context: ServerContext,
  { host, maxInFlight }: { readonly host: string; readonly maxInFlight: number },
): MiddlewareHandler<{ Bindings: NodeBindings }> {
  let inFlight = 0;
  return async (c, next) => {
    try {
      if (
        context.stopping() &&
        c.req.path !== '/health' &&
        c.req.path !== '/ready' &&
        c.req.path !== '/metrics'
      )
        throw new WhetstoneError('server_stopping', 'The server is stopping.');
      if (inFlight >= maxInFlight)
        throw new WhetstoneError('server_busy', 'Too many requests are in flight. Ask again in a moment.');
      if (context.open) refuseOtherSites(c.env.incoming.headers, host);
    } catch (error) {
      if (!isWhetstoneError(error)) throw error;
      context.metrics.count('whet_refused_total', 'Requests refused at the door, by reason.', {
        reason: error.code,
      });
      return answerError(c, error);
    }
    inFlight += 1;
    try {
      await next();
    } finally {
      inFlight -= 1;
    }
  };
}

/** A browser says where a request comes from; nobody else has to. */
function refuseOtherSites(headers: Readonly<Record<string, unknown>>, host: string): void {
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site')
    throw new WhetstoneError('request_forbidden', 'Pages of other sites may not use this server.');
  const { origin } = headers;
  if (typeof origin === 'string' && !isThisMachine(URL.parse(origin)?.hostname ?? '', host))
    throw new WhetstoneError('request_forbidden', 'Pages of other sites may not use this server.');
  // A name that somebody else can point at this machine would let their page in as if it were ours.
  const name = String(headers['host'] ?? '').replace(/:\d+$/, '');
  if (name !== '' && !isThisMachine(name, host))
    throw new WhetstoneError(
      'request_forbidden',
      'This server runs open and answers only to localhost. Create a key to use it by another name.',
    );
}

function isThisMachine(name: string, host: string): boolean {
  return [host, 'localhost', '[::1]'].includes(name) || /^127\.\d+\.\d+\.\d+$/.test(name);
}

/** An error outside of every door, in the envelope of the Labs API. */
export function answerError(c: Context<{ Bindings: NodeBindings }>, error: unknown): Response {
  const requestId = randomId('req');
  const { status, code, message, retryAfter } = refusalOf(error);
  const headers: Record<string, string> = { 'x-request-id': requestId };
  // What was not read of the body would be taken for the next request.
  if (!c.env.incoming.complete) headers['connection'] = 'close';
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  return Response.json({ message, data: { request_id: requestId, code } }, { status, headers });
}
