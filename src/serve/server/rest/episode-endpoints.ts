import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

import type { Caller, CreateRequest, TurnRequest } from '../../../grade/episode/request.ts';
import { placeOf, rankNames } from '../../../grade/store/rank.ts';
import { limits } from '../../api/limit.ts';
import type { ServerContext } from '../../http/context.ts';
import { sendEvents, type ServerEvent, streamHeaders } from '../../http/event-stream.ts';
import { countAt, optionAt } from '../../http/fields.ts';
import { batchBody, ordinaryBody } from '../../http/middleware/json-body.ts';
import { readBatch, runBatch, takeItems } from './batch.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { answerJson, type Endpoint, idempotencyKey, pathName, type RestContext } from './endpoint.ts';
import { allEvents, turnEvents } from './events.ts';
import { beReadyFor, readFilter } from './read-filter.ts';
import { readingEndpoints } from './reading-endpoints.ts';
import { readCreate, readCreateItem, readFork, readTurn, readTurnItem } from './read-request.ts';
import { storedEpisodes } from './stored-episodes.ts';
import { writeCreated, writeEnded, writeForked, writeSummary, writeTurn } from './write-answer.ts';

/** Episodes: opened, played, read, followed and ended, one by one or many at once. */
export function episodeEndpoints(context: ServerContext): readonly Endpoint[] {
  const { engine } = context;
  return [
    {
      method: 'POST',
      path: '/episodes',
      operation: 'createEpisode',
      body: ordinaryBody,
      answer: async (c) => {
        const request = readCreate(c.var.body, idempotencyKey(c));
        return answerJson(c, await create(context, c.var.identity.caller, request));
      },
    },
    { method: 'GET', path: '/episodes', operation: 'listEpisodes', answer: (c) => list(context, c) },
    ...readingEndpoints(storedEpisodes(engine)),
    {
      method: 'DELETE',
      path: '/episodes/:id',
      operation: 'endEpisode',
      answer: async (c) => {
        const record = await engine.end(c.var.identity.caller, pathName(c, 'id'), 'client_terminated');
        return answerJson(c, writeEnded(record));
      },
    },
    {
      method: 'GET',
      path: '/episodes/:id/events',
      operation: 'followEpisode',
      answer: (c) => follow(context, c),
    },
    { method: 'GET', path: '/events', operation: 'followAll', answer: async (c) => followAll(context, c) },
    {
      method: 'POST',
      path: '/episodes/:id/fork',
      operation: 'forkEpisode',
      body: ordinaryBody,
      answer: async (c) => {
        const { caller } = c.var.identity;
        const episode = pathName(c, 'id');
        const request = readFork(episode, c.var.body, idempotencyKey(c));
        const { record, repeated } = await engine.fork(caller, episode, request);
        context.metrics.count(...countedEpisode(repeated));
        const rows = await engine.store.readTurns(record.id);
        const answer = writeForked(record, engine.tasks.taskOf(record), {
          rows: rows.slice(0, request.turn),
          caller,
        });
        return answerJson(c, answer);
      },
    },
    {
      method: 'POST',
      path: '/episodes/:id/turns',
      operation: 'submitTurn',
      body: ordinaryBody,
      answer: async (c) => {
        const episode = pathName(c, 'id');
        const request = readTurn(episode, c.var.body, idempotencyKey(c));
        return answerJson(c, await takeTurn(context, c.var.identity.caller, episode, request));
      },
    },
    {
      method: 'POST',
      path: '/batch/episodes',
      operation: 'batchEpisodes',
      body: batchBody,
      answer: async (c) => {
        const items = readBatch(c.var.body, readCreateItem);
        takeItems(context, c, items);
        const { caller } = c.var.identity;
        return answerJson(c, { results: await runBatch(items, (read) => create(context, caller, read)) });
      },
    },
    {
      method: 'POST',
      path: '/batch/turns',
      operation: 'batchTurns',
      body: batchBody,
      answer: async (c) => {
        const items = readBatch(c.var.body, readTurnItem);
        takeItems(context, c, items);
        const { caller } = c.var.identity;
        const results = await runBatch(
          items,
          ({ episode, turn }) => takeTurn(context, caller, episode, turn),
          ({ episode }) => episode,
        );
        return answerJson(c, { results });
      },
    },
  ];
}

async function create({ engine, metrics }: ServerContext, caller: Caller, request: CreateRequest) {
  const { record, repeated } = await engine.create(caller, request);
  metrics.count(...countedEpisode(repeated));
  return writeCreated(record, engine.tasks.taskOf(record));
}

function countedEpisode(repeated: boolean) {
  return ['whet_episodes_created_total', 'Episodes opened, without repeats.', {}, repeated ? 0 : 1] as const;
}

async function takeTurn(
  { engine, metrics }: ServerContext,
  caller: Caller,
  episode: string,
  request: TurnRequest,
) {
  const { outcome, repeated } = await engine.submitTurn(caller, episode, request);
  metrics.count('whet_turns_total', 'Turns answered.', { kind: repeated ? 'repeated' : 'played' });
  return writeTurn(outcome, caller);
}

async function list({ engine }: ServerContext, c: RestContext): Promise<Response> {
  const limit = countAt(c.req.query('limit'), 'limit', { min: 1, max: limits.pageItems }) ?? 50;
  const after = readCursor(c.req.query('cursor'));
  const by = optionAt(c.req.query('sort'), 'sort', rankNames) ?? 'begun';
  const order = optionAt(c.req.query('order'), 'order', ['ascending', 'descending']) ?? 'descending';
  const filter = readFilter(c);
  await beReadyFor(engine.store, filter);
  const rank = { by, ascending: order === 'ascending', after };
  const records = await engine.list({ ...filter, limit: limit + 1, rank });
  const page = records.slice(0, limit);
  const last = records.length > limit ? page.at(-1) : undefined;
  return answerJson(c, {
    episodes: page.map(writeSummary),
    next_cursor: last ? writeCursor(placeOf(last, by)) : null,
  });
}

async function follow(context: ServerContext, c: RestContext): Promise<Response> {
  const { identity } = c.var;
  const after = lastEvent(c) ?? 0;
  const { id } = await context.engine.readRecord(identity.caller, pathName(c, 'id'));
  return stream(context, c, (signal) => turnEvents(context, { identity, episode: id, after, signal }));
}

function followAll(context: ServerContext, c: RestContext): Response {
  const since = lastEvent(c) ?? context.clock.now();
  return stream(context, c, (signal) => allEvents(context, { identity: c.var.identity, since, signal }));
}

function lastEvent(c: RestContext): number | undefined {
  const last = c.env.incoming.headers['last-event-id'] ?? c.req.query('after');
  return countAt(Array.isArray(last) ? last[0] : last, 'Last-Event-ID');
}

function stream(
  context: ServerContext,
  c: RestContext,
  events: (signal: AbortSignal) => AsyncIterable<ServerEvent>,
): Response {
  // A HEAD request hears no event: the HTTP adapter ends that answer by itself.
  if (c.req.raw.method === 'HEAD') return c.body(null, 200, streamHeaders);
  const abandon = new AbortController();
  const { signal } = abandon;
  signal.addEventListener('abort', context.streams.take(c.var.identity.key?.id));
  void sendEvents(c.env.outgoing, events(signal), { clock: context.clock, pingMs: 15_000, abandon });
  return RESPONSE_ALREADY_SENT;
}
