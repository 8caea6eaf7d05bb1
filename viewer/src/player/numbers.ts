import type { StatMean } from '../../../src/serve/api/stats.ts';
import type { EpisodeUsage } from '../../../src/serve/api/usage.ts';
import { rewardText } from '../chart/reward.tsx';

/** A mean with its 95 % interval, where there is one. */
export function meanText(mean: StatMean | undefined): string {
  if (mean === undefined) return '—';
  const { interval } = mean;
  return interval === undefined
    ? rewardText(mean.mean)
    : `${rewardText(mean.mean)} (${rewardText(interval[0])}–${rewardText(interval[1])})`;
}

export function costText({ cost_usd: cost }: EpisodeUsage): string {
  return cost === undefined ? '—' : `$${cost.toFixed(2)}`;
}

/** A difference with its sign; a minus that is as wide as a plus. */
export function signed(value: number): string {
  const size = Math.abs(value).toFixed(2);
  return size === '0.00' ? size : `${value < 0 ? '−' : '+'}${size}`;
}

/** A colour for a difference, beside its sign: those that round to nothing have none. */
export function signedTone(value: number): 'good' | 'bad' | 'quiet' {
  return value > 0.005 ? 'good' : value < -0.005 ? 'bad' : 'quiet';
}
