import { dimensionNames } from '../score/grade.ts';
import type { EpisodeDimension, EpisodeSums } from './store.ts';

/** How many equal parts the rewards from 0 to 1 are counted by. */
export const rewardBins = 20;

const usage = ['inputTokens', 'outputTokens', 'costUsd', 'latencyMs', 'errors'] as const;

/** One row for each group of episodes and template in it. `usageOf` reads a number of `total_usage` as the dialect does. */
export function selectSums(
  groupBy: readonly EpisodeDimension[],
  where: string,
  usageOf: (name: string) => string,
): string {
  const by = [...new Set<string>([...groupBy, 'collection', 'scenario'])]
    .map((name) => `"${name}"`)
    .join(', ');
  // What a log has no reward for has ended all the same, and is no nought.
  const done = `FILTER (WHERE status = 'complete' AND reward IS NOT NULL)`;
  const bins = Array.from(
    { length: rewardBins },
    (_, bin) => `count(*) FILTER (WHERE ${within('reward', bin)}) AS bin_${bin}`,
  );
  const totals = usage.map((name) => `sum(${usageOf(name)}) AS ${name.toLowerCase()}`);
  return `SELECT ${by}, count(*) AS episodes, count(*) ${done} AS complete, min(created_at) AS began_at, sum(reward) AS reward,
      sum(reward * reward) AS squares, sum(success) AS successes, sum(progress) AS progress,
      count(success) AS with_success, count(progress) AS with_progress,
      count(*) FILTER (WHERE gate = 0) AS closed, sum(turn_count) ${done} AS turns, ${totals.join(', ')}, ${bins.join(', ')}
    FROM episode WHERE ${where} GROUP BY ${by} ORDER BY ${by}`;
}

/** How the values of each dimension are spread. `scoreOf` reads one of `scores` as the dialect does. */
export function selectScores(where: string, scoreOf: (name: string) => string): string {
  const bins = dimensionNames.flatMap((name) =>
    Array.from(
      { length: rewardBins },
      (_, bin) => `count(*) FILTER (WHERE ${within(name, bin)}) AS ${name}_${bin}`,
    ),
  );
  const scores = dimensionNames.map((name) => `${scoreOf(name)} AS ${name}`);
  return `SELECT ${bins.join(', ')}
    FROM (SELECT ${scores.join(', ')} FROM episode WHERE ${where} AND scores IS NOT NULL) AS known`;
}

export function readScores(
  row: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, readonly number[]>> {
  return Object.fromEntries(
    dimensionNames.map((name) => [
      name,
      Array.from({ length: rewardBins }, (_, bin) => Number(row?.[`${name}_${bin}`] ?? 0)),
    ]),
  );
}

/** Whether a value is in one of the equal parts from 0 to 1; 1 itself is in the last. */
function within(column: string, bin: number): string {
  const below = bin === rewardBins - 1 ? '' : ` AND ${column} < ${(bin + 1) / rewardBins}`;
  return `${column} >= ${bin / rewardBins}${below}`;
}

export function readSums(
  row: Readonly<Record<string, unknown>>,
  groupBy: readonly EpisodeDimension[],
): EpisodeSums {
  const number = (name: string): number => Number(row[name] ?? 0);
  return {
    by: Object.fromEntries(groupBy.map((name) => [name, row[name] as string | number | null])),
    template: `${String(row['collection'])}/${String(row['scenario'])}`,
    episodes: number('episodes'),
    complete: number('complete'),
    beganAt: number('began_at'),
    reward: number('reward'),
    squares: number('squares'),
    successes: number('successes'),
    progress: number('progress'),
    withSuccess: number('with_success'),
    withProgress: number('with_progress'),
    closed: number('closed'),
    turns: number('turns'),
    usage: Object.fromEntries(
      usage.flatMap((name) => {
        const sum = row[name.toLowerCase()];
        return sum === null || sum === undefined ? [] : [[name, Number(sum)]];
      }),
    ),
    bins: Array.from({ length: rewardBins }, (_, bin) => number(`bin_${bin}`)),
  };
}
