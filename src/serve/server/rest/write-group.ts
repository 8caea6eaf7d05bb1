import { clusteredMean } from '../../../eval/statistics/clustered-mean.ts';
import { meanInterval } from '../../../eval/statistics/interval.ts';
import type { Cluster } from '../../../eval/statistics/result.ts';
import { rewardBins } from '../../../grade/store/episode-sums.ts';
import type { EpisodeSums } from '../../../grade/store/store.ts';
import type { StatGroup, StatMean } from '../../api/stats.ts';
import { writeUsage } from './usage.ts';

/** One group of episodes, of which each part is of one template: a scenario, or a variant of it. */
export function writeGroup(parts: readonly EpisodeSums[]): StatGroup {
  const add = (read: (part: EpisodeSums) => number) => parts.reduce((sum, part) => sum + read(part), 0);
  const complete = add((part) => part.complete);
  const templates = [...Map.groupBy(parts, ({ template }) => template).values()];
  const clusters = (one: (part: EpisodeSums) => Cluster): readonly Cluster[] =>
    templates.map((own) => own.flatMap(one)).filter((cluster) => cluster.length > 0);
  const withSuccess = add((part) => part.withSuccess);
  const withProgress = add((part) => part.withProgress);
  const usage: Record<string, number> = {};
  for (const part of parts)
    for (const [name, value] of Object.entries(part.usage)) usage[name] = (usage[name] ?? 0) + value;
  return {
    by: parts[0]!.by,
    episodes: add((part) => part.episodes),
    complete,
    began_at: new Date(Math.min(...parts.map(({ beganAt }) => beganAt))).toISOString(),
    scenarios: templates.length,
    ...(complete > 0 && {
      reward: meanOf(clusters((part) => clusterOf(part.complete, part.reward, part.squares))),
      deviation: deviationOf(
        complete,
        add(({ reward }) => reward),
        add(({ squares }) => squares),
      ),
    }),
    ...(withSuccess > 0 && {
      success: meanOf(clusters((part) => clusterOf(part.withSuccess, part.successes, part.successes))),
    }),
    ...(withProgress > 0 && { progress: add((part) => part.progress) / withProgress }),
    gate_closed: add((part) => part.closed),
    histogram: Array.from({ length: rewardBins }, (_, bin) => add(({ bins }) => bins[bin]!)),
    turns: add((part) => part.turns),
    usage: { errors: 0, ...writeUsage(JSON.stringify(usage)) },
  };
}

function meanOf(clusters: readonly Cluster[]): StatMean {
  const found = clusteredMean(clusters);
  const interval = meanInterval(found);
  return { mean: found.mean, ...(interval && { interval }) };
}

/** From the count of the numbers, their sum and the sum of their squares; a rest left by rounding counts as 0. */
function deviationOf(count: number, sum: number, squares: number): number {
  const variance = squares / count - (sum / count) ** 2;
  return variance < 1e-12 ? 0 : Math.sqrt(variance);
}

/** As many numbers, with this sum and this sum of squares: a mean and its interval need nothing more. */
function clusterOf(count: number, sum: number, squares: number): Cluster {
  if (count === 0) return [];
  const mean = sum / count;
  const around = Math.max(0, squares - count * mean * mean);
  const pairs = Math.floor(count / 2);
  const apart = pairs === 0 ? 0 : Math.sqrt(around / (2 * pairs));
  return Array.from({ length: count }, (_, place) =>
    place >= 2 * pairs ? mean : place % 2 === 0 ? mean + apart : mean - apart,
  );
}
