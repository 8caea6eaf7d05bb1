import type { Random } from '../../base/host/random.ts';
import { cohensKappa } from '../../grade/episode/judge/agreement.ts';
import { bootstrapInterval } from './bootstrap.ts';
import { type Interval, wilsonInterval } from './interval.ts';

/** Any label; undefined where a rater gave none. */
export type Rating = string | number | boolean | undefined;

/**
 * Krippendorff's alpha for nominal labels (2011, by coincidences): any number of raters, gaps allowed. `units` holds for
 * each thing that was rated the labels it was given. Undefined where all labels are one and the same.
 */
export function krippendorffAlpha(units: readonly (readonly Rating[])[]): number | undefined {
  const totals = new Map<Rating, number>();
  let agreed = 0;
  let count = 0;
  for (const unit of units) {
    const labels = unit.filter((label) => label !== undefined);
    if (labels.length < 2) continue;
    const each = new Map<Rating, number>();
    for (const label of labels) each.set(label, (each.get(label) ?? 0) + 1);
    for (const [label, times] of each) {
      agreed += (times * (times - 1)) / (labels.length - 1);
      totals.set(label, (totals.get(label) ?? 0) + times);
    }
    count += labels.length;
  }
  if (count < 2) return undefined;
  const expected = [...totals.values()].reduce((sum, times) => sum + times * (times - 1), 0) / (count - 1);
  return expected === count ? undefined : 1 - (count - agreed) / (count - expected);
}

/** How far two who labelled the same things agree. */
export interface RaterAgreement {
  readonly count: number;
  /** The share of equal labels, with its interval (Wilson). */
  readonly agreed: number;
  readonly agreedInterval: Interval;
  /** Cohen's kappa (1960) with its interval (bootstrap); absent where both always said one and the same. */
  readonly kappa?: number;
  readonly kappaInterval?: Interval;
}

/** Undefined where there is nothing to compare. */
export function raterAgreement(
  pairs: readonly (readonly [boolean | string, boolean | string])[],
  random: Random,
): RaterAgreement | undefined {
  const count = pairs.length;
  if (count === 0) return undefined;
  const equal = pairs.filter(([a, b]) => a === b).length;
  const kappa = cohensKappa(pairs);
  // The pairs are drawn by their places; a draw in which all are the same has no kappa, and counts as full agreement.
  const drawn = (clusters: readonly (readonly number[])[]): number =>
    cohensKappa(clusters.map(([place = 0]) => pairs[place]!)) ?? 1;
  return {
    count,
    agreed: equal / count,
    agreedInterval: wilsonInterval(equal, count),
    ...(kappa !== undefined && {
      kappa,
      kappaInterval: bootstrapInterval(
        pairs.map((_, place) => [place]),
        drawn,
        { random },
      ),
    }),
  };
}
