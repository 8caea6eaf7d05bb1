import { clusteredMean } from '../../../eval/statistics/clustered-mean.ts';
import { meanInterval } from '../../../eval/statistics/interval.ts';
import type { Cluster } from '../../../eval/statistics/result.ts';
import { rewardBins } from '../../../grade/store/episode-sums.ts';
import type { EpisodeDimension, EpisodeSums } from '../../../grade/store/store.ts';
import type { StatGroup, StatMean } from '../../api/stats.ts';
import type { ServerContext } from '../context.ts';
import { invalid } from '../refusal.ts';
import { answerJson, type Endpoint } from './endpoint.ts';
import { beReadyFor, readFilter } from './read-filter.ts';
import { writeUsage } from './usage.ts';

const dimensions: readonly EpisodeDimension[] = [
  'player',
  'collection',
  'scenario',
  'version',
  'variant',
  'group',
];

/** How many episodes did how well, summed up in the store. */
export function statsEndpoints({ engine }: ServerContext): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/stats',
      operation: 'getStats',
      answer: async (c) => {
        const groupBy = readDimensions(c.req.query('group_by'));
        const filter = readFilter(c);
        await beReadyFor(engine.store, filter);
        const sums = await engine.store.sumEpisodes(filter, groupBy);
        const groups = Map.groupBy(sums, ({ by }) => JSON.stringify(Object.values(by)));
        return answerJson(c, { groups: [...groups.values()].map(writeGroup) });
      },
    },
  ];
}

function readDimensions(text = ''): readonly EpisodeDimension[] {
  const names = [...new Set(text.split(',').filter((name) => name !== ''))];
  return names.map((name) => {
    const known = dimensions.find((dimension) => dimension === name);
    if (known === undefined)
      throw invalid('group_by', `has "${name.slice(0, 80)}", and may have ${dimensions.join(', ')}.`);
    return known;
  });
}

function writeGroup(parts: readonly EpisodeSums[]): StatGroup {
  const add = (read: (part: EpisodeSums) => number) => parts.reduce((sum, part) => sum + read(part), 0);
  const complete = add((part) => part.complete);
  const graded = parts.filter((part) => part.complete > 0);
  const told = parts.filter((part) => part.withSuccess > 0);
  const withProgress = add((part) => part.withProgress);
  const usage: Record<string, number> = {};
  for (const part of parts)
    for (const [name, value] of Object.entries(part.usage)) usage[name] = (usage[name] ?? 0) + value;
  return {
    by: parts[0]!.by,
    episodes: add((part) => part.episodes),
    complete,
    scenarios: parts.length,
    ...(complete > 0 && {
      reward: meanOf(graded.map((part) => clusterOf(part.complete, part.reward, part.squares))),
    }),
    ...(told.length > 0 && {
      success: meanOf(told.map((part) => clusterOf(part.withSuccess, part.successes, part.successes))),
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

/** So many numbers with this sum and this sum of squares: all that a mean and its interval ask of them. */
function clusterOf(count: number, sum: number, squares: number): Cluster {
  const mean = sum / count;
  const around = Math.max(0, squares - count * mean * mean);
  const pairs = Math.floor(count / 2);
  const apart = pairs === 0 ? 0 : Math.sqrt(around / (2 * pairs));
  return Array.from({ length: count }, (_, place) =>
    place >= 2 * pairs ? mean : place % 2 === 0 ? mean + apart : mean - apart,
  );
}
