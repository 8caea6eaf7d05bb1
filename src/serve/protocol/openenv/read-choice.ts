import type { JsonObject } from '../../../base/json/value.ts';
import type { Caller, TaskChoice } from '../../../grade/episode/request.ts';
import type { ServerContext } from '../../http/context.ts';
import { integerAt, nameAt, objectAt } from '../../http/fields.ts';

const count = { min: 0, max: Number.MAX_SAFE_INTEGER };

/** Which task a reset names; without a name, the seed chooses a place in the split. */
export function readChoice(context: ServerContext, caller: Caller, data: JsonObject): TaskChoice {
  objectAt(data, 'data');
  const { tasks } = context.engine;
  const [first] = tasks.collections(caller);
  const collection = nameAt(data['collection'], 'collection') ?? first?.slug ?? '';
  const scenario = nameAt(data['scenario'], 'scenario');
  const variant = integerAt(data['variant'], 'variant', count);
  const seed = integerAt(data['seed'], 'seed', count);
  if (scenario !== undefined)
    return {
      collection,
      scenario,
      ...(variant !== undefined && { variant }),
      ...(seed !== undefined && { seed }),
    };
  const shelf = tasks.collections(caller).find(({ slug }) => slug === collection);
  const split = nameAt(data['split'], 'split') ?? Object.keys(shelf?.splits ?? { train: [] })[0] ?? 'train';
  const index =
    integerAt(data['index'], 'index', count) ?? (seed ?? 0) % Math.max(1, tasks.count(collection, split));
  return { collection, split, index, ...(seed !== undefined && { seed }) };
}
