import type { IncomingMessage } from 'node:http';

import type { ServerEvent } from '../event-stream.ts';
import type { Identity } from '../keys.ts';
import type { BodyLimits } from '../read-body.ts';

/** A request as an endpoint sees it: the envelope is not checked yet. */
export interface LabsRequest {
  readonly identity: Identity;
  readonly parameter: (name: string) => string;
  readonly query: (name: string) => string | undefined;
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;
  readonly incoming: IncomingMessage;
}

/** An answer: the text of a JSON object without its request id, or events until the client goes away. */
export type LabsAnswer =
  | { readonly text: string }
  | { readonly events: AsyncIterable<ServerEvent>; readonly abandon: AbortController };

/**
 * One endpoint of the Labs API. `read` checks the envelope; only what passes counts against the rate limit,
 * and what it gives is what `run` gets.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/api/v1`, with parameters as `:name`. */
  readonly path: string;
  /** The name of the operation in OpenAPI, metrics and log. */
  readonly operation: string;
  readonly body?: BodyLimits;
  readonly prepare: (request: LabsRequest) => () => Promise<LabsAnswer>;
}

export function json(value: object): LabsAnswer {
  return { text: JSON.stringify(value) };
}
