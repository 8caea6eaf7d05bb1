import { WhetstoneError } from '../../../base/host/errors.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import type { EpisodeEngine } from '../../../grade/episode/engine.ts';
import type { Caller } from '../../../grade/episode/request.ts';
import type { Collection } from '../../../grade/scenario/load/collection.ts';
import type { ServerContext } from '../../http/context.ts';
import { splitType } from '../../http/split-type.ts';
import { actionBook, finishOffer, type FunctionOffer, sayOffer } from '../session/offer.ts';
import type { OrsApp } from './exchange.ts';
import {
  environmentOf,
  missing,
  numberOf,
  type OrsContext,
  orsFields,
  readOrsBody,
  splitOf,
} from './read-request.ts';

/** What an environment holds: its tools, splits and tasks. */
export function serveTasks({ app, context, exchange: { answer } }: OrsApp): void {
  const { engine } = context;
  const env = (c: OrsContext, caller: Caller): Collection => {
    const name = c.req.param('env') ?? '';
    const found = environmentOf(engine.tasks.collections(caller), name);
    if (found === undefined)
      throw new WhetstoneError('scenario_unknown', `There is no environment "${name}".`, {
        details: { name },
      });
    return found;
  };
  app.get('/:env/tools', (c) =>
    answer(c, async (caller) => ({ tools: sharedOffers(context, env(c, caller)) })),
  );
  app.get('/:env/splits', (c) =>
    answer(c, async (caller) =>
      Object.keys(env(c, caller).splits).map((name) => ({ name, type: splitType(name) })),
    ),
  );
  app.post('/:env/tasks', (c) =>
    answer(c, async (caller) => {
      const { slug } = env(c, caller);
      const split = splitOf(await readOrsBody(c, context, orsFields.split));
      return {
        tasks: taskRange(engine, slug, split, 0, count(engine, slug, split)),
        env_name: slug.toLowerCase(),
      };
    }),
  );
  app.post('/:env/num_tasks', (c) =>
    answer(c, async (caller) => ({
      num_tasks: count(engine, env(c, caller).slug, splitOf(await readOrsBody(c, context, orsFields.split))),
    })),
  );
  app.post('/:env/task', (c) =>
    answer(c, async (caller) => {
      const { slug } = env(c, caller);
      const body = await readOrsBody(c, context, orsFields.place);
      const index = numberOf(body, 'index') ?? missing('index');
      return { task: taskAt(engine, slug, splitOf(body), index), env_name: slug.toLowerCase() };
    }),
  );
  app.post('/:env/task_range', (c) =>
    answer(c, async (caller) => {
      const { slug } = env(c, caller);
      const body = await readOrsBody(c, context, orsFields.range);
      const split = splitOf(body);
      const size = count(engine, slug, split);
      // As Python's ranges are: from the end where negative, and no further than there is.
      const place = (value: number): number => Math.min(size, Math.max(0, value < 0 ? size + value : value));
      const start = place(numberOf(body, 'start') ?? 0);
      const tasks = taskRange(engine, slug, split, start, place(numberOf(body, 'stop') ?? size));
      return { tasks, env_name: slug.toLowerCase() };
    }),
  );
}

function count(engine: EpisodeEngine, collection: string, split: string): number {
  return engine.tasks.count(collection, split);
}

function taskAt(engine: EpisodeEngine, collection: string, split: string, index: number): JsonObject {
  const size = count(engine, collection, split);
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

function taskRange(
  engine: EpisodeEngine,
  collection: string,
  split: string,
  start: number,
  stop: number,
): readonly JsonObject[] {
  return Array.from({ length: Math.max(0, stop - start) }, (_, index) =>
    taskAt(engine, collection, split, start + index),
  );
}

/** The tools that all scenarios of a collection share: a client binds them before it knows its task. */
function sharedOffers(
  { engine, log }: ServerContext,
  { slug, scenarios }: Collection,
): readonly FunctionOffer[] {
  const books = scenarios.map(
    (scenario) => actionBook(engine.tasks.task({ scenario, variant: 0, seed: 0 })).offers,
  );
  const texts = books.map((offers) => offers.map((offer) => JSON.stringify(offer)));
  const shared = books[0]?.filter((_, index) =>
    texts.every((list) => list.includes(texts[0]?.[index] ?? '')),
  );
  if (shared !== undefined) return shared;
  log('warn', 'empty_collection', { collection: slug });
  return [sayOffer, finishOffer];
}
