import { dimensionNames, type DimensionName, type Grade, type RewardConfig } from './grade.ts';

type Weights = Readonly<Record<DimensionName, number>>;

/** What a reward config weighs; absent keys weigh nothing. */
export function weightsOf({ qualityWeights }: RewardConfig): Weights {
  return weigh((name) => qualityWeights[name] ?? 0);
}

/** The weights sent by somebody who has not thought about them. */
export const equalWeights: Weights = weigh(() => 1);

function weigh(weight: (name: DimensionName) => number): Weights {
  return Object.fromEntries(dimensionNames.map((name) => [name, weight(name)])) as Weights;
}

/** They say how something was done, and hold of who does next to nothing. */
const manners: ReadonlySet<DimensionName> = new Set(['failure_metrics', 'best_practices']);

/**
 * The weighted mean over the dimensions that this scenario has. Manners count as far as something was done: their
 * scores are taken times the mean of the other dimensions.
 */
export function shapedMean(dimensions: Grade['dimensions'], weights: Weights): number {
  // One of nothing but criteria that nobody judged counts as little as one without criteria.
  const present = dimensionNames.filter((name) =>
    dimensions[name].criteria.some(({ possible }) => possible !== 0),
  );
  const deeds = present.filter((name) => !manners.has(name));
  const done = deeds.reduce((total, name) => total + dimensions[name].score, 0) / Math.max(1, deeds.length);
  let sum = 0;
  let total = 0;
  for (const name of present) {
    sum += weights[name] * dimensions[name].score * (manners.has(name) ? done : 1);
    total += weights[name];
  }
  return total === 0 ? 0 : Math.min(1, Math.max(0, sum / total));
}
