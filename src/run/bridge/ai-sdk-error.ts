import type { ModelError } from '../../base/message/model.ts';
import { isPassing } from '../../wire/transport/retry.ts';

/**
 * An error as the AI SDK's own providers throw it, so that its users see the status and it knows when to ask again.
 * Its classes are told by marks and not by `instanceof`, so that none of its packages is needed here.
 */
export function apiCallError(error: ModelError): Error {
  if (error.kind === 'aborted') return new DOMException(error.message, 'AbortError');
  const { raw, retryAfterMs } = error;
  return Object.assign(new Error(error.message), {
    name: 'AI_APICallError',
    [Symbol.for('vercel.ai.error')]: true,
    [Symbol.for('vercel.ai.error.AI_APICallError')]: true,
    url: '',
    requestBodyValues: {},
    statusCode: error.status,
    // It reads from here how long to wait.
    responseHeaders: retryAfterMs === undefined ? {} : { 'retry-after-ms': String(retryAfterMs) },
    responseBody: raw === undefined || typeof raw === 'string' ? raw : JSON.stringify(raw),
    isRetryable: isPassing(error),
    data: raw,
    kind: error.kind,
  });
}
