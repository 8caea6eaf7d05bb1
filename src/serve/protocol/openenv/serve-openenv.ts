import { type Context, Hono, type MiddlewareHandler } from 'hono';

import { WhetstoneError } from '../../../base/host/errors.ts';
import type { ServerContext, ServerEnv } from '../../http/context.ts';
import { nameAt, objectAt } from '../../http/fields.ts';
import { accessLog } from '../../http/middleware/access-log.ts';
import { identifyCaller } from '../../http/middleware/identify.ts';
import { jsonBody, leavesBody, ordinaryBody } from '../../http/middleware/json-body.ts';
import { limitInFlight } from '../../http/middleware/in-flight.ts';
import { limitRate } from '../../http/middleware/rate-limit.ts';
import { invalid, refusalOf } from '../../http/refusal.ts';
import { fieldsNamed, mustBeSpelt } from '../../http/spelling.ts';
import { openEnvKey } from './key.ts';
import { answerRpc, rpcError } from './mcp.ts';
import { actionSchema } from './read-action.ts';
import { observationSchema, stateSchema } from './schema.ts';
import { OpenEnvSession } from './session.ts';
import { onBroken, serveSockets } from './socket-route.ts';

const stepFields = fieldsNamed('action', 'episode_id', 'request_id', 'timeout_s');

/** OpenEnv: an environment a connection over WebSocket, or over HTTP by the episode's id; its MCP methods as well. */
export function openEnvApp(context: ServerContext, version: string): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.onError((error, c) => refuse(error, c));
  serveDescription(app, version);
  serveSockets(app, context);
  app.get('/state', ...guards(context, 'state'), async (c) => {
    const id = nameAt(c.req.query('episode_id'), 'episode_id', 255);
    const session = new OpenEnvSession(context, c.var.identity.caller, { episode: id });
    return c.json(await session.state());
  });
  app.post('/reset', ...guards(context, 'reset'), jsonBody(context, ordinaryBody), async (c) => {
    const session = new OpenEnvSession(context, c.var.identity.caller);
    return c.json(await session.reset(objectAt(c.var.body ?? {}, '')));
  });
  app.post('/step', ...guards(context, 'step'), jsonBody(context, ordinaryBody), async (c) =>
    c.json(await step(context, c)),
  );
  app.route('/mcp', mcpApp(context));
  return app;
}

function guards(
  context: ServerContext,
  operation: string,
): [MiddlewareHandler<ServerEnv>, ...MiddlewareHandler<ServerEnv>[]] {
  return [
    accessLog(context, { protocol: 'openenv', operation }),
    identifyCaller(context, openEnvKey),
    limitRate(context),
    limitInFlight(context),
  ];
}

/** What a client may ask without a key: who this is, and the shapes that it speaks. */
function serveDescription(app: Hono<ServerEnv>, version: string): void {
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
}

async function step(context: ServerContext, c: Context<ServerEnv>): Promise<object> {
  const body = objectAt(c.var.body, '');
  mustBeSpelt(body, stepFields);
  const id = nameAt(body['episode_id'], 'episode_id', 255);
  if (id === undefined) throw invalid('episode_id', 'is missing: send the one that reset returned.');
  const requestId = nameAt(body['request_id'], 'request_id');
  const seconds = body['timeout_s'] ?? undefined;
  if (seconds !== undefined && !(typeof seconds === 'number' && seconds > 0))
    throw invalid('timeout_s', 'must be a number above 0.');
  const session = new OpenEnvSession(context, c.var.identity.caller, { episode: id });
  // A connection begins what it has not; an id that nobody knows is a mistake, and another task no answer to it.
  if (!(await session.hasBegun())) throw new WhetstoneError('episode_unknown', `Episode not found: ${id}`);
  return session.step(body['action'], requestId);
}

/** The tools of a session over MCP: what is wrong is told as JSON-RPC tells it. */
function mcpApp(context: ServerContext): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.onError((error, c) => {
    const { status: known, message, code } = refusalOf(error);
    setHeaders(error, c);
    const status = known === 400 ? 200 : known;
    return c.json(rpcError(null, code === 'invalid_json' ? -32700 : -32603, message), status);
  });
  app.post('/', ...guards(context, 'mcp'), jsonBody(context, ordinaryBody), async (c) => {
    const { caller } = c.var.identity;
    const find = (session: string | undefined) => new OpenEnvSession(context, caller, { session });
    const rpc = await answerRpc(c.var.body, find, { onBroken: onBroken(context) });
    return rpc === undefined ? c.body(null, 202) : c.json(rpc);
  });
  return app;
}

function refuse(error: Error, c: Context<ServerEnv>): Response {
  const { message, status } = refusalOf(error);
  setHeaders(error, c);
  return c.json({ detail: message }, status === 400 ? 422 : status);
}

function setHeaders(error: Error, c: Context<ServerEnv>): void {
  const { retryAfter } = refusalOf(error);
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
  if (leavesBody(c.env.incoming)) c.header('Connection', 'close');
}
