import { Hono } from 'hono';

import { WhetstoneError } from '../../base/host/errors.ts';
import { randomId } from '../../base/host/random.ts';
import { version } from '../../base/host/version.ts';
import type { ServerContext, ServerEnv } from '../http/context.ts';
import { serveHealth } from './health.ts';
import { logAccess } from '../http/middleware/access-log.ts';
import { hudApp } from '../protocol/hud/mcp-route.ts';
import type { HudSessions } from '../protocol/hud/sessions.ts';
import { answerError, type Gate, guard } from '../http/middleware/gate.ts';
import { nemoGymApp } from '../protocol/nemo-gym/serve-nemo-gym.ts';
import { openEnvApp } from '../protocol/openenv/serve-openenv.ts';
import { orsApp } from '../protocol/ors/serve-ors.ts';
import { answerFile, readPageFiles } from './page-files.ts';
import { methodRefused, refusalOf } from '../http/refusal.ts';
import { restApp } from './rest/rest-app.ts';

export type Protocol = 'labs' | 'ors' | 'openenv' | 'nemo-gym';

export interface AppOptions {
  readonly protocol: Protocol;
  readonly page: string;
  /** The sessions of HUD, where it is served. */
  readonly hud?: HudSessions | undefined;
}

/** All that the server answers: the REST API, the trainers' protocols, health, and the page. */
export function serverApp(
  context: ServerContext,
  gate: Gate,
  { protocol, page, hud }: AppOptions,
): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.onError((error, c) => {
    context.log('error', 'unhandled', { method: c.req.method, error: String(error) });
    return answerError(c, error);
  });
  app.use(guard(gate));
  app.route('/api/v1', restApp(context));
  if (protocol === 'labs') serveHealth(app, context);
  const protocols = {
    ors: orsApp(context, gate),
    openenv: openEnvApp(context, version),
    'nemo-gym': nemoGymApp(context),
  };
  for (const [name, door] of Object.entries(protocols)) app.route(`/${name}`, door);
  if (hud !== undefined) app.route('/hud', hudApp(context, hud));
  if (protocol !== 'labs') {
    app.route('/', protocols[protocol]);
    serveHealth(app, context);
  }
  const files = readPageFiles(page);
  app.get('*', (c, next) => {
    const file = files.get(c.req.path);
    return file === undefined ? next() : Promise.resolve(answerFile(file, c.req.header('accept-encoding')));
  });
  refuseTheRest(app, context, protocol);
  return app;
}

/** What is nowhere, or takes another method. A client that was given a wrong address is found in the log. */
function refuseTheRest(app: Hono<ServerEnv>, context: ServerContext, protocol: Protocol): void {
  app.notFound((c) => {
    const { method, path } = c.req;
    const here = app.routes.filter((route) => route.path === path && route.method !== 'ALL');
    const error =
      here.length === 0
        ? new WhetstoneError('endpoint_unknown', `There is nothing at ${path}.`)
        : methodRefused(
            method,
            here.map((route) => route.method),
          );
    const [, first] = path.split('/');
    const requestId = randomId('req');
    const { status, code } = refusalOf(error);
    logAccess(context, {
      ...{ requestId, operation: 'none', status, code },
      protocol: first === 'ors' || first === 'openenv' || first === 'nemo-gym' ? first : protocol,
      incoming: c.env.incoming,
      started: context.clock.monotonic(),
    });
    return answerError(c, error, requestId);
  });
}
