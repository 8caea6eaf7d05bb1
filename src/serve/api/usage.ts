import { limits } from './limit.ts';
import { answer, between, described, list, request, type Shape, text, type TypeOf } from './shape.ts';

const most = 1_000_000_000;
const amount: Shape<number> = { type: 'number', minimum: 0, maximum: most };
const tokens = between(0, most);

/** A request to a provider and its reply as they were on the wire, without any header; what is too long is cut in the middle. */
export const Exchange = request({
  url: { ...text, maxLength: 2000 },
  status: described(between(0, 999), '0 if no reply came.'),
  request: { ...text, maxLength: limits.exchangeText },
  reply: { ...text, maxLength: limits.exchangeText },
});
export type Exchange = TypeOf<typeof Exchange>;

const fields = {
  'input_tokens?': tokens,
  'output_tokens?': tokens,
  'cost_usd?': amount,
  'latency_ms?': described(amount, 'From the request to the model until its reply was whole.'),
  'errors?': described(tokens, 'How often the model failed, or was asked again, before it replied.'),
};

/** What a turn took, as far as its player says. */
export const TurnUsage = request(fields);
export type TurnUsage = TypeOf<typeof TurnUsage>;

/** The same with what was exchanged with the provider: told by the player, and asked for turn by turn. */
export const SentUsage = request({
  ...fields,
  'exchanges?': described(
    list(Exchange, { maxItems: limits.exchangesOfTurn }),
    'Kept as they are, for keys with the right to `explain`: `GET /episodes/{id}/turns/{turn}/exchanges`.',
  ),
});
export type SentUsage = TypeOf<typeof SentUsage>;

const sum: Shape<number> = { type: 'number', minimum: 0 };

/** The sums over the turns of an episode; calls that failed in the scenario's world count as errors too. */
export const EpisodeUsage = answer({
  'input_tokens?': sum,
  'output_tokens?': sum,
  'cost_usd?': sum,
  'latency_ms?': sum,
  errors: sum,
});
export type EpisodeUsage = TypeOf<typeof EpisodeUsage>;
