import type { ModelError } from '../../base/message/model.ts';
import type { Chunk } from '../adapter.ts';
import { isErrorBody, readError } from './error.ts';
import { garbledError, isGarbled } from './garbled.ts';
import { objectOf } from '../json-fields.ts';

/**
 * What a chunk says if it is not part of a reply but the end of one: no JSON at all, an exception by the name of its
 * event, or an error in whatever shape the server, or what is before it, gives to errors.
 */
export function failureOf(chunk: Chunk): ModelError | undefined {
  if (isGarbled(chunk)) return garbledError(chunk);
  const { event = '', data } = chunk;
  const body = objectOf(data);
  if (/^error$|exception$/i.test(event)) return readError(undefined, { __type: event, ...body });
  return isErrorBody(body) ? readError(undefined, body) : undefined;
}
