import { type Context, Hono } from 'hono';

import { WhetstoneError } from '../../../base/host/errors.ts';
import type { ServerContext, ServerEnv } from '../../http/context.ts';
import { accessLog } from '../../http/middleware/access-log.ts';
import { answerError } from '../../http/middleware/gate.ts';
import { limitInFlight } from '../../http/middleware/in-flight.ts';
import { jsonBody, ordinaryBody } from '../../http/middleware/json-body.ts';
import { limitRate } from '../../http/middleware/rate-limit.ts';
import { callTool } from '../session/call-tool.ts';
import { answerMcp, type McpDoor } from '../session/mcp.ts';
import { actionBook } from '../session/offer.ts';
import type { HudSession, HudSessions } from './sessions.ts';

/** The tools of a session over MCP. Its id, which nobody guesses, is in the address: the protocol has no keys. */
export function hudApp(context: ServerContext, sessions: HudSessions): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.onError((error, c) => answerError(c, error, c.get('requestId')));
  app.post(
    '/:session/mcp',
    accessLog(context, { protocol: 'hud', operation: 'mcp' }),
    async (c, next) => {
      c.set('identity', { caller: sessions.caller, rateLimit: context.rateLimit });
      await next();
    },
    limitRate(context),
    limitInFlight(context),
    jsonBody(context, ordinaryBody),
    async (c: Context<ServerEnv>) => {
      const session = await sessions.find(c.req.param('session') ?? '', '');
      if (session === undefined)
        throw new WhetstoneError('episode_unknown', 'There is no such session. Say hello for a new one.');
      const answer = await answerMcp(mcpOf(context, sessions, session), c.var.body);
      return answer === undefined ? c.body(null, 202) : c.json(answer);
    },
  );
  return app;
}

/** There are tools only while there is a task. */
function mcpOf(context: ServerContext, sessions: HudSessions, session: HudSession): McpDoor {
  const { tasks } = context.engine;
  const current = async () => (session.hasTask ? session.episode.current() : undefined);
  return {
    name: 'whetstone',
    listTools: async () => {
      const record = await current();
      return record === undefined ? [] : actionBook(tasks.taskOf(record)).offers;
    },
    callTool: async (call) => {
      const record = await current();
      if (record === undefined)
        throw new WhetstoneError('request_invalid', 'There is no task in progress: start one first.');
      return callTool(context, sessions.caller, record, call);
    },
  };
}
