import type { IncomingMessage } from 'node:http';

import type { MiddlewareHandler } from 'hono';

import { randomId } from '../../../base/host/random.ts';
import type { RefusalCode } from '../../api/envelope.ts';
import type { ServerContext, ServerEnv } from '../context.ts';
import { refusalOf } from '../refusal.ts';

/** What is known of a request when its answer is made. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly protocol: 'labs' | 'ors' | 'openenv' | 'nemo-gym' | 'hud';
  readonly operation: string;
  readonly incoming: IncomingMessage;
  /** When it came, on the monotonic clock. */
  readonly started: number;
  readonly status: number;
  readonly code?: RefusalCode | undefined;
  readonly keyId?: string | undefined;
  /** What broke, where the server did. */
  readonly error?: unknown;
}

/** Gives a request its id, and counts and logs it when its answer is made. */
export function accessLog(
  context: ServerContext,
  { protocol, operation }: Pick<AnsweredRequest, 'protocol' | 'operation'>,
): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const started = context.clock.monotonic();
    const { incoming, outgoing } = c.env;
    const requestId = randomId('req');
    c.set('requestId', requestId);
    outgoing.setHeader('X-Request-ID', requestId);
    await next();
    const { error } = c;
    logAccess(context, {
      ...{ requestId, protocol, operation, incoming, started, error, status: c.res.status },
      code: error && refusalOf(error).code,
      keyId: c.get('identity')?.caller.id,
    });
  };
}

/** Counts an answered request, and writes its line into the log. */
export function logAccess({ metrics, clock, log }: ServerContext, request: AnsweredRequest): void {
  const { requestId, protocol, operation, incoming, started, status, code, keyId, error } = request;
  const seconds = (clock.monotonic() - started) / 1000;
  const labels = { protocol, operation };
  metrics.observe('whet_request_seconds', 'Time to answer, by operation.', labels, seconds);
  metrics.count('whet_requests_total', 'Requests answered, by operation and status.', {
    ...labels,
    status: String(status),
  });
  log(status >= 500 ? 'error' : 'info', 'request', {
    request_id: requestId,
    ...labels,
    method: incoming.method,
    status,
    ms: Math.round(seconds * 1e6) / 1000,
    key_id: keyId,
    code,
    ...(status >= 500 && { error: String(error), cause: causeOf(error) }),
  });
}

export function causeOf(error: unknown): string | undefined {
  return error instanceof Error && error.cause !== undefined ? String(error.cause) : undefined;
}
