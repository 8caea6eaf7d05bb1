import type { IncomingMessage, ServerResponse } from 'node:http';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { randomId } from '../../../base/host/random.ts';
import { version } from '../../../base/host/version.ts';
import { openApiDocument, operations } from '../../api/open-api.ts';
import { bearerKey, identityOf, takeRate, type ServerContext } from '../context.ts';
import { sendEvents } from '../event-stream.ts';
import { nameAt } from '../fields.ts';
import type { Gate } from '../guard.ts';
import { noteRequest } from '../note-request.ts';
import { leavesBody, readJsonBody } from '../read-body.ts';
import { methodRefused, refusalOf } from '../refusal.ts';
import { fieldsNamed, mustBeSpelt } from '../spelling.ts';
import type { LabsAnswer } from './endpoint.ts';
import { labsEndpoints } from './endpoints.ts';
import { routesOf, type Found } from './route.ts';

const labsPrefix = '/api/v1/';

/** A door on Node's own objects: false when a request is not for it. */
export type Door = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

/**
 * The Labs API under `/api/v1`: the source's envelope, errors and limits around each endpoint. It answers on Node's
 * own objects: those of the web standard cost a turn as much as all that is done in it.
 */
export function labsDoor(context: ServerContext, gate: Gate): Door {
  const endpoints = labsEndpoints(context);
  const find = routesOf(endpoints);
  // It describes the endpoints that are found above, so it cannot speak of others.
  const document = JSON.stringify(openApiDocument(endpoints, version));
  return (incoming, outgoing) => {
    const { path, query } = targetOf(incoming.url ?? '/');
    if (!path.startsWith(labsPrefix)) return false;
    const below = path.slice(labsPrefix.length - 1);
    const exchange: Exchange = { context, incoming, outgoing, started: context.clock.monotonic() };
    const refused = gate.enter(path, incoming.headers);
    if (refused !== undefined) sendRefusal(outgoing, refused, randomId('req'));
    else if (below === '/openapi.json') {
      if (isReading(incoming))
        sendJson(outgoing, { status: 200, text: document, requestId: randomId('req') });
      else sendRefusal(outgoing, methodRefused(incoming.method, ['GET']), randomId('req'));
      gate.leave();
    } else
      void answer(exchange, find(below), query)
        // An answer that cannot be sent any more: whoever asked has gone.
        .catch(() => outgoing.destroy())
        .finally(() => gate.leave());
    return true;
  };
}

/** One request and its answer. */
interface Exchange {
  readonly context: ServerContext;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly started: number;
}

interface Target {
  readonly path: string;
  readonly query: Query;
}

type Query = URLSearchParams | undefined;

function targetOf(url: string): Target {
  // A proxy may send the whole address.
  const own = url.startsWith('/') ? url : (URL.parse(url)?.href.replace(/^\w+:\/\/[^/]*/, '') ?? url);
  const mark = own.indexOf('?');
  if (mark === -1) return { path: own, query: undefined };
  return { path: own.slice(0, mark), query: new URLSearchParams(own.slice(mark + 1)) };
}

/** A filter that is spelled wrong would list everything. */
function mustKnowQuery(query: URLSearchParams, operation: string): void {
  mustBeSpelt(Object.fromEntries(query), fieldsNamed(...Object.keys(operations[operation]?.query ?? {})));
}

function isReading({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

async function answer(exchange: Exchange, found: Found | undefined, query: Query): Promise<void> {
  const { incoming, outgoing, context, started } = exchange;
  const noted = { protocol: 'labs', incoming, started } as const;
  // Node itself leaves the body out of an answer to HEAD.
  const method = incoming.method === 'HEAD' ? 'GET' : (incoming.method ?? '');
  const endpoint = found?.methods.get(method);
  let keyId: string | undefined;
  try {
    if (found === undefined) throw new WhetstoneError('endpoint_unknown', 'There is nothing at this path.');
    if (endpoint === undefined) throw methodRefused(incoming.method, found.methods.keys());
    const identity = await identityOf(context, bearerKey(incoming));
    keyId = identity.caller.id;
    if (query !== undefined) mustKnowQuery(query, endpoint.operation);
    const body = endpoint.body ? await readJsonBody(exchange, endpoint.body, context.held) : undefined;
    const idempotencyKey = nameAt(incoming.headers['idempotency-key'], 'Idempotency-Key');
    const run = endpoint.prepare({
      identity,
      body,
      idempotencyKey,
      incoming,
      parameter: (name) => found.parameters.get(name) ?? '',
      query: (name) => query?.get(name) ?? undefined,
    });
    takeRate(context, identity, outgoing);
    const result = await context.underway.run(run);
    const requestId = randomId('req');
    noteRequest(context, { ...noted, requestId, operation: endpoint.operation, status: 200, keyId });
    send(exchange, result, requestId);
  } catch (error) {
    const requestId = randomId('req');
    const { status, code } = refusalOf(error);
    const operation = endpoint?.operation ?? 'none';
    noteRequest(context, { ...noted, requestId, operation, status, code, keyId, error });
    sendRefusal(outgoing, error, requestId);
  }
}

function send({ context, outgoing }: Exchange, result: LabsAnswer, requestId: string): void {
  if ('events' in result) {
    outgoing.setHeader('X-Request-ID', requestId);
    const { events, abandon } = result;
    void sendEvents(outgoing, events, { clock: context.clock, pingMs: 15_000, abandon });
    return;
  }
  const text = `${result.text.slice(0, -1)},"request_id":"${requestId}"}`;
  sendJson(outgoing, { status: 200, text, requestId });
}

/** An error in the source's envelope. */
function sendRefusal(outgoing: ServerResponse, error: unknown, requestId: string): void {
  const { status, code, message, turn, retryAfter, allow } = refusalOf(error);
  if (allow !== undefined) outgoing.setHeader('Allow', allow);
  if (retryAfter !== undefined) outgoing.setHeader('Retry-After', retryAfter);
  if (leavesBody(outgoing.req)) outgoing.setHeader('Connection', 'close');
  const data = { request_id: requestId, code, ...(turn !== undefined && { turn }) };
  sendJson(outgoing, { status, text: JSON.stringify({ message, data }), requestId });
}

function sendJson(
  outgoing: ServerResponse,
  { status, text, requestId }: { readonly status: number; readonly text: string; readonly requestId: string },
): void {
  outgoing.writeHead(status, [
    'Content-Type',
    'application/json',
    'Content-Length',
    String(Buffer.byteLength(text)),
    'X-Request-ID',
    requestId,
  ]);
  outgoing.end(text);
}
