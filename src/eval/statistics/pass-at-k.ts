import { isSuccess, taskOf, type TaskResult } from './result.ts';

/** By k: at least one of k trials succeeds (pass@k, Chen et al. 2021), and all of k do (pass^k, Yao et al. 2024). */
export interface PassRates {
  readonly passAtK: Readonly<Record<string, number>>;
  readonly passHatK: Readonly<Record<string, number>>;
}

/** At most this many, if none is asked for. */
const mostByDefault = 10;

/** The mean over tasks, for each `k` that no task has fewer trials than. */
export function passRates(results: readonly TaskResult[], ks?: readonly number[]): PassRates {
  const tasks = [...Map.groupBy(results, taskOf).values()].map((trials) => ({
    trials: trials.length,
    successes: trials.filter(isSuccess).length,
  }));
  const fewest = Math.min(...tasks.map(({ trials }) => trials));
  const asked = ks ?? Array.from({ length: Math.min(fewest, mostByDefault) }, (_, index) => index + 1);
  const possible = [...new Set(asked)].filter((k) => k <= fewest);
  const rates = (one: (k: number, task: (typeof tasks)[number]) => number) =>
    Object.fromEntries(
      possible.map((k) => [k, tasks.reduce((sum, task) => sum + one(k, task), 0) / tasks.length]),
    );
  return {
    passAtK: rates((k, { trials, successes }) => 1 - shareOfDraws(trials - successes, trials, k)),
    passHatK: rates((k, { trials, successes }) => shareOfDraws(successes, trials, k)),
  };
}

/** C(marked, k) / C(all, k): as a product, which neither overflows nor loses digits. */
function shareOfDraws(marked: number, all: number, k: number): number {
  let share = 1;
  for (let drawn = 0; drawn < k; drawn++) share *= Math.max(0, marked - drawn) / (all - drawn);
  return share;
}
