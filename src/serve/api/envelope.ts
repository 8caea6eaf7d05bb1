import { answer, count, oneOf, type Shape, text, type TypeOf } from './shape.ts';

/** Every answer carries the id of its request, also as the header `X-Request-ID`. */
export const answered: { readonly request_id: Shape<string> } = { request_id: { ...text, pattern: '^req_' } };

/** Why a request was refused, for programs. A code's meaning never changes. */
export const refusalCodes = [
  'invalid_request',
  'invalid_json',
  'history_mismatch',
  'unauthorized',
  'forbidden',
  'collection_forbidden',
  'not_found',
  'episode_not_found',
  'scenario_not_found',
  'method_not_allowed',
  'turn_conflict',
  'idempotency_conflict',
  'episode_complete',
  'too_large',
  'rate_limited',
  'busy',
  'store_unavailable',
  'stopping',
  'internal',
] as const;

export type RefusalCode = (typeof refusalCodes)[number];

/** The body of every answer that is not 200. */
export const Refusal = answer({
  message: text,
  data: answer({
    ...answered,
    code: oneOf(...refusalCodes),
    'turn?': {
      ...count,
      description: 'With a conflict: the turn that is stored, or the one that is expected.',
    },
  }),
});
export type Refusal = TypeOf<typeof Refusal>;
