import { WhetstoneError } from '../../base/host/errors.ts';
import { listOf, requireDict, requireText } from '../python/field.ts';
import { readJson, writeJson } from '../python/json.ts';
import type { PythonDict, PythonValue } from '../python/value.ts';

/** One episode of a benchmark's own results file, as a line that its grader answers. */
export interface RecordedRun {
  readonly domain: string;
  readonly task: string;
  readonly trial: number;
  /** The reward that the file has for it. */
  readonly recorded?: number;
  /** A text, for numbers and the order of keys count. */
  readonly line: string;
}

/** A results file, and who played in it where the file says so. */
export interface RecordedRuns {
  readonly player?: string;
  readonly runs: readonly RecordedRun[];
}

/** The benchmarks whose results files can be read. */
export const recordedBenchmarks = ['tau-bench', 'tau2'] as const;

/** Reads the file that tau-bench or tau2 writes of a run. That of tau-bench does not say of which domain it is. */
export function readRecordedRuns(
  text: string,
  {
    benchmark,
    domain,
    tasks = 'recorded',
  }: {
    readonly benchmark: (typeof recordedBenchmarks)[number];
    readonly domain?: string;
    /** Of tau2: tasks change between versions, and a run may be graded by those of its file or of the data. */
    readonly tasks?: 'recorded' | 'data';
  },
): RecordedRuns {
  const results = readJson(text);
  if (benchmark === 'tau2') return tau2Runs(requireDict(results, 'results'), tasks);
  if (domain === undefined)
    throw new WhetstoneError(
      'benchmark_line',
      'A results file of tau-bench does not say whether its domain is airline or retail: name the domain.',
    );
  return {
    runs: listOf(results, 'results').map((value, index) =>
      tauBenchRun(requireDict(value, `results[${index}]`), domain),
    ),
  };
}

function tauBenchRun(run: PythonDict, domain: string): RecordedRun {
  const task = run.get('task_id') ?? null;
  const trial = numberOf(run.get('trial')) ?? 0;
  return recordedRun(
    { domain, task: String(task), trial, recorded: numberOf(run.get('reward')) },
    { task, messages: run.get('traj') ?? [] },
  );
}

function tau2Runs(results: PythonDict, by: 'recorded' | 'data'): RecordedRuns {
  const info = requireDict(results.get('info'), 'info');
  const environment = requireDict(info.get('environment_info'), 'info.environment_info');
  const domain = requireText(environment.get('domain_name'), 'info.environment_info.domain_name');
  const model = requireDict(info.get('agent_info'), 'info.agent_info').get('llm');
  const tasks = new Map(
    listOf(results.get('tasks'), 'tasks').map((value, index) => {
      const task = requireDict(value, `tasks[${index}]`);
      return [task.get('id'), task];
    }),
  );
  const runs = listOf(results.get('simulations'), 'simulations').map((value, index) => {
    const at = `simulations[${index}]`;
    const simulation = requireDict(value, at);
    const id = simulation.get('task_id');
    const task = requireDict(tasks.get(id), `the task of ${at}`);
    const reward = simulation.get('reward_info');
    return recordedRun(
      {
        domain,
        task: String(id),
        trial: numberOf(simulation.get('trial')) ?? 0,
        recorded: reward instanceof Map ? numberOf(reward.get('reward')) : undefined,
      },
      {
        ...(by === 'recorded' ? { task } : { task_id: id ?? null }),
        messages: simulation.get('messages') ?? [],
        termination_reason: simulation.get('termination_reason') ?? null,
      },
    );
  });
  return { ...(typeof model === 'string' && { player: model }), runs };
}

function recordedRun(
  { recorded, ...named }: Omit<RecordedRun, 'line' | 'recorded'> & { readonly recorded: number | undefined },
  line: Readonly<Record<string, PythonValue>>,
): RecordedRun {
  const id = `${named.task}/${named.trial}`;
  return {
    ...named,
    ...(recorded !== undefined && { recorded }),
    line: writeJson(
      new Map<string, PythonValue>([['id', id], ['domain', named.domain], ...Object.entries(line)]),
    ),
  };
}

function numberOf(value: PythonValue | undefined): number | undefined {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' ? value : undefined;
}
