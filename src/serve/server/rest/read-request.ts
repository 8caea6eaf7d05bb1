import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { hashOf } from '../../../grade/episode/request-hash.ts';
import type {
  CreateRequest,
  EvaluateRequest,
  ForkRequest,
  TaskChoice,
  TurnRequest,
} from '../../../grade/episode/request.ts';
import type { TurnCall, TurnMessage } from '../../../grade/scenario/transcript.ts';
import type { RewardConfig } from '../../../grade/score/grade.ts';
import { dimensions } from '../../api/grade.ts';
import { limits } from '../../api/limit.ts';
import { schemas } from '../../api/schema.ts';
import {
  booleanAt,
  integerAt,
  kindOf,
  listAt,
  nameAt,
  objectAt,
  optionAt,
  requiredNameAt,
} from '../../http/fields.ts';
import { playerAt } from '../../http/player.ts';
import { invalid } from '../../http/refusal.ts';
import { fieldsOf, mustBeSpelt } from '../../http/spelling.ts';
import { usageAt } from './usage.ts';

const count = { min: 0, max: Number.MAX_SAFE_INTEGER };

const createFields = fieldsOf(schemas['CreateEpisode']);
const createItem = fieldsOf(schemas['BatchEpisodes'])?.get('items');
const forkFields = fieldsOf(schemas['ForkEpisode']);
const turnFields = fieldsOf(schemas['SubmitTurn']);
const turnItem = fieldsOf(schemas['BatchTurns'])?.get('items');
const evaluateFields = fieldsOf(schemas['Evaluate']);
const evaluateItem = fieldsOf(schemas['BatchEvaluate'])?.get('items');
const compareFields = fieldsOf(schemas['Compare']);

/** The body of `POST /episodes`. */
export function readCreate(body: unknown, path = '', idempotencyKey?: string): CreateRequest {
  const fields = objectAt(body, path);
  mustBeSpelt(fields, path === '' ? createFields : createItem, path);
  const at = pathIn(path);
  const choice = readChoice(fields, path);
  if (choice.scenario === undefined && (choice.split === undefined || choice.index === undefined))
    throw invalid(at('scenario_slug'), 'is missing. Name a scenario, or a split with an index.');
  const group = nameAt(fields['group'], at('group'));
  const study = nameAt(fields['study'], at('study'));
  const player = playerAt(fields['player'], at('player'));
  const config = fields['config'] ?? undefined;
  return {
    ...choice,
    scoreTurns: booleanAt(fields['score_turns'], at('score_turns')) ?? false,
    ...(group !== undefined && { group }),
    ...(study !== undefined && { study }),
    ...(player !== undefined && { player }),
    ...(config !== undefined && { config: readConfig(config, at('config')) }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    hash: hashOf(without(fields, ['id', 'idempotency_key'])),
  };
}

/** The body of `POST /episodes/{id}/fork`. */
export function readFork(episode: string, body: unknown, idempotencyKey?: string): ForkRequest {
  const fields = objectAt(body, '');
  mustBeSpelt(fields, forkFields);
  const turn = integerAt(fields['turn'], 'turn', { min: 0, max: 1_000_000 });
  if (turn === undefined) throw invalid('turn', 'is missing. Name the last turn to keep, 0 for none.');
  const group = nameAt(fields['group'], 'group');
  const player = playerAt(fields['player'], 'player');
  return {
    turn,
    ...(group !== undefined && { group }),
    ...(player !== undefined && { player }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    hash: hashOf({ episode, fields }),
  };
}

/** What an episode may be told besides; names that nobody knows are let be. */
function readConfig(value: unknown, path: string): JsonObject {
  const config = objectAt(value, path);
  integerAt(config['max_turns'], `${path}.max_turns`, { ...count, min: 1 });
  return config;
}

/** The body of `POST /episodes/{id}/turns`. */
export function readTurn(body: unknown, path = '', idempotencyKey?: string): TurnRequest {
  const fields = objectAt(body, path);
  mustBeSpelt(fields, path === '' ? turnFields : turnItem, path);
  const at = pathIn(path);
  const turn = integerAt(fields['turn'], at('turn'), { min: 1, max: 1_000_000 });
  const rewardConfig = readRewardConfig(fields['reward_config'], at('reward_config'));
  const usage = usageAt(fields['usage'], at('usage'));
  return {
    messages: readMessages(fields['messages'], at('messages')),
    ...(rewardConfig && { rewardConfig }),
    ...(usage && { usage }),
    ...(turn !== undefined && { turn }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    // A repeat may have taken another time.
    hash: hashOf(without(fields, ['id', 'episode_id', 'idempotency_key', 'usage'])),
  };
}

/** The body of `POST /evaluate`, and an item of `POST /batch/evaluate`. */
export function readEvaluate(body: unknown, path = ''): EvaluateRequest {
  const fields = objectAt(body, path);
  mustBeSpelt(fields, path === '' ? evaluateFields : evaluateItem, path);
  const at = pathIn(path);
  const rewardConfig = readRewardConfig(fields['reward_config'], at('reward_config'));
  const normalizationKey = nameAt(fields['normalization_key'], at('normalization_key'));
  const windows = readWindows(fields['normalization_windows'], at('normalization_windows'));
  if (windows !== undefined && normalizationKey === undefined)
    throw invalid(at('normalization_windows'), 'needs normalization_key.');
  return {
    ...readNamedTask(fields, path),
    messages: readMessages(fields['messages'], at('messages')),
    ...(rewardConfig && { rewardConfig }),
    ...(normalizationKey !== undefined && { normalizationKey }),
    ...(windows && { windows }),
  };
}

/** The body of `POST /compare`: the same task twice, with two conversations. */
export function readCompare(body: unknown): { readonly a: EvaluateRequest; readonly b: EvaluateRequest } {
  const fields = objectAt(body, '');
  mustBeSpelt(fields, compareFields);
  const task = readNamedTask(fields, '');
  const rewardConfig = readRewardConfig(fields['reward_config'], 'reward_config');
  const side = (name: string): EvaluateRequest => ({
    ...task,
    messages: readMessages(objectAt(fields[name], name)['messages'], `${name}.messages`),
    ...(rewardConfig && { rewardConfig }),
  });
  return { a: side('response_a'), b: side('response_b') };
}

function readNamedTask(fields: JsonObject, path: string): TaskChoice {
  const choice = readChoice(fields, path);
  if (choice.scenario === undefined) throw invalid(pathIn(path)('scenario_slug'), 'is missing.');
  return choice;
}

function readChoice(fields: JsonObject, path: string): TaskChoice {
  const at = pathIn(path);
  const scenario = nameAt(fields['scenario_slug'], at('scenario_slug'));
  const variant = integerAt(fields['variant'], at('variant'), count);
  const seed = integerAt(fields['seed'], at('seed'), count);
  const split = nameAt(fields['split'], at('split'));
  const index = integerAt(fields['index'], at('index'), count);
  return {
    collection: requiredNameAt(fields['collection_slug'], at('collection_slug')),
    ...(scenario !== undefined && { scenario }),
    ...(variant !== undefined && { variant }),
    ...(seed !== undefined && { seed }),
    ...(split !== undefined && { split }),
    ...(index !== undefined && { index }),
  };
}

function readMessages(value: unknown, path: string): readonly TurnMessage[] {
  if (value === undefined) throw invalid(path, 'is missing.');
  return listAt(value, path, { min: 1, max: limits.members }).map((message, index) =>
    readMessage(message, `${path}[${index}]`),
  );
}

function readMessage(value: JsonValue, path: string): TurnMessage {
  const fields = objectAt(value, path);
  const role = optionAt(fields['role'], `${path}.role`, ['assistant', 'user']) ?? 'assistant';
  const calls = fields['tool_calls'] ?? undefined;
  const toolCalls =
    calls === undefined
      ? undefined
      : listAt(calls, `${path}.tool_calls`).map((call, index) =>
          readCall(call, `${path}.tool_calls[${index}]`),
        );
  // Providers leave the text of a message away, or null, when it only calls.
  const content = fields['content'] ?? (toolCalls?.length ? '' : undefined);
  if (typeof content !== 'string')
    throw invalid(`${path}.content`, `must be a string, not ${kindOf(content)}.`);
  if (longerThan(content, limits.messageLength))
    throw invalid(`${path}.content`, `is longer than ${limits.messageLength} characters.`);
  return { role, content, ...(toolCalls && { toolCalls }) };
}

function readCall(value: JsonValue, path: string): TurnCall {
  const fields = objectAt(value, path);
  const type = optionAt(fields['type'], `${path}.type`, ['artifact', 'decision', 'function']);
  const { name } = fields;
  if (typeof name !== 'string') throw invalid(`${path}.name`, `must be a string, not ${kindOf(name)}.`);
  if (name.length > 1000) throw invalid(`${path}.name`, 'is longer than 1000 characters.');
  // Whatever the input is, it is graded and not refused.
  return { ...(type && { type }), name, input: fields['input'] ?? {} };
}

function readRewardConfig(value: unknown, path: string): RewardConfig | undefined {
  if (value === undefined || value === null) return undefined;
  const fields = objectAt(value, path);
  const weights = objectAt(fields['quality_weights'], `${path}.quality_weights`);
  for (const [name, weight] of Object.entries(weights)) {
    if (!dimensions.some((known) => known === name))
      throw invalid(
        `${path}.quality_weights`,
        `has no dimension of that name. Known: ${dimensions.join(', ')}.`,
      );
    if (typeof weight !== 'number' || !(weight >= 0 && weight <= 1e6))
      throw invalid(`${path}.quality_weights.${name}`, 'must be a number, 0 or more.');
  }
  const skipSafetyGate = booleanAt(fields['skip_safety_gate'], `${path}.skip_safety_gate`);
  return {
    // Each name and each value was looked at above.
    qualityWeights: weights as RewardConfig['qualityWeights'],
    ...(skipSafetyGate !== undefined && { skipSafetyGate }),
  };
}

function readWindows(value: unknown, path: string): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  return listAt(value, path, { min: 0, max: limits.windows }).map((window, index) => {
    if (typeof window !== 'string' || !/^\d+[dwmn]$/.test(window))
      throw invalid(`${path}[${index}]`, 'must be a number followed by d, w, m or n, such as 7d or 100n.');
    return window;
  });
}

/** Characters are Unicode code points; counting them is only needed near the limit. */
function longerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (text.length > 2 * limit) return true;
  return [...text].length > limit;
}

function without(fields: JsonObject, names: readonly string[]): JsonObject {
  if (!names.some((name) => Object.hasOwn(fields, name))) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

function pathIn(path: string): (name: string) => string {
  return (name) => (path === '' ? name : `${path}.${name}`);
}
