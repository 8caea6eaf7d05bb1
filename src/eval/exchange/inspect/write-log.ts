import { open } from 'node:fs/promises';

import { hashJson } from '../../../base/json/sha256.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { version } from '../../../base/host/version.ts';
import type { Trajectory } from '../trajectory.ts';
import { ZipWriter } from '../zip/write-zip.ts';
import { unscored, writeSample, writeSummary } from './write-sample.ts';

/**
 * Writes trajectories as a log that Inspect opens: `.eval`, or `.json` where the file is called so. One log is one
 * player in one task to Inspect; with several players each sample says who played it.
 */
export async function writeInspectLog(
  path: string,
  trajectories: AsyncIterable<Trajectory>,
  options: { readonly task: string; readonly now: number },
): Promise<number> {
  const file = await open(path, 'w');
  try {
    const log = path.endsWith('.json') ? new JsonLog(file) : new ZipLog(file);
    const tally = new Tally(options);
    for await (const trajectory of trajectories) {
      const sample = tally.place(trajectory);
      await log.sample(sample, writeSample(trajectory, sample), writeSummary(trajectory, sample));
    }
    await log.end(tally.header());
    return tally.count;
  } finally {
    await file.close();
  }
}

/** The id of a sample and its epoch: a pair is there once in a log. */
export interface SamplePlace {
  readonly id: string;
  readonly epoch: number;
}

/** What the header says of all samples. */
class Tally {
  readonly #task: string;
  readonly #now: number;
  readonly #epochs = new Map<string, number>();
  readonly #players = new Set<string>();
  readonly #sums = new Map<string, { count: number; sum: number; squares: number }>();
  #started: string | undefined;
  #ended: string | undefined;
  count = 0;

  constructor({ task, now }: { readonly task: string; readonly now: number }) {
    this.#task = task;
    this.#now = now;
  }

  place({ task, agent, grade, startedAt, endedAt }: Trajectory): SamplePlace {
    const epoch = (this.#epochs.get(task) ?? 0) + 1;
    this.#epochs.set(task, epoch);
    this.#players.add(agent.model ?? agent.name);
    this.count += 1;
    if (startedAt !== undefined && (this.#started ?? startedAt) >= startedAt) this.#started = startedAt;
    if (endedAt !== undefined && (this.#ended ?? endedAt) <= endedAt) this.#ended = endedAt;
    for (const [name, value] of Object.entries({ whetstone: grade?.reward ?? null, ...grade?.scores })) {
      if (value === null) continue;
      const known = this.#sums.get(name) ?? { count: 0, sum: 0, squares: 0 };
      this.#sums.set(name, {
        count: known.count + 1,
        sum: known.sum + value,
        squares: known.squares + value ** 2,
      });
    }
    return { id: task, epoch };
  }

  header(): JsonObject {
    const created = this.#started ?? new Date(this.#now).toISOString();
    const ids = [...this.#epochs.keys()];
    const run = hashJson([this.#task, created, ids]).slice(0, 22);
    const players = [...this.#players];
    return {
      version: 2,
      status: 'success',
      eval: {
        eval_id: run,
        run_id: run,
        created,
        task: this.#task,
        task_id: run,
        task_version: 0,
        task_attribs: {},
        task_args: {},
        dataset: { name: this.#task, samples: ids.length, sample_ids: ids, shuffled: false },
        model: players.length === 1 ? players[0]! : 'none/several',
        model_args: {},
        config: { epochs: Math.max(1, ...this.#epochs.values()) },
        packages: { whetstone: version },
        metadata: { players },
      },
      plan: { name: 'plan', steps: [], config: {} },
      results: {
        total_samples: this.count,
        completed_samples: this.count,
        scores: [...this.#sums].map(([name, sums]) => scoreOf(name, sums)),
      },
      stats: { started_at: created, completed_at: this.#ended ?? created, model_usage: {} },
      invalidated: false,
    };
  }
}

function scoreOf(
  name: string,
  { count, sum, squares }: { readonly count: number; readonly sum: number; readonly squares: number },
): JsonObject {
  const mean = sum / count;
  const variance = count > 1 ? Math.max(0, squares - count * mean ** 2) / (count - 1) : 0;
  const metric = (metricName: string, value: number): JsonObject => ({ name: metricName, value, params: {} });
  return {
    name,
    scorer: name,
    params: {},
    metrics: { mean: metric('mean', mean), stderr: metric('stderr', Math.sqrt(variance / count)) },
  };
}

interface Log {
  sample(place: SamplePlace, sample: JsonObject, summary: JsonObject): Promise<void>;
  end(header: JsonObject): Promise<void>;
}

class ZipLog implements Log {
  readonly #zip: ZipWriter;
  readonly #summaries: string[] = [];

  constructor(file: Awaited<ReturnType<typeof open>>) {
    this.#zip = new ZipWriter(file);
  }

  async sample({ id, epoch }: SamplePlace, sample: JsonObject, summary: JsonObject): Promise<void> {
    await this.#zip.add(`samples/${id}_epoch_${epoch}.json`, pythonJson(sample));
    this.#summaries.push(pythonJson(summary));
  }

  async end(header: JsonObject): Promise<void> {
    const { version: written, eval: spec, plan } = header;
    await this.#zip.add('_journal/start.json', pythonJson({ version: written!, eval: spec!, plan: plan! }));
    await this.#zip.add('summaries.json', `[${this.#summaries.join(',')}]`);
    await this.#zip.add('reductions.json', '[]');
    await this.#zip.add('header.json', pythonJson(header));
    await this.#zip.end();
  }
}

/** Who played comes first in such a log, and is known last: its samples wait in memory. A large log is better an `.eval`. */
class JsonLog implements Log {
  readonly #file: Awaited<ReturnType<typeof open>>;
  readonly #samples: string[] = [];

  constructor(file: Awaited<ReturnType<typeof open>>) {
    this.#file = file;
  }

  sample(_place: SamplePlace, sample: JsonObject): Promise<void> {
    this.#samples.push(pythonJson(sample));
    return Promise.resolve();
  }

  async end(header: JsonObject): Promise<void> {
    const head = pythonJson(header).slice(0, -1);
    await this.#file.writeFile(`${head},"samples":[`);
    for (const [index, sample] of this.#samples.entries())
      await this.#file.writeFile(`${index > 0 ? ',' : ''}${sample}`);
    await this.#file.writeFile(']}');
  }
}

function pythonJson(value: JsonValue): string {
  return JSON.stringify(value).replaceAll(JSON.stringify(unscored), 'NaN');
}
