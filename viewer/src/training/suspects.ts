import type { StatGroup } from '../../../src/serve/api/stats.ts';

/** Groups of rollouts in the order in which they began, and what they show together. */
export interface TrainingView {
  readonly groups: readonly StatGroup[];
  /** From this many episodes in a group that all earned the same: then there is no advantage within it. */
  readonly flat: readonly StatGroup[];
  /** The mean reward of the first third and of the last, and the same of success. */
  readonly trend: Trend | undefined;
}

export interface Trend {
  readonly reward: readonly [before: number, after: number];
  readonly success: readonly [before: number, after: number];
  /** The reward went up and success did not: something is paid that is not the task. */
  readonly isSuspect: boolean;
}

const fewest = 6;
const rise = 0.05;
const noRise = 0.01;

export function readTraining(all: readonly StatGroup[]): TrainingView {
  const groups = all
    .filter(({ by, reward }) => by['group'] !== null && reward !== undefined)
    .toSorted((one, other) => one.began_at.localeCompare(other.began_at));
  return {
    groups,
    flat: groups.filter(({ complete, deviation }) => complete > 1 && deviation === 0),
    trend: groups.length < fewest ? undefined : trendOf(groups),
  };
}

function trendOf(groups: readonly StatGroup[]): Trend {
  const third = Math.floor(groups.length / 3);
  const ends = [groups.slice(0, third), groups.slice(-third)] as const;
  const mean = (of: readonly StatGroup[], read: (group: StatGroup) => number): number => {
    const episodes = of.reduce((sum, { complete }) => sum + complete, 0);
    return of.reduce((sum, group) => sum + read(group) * group.complete, 0) / episodes;
  };
  const [before, after] = ends.map((of) => mean(of, ({ reward }) => reward?.mean ?? 0));
  const [solvedBefore, solvedAfter] = ends.map((of) => mean(of, ({ success }) => success?.mean ?? 0));
  return {
    reward: [before!, after!],
    success: [solvedBefore!, solvedAfter!],
    isSuspect: after! - before! > rise && solvedAfter! - solvedBefore! < noRise,
  };
}
