import { type Context, Hono, type MiddlewareHandler } from 'hono';

import type { JsonValue } from '../../../base/json/value.ts';
import type { ServerContext, ServerEnv } from '../../http/context.ts';
import { objectAt } from '../../http/fields.ts';
import { accessLog } from '../../http/middleware/access-log.ts';
import { bearerKey, headerKey, identifyCaller } from '../../http/middleware/identify.ts';
import { limitInFlight } from '../../http/middleware/in-flight.ts';
import { batchBody, jsonBody, leavesBody, ordinaryBody } from '../../http/middleware/json-body.ts';
import { limitRate } from '../../http/middleware/rate-limit.ts';
import { refusalOf } from '../../http/refusal.ts';
import { callTool } from '../session/call-tool.ts';
import { answerMcp } from '../session/mcp.ts';
import { dataset } from './dataset.ts';
import { firstObservation, step } from './gymnasium.ts';
import { gymMcp, mcpAddress, tokenHeader } from './mcp.ts';
import { aggregate } from './metrics.ts';
import { mustBeTaskOf, readRow } from './row.ts';
import { mustFindSession, seedSession, sessionIn } from './sessions.ts';
import { verify } from './verify.ts';

type GymContext = Context<ServerEnv>;

/** NeMo Gym's resources server: a session is an episode, found by a cookie, and every tool is a path. */
export function nemoGymApp(context: ServerContext): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const routes = gymRoutes(context);
  app.route('/', routes);
  // Their model proxy marks the requests of a rollout so.
  app.route('/ng-rollout/:rollout{[A-Za-z0-9][A-Za-z0-9._-]*}', routes);
  return app;
}

function gymRoutes(context: ServerContext): Hono<ServerEnv> {
  const { engine } = context;
  const app = new Hono<ServerEnv>();
  app.onError((error, c) => refuse(error, c));
  const post = (
    path: string,
    work: (c: GymContext) => Promise<Response>,
    allowed = batchBody,
    operation = path.slice(1),
  ): void => {
    app.post(path, ...guards(context, operation), jsonBody(context, allowed), keepSession, work);
  };
  app.get('/reverify_mode', (c) => c.json('stateless'));
  app.get('/dataset', ...guards(context, 'dataset'), async (c) => {
    const text = dataset(context, c.var.identity.caller, new URL(c.req.url).searchParams);
    return c.body(text, 200, { 'content-type': 'application/x-ndjson' });
  });
  post('/seed_session', async (c) => {
    const { session } = await seedSession(context, c.var.identity.caller, c.var.body);
    setSession(c, session);
    return c.json({ mcp: mcpAddress(session) });
  });
  post('/reset', async (c) => {
    const { session, record } = await seedSession(context, c.var.identity.caller, c.var.body, true);
    setSession(c, session);
    return c.json(firstObservation(engine.tasks.taskOf(record)));
  });
  post('/step', async (c) => {
    const { caller } = c.var.identity;
    const body = objectAt(c.var.body, '');
    const record = await mustFindSession(context, caller, sessionOf(c));
    mustBeTaskOf(record, readRow(body).task);
    return c.json(await step(context, caller, record, body));
  });
  post('/close', async (c) => {
    const { caller } = c.var.identity;
    const { id } = await mustFindSession(context, caller, sessionOf(c));
    await engine.end(caller, id, 'client_terminated');
    return c.json({});
  });
  post('/verify', async (c) =>
    c.json(await verify(context, c.var.identity.caller, sessionOf(c), objectAt(c.var.body, ''))),
  );
  post('/aggregate_metrics', async (c) => c.json(aggregate(c.var.body)));
  post(
    '/mcp',
    async (c) => {
      const door = gymMcp(context, c.var.identity.caller, c.req.header(tokenHeader));
      const answer = await answerMcp(door, c.var.body);
      return answer === undefined ? c.body(null, 202) : c.json(answer);
    },
    ordinaryBody,
  );
  post(
    '/:tool{[A-Za-z_][A-Za-z0-9_]*}',
    async (c) => {
      const { caller } = c.var.identity;
      const record = await mustFindSession(context, caller, sessionOf(c));
      // JSON, as the body was read.
      const input = (c.var.body ?? {}) as JsonValue;
      return c.text(await callTool(context, caller, record, { name: c.req.param('tool') ?? '', input }));
    },
    ordinaryBody,
    'call',
  );
  return app;
}

function guards(
  context: ServerContext,
  operation: string,
): [MiddlewareHandler<ServerEnv>, ...MiddlewareHandler<ServerEnv>[]] {
  return [
    accessLog(context, { protocol: 'nemo-gym', operation }),
    identifyCaller(context, ({ env: { incoming } }) => headerKey(incoming) ?? bearerKey(incoming)),
    limitRate(context),
    limitInFlight(context),
  ];
}

function sessionOf(c: GymContext): string | undefined {
  return sessionIn(c.req.header('cookie'));
}

/** Agents send only the cookies of the last answer that they got: each answer must set the session's again. */
const keepSession: MiddlewareHandler<ServerEnv> = async (c, next) => {
  const session = sessionOf(c);
  if (session !== undefined) setSession(c, session);
  await next();
};

function setSession(c: GymContext, session: string): void {
  c.header('Set-Cookie', `whet=${session}; Path=/`);
}

/** A refusal in the words of the model's caller, with the session's cookie: without it the next call would be lost. */
function refuse(error: Error, c: GymContext): Response {
  const { message, status, retryAfter } = refusalOf(error);
  const session = sessionOf(c);
  if (session !== undefined) setSession(c, session);
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
  if (leavesBody(c.env.incoming)) c.header('Connection', 'close');
  const isTool = c.req.param('tool') !== undefined;
  return isTool ? c.text(message, status) : c.json({ detail: message }, status === 400 ? 422 : status);
}
