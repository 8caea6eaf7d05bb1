import { isJsonObject, type JsonObject } from '../../../base/json/value.ts';
import { listAt, objectAt } from '../../http/fields.ts';

type Columns = Readonly<Record<string, number>>;

interface Rollout {
  readonly task: number;
  readonly index: number;
  readonly numbers: Columns;
}

const places = new Set(['_ng_task_index', '_ng_rollout_index']);

/** The statistics of many graded rollouts, over all and by task, under the names that NeMo Gym gives them. */
export function aggregate(body: unknown): JsonObject {
  const responses = listAt(objectAt(body, '')['verify_responses'], 'verify_responses');
  const rollouts = responses.map((response) => readRollout(objectAt(response, 'verify_responses')));
  if (rollouts.length === 0) return { group_level_metrics: [], agent_metrics: {}, key_metrics: {} };
  const agent = describe(rollouts);
  const tasks = [...Map.groupBy(rollouts, ({ task }) => task)].sort(([one], [other]) => one - other);
  return {
    group_level_metrics: tasks.map(([task, members]) => writeGroup(task, members)),
    agent_metrics: agent,
    key_metrics: Object.fromEntries(Object.entries(agent).filter(([name]) => name.startsWith('mean/'))),
  };
}

function readRollout(response: JsonObject): Rollout {
  const { response: reply, _ng_task_index: task, _ng_rollout_index: index } = response;
  const usage = isJsonObject(reply) && isJsonObject(reply['usage']) ? reply['usage'] : {};
  return {
    task: typeof task === 'number' ? task : 0,
    index: typeof index === 'number' ? index : 0,
    numbers: { ...numbersIn(response), ...numbersIn(usage) },
  };
}

function numbersIn(record: JsonObject): Columns {
  const numbers: Record<string, number> = {};
  for (const [name, value] of Object.entries(record))
    if (!places.has(name) && (typeof value === 'number' || typeof value === 'boolean'))
      numbers[name] = Number(value);
  return numbers;
}

function writeGroup(task: number, members: readonly Rollout[]): JsonObject {
  return {
    ...describe(members),
    _ng_task_index: task,
    num_rollouts: members.length,
    expected_num_rollouts: members.length,
    missing_num_rollouts: 0,
    reward_profile_completion_pct: 100,
    sample: { agent_ref: { name: 'agent' } },
    rollout_infos: members.map(({ index, numbers }) => ({
      rollout_id: `${task}:${index}`,
      _ng_task_index: task,
      _ng_rollout_index: index,
      ...numbers,
    })),
  };
}

/** Mean, greatest, least, median and sample deviation of each column, as their own server's data frames give them. */
function describe(rollouts: readonly Rollout[]): Record<string, number> {
  const columns = new Map<string, number[]>();
  for (const { numbers } of rollouts)
    for (const [name, value] of Object.entries(numbers)) {
      const column = columns.get(name);
      if (column === undefined) columns.set(name, [value]);
      else column.push(value);
    }
  const noneVaries = [...columns.values()].every(({ length }) => length < 2);
  const metrics: Record<string, number> = {};
  for (const [name, values] of columns) {
    const sorted = values.toSorted((one, other) => one - other);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    metrics[`mean/${name}`] = mean;
    metrics[`max/${name}`] = sorted.at(-1) as number;
    metrics[`min/${name}`] = sorted[0] as number;
    metrics[`median/${name}`] = medianOf(sorted);
    if (values.length > 1) metrics[`std/${name}`] = deviationOf(values, mean);
    else if (noneVaries && values.length === rollouts.length) metrics[`std/${name}`] = 0;
  }
  return metrics;
}

function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

function deviationOf(values: readonly number[], mean: number): number {
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}
