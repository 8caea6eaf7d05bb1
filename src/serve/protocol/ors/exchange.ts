import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Hono } from 'hono';

import { randomId } from '../../../base/host/random.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import type { Caller } from '../../../grade/episode/request.ts';
import type { ServerContext, ServerEnv } from '../../http/context.ts';
import { asPlayer, bearerKey, headerKey, identityOf } from '../../http/middleware/identify.ts';
import { takeRate } from '../../http/middleware/rate-limit.ts';
import { sendEvents, type ServerEvent } from '../../http/event-stream.ts';
import type { Gate } from '../../http/middleware/gate.ts';
import { logAccess, type AnsweredRequest } from '../../http/middleware/access-log.ts';
import { leavesBody } from '../../http/middleware/json-body.ts';
import { refusalOf } from '../../http/refusal.ts';
import { EnvelopeError, type OrsContext } from './read-request.ts';

const pingMs = 10_000;

/** What is below an environment, and the method it takes. */
export const environmentPaths = {
  tools: 'GET',
  splits: 'GET',
  tasks: 'POST',
  num_tasks: 'POST',
  task: 'POST',
  task_range: 'POST',
  prompt: 'GET',
  task_tools: 'GET',
  call: 'POST',
} as const;
const rootPaths = [
  'health',
  'list_environments',
  'create',
  'create_session',
  'delete',
  'delete_session',
  'ping',
];

/** How requests are let in, answered, refused and counted in this protocol. */
export interface Exchange {
  readonly answer: (c: OrsContext, work: (caller: Caller) => Promise<unknown>) => Promise<Response>;
  /** Answers with events; what is refused before the first of them is a plain refusal. */
  readonly streamed: (
    c: OrsContext,
    work: (caller: Caller, requestId: string) => Promise<Iterable<ServerEvent> | AsyncIterable<ServerEvent>>,
  ) => Promise<Response>;
}

/** What the routes of this protocol are served with. */
export interface OrsApp {
  readonly app: Hono<ServerEnv>;
  readonly context: ServerContext;
  readonly exchange: Exchange;
}

export function exchangeOf(context: ServerContext, gate: Gate): Exchange {
  return { answer, streamed };

  function begin({ req, env: { incoming, outgoing } }: OrsContext): Begun {
    const operation = req.path.slice(req.path.lastIndexOf('/') + 1);
    const requestId = randomId('req');
    outgoing.setHeader('X-Request-ID', requestId);
    return {
      requestId,
      protocol: 'ors',
      operation: [...Object.keys(environmentPaths), ...rootPaths].includes(operation) ? operation : 'none',
      incoming,
      started: context.clock.monotonic(),
    };
  }

  async function admit(c: OrsContext, request: Begun): Promise<Caller> {
    const { incoming } = c.env;
    const identity = asPlayer(
      await identityOf(context, headerKey(incoming) ?? bearerKey(incoming)),
      incoming,
    );
    request.keyId = identity.caller.id;
    if (!c.req.path.endsWith('/ping')) takeRate(context, identity, c.env.outgoing);
    return identity.caller;
  }

  async function answer(c: OrsContext, work: (caller: Caller) => Promise<unknown>): Promise<Response> {
    const request = begin(c);
    try {
      const value = await work(await admit(c, request));
      if (value instanceof Response) return value;
      logAccess(context, { ...request, status: 200 });
      return c.json(value as JsonObject);
    } catch (error) {
      return refuse(c, request, error);
    }
  }

  async function streamed(
    c: OrsContext,
    work: (caller: Caller, requestId: string) => Promise<Iterable<ServerEvent> | AsyncIterable<ServerEvent>>,
  ): Promise<Response> {
    const request = begin(c);
    try {
      const events = await work(await admit(c, request), request.requestId);
      // The call runs while its events are sent, and to its end also where nobody hears them any more.
      gate.stay();
      void sendEvents(c.env.outgoing, inTurn(events), { clock: context.clock, pingMs }).finally(() => {
        gate.leave();
        logAccess(context, { ...request, status: 200 });
      });
      return RESPONSE_ALREADY_SENT;
    } catch (error) {
      return refuse(c, request, error);
    }
  }

  function refuse(c: OrsContext, request: Begun, error: unknown): Response {
    const { status, code, message, retryAfter, allow } =
      error instanceof EnvelopeError ? { ...envelopeRefusal, message: error.message } : refusalOf(error);
    logAccess(context, { ...request, status, code, error });
    if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
    if (allow !== undefined) c.header('Allow', allow);
    if (leavesBody(c.env.incoming)) c.header('Connection', 'close');
    return c.json({ detail: message }, status);
  }
}

/** A request that is not answered yet; its key is known from when it was let in. */
type Begun = Omit<AnsweredRequest, 'status' | 'keyId'> & { keyId?: string };

const envelopeRefusal = {
  status: 422,
  code: 'invalid_request',
  retryAfter: undefined,
  allow: undefined,
} as const;

async function* inTurn(
  events: Iterable<ServerEvent> | AsyncIterable<ServerEvent>,
): AsyncGenerator<ServerEvent> {
  yield* events;
}
