import { answered } from './envelope.ts';
import { answer, count, date, described, flag, list, nullable, text, type TypeOf } from './shape.ts';

export const RateLimit = answer({
  limit: described(count, 'Requests in a minute.'),
  remaining: count,
  reset: described(count, 'When the full limit is back: seconds since 1970.'),
});
export type RateLimit = TypeOf<typeof RateLimit>;

/** `GET /api/v1/key`: the key that asks. */
export const KeyAnswer = answer({
  key_id: text,
  name: nullable(text),
  expires_at: described(nullable(date), 'Null when it never expires.'),
  rate_limits: described(nullable(list(RateLimit)), 'Null when the key has no limit.'),
  explain: described(flag, 'May see criteria, facts and reasons.'),
  collections: described(nullable(list(text)), 'The collections it is limited to, or null for all.'),
  ...answered,
});
export type KeyAnswer = TypeOf<typeof KeyAnswer>;
