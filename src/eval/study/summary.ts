import { clusteredMean } from '../statistics/clustered-mean.ts';
import { compareResults, type Comparison } from '../statistics/comparison.ts';
import { type Interval, meanInterval } from '../statistics/interval.ts';
import { passRates } from '../statistics/pass-at-k.ts';
import { clustersOf, isSuccess, type TaskResult } from '../statistics/result.ts';
import type { StudyResult } from './study-result.ts';

/** How one player did in a study. */
export interface PlayerSummary {
  readonly player: string;
  readonly results: number;
  readonly reward: number;
  readonly rewardInterval: Interval | undefined;
  readonly success: number;
  readonly successInterval: Interval | undefined;
  /** By k: the share of tasks of which k trials all succeed. */
  readonly passHatK: Readonly<Record<string, number>>;
  /** Compared with the player before it in the list, which is no worse. */
  readonly comparison: Comparison | undefined;
}

/** Every player's rewards with their intervals, the best first, each compared with the one above. */
export function summarize(results: Iterable<StudyResult>): readonly PlayerSummary[] {
  const groups = [...resultsByPlayer(results)].map(([player, own]) => ({
    player,
    own,
    reward: meanOf(own, ({ reward }) => reward),
    success: meanOf(own, (result) => Number(isSuccess(result))),
  }));
  groups.sort((a, b) => b.reward.mean - a.reward.mean);
  return groups.map(({ player, own, reward, success }, index) => ({
    player,
    results: own.length,
    reward: reward.mean,
    rewardInterval: reward.interval,
    success: success.mean,
    successInterval: success.interval,
    passHatK: passRates(own).passHatK,
    comparison: index === 0 ? undefined : compareResults(groups[index - 1]!.own, own),
  }));
}

/** The numbers alone: what was said and called stays where it is. */
function resultsByPlayer(results: Iterable<StudyResult>): ReadonlyMap<string, readonly TaskResult[]> {
  const players = new Map<string, TaskResult[]>();
  for (const { player, task, template, trial, reward, success } of results) {
    const own = players.get(player);
    const result = { task, template, trial, reward, success };
    if (own === undefined) players.set(player, [result]);
    else own.push(result);
  }
  return players;
}

function meanOf(results: readonly TaskResult[], value: (result: TaskResult) => number) {
  const found = clusteredMean(clustersOf(results, value));
  return { mean: found.mean, interval: meanInterval(found) };
}
