import { Hono, type MiddlewareHandler } from 'hono';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { version } from '../../../base/host/version.ts';
import { openApiDocument, operations } from '../../api/open-api.ts';
import type { ServerContext, ServerEnv } from '../../http/context.ts';
import { accessLog } from '../../http/middleware/access-log.ts';
import { identifyCaller } from '../../http/middleware/identify.ts';
import { finishBeforeStop, limitInFlight } from '../../http/middleware/in-flight.ts';
import { jsonBody, leavesBody } from '../../http/middleware/json-body.ts';
import { limitRate } from '../../http/middleware/rate-limit.ts';
import { methodRefused, refusalOf } from '../../http/refusal.ts';
import { fieldsOf, mustBeSpelt } from '../../http/spelling.ts';
import { catalogEndpoints } from './catalog-endpoints.ts';
import { comparisonEndpoints } from './comparison.ts';
import type { Endpoint, RestContext } from './endpoint.ts';
import { failureEndpoints } from './failures.ts';
import { episodeEndpoints } from './episode-endpoints.ts';
import { statsEndpoints } from './stats.ts';
import { evaluateEndpoints } from './evaluate-endpoints.ts';
import { keyEndpoints } from './key-endpoints.ts';
import { rolloutEndpoints } from './rollout-endpoints.ts';

/** Every endpoint of the REST API. */
export function restEndpoints(context: ServerContext): readonly Endpoint[] {
  return [
    ...keyEndpoints(context),
    ...catalogEndpoints(context),
    ...episodeEndpoints(context),
    ...statsEndpoints(context),
    ...comparisonEndpoints(context),
    ...failureEndpoints(context),
    ...evaluateEndpoints(context),
    ...rolloutEndpoints(context),
  ];
}

/** The REST API: each endpoint behind the same guards, and every refusal in the same envelope. */
export function restApp(
  context: ServerContext,
  endpoints: readonly Endpoint[] = restEndpoints(context),
): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.use((c, next) => {
    // While a connection becomes a WebSocket there is no answer of Node's.
    if (c.env.outgoing === undefined)
      throw new WhetstoneError('endpoint_unknown', 'There is no socket at this path.');
    return next();
  });
  for (const { method, path, operation, body, answer } of endpoints)
    app.on(
      method,
      path,
      accessLog(context, { protocol: 'labs', operation }),
      identifyCaller(context),
      limitRate(context),
      limitInFlight(context),
      knownQuery(operation),
      ...(body ? [jsonBody(context, body)] : []),
      finishBeforeStop(context),
      answer,
    );
  // It describes the endpoints that are served above, so it cannot speak of others.
  const document = JSON.stringify(openApiDocument(endpoints, version));
  app.get('/openapi.json', (c) => c.body(document, 200, { 'Content-Type': 'application/json' }));
  app.all('*', accessLog(context, { protocol: 'labs', operation: 'none' }), (c) => {
    const taken = app.routes
      .filter(({ method, path }) => method !== 'ALL' && matches(path, c.req.path))
      .map(({ method }) => method);
    throw taken.length === 0
      ? new WhetstoneError('endpoint_unknown', 'There is nothing at this path.')
      : methodRefused(c.req.method, taken);
  });
  app.onError((error, c) => refuse(error, c));
  return app;
}

/** Whether a pattern of a route, `:name` for any part, is met by the end of a path. */
function matches(pattern: string, path: string): boolean {
  const parts = pattern.split('/');
  const own = path.split('/').slice(-parts.length + 1);
  return (
    parts.slice(1).every((part, index) => (part.startsWith(':') ? own[index] !== '' : part === own[index])) &&
    path.split('/').length === parts.length + 2
  );
}

/** A filter that is spelled wrong would list everything. */
function knownQuery(operation: string): MiddlewareHandler<ServerEnv> {
  const known = fieldsOf(operations[operation]?.query);
  return async (c, next) => {
    mustBeSpelt(c.req.query(), known);
    await next();
  };
}

function refuse(error: Error, c: RestContext): Response {
  const { status, code, message, turn, retryAfter, allow } = refusalOf(error);
  if (allow !== undefined) c.header('Allow', allow);
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
  if (leavesBody(c.env.incoming)) c.header('Connection', 'close');
  const data = { request_id: c.var.requestId, code, ...(turn !== undefined && { turn }) };
  return c.json({ message, data }, status);
}
