import { WhetstoneError } from '../../../base/host/errors.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import { evaluate } from '../../../grade/episode/evaluate.ts';
import { winnerOf } from '../../../grade/score/compare-grades.ts';
import type { Caller, CreateRequest, EvaluateRequest, TurnRequest } from '../../../grade/episode/request.ts';
import { scoringVersion } from '../../../grade/score/grade-transcript.ts';
import { limits } from '../../api/limit.ts';
import type { ServerContext } from '../context.ts';
import { integerAt, nameAt, objectAt, optionAt, requiredNameAt } from '../fields.ts';
import { batchBody, ordinaryBody } from '../read-body.ts';
import { invalid } from '../refusal.ts';
import { readBatch, runBatch } from './batch.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { json, type Endpoint } from './endpoint.ts';
import { turnEvents } from './events.ts';
import { readCompare, readCreate, readEvaluate, readTurn } from './read-request.ts';
import {
  writeCatalog,
  writeCreated,
  writeDetail,
  writeEnded,
  writeEvaluation,
  writeKey,
  writeScenarioAnswer,
  writeSummary,
  writeTurn,
} from './write-answer.ts';

/** The Labs API, endpoint by endpoint. */
export function labsEndpoints(context: ServerContext): readonly Endpoint[] {
  const { engine, metrics } = context;

  async function create(caller: Caller, request: CreateRequest) {
    const { record, repeated } = await engine.create(caller, request);
    metrics.count('whet_episodes_created_total', 'Episodes opened, without repeats.', {}, repeated ? 0 : 1);
    return writeCreated(record, engine.tasks.taskOf(record));
  }

  async function turn(caller: Caller, episode: string, request: TurnRequest) {
    const { outcome, repeated } = await engine.submitTurn(caller, episode, request);
    metrics.count('whet_turns_total', 'Turns answered.', { kind: repeated ? 'repeated' : 'played' });
    return writeTurn(outcome, caller);
  }

  async function grade(caller: Caller, request: EvaluateRequest) {
    const evaluated = await evaluate(engine, caller, request);
    metrics.count('whet_evaluations_total', 'Conversations graded as a whole.');
    return { evaluated, view: writeEvaluation(evaluated.grade, caller, evaluated.normalized) };
  }

  return [
    {
      method: 'GET',
      path: '/key',
      operation: 'getKey',
      prepare:
        ({ identity: { caller, key, rateLimit } }) =>
        async () =>
          json(
            writeKey(
              key,
              caller,
              rateLimit === undefined ? undefined : context.limiter.look(caller.id, rateLimit),
            ),
          ),
    },
    {
      method: 'GET',
      path: '/catalog',
      operation: 'getCatalog',
      prepare:
        ({ identity: { caller } }) =>
        async () =>
          json(writeCatalog(engine, caller)),
    },
    {
      method: 'GET',
      path: '/catalog/:collection/:scenario',
      operation: 'getScenario',
      prepare: ({ identity: { caller }, parameter, query }) => {
        const variant = readCount(query('variant'), 'variant');
        return async () => {
          const choice = engine.tasks.choose(caller, {
            collection: parameter('collection'),
            scenario: parameter('scenario'),
            ...(variant !== undefined && { variant }),
          });
          return json(writeScenarioAnswer(engine, choice.scenario, engine.tasks.task(choice)));
        };
      },
    },
    {
      method: 'POST',
      path: '/episodes',
      operation: 'createEpisode',
      body: ordinaryBody,
      prepare: ({ identity: { caller }, body, idempotencyKey }) => {
        const request = readCreate(body, '', idempotencyKey);
        return async () => json(await create(caller, request));
      },
    },
    {
      method: 'GET',
      path: '/episodes',
      operation: 'listEpisodes',
      prepare: ({ identity: { caller }, query }) => {
        const limit = readCount(query('limit'), 'limit', { min: 1, max: limits.pageItems }) ?? 50;
        const before = readCursor(query('cursor'));
        const status = optionAt(query('status'), 'status', ['open', 'complete']);
        const collection = nameAt(query('collection'), 'collection');
        const scenario = nameAt(query('scenario'), 'scenario');
        const group = nameAt(query('group'), 'group');
        return async () => {
          const records = await engine.list({
            owner: caller.id,
            limit: limit + 1,
            ...(before && { before }),
            ...(status && { status }),
            ...(collection !== undefined && { collection }),
            ...(scenario !== undefined && { scenario }),
            ...(group !== undefined && { group }),
          });
          const page = records.slice(0, limit);
          const last = records.length > limit ? page.at(-1) : undefined;
          return json({ episodes: page.map(writeSummary), next_cursor: last ? writeCursor(last) : null });
        };
      },
    },
    {
      method: 'GET',
      path: '/episodes/:id',
      operation: 'getEpisode',
      prepare:
        ({ identity: { caller }, parameter }) =>
        async () => {
          const live = await engine.read(caller, parameter('id'));
          const rows = await engine.store.readTurns(live.record.id);
          return json(writeDetail(live, rows.slice(0, live.record.turnCount), caller));
        },
    },
    {
      method: 'DELETE',
      path: '/episodes/:id',
      operation: 'endEpisode',
      prepare:
        ({ identity: { caller }, parameter }) =>
        async () =>
          json(writeEnded(await engine.end(caller, parameter('id'), 'client_terminated'))),
    },
    {
      method: 'GET',
      path: '/episodes/:id/events',
      operation: 'followEpisode',
      prepare: ({ identity, parameter, query, incoming }) => {
        const last = incoming.headers['last-event-id'] ?? query('after');
        const after = readCount(Array.isArray(last) ? last[0] : last, 'Last-Event-ID') ?? 0;
        return async () => {
          const record = await engine.readRecord(identity.caller, parameter('id'));
          const abandon = new AbortController();
          const { signal } = abandon;
          signal.addEventListener('abort', context.streams.take());
          return { events: turnEvents(context, { identity, episode: record.id, after, signal }), abandon };
        };
      },
    },
    {
      method: 'POST',
      path: '/episodes/:id/turns',
      operation: 'submitTurn',
      body: ordinaryBody,
      prepare: ({ identity: { caller }, parameter, body, idempotencyKey }) => {
        const episode = parameter('id');
        const named = isJsonObject(body) ? nameAt(body['id'], 'id') : undefined;
        if (named !== undefined && named !== episode)
          throw invalid('id', 'names another episode than the path.');
        const request = readTurn(body, '', idempotencyKey);
        return async () => json(await turn(caller, episode, request));
      },
    },
    {
      method: 'POST',
      path: '/evaluate',
      operation: 'evaluate',
      body: ordinaryBody,
      prepare: ({ identity: { caller }, body }) => {
        const request = readEvaluate(body);
        return async () => {
          const started = context.clock.monotonic();
          const { evaluated, view } = await grade(caller, request);
          return json({
            ...view,
            scoring_version: evaluated.grade.scoringVersion,
            metadata: {
              scenario_name: evaluated.task.name,
              evaluation_time_ms: context.clock.monotonic() - started,
            },
          });
        };
      },
    },
    {
      method: 'POST',
      path: '/compare',
      operation: 'compare',
      body: ordinaryBody,
      prepare: ({ identity: { caller }, body }) => {
        const { a, b } = readCompare(body);
        return async () => {
          const [one, other] = [await evaluate(engine, caller, a), await evaluate(engine, caller, b)];
          const [reward_a, reward_b] = [one.grade.reward, other.grade.reward];
          return json({
            winner: winnerOf(reward_a, reward_b),
            reward_a,
            reward_b,
            margin: Math.abs(reward_a - reward_b),
            scoring_version: one.grade.scoringVersion,
          });
        };
      },
    },
    {
      method: 'POST',
      path: '/batch/evaluate',
      operation: 'batchEvaluate',
      body: batchBody,
      prepare: (request) => {
        const items = readBatch(request, (item, path) => readEvaluate(item, path));
        return async () => {
          const started = context.clock.monotonic();
          const results = await runBatch(
            items,
            async (read) => (await grade(request.identity.caller, read)).view,
          );
          return json({
            results,
            scoring_version: scoringVersion,
            total_time_ms: context.clock.monotonic() - started,
          });
        };
      },
    },
    {
      method: 'POST',
      path: '/batch/episodes',
      operation: 'batchEpisodes',
      body: batchBody,
      prepare: (request) => {
        const items = readBatch(request, (item, path) =>
          readCreate(item, path, nameAt(objectAt(item, path)['idempotency_key'], `${path}.idempotency_key`)),
        );
        return async () =>
          json({ results: await runBatch(items, (read) => create(request.identity.caller, read)) });
      },
    },
    {
      method: 'POST',
      path: '/batch/turns',
      operation: 'batchTurns',
      body: batchBody,
      prepare: (request) => {
        const items = readBatch(request, (item, path) => {
          const fields = objectAt(item, path);
          return {
            episode: requiredNameAt(fields['episode_id'], `${path}.episode_id`),
            turn: readTurn(item, path, nameAt(fields['idempotency_key'], `${path}.idempotency_key`)),
          };
        });
        return async () =>
          json({
            results: await runBatch(
              items,
              (read) => turn(request.identity.caller, read.episode, read.turn),
              (read) => read.episode,
            ),
          });
      },
    },
  ];
}

function readCount(
  text: string | undefined,
  path: string,
  range = { min: 0, max: Number.MAX_SAFE_INTEGER },
): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,16}$/.test(text))
    throw new WhetstoneError('request_invalid', `${path} must be a whole number.`, { details: { path } });
  return integerAt(Number(text), path, range);
}
