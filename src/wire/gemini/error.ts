import type { JsonObject } from '../../base/json/value.ts';
import type { ModelError } from '../../base/message/model.ts';
import { statusOf } from '../reply/error.ts';

const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** The service says "overloaded" with 503. */
export function statusCodeOf(error: ModelError): number {
  const status = statusOf(error);
  return status === 529 ? 503 : status;
}

export function writeErrorBody(error: ModelError): JsonObject {
  const code = statusCodeOf(error);
  return { error: { code, message: error.message, status: statusNames[code] ?? 'UNKNOWN' } };
}
