import type { IncomingMessage } from 'node:http';

import { upgradeWebSocket } from '@hono/node-server';
import { Hono, type Context } from 'hono';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { randomId } from '../../../base/host/random.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import type { Caller } from '../../../grade/episode/request.ts';
import type { ServerContext, ServerEnv } from '../context.ts';
import { bearerKey, headerKey, identityOf } from '../middleware/identify.ts';
import { takeRate } from '../middleware/rate-limit.ts';
import { nameAt, objectAt } from '../fields.ts';
import type { Identity } from '../keys.ts';
import { causeOf, logAccess, type AnsweredRequest } from '../middleware/access-log.ts';
import { leavesBody, ordinaryBody, readJsonBody } from '../middleware/json-body.ts';
import { invalid, refusalOf } from '../refusal.ts';
import { fieldsNamed, mustBeSpelt } from '../spelling.ts';
import { Connection, type Socket } from './connection.ts';
import { answerRpc, rpcError } from './mcp.ts';
import { actionSchema } from './read-action.ts';
import { OpenEnvSession } from './session.ts';
import { answerMessage, answerRpcText, failure } from './socket.ts';

const stepFields = fieldsNamed('action', 'episode_id', 'request_id', 'timeout_s');

type OpenEnvContext = Context<ServerEnv>;
/** A request that is not answered yet; its key is known from when it was let in. */
type Begun = Omit<AnsweredRequest, 'status' | 'keyId'> & { keyId?: string };

const terminal_reason: JsonObject = {
  type: 'string',
  description:
    'At the end: completed, max_turns_reached, client_terminated, or error, when the world failed.',
};
const grade: JsonObject = {
  type: 'object',
  description:
    'At the end: the numbers of the grade, with not_judged and person_fault where something else than the model is to blame.',
};

const observationSchema: JsonObject = {
  type: 'object',
  properties: {
    message: { type: 'string', description: 'What the person says.' },
    tools: { type: 'array', description: 'After a reset: what can be called.', items: { type: 'object' } },
    results: { type: 'array', description: 'What called tools answered.', items: { type: 'object' } },
    error: { type: ['object', 'null'], description: 'What was called wrongly, and cost no turn.' },
    episode_id: { type: 'string' },
    terminal_reason,
    grade,
  },
};

const stateSchema: JsonObject = {
  type: 'object',
  properties: {
    episode_id: { type: ['string', 'null'] },
    step_count: { type: 'integer', minimum: 0 },
    terminal_reason,
    grade,
  },
  required: ['episode_id', 'step_count'],
};

/** The key of whoever writes `http://key:lab_…@host`, or `http://lab_…:@host`: libraries send that as basic credentials. */
function addressKey({ headers }: IncomingMessage): string | undefined {
  const coded = /^basic +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (coded === undefined) return undefined;
  const [user, ...password] = Buffer.from(coded, 'base64').toString('utf8').split(':');
  return password.join(':') || user;
}

/** OpenEnv: an environment a connection over WebSocket, or over HTTP by the episode's id; its MCP methods as well. */
export function openEnvApp(context: ServerContext, version: string): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const { sockets } = context;

  app.get('/health', (c) => c.json({ status: 'healthy' }));
  app.get('/metadata', (c) =>
    c.json({
      name: 'whetstone',
      description: 'Simulated episodes with a person, graded with an explained reward from 0 to 1.',
      readme_content: null,
      version,
      author: null,
      documentation_url: null,
    }),
  );
  app.get('/schema', (c) =>
    c.json({ action: actionSchema, observation: observationSchema, state: stateSchema }),
  );
  app.get('/state', (c) =>
    answer(c, 'state', async (caller) => {
      const id = nameAt(c.req.query('episode_id'), 'episode_id', 255);
      return new OpenEnvSession(context, caller, { episode: id }).state();
    }),
  );
  app.post('/reset', (c) =>
    answer(c, 'reset', async (caller) => {
      const body = await readJsonBody(c.env, ordinaryBody, context.bodies);
      return new OpenEnvSession(context, caller).reset(objectAt(body ?? {}, ''));
    }),
  );
  app.post('/step', (c) =>
    answer(c, 'step', async (caller) => {
      const body = objectAt(await readJsonBody(c.env, ordinaryBody, context.bodies), '');
      mustBeSpelt(body, stepFields);
      const id = nameAt(body['episode_id'], 'episode_id', 255);
      if (id === undefined) throw invalid('episode_id', 'is missing: send the one that reset answered with.');
      const requestId = nameAt(body['request_id'], 'request_id');
      const seconds = body['timeout_s'] ?? undefined;
      if (seconds !== undefined && !(typeof seconds === 'number' && seconds > 0))
        throw invalid('timeout_s', 'must be a number above 0.');
      const session = new OpenEnvSession(context, caller, { episode: id });
      // A connection begins what it has not; an id that nobody knows is a mistake, and another task no answer to it.
      if (!(await session.hasBegun()))
        throw new WhetstoneError('episode_unknown', `Episode not found: ${id}`);
      return session.step(body['action'], requestId);
    }),
  );
  app.post('/mcp', async (c) => {
    const request = begin(c, 'mcp');
    try {
      const { caller } = await admit(c, request);
      const body = await readJsonBody(c.env, ordinaryBody, context.bodies);
      const find = (session: string | undefined) => new OpenEnvSession(context, caller, { session });
      const rpc = await answerRpc(body, find, { onBroken });
      logAccess(context, { ...request, status: rpc === undefined ? 202 : 200 });
      return rpc === undefined ? c.body(null, 202) : c.json(rpc);
    } catch (error) {
      const { status: known, message, code, retryAfter } = refusalOf(error);
      const status = known === 400 ? 200 : known;
      if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
      if (leavesBody(c.env.incoming)) c.header('Connection', 'close');
      logAccess(context, { ...request, status, code, error });
      return c.json(rpcError(null, code === 'invalid_json' ? -32700 : -32603, message), status);
    }
  });
  for (const [path, answerText] of [
    ['/ws', answerMessage],
    ['/mcp', answerRpcText],
  ] as const)
    app.get(path, async (c, next) => {
      if (c.req.header('upgrade')?.toLowerCase() !== 'websocket' || c.req.method === 'HEAD')
        return c.json({ detail: 'This is a WebSocket.' }, 426);
      let identity: Identity;
      try {
        identity = await admit(c);
      } catch (error) {
        const { status, code, message, retryAfter } = refusalOf(error);
        if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
        logAccess(context, {
          ...{ requestId: randomId('req'), protocol: 'openenv', operation: 'connect', status, code, error },
          ...{ incoming: c.env.incoming, started: context.clock.monotonic() },
        });
        return c.json({ detail: message }, status);
      }
      const session = new OpenEnvSession(context, identity.caller, {
        session: c.req.query('session_id') || undefined,
      });
      const connection = new Connection(context, {
        identity,
        answer: (text, admitOne) => answerText(text, session, { admit: admitOne, onBroken }),
        onAnswered: countMessage,
      });
      let giveBack: (() => void) | undefined;
      return (
        (await upgradeWebSocket(() => ({
          onOpen: (_event, ws) => {
            try {
              giveBack = sockets.take();
            } catch (error) {
              const more = { active_sessions: sockets.count, max_sessions: sockets.limit };
              ws.send(JSON.stringify(failure('CAPACITY_REACHED', refusalOf(error).message, more)));
              ws.close();
            }
          },
          onMessage: (event, { raw }) =>
            // What was sent before it was told that there is no room is not done.
            giveBack &&
            connection.receive(
              typeof event.data === 'string' ? event.data : '',
              // The sockets of `server.ts` are those of `ws`.
              raw as unknown as Socket,
            ),
          onClose: () => giveBack?.(),
        }))(c, next)) ?? c.body(null, 500)
      );
    });
  return app;

  async function admit(c: OpenEnvContext, request?: Begun): Promise<Identity> {
    // OpenEnv's own clients set no headers, and take a key only in their address; addresses are never logged.
    const key =
      bearerKey(c.env.incoming) ??
      addressKey(c.env.incoming) ??
      headerKey(c.env.incoming) ??
      c.req.query('api_key');
    const identity = await identityOf(context, key);
    if (request !== undefined) request.keyId = identity.caller.id;
    takeRate(context, identity, c.env.outgoing);
    return identity;
  }

  async function answer(
    c: OpenEnvContext,
    operation: string,
    work: (caller: Caller) => Promise<object>,
  ): Promise<Response> {
    const request = begin(c, operation);
    try {
      const { caller } = await admit(c, request);
      const value = await work(caller);
      logAccess(context, { ...request, status: 200 });
      return c.json(value as JsonObject);
    } catch (error) {
      const { code, message, retryAfter, status: known } = refusalOf(error);
      const status = known === 400 ? 422 : known;
      if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
      if (leavesBody(c.env.incoming)) c.header('Connection', 'close');
      logAccess(context, { ...request, status, code, error });
      return c.json({ detail: message }, status);
    }
  }

  function onBroken(error: unknown): void {
    context.log('error', 'call_broken', { protocol: 'openenv', error: String(error), cause: causeOf(error) });
  }

  function begin({ env: { incoming, outgoing } }: OpenEnvContext, operation: string): Begun {
    const requestId = randomId('req');
    outgoing.setHeader('X-Request-ID', requestId);
    return { requestId, protocol: 'openenv', operation, incoming, started: context.clock.monotonic() };
  }

  function countMessage(): void {
    context.metrics.count('whet_requests_total', 'Requests answered, by operation and status.', {
      protocol: 'openenv',
      operation: 'message',
      status: '200',
    });
  }
}
