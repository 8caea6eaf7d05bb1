import { Hono } from 'hono';

import { isWhetstoneError, WhetstoneError } from '../../../base/host/errors.ts';
import { randomId } from '../../../base/host/random.ts';
import { version } from '../../../base/host/version.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import type { Caller } from '../../../grade/episode/request.ts';
import type { Collection } from '../../../grade/scenario/load/collection.ts';
import type { EpisodeRecord } from '../../../grade/store/record.ts';
import type { ServerContext, ServerEnv } from '../context.ts';
import type { ServerEvent } from '../event-stream.ts';
import type { Gate } from '../middleware/gate.ts';
import { splitType } from '../rest/write-answer.ts';
import { causeOf } from '../middleware/access-log.ts';
import { methodRefused, refusalOf } from '../refusal.ts';
import { actionBook, finishOffer, sayOffer, type FunctionOffer } from '../session/offer.ts';
import { openSession, sessionEpisode } from '../session/session.ts';
import { callTool, repeatCall } from './call.ts';
import { environmentPaths, exchangeOf } from './exchange.ts';
import { piecesOf } from './pieces.ts';
import {
  defaultOf,
  EnvelopeError,
  environmentOf,
  hasControls,
  missing,
  numberOf,
  orsFields,
  readOrsBody,
  readTask,
  sessionOf,
  splitOf,
  type OrsContext,
} from './read-request.ts';
import { Results } from './results.ts';

const idleMs = 15 * 60_000;

/** The Open Reward Standard. A collection is an environment, a session an episode, and every act a call of a tool. */
export function orsApp(context: ServerContext, gate: Gate): Hono<ServerEnv> {
  const { engine } = context;
  const { answer, streamed } = exchangeOf(context, gate);
  const results = new Results(context.clock);
  const bodyOf = (c: OrsContext, known: keyof typeof orsFields): Promise<JsonObject> =>
    readOrsBody(c, context.bodies, orsFields[known]);
  const app = new Hono<ServerEnv>();

  app.get('/health', (c) => c.json({ status: 'ok' }));
  // What the package `openreward` asks for as a session's version.
  app.get('/version', (c) => c.json({ version, build_sha: null }));
  app.get('/list_environments', (c) =>
    answer(c, async (caller) => engine.tasks.collections(caller).map(({ slug }) => slug.toLowerCase())),
  );
  app.post('/create_session', (c) =>
    streamed(c, async () => {
      // A client that lost the first answer asks again with the id it was given.
      const { task_id: again } = await bodyOf(c, 'createSession');
      const session = typeof again === 'string' && /^ses_\w{20}$/.test(again) ? again : randomId('ses');
      return [
        { event: 'task_id', data: session },
        { event: 'end', data: '' },
      ];
    }),
  );
  app.post('/create', (c) =>
    answer(c, async (caller) => {
      const session = sessionOf(c);
      const body = await bodyOf(c, 'create');
      const { group, ...task } = readTask(c, engine.tasks.collections(caller), body);
      try {
        await openSession(context, caller, sessionEpisode('ors', caller, session), {
          task,
          idleMs,
          ...(group !== undefined && { group }),
        });
      } catch (error) {
        if (isWhetstoneError(error) && error.code === 'idempotency_conflict')
          throw new WhetstoneError('request_invalid', 'This session was created with another payload.');
        throw error;
      }
      return { sid: session };
    }),
  );
  app.post('/ping', (c) =>
    answer(c, async (caller) => {
      await sessionRecord(c, caller);
      return { status: 'ok' };
    }),
  );
  for (const path of ['/delete', '/delete_session'])
    app.post(path, (c) =>
      answer(c, async (caller) => {
        const session = sessionOf(c);
        try {
          await engine.end(caller, sessionEpisode('ors', caller, session), 'client_terminated');
        } catch (error) {
          if (!isWhetstoneError(error) || error.code !== 'episode_unknown') throw error;
        }
        return { sid: session };
      }),
    );

  const env = (c: OrsContext, caller: Caller): Collection => {
    const name = c.req.param('env') ?? '';
    const found = environmentOf(engine.tasks.collections(caller), name);
    if (found === undefined)
      throw new WhetstoneError('scenario_unknown', `There is no environment "${name}".`, {
        details: { name },
      });
    return found;
  };
  app.get('/:env/tools', (c) => answer(c, async (caller) => ({ tools: sharedOffers(env(c, caller)) })));
  app.get('/:env/splits', (c) =>
    answer(c, async (caller) =>
      Object.keys(env(c, caller).splits).map((name) => ({ name, type: splitType(name) })),
    ),
  );
  app.post('/:env/tasks', (c) =>
    answer(c, async (caller) => {
      const { slug } = env(c, caller);
      const split = splitOf(await bodyOf(c, 'split'));
      return { tasks: taskRange(slug, split, 0, count(slug, split)), env_name: slug.toLowerCase() };
    }),
  );
  app.post('/:env/num_tasks', (c) =>
    answer(c, async (caller) => ({
      num_tasks: count(env(c, caller).slug, splitOf(await bodyOf(c, 'split'))),
    })),
  );
  app.post('/:env/task', (c) =>
    answer(c, async (caller) => {
      const { slug } = env(c, caller);
      const body = await bodyOf(c, 'place');
      const index = numberOf(body, 'index') ?? missing('index');
      return { task: taskAt(slug, splitOf(body), index), env_name: slug.toLowerCase() };
    }),
  );
  app.post('/:env/task_range', (c) =>
    answer(c, async (caller) => {
      const { slug } = env(c, caller);
      const body = await bodyOf(c, 'range');
      const split = splitOf(body);
      const size = count(slug, split);
      // As Python's ranges are: from the end where negative, and no further than there is.
      const place = (value: number): number => Math.min(size, Math.max(0, value < 0 ? size + value : value));
      const start = place(numberOf(body, 'start') ?? 0);
      const tasks = taskRange(slug, split, start, place(numberOf(body, 'stop') ?? size));
      return { tasks, env_name: slug.toLowerCase() };
    }),
  );
  app.get('/:env/prompt', (c) =>
    answer(c, async (caller) => {
      const record = await sessionRecord(c, caller);
      const { content } = JSON.parse(record.opening) as { readonly content: string };
      return [{ type: 'text', text: content, detail: null }];
    }),
  );
  app.get('/:env/task_tools', (c) =>
    answer(c, async (caller) => {
      const record = await sessionRecord(c, caller);
      return { tools: actionBook(engine.tasks.taskOf(record)).offers };
    }),
  );
  app.post('/:env/call', (c) =>
    streamed(c, async (caller, requestId) => {
      const record = await sessionRecord(c, caller);
      const body = await bodyOf(c, 'call');
      const { name, input = {}, task_id: again } = body;
      if (typeof name !== 'string') throw new EnvelopeError('name must be a string.');
      if (again !== undefined && again !== null && (typeof again !== 'string' || hasControls(again)))
        throw new EnvelopeError('task_id must be a string that this server gave.');
      const id = again ?? randomId('task');
      const broken = (error: unknown): void =>
        context.log('error', 'call_broken', {
          protocol: 'ors',
          request_id: requestId,
          error: String(error),
          cause: causeOf(error),
        });
      // Under its episode: another session's call is as unknown here as one that never was.
      const place = `${record.id} ${id}`;
      return callEvents(id, broken, async () => {
        if (typeof again === 'string')
          return results.get(place) ?? repeatCall(context, record, { name, taskId: again });
        return results.run(place, () =>
          callTool(context, caller, record.id, { name, input: input ?? {}, taskId: id }),
        );
      });
    }),
  );
  for (const [name, method] of Object.entries(environmentPaths)) {
    // As the protocol's own server does: a path without an environment belongs to the one that is meant without a name.
    app.all(`/${name}`, (c) =>
      answer(c, async (caller) => {
        const { slug } = defaultOf(c, engine.tasks.collections(caller));
        return c.redirect(`${c.req.path.slice(0, -name.length)}${slug.toLowerCase()}/${name}`, 308);
      }),
    );
    app.all(`/:env/${name}`, (c) =>
      answer(c, async () => {
        throw methodRefused(c.req.method, [method]);
      }),
    );
  }
  return app;

  function count(collection: string, split: string): number {
    return engine.tasks.count(collection, split);
  }

  function taskAt(collection: string, split: string, index: number): JsonObject {
    const size = count(collection, split);
    const place = index < 0 ? size + index : index;
    const { scenario, variant } = engine.tasks.choose(
      { id: '', explain: false },
      { collection, split, index: place < 0 ? size : place },
    );
    return {
      id: `${scenario.slug}:${variant}`,
      collection,
      scenario: scenario.slug,
      variant,
      split,
      index: place,
    };
  }

  function taskRange(collection: string, split: string, start: number, stop: number): readonly JsonObject[] {
    return Array.from({ length: Math.max(0, stop - start) }, (_, index) =>
      taskAt(collection, split, start + index),
    );
  }

  async function sessionRecord(c: OrsContext, caller: Caller): Promise<EpisodeRecord> {
    const session = sessionOf(c);
    try {
      // By the session and not by the path: a session made from split and index goes by the first environment's name.
      return await engine.touch(caller, sessionEpisode('ors', caller, session));
    } catch (error) {
      if (!isWhetstoneError(error) || error.code !== 'episode_unknown') throw error;
      // The client knows it by the id that it sent.
      throw new WhetstoneError(
        'episode_unknown',
        `There is no session ${JSON.stringify(session.slice(0, 100))}: make it with /create.`,
        { details: { session } },
      );
    }
  }

  function sharedOffers({ slug, scenarios }: Collection): readonly FunctionOffer[] {
    const books = scenarios.map(
      (scenario) => actionBook(engine.tasks.task({ scenario, variant: 0, seed: 0 })).offers,
    );
    const texts = books.map((offers) => offers.map((offer) => JSON.stringify(offer)));
    const shared = books[0]?.filter((_, index) =>
      texts.every((list) => list.includes(texts[0]?.[index] ?? '')),
    );
    if (shared !== undefined) return shared;
    context.log('warn', 'empty_collection', { collection: slug });
    return [sayOffer, finishOffer];
  }
}

/** The task id goes out before the call runs: a client that loses us after that asks for it, and does not call again. */
async function* callEvents(
  id: string,
  onBroken: (error: unknown) => void,
  work: () => Promise<string>,
): AsyncGenerator<ServerEvent> {
  yield { event: 'task_id', data: id };
  let text: string;
  try {
    text = await work();
  } catch (error) {
    const { status, message } = refusalOf(error);
    if (status >= 500) onBroken(error);
    yield { event: 'error', data: message.replaceAll(/\s+/g, ' ') };
    return;
  }
  const pieces = piecesOf(text);
  for (const [index, data] of pieces.entries())
    yield { event: index === pieces.length - 1 ? 'end' : 'chunk', data };
}
