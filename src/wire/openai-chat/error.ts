import type { JsonObject } from '../../base/json/value.ts';
import type { ModelError } from '../../base/message/model.ts';

export function writeErrorBody(error: ModelError): JsonObject {
  return {
    error: {
      message: error.message,
      type: types[error.kind] ?? 'server_error',
      param: error.field ?? null,
      code: codes[error.kind] ?? null,
    },
  };
}

const types: Readonly<Record<string, string>> = {
  authentication: 'invalid_request_error',
  permission: 'invalid_request_error',
  rate_limit: 'requests',
  invalid_request: 'invalid_request_error',
  context_too_long: 'invalid_request_error',
  content_refused: 'invalid_request_error',
};

const codes: Readonly<Record<string, string>> = {
  authentication: 'invalid_api_key',
  rate_limit: 'rate_limit_exceeded',
  context_too_long: 'context_length_exceeded',
  content_refused: 'content_filter',
};
