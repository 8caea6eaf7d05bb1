import type { Context } from 'hono';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { isJsonObject, type JsonObject } from '../../../base/json/value.ts';
import type { TaskChoice } from '../../../grade/episode/request.ts';
import type { Collection } from '../../../grade/scenario/load/collection.ts';
import type { ServerContext, ServerEnv } from '../../http/context.ts';
import { ordinaryBody, readJsonBody } from '../../http/middleware/json-body.ts';
import { fieldsNamed, slipIn, type KnownFields } from '../../http/spelling.ts';

export type OrsContext = Context<ServerEnv>;

/** What is wrong with the envelope itself: 422 in this protocol. */
export class EnvelopeError extends Error {}

export function missing(name: string): never {
  throw new EnvelopeError(`${name} is missing.`);
}

export function sessionOf(c: OrsContext): string {
  const session = c.req.header('x-session-id');
  if (session === undefined || session === '' || session.length > 255)
    throw new WhetstoneError('request_invalid', 'X-Session-ID is missing or too long.');
  return session;
}

/** A body, of which the caller reads these fields. */
export async function readOrsBody(
  c: OrsContext,
  context: ServerContext,
  known: KnownFields,
): Promise<JsonObject> {
  const body = await readJsonBody(c.env, ordinaryBody, context);
  if (body === undefined) return {};
  if (!isJsonObject(body)) throw new EnvelopeError('The body must be an object.');
  const slip = slipIn(body, known);
  if (slip !== undefined) throw new EnvelopeError(`${slip.path} ${slip.problem}`);
  return body;
}

export const orsFields = {
  createSession: fieldsNamed('task_id'),
  create: new Map([
    ...fieldsNamed('env_name', 'split', 'index', 'secrets'),
    ['task_spec', fieldsNamed('id', 'collection', 'scenario', 'variant', 'split', 'index', 'seed', 'group')],
  ]),
  split: fieldsNamed('split'),
  place: fieldsNamed('split', 'index'),
  range: fieldsNamed('split', 'start', 'stop'),
  call: fieldsNamed('name', 'input', 'task_id'),
} as const;

/** Whether a text has characters that would break a line of events, or that a store cannot hold. */
export function hasControls(text: string): boolean {
  // eslint-disable-next-line no-control-regex
  return /[\u0000-\u001f\u007f]/.test(text) || !text.isWellFormed();
}

export function splitOf(body: JsonObject): string {
  const { split } = body;
  // A split is also accepted as the object that /splits answers with.
  const name = isJsonObject(split) ? split['name'] : split;
  if (typeof name !== 'string') throw new EnvelopeError('split must be a string.');
  return name;
}

export function numberOf(body: JsonObject, name: string): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new EnvelopeError(`${name} must be a whole number.`);
  return value;
}

/** The environment of a name, in upper or lower case: the protocol's own server ignores case. */
export function environmentOf(collections: readonly Collection[], name: string): Collection | undefined {
  return collections.find(({ slug }) => slug.toLowerCase() === name.toLowerCase());
}

/**
 * The environment of a request that names none. The package `openreward` leaves the name out of its paths and of
 * `/create` and tells it in this header, after its owner's if it has one; without it, and for a name that is none of
 * ours, it is the first.
 */
export function defaultOf(c: OrsContext, collections: readonly Collection[]): Collection {
  const deployment = c.req.header('x-deployment') ?? '';
  const [first] = collections;
  if (first === undefined) throw new WhetstoneError('scenario_unknown', 'There is no environment here.');
  return environmentOf(collections, deployment.slice(deployment.lastIndexOf('/') + 1)) ?? first;
}

/** The task of a `/create`: its object as we gave it, or a split with an index. */
export function readTask(
  c: OrsContext,
  collections: readonly Collection[],
  body: JsonObject,
): TaskChoice & { readonly group?: string } {
  const { env_name: env, task_spec: spec } = body;
  const index = numberOf(body, 'index');
  const byPlace = body['split'] !== undefined && body['split'] !== null && index !== undefined;
  if (isJsonObject(spec) === byPlace)
    throw new WhetstoneError(
      'request_invalid',
      'Exactly one of task_spec and split with index must be given.',
    );
  if (env !== undefined && env !== null && typeof env !== 'string')
    throw new EnvelopeError('env_name must be a string.');
  const named = typeof env === 'string' ? env : isJsonObject(spec) ? spec['collection'] : undefined;
  const collection =
    typeof named === 'string'
      ? (environmentOf(collections, named)?.slug ?? named)
      : defaultOf(c, collections).slug;
  if (!isJsonObject(spec)) return { collection, split: splitOf(body), ...(index !== undefined && { index }) };
  const { scenario } = spec;
  if (typeof scenario !== 'string')
    throw new WhetstoneError('request_invalid', 'task_spec must be a task that this server gave.');
  const variant = numberOf(spec, 'variant');
  const seed = numberOf(spec, 'seed');
  const group = groupOf(spec);
  return {
    collection,
    scenario,
    ...(variant !== undefined && { variant }),
    ...(seed !== undefined && { seed }),
    ...(group !== undefined && { group }),
  };
}

function groupOf({ group }: JsonObject): string | undefined {
  if (group === undefined || group === null) return undefined;
  if (typeof group !== 'string' || group === '' || group.length > 200 || hasControls(group))
    throw new EnvelopeError(
      'group must be a string of 1 to 200 characters, none of them a control character.',
    );
  return group;
}
