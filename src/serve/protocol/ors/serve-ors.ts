import { Hono } from 'hono';

import { version } from '../../../base/host/version.ts';
import type { ServerContext, ServerEnv } from '../../http/context.ts';
import type { Gate } from '../../http/middleware/gate.ts';
import { methodRefused } from '../../http/refusal.ts';
import { serveCalls } from './call-route.ts';
import { environmentPaths, exchangeOf, type OrsApp } from './exchange.ts';
import { defaultOf } from './read-request.ts';
import { serveSessions } from './session-routes.ts';
import { serveTasks } from './task-routes.ts';

/** The Open Reward Standard. A collection is an environment, a session an episode, and every act a call of a tool. */
export function orsApp(context: ServerContext, gate: Gate): Hono<ServerEnv> {
  const { engine } = context;
  const app = new Hono<ServerEnv>();
  const exchange = exchangeOf(context, gate);
  const ors: OrsApp = { app, context, exchange };
  const { answer } = exchange;
  app.get('/health', (c) => c.json({ status: 'ok' }));
  // What the package `openreward` asks for as a session's version.
  app.get('/version', (c) => c.json({ version, build_sha: null }));
  app.get('/list_environments', (c) =>
    answer(c, async (caller) => engine.tasks.collections(caller).map(({ slug }) => slug.toLowerCase())),
  );
  serveSessions(ors);
  serveTasks(ors);
  serveCalls(ors);
  for (const [name, method] of Object.entries(environmentPaths)) {
    // As the protocol's own server does: a path without an environment belongs to the one that is meant without a name.
    app.all(`/${name}`, (c) =>
      answer(c, async (caller) => {
        const { slug } = defaultOf(c, engine.tasks.collections(caller));
        return c.redirect(`${c.req.path.slice(0, -name.length)}${slug.toLowerCase()}/${name}`, 308);
      }),
    );
    app.all(`/:env/${name}`, (c) =>
      answer(c, async () => {
        throw methodRefused(c.req.method, [method]);
      }),
    );
  }
  return app;
}
