import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

import type { JsonObject } from '../../../base/json/value.ts';
import type { Caller } from '../../../grade/episode/request.ts';
import { bearerKey, identityOf, takeRate, type ServerContext } from '../context.ts';
import { sendEvents, type ServerEvent } from '../event-stream.ts';
import type { Gate } from '../guard.ts';
import { leavesBody } from '../read-body.ts';
import { refusalOf } from '../refusal.ts';
import { EnvelopeError, type OrsContext } from './read-request.ts';

const pingMs = 10_000;

/** What stands below an environment, and the method it takes. */
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
    work: (caller: Caller) => Promise<Iterable<ServerEvent> | AsyncIterable<ServerEvent>>,
  ) => Promise<Response>;
}

export function exchangeOf(context: ServerContext, gate: Gate): Exchange {
  return { answer, streamed };

  async function admit(c: OrsContext): Promise<Caller> {
    const header = c.env.incoming.headers['x-api-key'];
    const identity = await identityOf(
      context,
      (Array.isArray(header) ? header[0] : header) ?? bearerKey(c.env.incoming),
    );
    if (!c.req.path.endsWith('/ping')) takeRate(context, identity, c.env.outgoing);
    return identity.caller;
  }

  async function answer(c: OrsContext, work: (caller: Caller) => Promise<unknown>): Promise<Response> {
    try {
      const value = await work(await admit(c));
      if (value instanceof Response) return value;
      observe(c, 200);
      return c.json(value as JsonObject);
    } catch (error) {
      return refuse(c, error);
    }
  }

  async function streamed(
    c: OrsContext,
    work: (caller: Caller) => Promise<Iterable<ServerEvent> | AsyncIterable<ServerEvent>>,
  ): Promise<Response> {
    try {
      const events = await work(await admit(c));
      observe(c, 200);
      // The call runs while its events are sent, and to its end also where nobody hears them any more.
      gate.stay();
      void sendEvents(c.env.outgoing, inTurn(events), { clock: context.clock, pingMs }).finally(() =>
        gate.leave(),
      );
      return RESPONSE_ALREADY_SENT;
    } catch (error) {
      return refuse(c, error);
    }
  }

  function refuse(c: OrsContext, error: unknown): Response {
    const { status, message, retryAfter, allow } =
      error instanceof EnvelopeError
        ? { status: 422 as const, message: error.message, retryAfter: undefined, allow: undefined }
        : refusalOf(error);
    observe(c, status, status >= 500 ? error : undefined);
    if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
    if (allow !== undefined) c.header('Allow', allow);
    if (leavesBody(c.env.incoming)) c.header('Connection', 'close');
    return c.json({ detail: message }, status);
  }

  function observe(c: OrsContext, status: number, error?: unknown): void {
    const operation = c.req.path.slice(c.req.path.lastIndexOf('/') + 1);
    const labels = {
      protocol: 'ors',
      operation: [...Object.keys(environmentPaths), ...rootPaths].includes(operation) ? operation : 'none',
    };
    context.metrics.count('whet_requests_total', 'Requests answered, by operation and status.', {
      ...labels,
      status: String(status),
    });
    context.log(status >= 500 ? 'error' : 'info', 'request', {
      ...labels,
      method: c.req.method,
      status,
      ...(error !== undefined && { error: String(error) }),
    });
  }
}

async function* inTurn(
  events: Iterable<ServerEvent> | AsyncIterable<ServerEvent>,
): AsyncGenerator<ServerEvent> {
  yield* events;
}
