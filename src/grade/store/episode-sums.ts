import { dimensionNames } from '../score/grade.ts';
import type { EpisodeDimension, EpisodeFilter, EpisodeSums } from './store.ts';

/** How many equal parts the rewards from 0 to 1 are counted by. */
export const rewardBins = 20;

/** What `episode_sum` keeps the sums apart by: one row for each, whatever number of episodes has ended. */
const kept = ['owner', 'collection', 'scenario', 'version', 'study', 'player'] as const;

const usage = ['inputTokens', 'outputTokens', 'costUsd', 'latencyMs', 'errors'] as const;

// What a log has no reward for has ended all the same, and is not a zero.
const done = `FILTER (WHERE status = 'complete' AND reward IS NOT NULL)`;

/** Each column of a sum with what it adds up, over rows of `episode`. */
function measures(usageOf: (name: string) => string): readonly (readonly [name: string, sum: string])[] {
  return [
    ['episodes', 'count(*)'],
    ['complete', `count(*) ${done}`],
    ['reward', 'coalesce(sum(reward), 0)'],
    ['squares', 'coalesce(sum(reward * reward), 0)'],
    ['successes', 'coalesce(sum(success), 0)'],
    ['progress', 'coalesce(sum(progress), 0)'],
    ['with_success', 'count(success)'],
    ['with_progress', 'count(progress)'],
    ['closed', 'count(*) FILTER (WHERE gate = 0)'],
    ['turns', `coalesce(sum(turn_count) ${done}, 0)`],
    ...usage.map((name) => [columnOf(name), `sum(${usageOf(name)})`] as const),
    ...Array.from(
      { length: rewardBins },
      (_, bin) => [`bin_${bin}`, `count(*) FILTER (WHERE ${within('reward', bin)})`] as const,
    ),
  ];
}

const names = measures(() => '').map(([name]) => name);
function columnOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Whether all that is asked for can be said from the sums that are kept: not by variant, group or words. */
export function isKeptInSums(
  { status, variant, group, words }: EpisodeFilter,
  groupBy: readonly EpisodeDimension[],
): boolean {
  const apart = groupBy.some((name) => name === 'variant' || name === 'group');
  return !apart && status !== 'open' && [variant, group, words].every((value) => value === undefined);
}

/** The statements about sums, in the words of one kind of database. */
export class SumStatements {
  readonly #measures: ReturnType<typeof measures>;
  readonly #unsummed: string;
  readonly #leaving: string | undefined;

  /**
   * `usageOf` reads a number of `total_usage`; `unsummed` is the table of episodes by its index of those not summed yet;
   * `leaving` has those that are removed already, and are taken away from the sums in a while.
   */
  constructor(
    usageOf: (name: string) => string,
    { unsummed = 'episode', leaving }: { readonly unsummed?: string; readonly leaving?: string } = {},
  ) {
    this.#measures = measures(usageOf);
    this.#unsummed = unsummed;
    this.#leaving = leaving;
  }

  /**
   * One row for each group of episodes and template in it: added up from the episodes, or, with a condition for the sums
   * that are kept, from these and the episodes that are not in them yet.
   */
  select(groupBy: readonly EpisodeDimension[], ofEpisodes: string, ofSums?: string): string {
    const by = list([...new Set<string>([...groupBy, 'collection', 'scenario'])]);
    const sums = list(this.#measures.map(([name, sum]) => `${sum} AS ${name}`));
    if (ofSums === undefined)
      return `SELECT ${by}, ${sums}, min(created_at) AS began_at FROM episode WHERE ${ofEpisodes} GROUP BY ${by} ORDER BY ${by}`;
    const fresh = `SELECT ${by}, ${sums}, min(created_at) AS began_at FROM ${this.#unsummed} WHERE ${ofEpisodes} AND summed = 0 GROUP BY ${by}`;
    const gone =
      this.#leaving === undefined
        ? ''
        : ` UNION ALL SELECT ${by}, ${this.#negative()}, min(created_at) FROM ${this.#leaving} WHERE ${ofSums} AND summed = 1 GROUP BY ${by}`;
    return `SELECT ${by}, ${list(names.map((name) => `sum(${name}) AS ${name}`))}, min(began_at) AS began_at FROM (
        SELECT ${by}, ${list(names)}, began_at FROM episode_sum WHERE ${ofSums}
        UNION ALL SELECT * FROM (${fresh}) AS fresh${gone}) AS parts
      GROUP BY ${by} HAVING sum(episodes) > 0 ORDER BY ${by}`;
  }

  /** Adds the episodes of `from` (a table and a condition) to the sums, or takes them away. */
  change(from: string, sign: 'add' | 'subtract'): string {
    const by = list(kept);
    const changes = sign === 'add' ? list(this.#measures.map(([, sum]) => sum)) : this.#negative();
    return `INSERT INTO episode_sum (${by}, ${list(names)}, began_at)
      SELECT ${by}, ${changes}, min(created_at) FROM ${from}
      GROUP BY ${by} ORDER BY ${by}
      ON CONFLICT (owner, collection, scenario, version, coalesce(study, ''), coalesce(player, ''))
      DO UPDATE SET began_at = CASE WHEN excluded.began_at < episode_sum.began_at THEN excluded.began_at ELSE episode_sum.began_at END, ${list(
        names.map((name) => {
          const told = usage.some((one) => columnOf(one) === name);
          return told
            ? `${name} = coalesce(episode_sum.${name} + excluded.${name}, episode_sum.${name}, excluded.${name})`
            : `${name} = episode_sum.${name} + excluded.${name}`;
        }),
      )}`;
  }

  #negative(): string {
    return list(this.#measures.map(([, sum]) => `-${sum}`));
  }
}

function list(items: readonly string[]): string {
  return items.map((item) => (item === 'group' ? '"group"' : item)).join(', ');
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
        const sum = row[columnOf(name)];
        return sum === null || sum === undefined ? [] : [[name, Number(sum)]];
      }),
    ),
    bins: Array.from({ length: rewardBins }, (_, bin) => number(`bin_${bin}`)),
  };
}
