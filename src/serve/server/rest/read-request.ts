import type { JsonObject } from '../../../base/json/value.ts';
import { hashOf } from '../../../grade/episode/request-hash.ts';
import type {
  CreateRequest,
  EvaluateRequest,
  ForkRequest,
  TaskChoice,
  TurnRequest,
} from '../../../grade/episode/request.ts';
import type { TurnMessage } from '../../../grade/scenario/transcript.ts';
import type { RewardConfig } from '../../../grade/score/grade.ts';
import { omitUndefined } from '../../../wire/json-fields.ts';
import { CreateEpisode, ForkEpisode } from '../../api/episode.ts';
import { SubmitTurn } from '../../api/turn.ts';
import { Compare, EpisodeItem, Evaluate, EvaluateItem, TurnItem } from '../../api/evaluation.ts';
import type { RewardConfig as RewardConfigView } from '../../api/grade.ts';
import type { SentMessage } from '../../api/message.ts';
import { playerOf } from '../../http/player.ts';
import { bodyReader } from '../../http/read-body.ts';
import { invalid } from '../../http/refusal.ts';
import { readUsage } from './usage.ts';

const createEpisode = bodyReader(CreateEpisode);
const episodeItem = bodyReader(EpisodeItem);
const forkEpisode = bodyReader(ForkEpisode);
const submitTurn = bodyReader(SubmitTurn);
const turnItem = bodyReader(TurnItem);
const evaluate = bodyReader(Evaluate);
const evaluateItem = bodyReader(EvaluateItem);
const compare = bodyReader(Compare);

/** The body of `POST /episodes`. */
export function readCreate(body: unknown, idempotencyKey?: string): CreateRequest {
  return createRequest(createEpisode(body), '', idempotencyKey);
}

/** An item of `POST /batch/episodes`. */
export function readCreateItem(item: unknown, path: string): CreateRequest {
  const asked = episodeItem(item, path);
  return createRequest(asked, path, asked.idempotency_key);
}

function createRequest(asked: CreateEpisode, path: string, idempotencyKey?: string): CreateRequest {
  const choice = readChoice(asked);
  if (choice.scenario === undefined && (choice.split === undefined || choice.index === undefined))
    throw invalid(inside(path, 'scenario_slug'), 'is missing. Name a scenario, or a split with an index.');
  const { score_turns: scoreTurns = false, group, study, player, config } = asked;
  return {
    ...choice,
    scoreTurns,
    ...omitUndefined({ group, study, config, idempotencyKey }),
    ...(player !== undefined && { player: playerOf(player, inside(path, 'player')) }),
    hash: hashOf(without(asked, ['id', 'idempotency_key'])),
  };
}

/** The body of `POST /episodes/{id}/fork`. */
export function readFork(episode: string, body: unknown, idempotencyKey?: string): ForkRequest {
  const fields = forkEpisode(body);
  const { turn, group, player } = fields;
  return {
    turn,
    ...omitUndefined({ group, idempotencyKey }),
    ...(player !== undefined && { player: playerOf(player, 'player') }),
    hash: hashOf({ episode, fields }),
  };
}

/** The body of `POST /episodes/{id}/turns`, whose id it may name again. */
export function readTurn(episode: string, body: unknown, idempotencyKey?: string): TurnRequest {
  const asked = submitTurn(body);
  if (asked.id !== undefined && asked.id !== episode)
    throw invalid('id', 'names a different episode from the path.');
  return turnRequest(asked, '', idempotencyKey);
}

/** An item of `POST /batch/turns`. */
export function readTurnItem(
  item: unknown,
  path: string,
): { readonly episode: string; readonly turn: TurnRequest } {
  const asked = turnItem(item, path);
  return { episode: asked.episode_id, turn: turnRequest(asked, path, asked.idempotency_key) };
}

function turnRequest(asked: SubmitTurn, path: string, idempotencyKey?: string): TurnRequest {
  const { messages, turn, usage, reward_config: config } = asked;
  return {
    messages: readMessages(messages, inside(path, 'messages')),
    ...omitUndefined({ turn, idempotencyKey }),
    ...(config && { rewardConfig: readRewardConfig(config) }),
    ...(usage && { usage: readUsage(usage) }),
    // A repeat may have taken another time.
    hash: hashOf(without(asked, ['id', 'episode_id', 'idempotency_key', 'usage'])),
  };
}

/** The body of `POST /evaluate`. */
export function readEvaluate(body: unknown): EvaluateRequest {
  return evaluateRequest(evaluate(body), '');
}

/** An item of `POST /batch/evaluate`. */
export function readEvaluateItem(item: unknown, path: string): EvaluateRequest {
  return evaluateRequest(evaluateItem(item, path), path);
}

function evaluateRequest(asked: Evaluate, path: string): EvaluateRequest {
  const { messages, normalization_key: normalizationKey, normalization_windows: windows } = asked;
  if (windows !== undefined && normalizationKey === undefined)
    throw invalid(inside(path, 'normalization_windows'), 'needs normalization_key.');
  return {
    ...readChoice(asked),
    messages: readMessages(messages, inside(path, 'messages')),
    ...(asked.reward_config && { rewardConfig: readRewardConfig(asked.reward_config) }),
    ...omitUndefined({ normalizationKey, windows }),
  };
}

/** The body of `POST /compare`: the same task twice, with two conversations. */
export function readCompare(body: unknown): { readonly a: EvaluateRequest; readonly b: EvaluateRequest } {
  const asked = compare(body);
  const side = (name: 'response_a' | 'response_b'): EvaluateRequest => ({
    ...readChoice(asked),
    messages: readMessages(asked[name].messages, `${name}.messages`),
    ...(asked.reward_config && { rewardConfig: readRewardConfig(asked.reward_config) }),
  });
  return { a: side('response_a'), b: side('response_b') };
}

function readChoice({
  collection_slug: collection,
  scenario_slug: scenario,
  variant,
  seed,
  split,
  index,
}: CreateEpisode): TaskChoice {
  return { collection, ...omitUndefined({ scenario, variant, seed, split, index }) };
}

function readMessages(messages: readonly SentMessage[], path: string): readonly TurnMessage[] {
  if (messages.every(({ role }) => role === 'user'))
    throw invalid(path, 'has no message of the model: leave role out, or write "assistant".');
  return messages.map(({ role = 'assistant', content, tool_calls: calls }, index) => {
    if (role === 'user' && calls?.length)
      throw invalid(
        `${path}[${index}].role`,
        'is "user", the person, who cannot make calls: leave it out, or write "assistant".',
      );
    // Providers leave the text of a message away, or null, when it only calls.
    if (content === undefined && !calls?.length)
      throw invalid(`${path}[${index}].content`, 'is missing. Without calls it must be a string.');
    return {
      role,
      content: content ?? '',
      ...(calls && {
        toolCalls: calls.map(({ type, name, input }) => ({
          ...(type && { type }),
          name,
          input: input ?? {},
        })),
      }),
    };
  });
}

function readRewardConfig({
  quality_weights: qualityWeights,
  skip_safety_gate: skipSafetyGate,
}: RewardConfigView): RewardConfig {
  return { qualityWeights, ...omitUndefined({ skipSafetyGate }) };
}

function without(fields: object, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

function inside(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
