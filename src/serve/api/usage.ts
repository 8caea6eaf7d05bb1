import { answer, between, described, request, type Shape, type TypeOf } from './shape.ts';

const most = 1_000_000_000;
const amount: Shape<number> = { type: 'number', minimum: 0, maximum: most };
const tokens = between(0, most);

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
