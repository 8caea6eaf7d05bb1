import type { Context, Hono } from 'hono';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { randomId } from '../../../base/host/random.ts';
import { openApiDocument } from '../../api/open-api.ts';
import { bearerKey, identityOf, takeRate, type NodeBindings, type ServerContext } from '../context.ts';
import { nameAt } from '../fields.ts';
import { readJsonBody } from '../read-body.ts';
import { refusalOf } from '../refusal.ts';
import { version } from '../../../base/host/version.ts';
import type { Endpoint } from './endpoint.ts';
import { labsEndpoints } from './endpoints.ts';

const labsPrefix = '/api/v1';

/** The Labs API under `/api/v1`: the source's envelope, errors and limits around each endpoint. */
export function serveLabs(app: Hono<{ Bindings: NodeBindings }>, context: ServerContext): void {
  const methods = new Map<string, string[]>();
  const endpoints = labsEndpoints(context);
  // It describes the endpoints that are registered below, so it cannot speak of others.
  const document = openApiDocument(endpoints, version);
  app.get(`${labsPrefix}/openapi.json`, (c) => {
    c.header('X-Request-ID', randomId('req'));
    return c.json(document);
  });
  for (const endpoint of endpoints) {
    const path = `${labsPrefix}${endpoint.path}`;
    app.on(endpoint.method, path, (c) => answer(c, context, endpoint));
    methods.set(path, [...(methods.get(path) ?? []), endpoint.method]);
  }
  for (const [path, allowed] of methods) {
    app.all(path, (c) => {
      c.env.outgoing.setHeader('Allow', allowed.join(', '));
      const error = new WhetstoneError(
        'method_refused',
        `${c.req.method} is not for this path: it takes ${allowed.join(', ')}.`,
      );
      return refuse(c, context, { error, operation: 'none', started: context.clock.monotonic() });
    });
  }
  app.all(`${labsPrefix}/*`, (c) => {
    const error = new WhetstoneError('endpoint_unknown', `There is nothing at ${c.req.path}.`);
    return refuse(c, context, { error, operation: 'none', started: context.clock.monotonic() });
  });
}

type LabsContext = Context<{ Bindings: NodeBindings }>;

async function answer(c: LabsContext, context: ServerContext, endpoint: Endpoint): Promise<Response> {
  const started = context.clock.monotonic();
  const { operation } = endpoint;
  let keyId: string | undefined;
  try {
    const { incoming, outgoing } = c.env;
    const identity = await identityOf(context, bearerKey(incoming));
    keyId = identity.caller.id;
    const body = endpoint.body ? await readJsonBody(incoming, endpoint.body) : undefined;
    const idempotencyKey = nameAt(incoming.headers['idempotency-key'], 'Idempotency-Key');
    const run = endpoint.prepare({
      identity,
      body,
      idempotencyKey,
      incoming,
      parameter: (name) => c.req.param(name) ?? '',
      query: (name) => c.req.query(name),
    });
    takeRate(context, identity, outgoing);
    const result = await run();
    const requestId = randomId('req');
    finish(c, context, { requestId, operation, started, status: 200, keyId });
    if ('response' in result) {
      result.response.headers.set('X-Request-ID', requestId);
      return result.response;
    }
    return new Response(`${result.text.slice(0, -1)},"request_id":"${requestId}"}`, {
      headers: { 'content-type': 'application/json', 'x-request-id': requestId },
    });
  } catch (error) {
    return refuse(c, context, { error, operation, started, keyId });
  }
}

function refuse(
  c: LabsContext,
  context: ServerContext,
  request: {
    readonly error: unknown;
    readonly operation: string;
    readonly started: number;
    readonly keyId?: string | undefined;
  },
): Response {
  const requestId = randomId('req');
  const { status, code, message, turn, retryAfter } = refusalOf(request.error);
  finish(c, context, { ...request, requestId, status, code });
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'x-request-id': requestId,
  };
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  // What was not read of the body would be taken for the next request.
  if (!c.env.incoming.complete) headers['connection'] = 'close';
  const data = { request_id: requestId, code, ...(turn !== undefined && { turn }) };
  return new Response(JSON.stringify({ message, data }), { status, headers });
}

function finish(
  c: LabsContext,
  context: ServerContext,
  request: {
    readonly requestId: string;
    readonly operation: string;
    readonly started: number;
    readonly status: number;
    readonly code?: string;
    readonly keyId?: string | undefined;
    readonly error?: unknown;
  },
): void {
  const seconds = (context.clock.monotonic() - request.started) / 1000;
  const labels = { protocol: 'labs', operation: request.operation };
  context.metrics.observe('whet_request_seconds', 'Time to answer, by operation.', labels, seconds);
  context.metrics.count('whet_requests_total', 'Requests answered, by operation and status.', {
    ...labels,
    status: String(request.status),
  });
  context.log(request.status >= 500 ? 'error' : 'info', 'request', {
    request_id: request.requestId,
    protocol: 'labs',
    operation: request.operation,
    method: c.req.method,
    status: request.status,
    ms: Math.round(seconds * 1e6) / 1000,
    key_id: request.keyId,
    code: request.code,
    ...(request.status >= 500 && { error: String(request.error), cause: causeOf(request.error) }),
  });
}

function causeOf(error: unknown): string | undefined {
  return error instanceof Error && error.cause !== undefined ? String(error.cause) : undefined;
}
