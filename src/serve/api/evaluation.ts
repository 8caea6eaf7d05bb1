import { answered, refusalCodes } from './envelope.ts';
import { createdFields, createFields } from './episode.ts';
import { outcomeFields, submitFields } from './turn.ts';
import { breakdown, numberFields, RewardConfig } from './grade.ts';
import { limits } from './limit.ts';
import { messages } from './message.ts';
import {
  answer,
  count,
  described,
  type Fields,
  label,
  list,
  map,
  number,
  oneOf,
  request,
  type Shape,
  share,
  text,
  type TypeOf,
  type Values,
} from './shape.ts';

const task = { collection_slug: label, scenario_slug: label, 'variant?': count, 'seed?': count };

const window: Shape<string> = { type: 'string', pattern: '^\\d+[dwmn]$' };

const evaluateFields = {
  ...task,
  messages,
  'normalization_key?': described(label, 'Groups evaluations in the scoring log, such as those of one run.'),
  'normalization_windows?': described(
    list(window, { maxItems: limits.windows }),
    '`7d`, `2w`, `1m` in time, `100n` for the last hundred.',
  ),
  'reward_config?': RewardConfig,
};

/** `POST /api/v1/evaluate` */
export const Evaluate = request(evaluateFields);
export type Evaluate = TypeOf<typeof Evaluate>;

const evaluationFields = {
  ...numberFields,
  'score_breakdown?': breakdown,
  'normalized?': described(map(number), "The reward's z-score in each window."),
};

export const Evaluation = answer(evaluationFields);
export type Evaluation = TypeOf<typeof Evaluation>;

export const EvaluateAnswer = answer({
  ...evaluationFields,
  scoring_version: text,
  metadata: answer({ scenario_name: text, evaluation_time_ms: number }),
  ...answered,
});
export type EvaluateAnswer = TypeOf<typeof EvaluateAnswer>;

const side = request({ messages });

/** `POST /api/v1/compare` */
export const Compare = request({
  ...task,
  response_a: side,
  response_b: side,
  'reward_config?': RewardConfig,
});
export type Compare = TypeOf<typeof Compare>;

export const CompareAnswer = answer({
  winner: oneOf('a', 'b', 'tie'),
  reward_a: share,
  reward_b: share,
  margin: share,
  scoring_version: text,
  ...answered,
});
export type CompareAnswer = TypeOf<typeof CompareAnswer>;

function batchOf<Item>(item: Shape<Item>): Shape<{ readonly items: readonly Item[] }> {
  return request({ items: list(item, { minItems: 1, maxItems: limits.batchItems }) });
}

/** Each item of a batch succeeds or fails by itself. An item that failed has no reward: never train on it. */
export type BatchResult<Value> = ({ readonly id: string; readonly status: 'success' } & Value) | ItemRefusal;

const ItemRefusal = answer({
  id: text,
  status: oneOf('error'),
  message: text,
  code: oneOf(...refusalCodes),
  'turn?': count,
});
type ItemRefusal = TypeOf<typeof ItemRefusal>;

function resultsOf<const Of extends Fields>(fields: Of): Shape<readonly BatchResult<Values<Of>>[]> {
  return list({ oneOf: [answer({ id: text, status: oneOf('success'), ...fields }), ItemRefusal] });
}

export const EvaluateItem = request({ id: label, ...evaluateFields });

/** `POST /api/v1/batch/evaluate` */
export const BatchEvaluate = batchOf(EvaluateItem);
export type BatchEvaluate = TypeOf<typeof BatchEvaluate>;

export const BatchEvaluateAnswer = answer({
  results: resultsOf(evaluationFields),
  scoring_version: text,
  total_time_ms: number,
  ...answered,
});
export type BatchEvaluateAnswer = TypeOf<typeof BatchEvaluateAnswer>;

export const EpisodeItem = request({ id: label, ...createFields, 'idempotency_key?': label });

/** `POST /api/v1/batch/episodes` */
export const BatchEpisodes = batchOf(EpisodeItem);
export type BatchEpisodes = TypeOf<typeof BatchEpisodes>;

export const BatchEpisodesAnswer = answer({ results: resultsOf(createdFields), ...answered });
export type BatchEpisodesAnswer = TypeOf<typeof BatchEpisodesAnswer>;

export const TurnItem = request({ id: label, episode_id: label, ...submitFields, 'idempotency_key?': label });

/** `POST /api/v1/batch/turns`: the turns of one episode run in the order of the items. */
export const BatchTurns = batchOf(TurnItem);
export type BatchTurns = TypeOf<typeof BatchTurns>;

export const BatchTurnsAnswer = answer({ results: resultsOf(outcomeFields), ...answered });
export type BatchTurnsAnswer = TypeOf<typeof BatchTurnsAnswer>;
