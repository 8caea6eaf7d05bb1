import type { JsonObject } from '../../../base/json/value.ts';
import type { Caller, TaskChoice } from '../../../grade/episode/request.ts';
import type { TaskBook } from '../../../grade/episode/task-book.ts';
import { integerAt, nameAt } from '../../http/fields.ts';
import { invalid } from '../../http/refusal.ts';

/** The client reads lines of 64 KiB at most; this leaves room for what is around the tasks. */
const mostBytes = 65_000;

const argumentsSchema: JsonObject = {
  type: 'object',
  properties: {
    variant: { type: 'integer', minimum: 0, description: 'Which variant of the scenario; 0 when left out.' },
    seed: { type: 'integer', minimum: 0 },
    split: { type: 'string' },
    group: { type: 'string', description: 'A label: runs of one group are compared.' },
  },
  additionalProperties: false,
};

interface ListedTask {
  readonly id: string;
  readonly description: string;
  readonly isTest: boolean;
}

/** The scenarios as tasks, in one line that the client can read: the longer the list, the less is said of each. */
export function listTasks(tasks: TaskBook, caller: Caller): readonly JsonObject[] {
  const all: readonly ListedTask[] = tasks.collections(caller).flatMap(({ slug, scenarios }) =>
    scenarios.map((scenario) => ({
      id: `${slug}/${scenario.slug}`,
      description: scenario.description,
      isTest: tasks.isTest({ collection: slug, scenario: scenario.slug }),
    })),
  );
  const full = all.map(({ id, description }) => ({ id, description, args: argumentsSchema }));
  if (fits(full)) return full;
  const short = all.map(({ id }) => ({ id, description: '', args: argumentsSchema }));
  if (fits(short)) return short;
  const bare = (listed: readonly ListedTask[]) => listed.map(({ id }) => ({ id, description: '', args: {} }));
  if (fits(bare(all))) return bare(all);
  const kept = all.filter(({ isTest }) => !isTest);
  const withRest = (count: number): readonly JsonObject[] => {
    const list = bare(kept.slice(0, count));
    const last = list.at(-1);
    const missing = all.length - list.length;
    return last === undefined
      ? []
      : [...list.slice(0, -1), { ...last, description: `${missing} more tasks are not listed.` }];
  };
  let count = kept.length;
  while (count > 0 && !fits(withRest(count))) count = Math.floor(count * 0.9);
  return withRest(count);
}

function fits(list: readonly JsonObject[]): boolean {
  return Buffer.byteLength(JSON.stringify(list)) <= mostBytes;
}

/** The task that `id` and its arguments choose. */
export function readTask(
  id: string,
  args: JsonObject,
): { readonly task: TaskChoice; readonly group?: string } {
  const [collection = '', scenario = '', ...rest] = id.split('/');
  if (rest.length > 0) throw invalid('id', 'must be "<collection>/<scenario>".');
  const known = Object.keys(argumentsSchema['properties'] as JsonObject);
  const unknown = Object.keys(args).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw invalid(`args.${unknown.slice(0, 100)}`, `is not known. Known: ${known.join(', ')}.`);
  const range = { min: 0, max: Number.MAX_SAFE_INTEGER };
  const seed = integerAt(args['seed'], 'args.seed', range);
  const split = nameAt(args['split'], 'args.split');
  const group = nameAt(args['group'], 'args.group');
  return {
    task: {
      ...{ collection, scenario, variant: integerAt(args['variant'], 'args.variant', range) ?? 0 },
      ...(seed !== undefined && { seed }),
      ...(split !== undefined && { split }),
    },
    ...(group !== undefined && { group }),
  };
}
