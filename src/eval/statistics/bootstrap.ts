import type { Random } from '../../base/host/random.ts';
import type { Interval } from './interval.ts';
import type { Cluster } from './result.ts';

/** The 95 % percentile interval of any figure over clusters, drawn again with whole clusters (Davison and Hinkley 1997). */
export function bootstrapInterval(
  clusters: readonly Cluster[],
  figure: (clusters: readonly Cluster[]) => number,
  { random, draws = 2000 }: { readonly random: Random; readonly draws?: number },
): Interval {
  const figures = Array.from({ length: draws }, () =>
    figure(clusters.map(() => clusters[Math.floor(random() * clusters.length)]!)),
  ).toSorted((a, b) => a - b);
  return [figures[Math.floor(draws * 0.025)]!, figures[Math.ceil(draws * 0.975) - 1]!];
}
