import type { Context } from 'hono';

import type { ServerEnv } from '../../http/context.ts';
import { nameAt } from '../../http/fields.ts';
import type { BodyLimits } from '../../http/middleware/json-body.ts';

export type RestContext = Context<ServerEnv>;

/** One endpoint of the REST API. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/api/v1`, with parameters as `:name`. */
  readonly path: string;
  /** The name of the operation in OpenAPI, metrics and log. */
  readonly operation: string;
  readonly body?: BodyLimits;
  readonly answer: (c: RestContext) => Promise<Response>;
}

/** Answers with an object and the id of the request. */
export function answerJson(c: RestContext, value: object): Response {
  return c.body(`${JSON.stringify(value).slice(0, -1)},"request_id":"${c.var.requestId}"}`, 200, {
    'Content-Type': 'application/json',
  });
}

/** A parameter of the path. Nothing has a name with a NUL in it, and not every store can be asked for one. */
export function pathName(c: RestContext, name: string): string {
  const text = c.req.param(name) ?? '';
  return text.includes('\0') ? encodeURIComponent(text) : text;
}

export function idempotencyKey(c: RestContext): string | undefined {
  return nameAt(c.env.incoming.headers['idempotency-key'], 'Idempotency-Key');
}
