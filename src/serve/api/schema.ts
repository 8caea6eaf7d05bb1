import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { refusalCodes } from './envelope.ts';
import { dimensions } from './grade.ts';
import { limits } from './limit.ts';

/** The shapes of the Labs API as JSON Schema, by the names of their types. The OpenAPI document refers to them. */
const text: JsonObject = { type: 'string' };
const number: JsonObject = { type: 'number' };
const flag: JsonObject = { type: 'boolean' };
const count: JsonObject = { type: 'integer', minimum: 0 };
const share: JsonObject = { type: 'number', minimum: 0, maximum: 1 };
const bit: JsonObject = { enum: [0, 1] };
const date: JsonObject = { type: 'string', format: 'date-time' };
const any: JsonObject = {};
const label: JsonObject = { type: 'string', minLength: 1, maxLength: 200 };

const list = (items: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'array', items, ...more });
const map = (values: JsonObject): JsonObject => ({ type: 'object', additionalProperties: values });
const oneOf = (...values: readonly JsonValue[]): JsonObject => ({ enum: values });
const nullable = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: 'null' }] });

export function reference(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

type Fields = Readonly<Record<string, JsonObject>>;

/** An answer: exactly these fields; those that end in `?` may be missing. */
function answer(fields: Fields): JsonObject {
  return { ...request(fields), additionalProperties: false };
}

/** A request: these fields are read; others are ignored, unless they can only be one of these misspelt. */
function request(fields: Fields): JsonObject {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace('?', ''), schema])),
    required: entries.filter(([name]) => !name.endsWith('?')).map(([name]) => name),
  };
}

const requestId: Fields = { request_id: { type: 'string', pattern: '^req_' } };
const personFault: Fields = { asked: count, not_understood: count, 'fell_back?': count };
const numbers: Fields = {
  reward: share,
  success: bit,
  progress: share,
  gate: bit,
  shaped: flag,
  scores: map(number),
  'not_judged?': count,
  'person_fault?': answer(personFault),
};
const limitsShape = answer({ turns: count, message_length: count, idle_hours: number });
const scenarioEntry: Fields = {
  slug: text,
  name: text,
  description: text,
  shape: text,
  variants: count,
  limits: limitsShape,
};
const turnFields: Fields = {
  turn: { type: 'integer', minimum: 1 },
  observation: reference('Observation'),
  reward: share,
  episode_complete: flag,
  'results?': list(reference('ToolResult')),
  'success?': bit,
  'progress?': share,
  'gate?': bit,
  'shaped?': flag,
  'scores?': map(number),
  'not_judged?': count,
  'person_fault?': answer(personFault),
  'score_breakdown?': map(text),
  'terminal_reason?': reference('TerminalReason'),
};
const usageFields: Fields = {
  'input_tokens?': count,
  'output_tokens?': count,
  'cost_usd?': { type: 'number', minimum: 0 },
  'latency_ms?': { type: 'number', minimum: 0 },
  'errors?': count,
};

const totalUsage = answer({
  'input_tokens?': count,
  'output_tokens?': count,
  'cost_usd?': number,
  'latency_ms?': number,
  errors: count,
});

const statMean = answer({ mean: share, 'interval?': list(share) });

const playerFields: Fields = {
  name: label,
  'model?': label,
  'parameters?': { type: 'object' },
  'commit?': label,
  'labels?': map(text),
};

const player: JsonObject = { anyOf: [label, reference('PlayerCard')] };

const summaryFields: Fields = {
  episode_id: text,
  collection_slug: text,
  scenario_slug: text,
  variant: count,
  seed: count,
  version: text,
  group: nullable(text),
  'study?': text,
  'player?': reference('PlayerCard'),
  status: oneOf('open', 'complete'),
  'terminal_reason?': reference('TerminalReason'),
  created_at: date,
  updated_at: date,
  turn_count: count,
  duration_ms: count,
  'usage?': totalUsage,
  'reward?': share,
  'success?': bit,
  'progress?': share,
  'gate?': bit,
  'scores?': map(number),
};
const createFields: Fields = {
  collection_slug: label,
  'scenario_slug?': label,
  'score_turns?': flag,
  'config?': { type: 'object', properties: { max_turns: { type: 'integer', minimum: 1 } } },
  'variant?': count,
  'seed?': count,
  'group?': label,
  'study?': label,
  'player?': player,
  'split?': label,
  'index?': count,
};
const statFields: Fields = {
  episodes: count,
  complete: count,
  began_at: date,
  scenarios: count,
  'reward?': statMean,
  'success?': statMean,
  'progress?': share,
  'deviation?': number,
  gate_closed: count,
  histogram: list(count),
  turns: count,
  usage: totalUsage,
};
const forkOrigin = answer({ episode_id: text, turn: count });
const submitFields: Fields = {
  messages: list(reference('Message'), { minItems: 1 }),
  'reward_config?': reference('RewardConfig'),
  'usage?': request(usageFields),
  'turn?': { type: 'integer', minimum: 1 },
};
const evaluateFields: Fields = {
  collection_slug: label,
  scenario_slug: label,
  messages: list(reference('Message'), { minItems: 1 }),
  'variant?': count,
  'seed?': count,
  'normalization_key?': label,
  'normalization_windows?': list({ type: 'string', pattern: '^\\d+[dwmn]$' }, { maxItems: limits.windows }),
  'reward_config?': reference('RewardConfig'),
};
const gradeView = answer({ ...numbers, scoring_version: text });
const side = request({ messages: list(reference('Message'), { minItems: 1 }) });

function items(fields: Fields): JsonObject {
  return request({ items: list(request(fields), { minItems: 1, maxItems: limits.batchItems }) });
}

/** Each item of a batch is a success with these fields, or an error without them. */
function results(fields: Fields): JsonObject {
  return list({
    oneOf: [
      answer({ id: text, status: oneOf('success'), ...fields }),
      answer({
        id: text,
        status: oneOf('error'),
        message: text,
        code: oneOf(...refusalCodes),
        'turn?': count,
      }),
    ],
  });
}

const created: Fields = {
  episode_id: text,
  initial_observation: reference('Observation'),
  tools: list(reference('EpisodeTool')),
  max_turns: count,
};
const evaluated: Fields = { ...numbers, 'score_breakdown?': map(text), 'normalized?': map(number) };

export const schemas: Readonly<Record<string, JsonObject>> = {
  TerminalReason: oneOf('completed', 'error', 'max_turns_reached', 'client_terminated'),
  Observation: answer({
    role: oneOf('assistant'),
    content: text,
    'images?': list(answer({ title: text, media_type: text, data: { ...text, description: 'base64' } })),
  }),
  ToolCall: request({
    'type?': oneOf('artifact', 'decision', 'function'),
    name: { ...text, description: 'the `id` of the tool' },
    'input?': {
      ...any,
      description: 'what the `json_schema` of the tool asks for; of a decision `{"value": option}`',
    },
  }),
  Message: request({
    'role?': oneOf('assistant', 'user'),
    content: { type: 'string', maxLength: limits.messageLength },
    'tool_calls?': list(reference('ToolCall')),
  }),
  ToolResult: answer({
    name: text,
    output: text,
    'is_error?': flag,
    'full?': answer({ href: text, bytes: count, media_type: text }),
  }),
  EpisodeTool: answer({
    id: text,
    type: oneOf('artifact', 'decision', 'function'),
    name: text,
    'description?': text,
    mode: oneOf('json_schema', 'options'),
    'json_schema?': { type: 'object' },
    'options?': list(text),
  }),
  RewardConfig: request({
    quality_weights: {
      type: 'object',
      properties: Object.fromEntries(dimensions.map((name) => [name, { type: 'number', minimum: 0 }])),
      additionalProperties: false,
    },
    'skip_safety_gate?': flag,
  }),
  Refusal: answer({
    message: text,
    data: answer({ ...requestId, code: oneOf(...refusalCodes), 'turn?': count }),
  }),
  Reason: answer({
    id: text,
    kind: text,
    earned: number,
    possible: number,
    'turn?': count,
    'evidence?': text,
    reason: text,
    'not_judged?': flag,
  }),
  EpisodeTurn: answer({
    ...turnFields,
    messages: list(reference('Message')),
    at: date,
    'usage?': answer(usageFields),
  }),
  EpisodeSummary: answer(summaryFields),
  EpisodeExplanation: answer({
    facts: list(answer({ id: text, text, discovered: flag, 'turn?': count, 'question?': text })),
    notes: list(answer({ turn: count, call: count, label: text, 'detail?': text })),
    grade: answer({
      ...numbers,
      scoring_version: text,
      reasons: list(reference('Reason')),
      dimensions: list(
        answer({ name: text, score: number, weight: number, criteria: list(reference('Reason')) }),
      ),
      'person_fault?': answer({ ...personFault, reason: text }),
      'verdicts?': { type: 'object', additionalProperties: reference('Verdict') },
    }),
    expected: list(
      answer({
        id: text,
        call: text,
        'turn?': count,
        'index?': count,
        holds: flag,
        fields: list(answer({ field: text, expected: any, 'got?': any, share })),
      }),
    ),
    'voices?': list(
      answer({
        turn: count,
        by: text,
        'refused?': list(answer({ said: text, why: text })),
        'fault?': text,
      }),
    ),
    'hearings?': list(
      answer({
        turn: count,
        by: text,
        'heard?': answer({ asks: list(text), courtesies: list(text), others: count }),
        'fault?': text,
      }),
    ),
    'world_fault?': answer({ turn: count, tool: text, message: text }),
  }),
  Verdict: answer({
    score: share,
    votes: list(share),
    reason: text,
    'turn?': count,
    'failed?': flag,
    'model?': text,
    'prompt_hash?': text,
    'usage?': answer({ calls: count, input: count, output: count }),
  }),
  KeyAnswer: answer({
    key_id: text,
    name: nullable(text),
    expires_at: nullable(date),
    rate_limits: nullable(list(answer({ limit: count, remaining: count, reset: count }))),
    explain: flag,
    collections: nullable(list(text)),
    ...requestId,
  }),
  CatalogAnswer: answer({
    collections: list(
      answer({
        slug: text,
        name: text,
        description: text,
        splits: list(answer({ name: text, type: oneOf('train', 'validation', 'test'), tasks: count })),
        scenarios: list(answer(scenarioEntry)),
      }),
    ),
    ...requestId,
  }),
  ScenarioAnswer: answer({
    collection_slug: text,
    scenario_slug: text,
    ...scenarioEntry,
    briefing: text,
    initial_observation: reference('Observation'),
    tools: list(reference('EpisodeTool')),
    ...requestId,
  }),
  CreateEpisode: request(createFields),
  EpisodeAnswer: answer({ ...created, ...requestId }),
  ForkEpisode: request({ turn: count, 'group?': label, 'player?': player }),
  ForkAnswer: answer({
    ...created,
    forked_from: forkOrigin,
    turns: list(reference('EpisodeTurn')),
    ...requestId,
  }),
  SubmitTurn: request({ 'id?': text, ...submitFields }),
  TurnAnswer: answer({ ...turnFields, ...requestId }),
  PlayerCard: request(playerFields),
  TurnListAnswer: answer({
    turns: list(reference('EpisodeTurn')),
    turn_count: count,
    next_from: nullable(count),
    ...requestId,
  }),
  StatGroup: answer({
    by: { type: 'object', additionalProperties: { type: ['string', 'integer', 'null'] } },
    ...statFields,
  }),
  RunSummary: answer({
    study: nullable(text),
    player: nullable(text),
    'card?': reference('PlayerCard'),
    ...statFields,
    tasks: count,
    pass_hat_k: map(share),
    distributions: map(list(count)),
    'against?': answer({
      difference: number,
      'interval?': list(number),
      verdict: oneOf('better', 'worse', 'undecided'),
      tasks: count,
    }),
  }),
  ComparisonAnswer: answer({
    runs: list(reference('RunSummary')),
    tasks: list(
      answer({
        collection: text,
        scenario: text,
        variant: count,
        cells: list(
          nullable(answer({ episodes: count, complete: count, 'reward?': share, 'success?': share })),
        ),
      }),
    ),
    ...requestId,
  }),
  FailuresAnswer: answer({
    episodes: count,
    cut: flag,
    failures: list(
      answer({
        collection: text,
        scenario: text,
        kind: text,
        id: text,
        reason: text,
        episodes: count,
        lost: number,
        examples: list(answer({ episode_id: text, reward: share, 'turn?': count })),
      }),
    ),
    ...requestId,
  }),
  StatsAnswer: answer({ groups: list(reference('StatGroup')), ...requestId }),
  EpisodeListAnswer: answer({
    episodes: list(reference('EpisodeSummary')),
    next_cursor: nullable(text),
    ...requestId,
  }),
  EpisodeDetailAnswer: answer({
    ...summaryFields,
    scenario_name: text,
    briefing: text,
    score_turns: flag,
    max_turns: count,
    'forked_from?': forkOrigin,
    tools: list(reference('EpisodeTool')),
    initial_observation: reference('Observation'),
    turns: list(reference('EpisodeTurn')),
    'grade?': gradeView,
    'explain?': reference('EpisodeExplanation'),
    'log?': answer({
      file: text,
      format: text,
      id: text,
      'ended?': text,
      'error?': text,
      metadata: { type: 'object' },
    }),
    ...requestId,
  }),
  EndEpisodeAnswer: answer({
    episode_id: text,
    status: oneOf('complete'),
    terminal_reason: reference('TerminalReason'),
    grade: gradeView,
    ...requestId,
  }),
  Evaluate: request(evaluateFields),
  EvaluateAnswer: answer({
    ...evaluated,
    scoring_version: text,
    metadata: answer({ scenario_name: text, evaluation_time_ms: number }),
    ...requestId,
  }),
  Compare: request({
    collection_slug: label,
    scenario_slug: label,
    'variant?': count,
    'seed?': count,
    response_a: side,
    response_b: side,
    'reward_config?': reference('RewardConfig'),
  }),
  CompareAnswer: answer({
    winner: oneOf('a', 'b', 'tie'),
    reward_a: share,
    reward_b: share,
    margin: share,
    scoring_version: text,
    ...requestId,
  }),
  CreateRollout: request({
    task: request({
      collection: label,
      'scenario?': label,
      'variant?': count,
      'seed?': count,
      'split?': label,
      'index?': count,
      'group?': label,
    }),
    player: label,
    base_url: { type: 'string', format: 'uri', maxLength: 2000 },
    'model?': label,
    'api_key?': { type: 'string', minLength: 1, maxLength: 1000 },
    'timeout_s?': { type: 'integer', minimum: 1, maximum: limits.rolloutSeconds },
  }),
  Rollout: answer({
    ...numbers,
    reward: nullable(share),
    episode_id: text,
    terminal_reason: reference('TerminalReason'),
    'failure?': oneOf('agent_error', 'timeout', 'environment_error', 'judge_failed', 'person_fault'),
    'error?': text,
    trajectory: { type: 'object' },
    ...requestId,
  }),
  BatchEvaluate: items({ id: label, ...evaluateFields }),
  BatchEvaluateAnswer: answer({
    results: results(evaluated),
    scoring_version: text,
    total_time_ms: number,
    ...requestId,
  }),
  BatchEpisodes: items({ id: label, ...createFields, 'idempotency_key?': label }),
  BatchEpisodesAnswer: answer({ results: results(created), ...requestId }),
  BatchTurns: items({ id: label, episode_id: text, ...submitFields, 'idempotency_key?': label }),
  BatchTurnsAnswer: answer({ results: results(turnFields), ...requestId }),
};
