import type { Cluster } from './result.ts';

/** The mean of clustered numbers, and how sure it is. */
export interface ClusteredMean {
  readonly count: number;
  readonly clusters: number;
  readonly mean: number;
  /** s/√n, as if no number resembled another. */
  readonly stderr: number;
  /** √(G/(G−1) · Σ over clusters of (Σ of its deviations)²) / n; undefined with one cluster. */
  readonly clusteredStderr: number | undefined;
  /** What the interval rests on: the variance of the mean, corrected for few clusters, and its degrees of freedom. */
  readonly corrected: { readonly variance: number; readonly degrees: number } | undefined;
  /** How many clusters of equal size they are worth. */
  readonly worth: number;
}

/** `prior: false` leaves the variance as the clusters show it: for differences, which may well be the same everywhere. */
export function clusteredMean(
  clusters: readonly Cluster[],
  { prior = true }: { readonly prior?: boolean } = {},
): ClusteredMean {
  const sums = clusters.map((cluster) => cluster.reduce((sum, value) => sum + value, 0));
  const count = clusters.reduce((sum, cluster) => sum + cluster.length, 0);
  const mean = sums.reduce((sum, value) => sum + value, 0) / count;
  const squares = clusters.flat().reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const many = clusters.length;
  const between = clusters.reduce((sum, { length }, index) => sum + (sums[index]! - length * mean) ** 2, 0);
  return {
    count,
    clusters: many,
    mean,
    stderr: count > 1 ? Math.sqrt(squares / (count - 1) / count) : 0,
    clusteredStderr: many > 1 ? Math.sqrt((many / (many - 1)) * between) / count : undefined,
    corrected: many > 1 ? correctedVariance(clusters, { mean, squares, count, prior }) : undefined,
    worth: count ** 2 / clusters.reduce((sum, { length }) => sum + length ** 2, 0),
  };
}

/**
 * How alike the numbers of a cluster are, from 0 to 1, by the analysis of variance (Donner 1986), drawn towards `usual`
 * as if `weight` clusters more had shown that.
 */
const usual = 0.3;
const weight = 2;

function likeness(clusters: readonly Cluster[], mean: number, count: number): number {
  const many = clusters.length;
  let measured = 1;
  if (count > many) {
    let within = 0;
    let between = 0;
    let squaredSizes = 0;
    for (const cluster of clusters) {
      const own = cluster.reduce((sum, value) => sum + value, 0) / cluster.length;
      for (const value of cluster) within += (value - own) ** 2;
      between += cluster.length * (own - mean) ** 2;
      squaredSizes += cluster.length ** 2;
    }
    const each = within / (count - many);
    const size = (count - squaredSizes / count) / (many - 1);
    const added = Math.max(0, (between / (many - 1) - each) / size);
    measured = added + each > 0 ? added / (added + each) : usual;
  }
  return ((many - 1) * measured + weight * usual) / (many - 1 + weight);
}

/** As if this many more degrees of freedom had shown the variance that the pooled numbers suggest. */
const priorDegrees = 6;

/**
 * The variance of the mean by clusters, each deviation corrected for its own part in the mean (CR2), with the degrees of
 * freedom of Bell and McCaffrey (2002) under a model in which the numbers of a cluster are alike by `likeness`. With few
 * clusters that estimate is itself so unsure that intervals are too short when it happens to be small: it is drawn
 * towards what the spread of all numbers gives under the same model (docs/decisions/ says what that brought).
 */
function correctedVariance(
  clusters: readonly Cluster[],
  {
    mean,
    squares,
    count,
    prior,
  }: {
    readonly mean: number;
    readonly squares: number;
    readonly count: number;
    readonly prior: boolean;
  },
): { readonly variance: number; readonly degrees: number } {
  const alike = likeness(clusters, mean, count);
  const terms = clusters.map((cluster) => {
    const share = cluster.length / count;
    const own = cluster.reduce((sum, value) => sum + value, 0) / cluster.length;
    return { share, deviation: own - mean, model: alike + (1 - alike) / cluster.length };
  });
  const total = terms.reduce((sum, { share, model }) => sum + share * share * model, 0);
  let variance = 0;
  const factors = terms.map(({ share, deviation, model }) => {
    const factor = (model * share * share) / (model - 2 * share * model + total);
    variance += factor * deviation * deviation;
    return factor;
  });
  const degrees = degreesOfFreedom(terms, factors, total);
  if (!prior) return { variance, degrees };
  // As if one result more had been a coin's: where all are the same, the spread is not nothing.
  const spread = (squares + 0.25) / (count + 1);
  return {
    variance: (degrees * variance + priorDegrees * spread * total) / (degrees + priorDegrees),
    degrees: degrees + priorDegrees,
  };
}

/** tr(A)²/tr(A²) of the quadratic form Σ factor · (deviation)², written out so that it is linear in the clusters. */
function degreesOfFreedom(
  terms: readonly { readonly share: number; readonly model: number }[],
  factors: readonly number[],
  total: number,
): number {
  let trace = 0;
  let squaredTrace = 0;
  let [f0, f1, f2] = [0, 0, 0];
  terms.forEach(({ share, model }, index) => {
    const factor = factors[index]!;
    const pull = share * model;
    const own = model - 2 * pull + total;
    trace += factor * own;
    // The sum over all pairs below takes `total − 2 pull` for a term with itself: the difference is added here.
    squaredTrace += factor * factor * (own * own - (total - 2 * pull) ** 2);
    f0 += factor;
    f1 += factor * pull;
    f2 += factor * pull * pull;
  });
  squaredTrace += total * total * f0 * f0 - 4 * total * f0 * f1 + 2 * f0 * f2 + 2 * f1 * f1;
  return squaredTrace > 0 ? (trace * trace) / squaredTrace : 1;
}
