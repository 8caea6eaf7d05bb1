/**
 * WHET_TAU_BENCH, WHET_TAU2 and WHET_BFCL name checkouts whose Python packages are installed for WHET_PYTHON (python3):
 * their own graders then run beside ours. Without them ours is timed alone.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

import { openBfcl } from '../src/eval/bfcl/open.ts';
import { openTauBench } from '../src/eval/tau-bench/grade.ts';
import { openTau2 } from '../src/eval/tau2/grade.ts';
import { type Claim, type Limit, median, round } from './harness.ts';

const data =
  process.env['WHET_BENCHMARK_DATA'] ?? fileURLToPath(new URL('../../shared/data/', import.meta.url));

/** A recorded episode as ours reads it, and as the official grader does. */
interface Line {
  readonly ours: string;
  readonly official: object;
}

interface Contest {
  readonly name: string;
  readonly checkout: string | undefined;
  readonly lines: () => readonly Line[];
  readonly grade: () => (line: string) => object;
}

const contests: readonly Contest[] = [
  {
    name: 'tau-bench',
    checkout: process.env['WHET_TAU_BENCH'],
    lines: tauBenchLines,
    grade: () => openTauBench(join(data, 'tau-bench')),
  },
  {
    name: 'tau2',
    checkout: process.env['WHET_TAU2'],
    lines: tau2Lines,
    grade: () => openTau2(join(data, 'tau2')),
  },
  {
    name: 'bfcl',
    checkout: process.env['WHET_BFCL'],
    lines: bfclLines,
    grade: () => openBfcl(join(data, 'bfcl-v4')),
  },
];

export const claim: Claim = {
  name: 'grade-benchmarks',
  title: 'episodes of public benchmarks are graded ten times as fast as by their own graders, and more',
  async measure({ rounds }) {
    if (!existsSync(data)) throw new Error(`There is no recorded data in ${data}: set WHET_BENCHMARK_DATA.`);
    const rows: Record<string, string | number>[] = [];
    const limits: Limit[] = [];
    const notes = ['The median of grading one recorded episode; data are read before, as theirs are.'];
    for (const { name, checkout, lines: read, grade: open } of contests) {
      const lines = read();
      const grade = open();
      for (const { ours } of lines) grade(ours);
      const times: number[] = [];
      for (let turn = 0; turn < rounds; turn++)
        for (const { ours } of lines) {
          const started = performance.now();
          grade(ours);
          times.push(performance.now() - started);
        }
      const official = checkout === undefined ? undefined : officialTimes(name, checkout, lines);
      if (typeof official === 'string') notes.push(`The grader of ${name} could not be run: ${official}`);
      const theirs = Array.isArray(official) ? median(official) : undefined;
      const ratio = theirs === undefined ? undefined : theirs / median(times);
      rows.push({
        benchmark: name,
        episodes: lines.length,
        'ours, ms': round(median(times)),
        'theirs, ms': theirs === undefined ? 'not run' : round(theirs),
        '× ours': ratio === undefined ? '–' : round(ratio),
      });
      if (ratio !== undefined)
        limits.push({
          says: `${name}: their time as a multiple of ours`,
          measured: round(ratio),
          atLeast: 10,
        });
    }
    if (limits.length === 0)
      notes.push('No checkout was named (WHET_TAU_BENCH, WHET_TAU2, WHET_BFCL), so ours ran alone.');
    return { rows, limits, notes };
  },
};

function officialTimes(name: string, checkout: string, lines: readonly Line[]): readonly number[] | string {
  const driver = fileURLToPath(new URL('official-graders.py', import.meta.url));
  const { status, stdout, stderr } = spawnSync(
    process.env['WHET_PYTHON'] ?? 'python3',
    [driver, name, checkout],
    {
      input: lines.map(({ official }) => JSON.stringify(official)).join('\n'),
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    },
  );
  if (status !== 0) return stderr.trim().split('\n').at(-1) ?? `it ended with ${status}`;
  return (JSON.parse(stdout.trim().split('\n').at(-1)!) as { readonly milliseconds: number[] }).milliseconds;
}

function tauBenchLines(): readonly Line[] {
  const file = join(data, 'tau-bench/airline/trajectories_gpt-4o_even_tasks.json');
  const runs = JSON.parse(readFileSync(file, 'utf8')) as { task_id: number; traj: object[] }[];
  return runs.map(({ task_id: task, traj: messages }, index) => {
    const line = { id: `${index}`, domain: 'airline', task, messages };
    return { ours: JSON.stringify(line), official: line };
  });
}

function tau2Lines(): readonly Line[] {
  const folder = join(data, 'tau2');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json.gz'))
    .flatMap((file) => {
      const results = JSON.parse(gunzipSync(readFileSync(join(folder, file))).toString()) as {
        info: { environment_info: { domain_name: string } };
        tasks: { id: string }[];
        simulations: { id: string; task_id: string; messages: object[]; termination_reason: string }[];
      };
      const domain = results.info.environment_info.domain_name;
      return results.simulations.slice(0, 10).map((simulation) => {
        const { id, task_id, messages, termination_reason } = simulation;
        const line = {
          id,
          domain,
          task: results.tasks.find((task) => task.id === task_id),
          messages,
          termination_reason,
        };
        return { ours: JSON.stringify(line), official: { ...line, simulation } };
      });
    });
}

/** A question of BFCL, and in another file what is possible as its answer. */
interface Question {
  readonly id: string;
  readonly function: unknown;
  readonly ground_truth: readonly Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>[];
}

/** The possible answers themselves, each parameter with the first that is allowed. */
function bfclLines(): readonly Line[] {
  const read = (file: string) =>
    gunzipSync(readFileSync(join(data, 'bfcl-v4', file)))
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Question);
  const questions = read('BFCL_v4_parallel.json.gz');
  const answers = read('possible_answer/BFCL_v4_parallel.json.gz');
  return questions.map((question, index) => {
    const { id, function: described } = question;
    const truth = answers[index]!.ground_truth;
    const calls = truth.flatMap((call) =>
      Object.entries(call).map(([name, parameters]) => ({
        name,
        arguments: Object.fromEntries(Object.entries(parameters).map(([key, allowed]) => [key, allowed[0]])),
      })),
    );
    return {
      ours: JSON.stringify({ id, task: id, calls }),
      official: { id, function: described, possible_answer: truth, category: 'parallel', calls },
    };
  });
}
