import type { ClusteredMean } from './clustered-mean.ts';
import { normalQuantile, studentQuantile } from './distribution.ts';

export type Interval = readonly [low: number, high: number];

/**
 * The 95 % interval of a mean of numbers from 0 to 1, for templates like these: Student's t on the logit scale, which
 * stays within 0 and 1 and is long on the side where it must be. At 0 and at 1 it is Wilson's with one result a template.
 */
export function meanInterval({ mean, corrected, worth }: ClusteredMean): Interval | undefined {
  if (corrected === undefined) return undefined;
  const t = studentQuantile(0.975, corrected.degrees);
  const room = mean * (1 - mean);
  // All the same: how alike the results of a template are cannot be told, so each template is worth one result.
  if (room < 1e-12) return wilsonBounds(Math.round(mean), worth, t);
  const half = (t * Math.sqrt(corrected.variance)) / room;
  const centre = Math.log(mean / (1 - mean));
  return [logistic(centre - half), logistic(centre + half)];
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

/** Wilson's 95 % interval of a rate (1927): `successes` of `count` that do not resemble each other. */
export function wilsonInterval(successes: number, count: number): Interval {
  return wilsonBounds(successes / count, count, normalQuantile(0.975));
}

function wilsonBounds(rate: number, count: number, quantile: number): Interval {
  const added = (quantile * quantile) / count;
  const centre = (rate + added / 2) / (1 + added);
  const half = ((quantile / Math.sqrt(count)) * Math.sqrt(rate * (1 - rate) + added / 4)) / (1 + added);
  return [rate === 0 ? 0 : Math.max(0, centre - half), rate === 1 ? 1 : Math.min(1, centre + half)];
}
