/**
 * What every bench file rests on: contenders timed in turn, round by round, so that a machine that slows down
 * slows all of them; medians; ratios within one run. No dependency.
 */
import { spawnSync } from 'node:child_process';

/** One claim of speed: what it says, the limit it must keep, and how it is measured. */
export interface Claim {
  /** The name of its file: `npm run bench -- <name>`. */
  readonly name: string;
  /** One sentence for a reader of docs/benchmarks.md. */
  readonly title: string;
  /** It stands without the peers: nothing is installed for it. */
  readonly alone?: true;
  readonly measure: (settings: Settings) => Promise<Findings>;
}

export interface Settings {
  /** How often each contender gets its turn. */
  readonly rounds: number;
}

export interface Findings {
  /** The table: a row for each contender, the same columns in each. */
  readonly rows: readonly Readonly<Record<string, string | number>>[];
  /** What must hold. Printed and stored with the table; nothing fails when one is missed, but it is seen. */
  readonly limits: readonly Limit[];
  /** What a reader must know to read the table rightly. */
  readonly notes?: readonly string[];
}

export interface Limit {
  readonly says: string;
  readonly measured: number;
  readonly atMost?: number;
  readonly atLeast?: number;
}

export function isKept({ measured, atMost = Infinity, atLeast = -Infinity }: Limit): boolean {
  return measured <= atMost && measured >= atLeast;
}

/** A contender does its work `times` over; asynchronous where it must be. */
export type Contender = (times: number) => void | Promise<void>;

export interface Timing {
  /** Median over the rounds, in milliseconds for one piece of work. */
  readonly median: number;
  readonly fastest: number;
  readonly slowest: number;
}

/**
 * Times contenders in turn. Each is warmed up, then given as many repetitions as fill `batchMs`; every round
 * starts with the next contender, so that none always follows the same one.
 */
export async function timeInTurn<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  { rounds, batchMs = 20, warmMs = 100 }: { rounds: number; batchMs?: number; warmMs?: number },
): Promise<Record<Name, Timing>> {
  const entries = Object.entries(contenders) as [Name, Contender][];
  const repetitions = new Map<Name, number>();
  for (const [name, work] of entries) repetitions.set(name, await calibrate(work, batchMs, warmMs));
  const times = new Map<Name, number[]>(entries.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < entries.length; turn++) {
      const [name, work] = entries[(round + turn) % entries.length]!;
      const count = repetitions.get(name)!;
      times.get(name)!.push((await timed(work, count)) / count);
    }
  }
  return Object.fromEntries(entries.map(([name]) => [name, summary(times.get(name)!)])) as Record<
    Name,
    Timing
  >;
}

async function calibrate(work: Contender, batchMs: number, warmMs: number): Promise<number> {
  // The first may pay for what is made once: it says nothing of how long the others take.
  await timed(work, 1);
  let count = 1;
  let last = await timed(work, count);
  for (let spent = last; spent < warmMs || last < batchMs / 2; spent += last) {
    if (last < batchMs / 2) count *= 2;
    last = await timed(work, count);
  }
  return Math.max(1, Math.round((count * batchMs) / Math.max(last, 0.001)));
}

async function timed(work: Contender, times: number): Promise<number> {
  const started = performance.now();
  const waited = work(times);
  if (waited) await waited;
  return performance.now() - started;
}

export function summary(values: readonly number[]): Timing {
  return { median: median(values), fastest: Math.min(...values), slowest: Math.max(...values) };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Linear between the two nearest ranks. */
export function quantile(values: readonly number[], q: number): number {
  if (values.length === 0) throw new RangeError('There is no quantile of nothing.');
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * q;
  const below = sorted[Math.floor(place)]!;
  return below + (sorted[Math.ceil(place)]! - below) * (place - Math.floor(place));
}

/** The slope of log(time) over log(size) between two sizes: 1 is linear, 2 is quadratic. */
export function exponent(
  small: { size: number; time: number },
  large: { size: number; time: number },
): number {
  return Math.log(large.time / small.time) / Math.log(large.size / small.size);
}

/** The same over several sizes, by least squares: steadier than two alone. */
export function fittedExponent(points: readonly { size: number; time: number }[]): number {
  const logs = points.map(({ size, time }) => [Math.log(size), Math.log(time)] as const);
  const mean = (at: 0 | 1): number => logs.reduce((sum, one) => sum + one[at], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const above = logs.reduce((sum, one) => sum + (one[0] - x) * (one[1] - y), 0);
  return above / logs.reduce((sum, one) => sum + (one[0] - x) ** 2, 0);
}

/** Three significant digits: more would claim what the machine cannot hold. */
export function round(value: number): number {
  return Number(value.toPrecision(3));
}

/**
 * A peer by its name in bench/package.json. Its types are not at hand where the peers are not installed, so the
 * caller says what it uses of it.
 */
export async function peer<Module>(name: string): Promise<Module> {
  return (await import(name)) as Module;
}

/** Runs module source in a process of its own and reads the JSON of its last line. */
export function inFreshProcess<Answer>(
  source: string,
  options: { cwd: string; args?: readonly string[] },
): Answer {
  const child = spawnSync(
    process.execPath,
    [...(options.args ?? []), '--input-type=module', '--eval', source],
    {
      cwd: options.cwd,
      encoding: 'utf8',
      timeout: 120_000,
    },
  );
  if (child.status !== 0) throw new Error(`A measured process failed: ${child.stderr.slice(-800)}`);
  return JSON.parse(child.stdout.trimEnd().split('\n').at(-1) ?? '') as Answer;
}

/** The rows as a Markdown table. */
export function tableOf(rows: Findings['rows']): string {
  const columns = Object.keys(rows[0] ?? {});
  const line = (cells: readonly unknown[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map((column) => row[column] ?? ''))),
  ].join('\n');
}
