import { clusteredMean } from './clustered-mean.ts';
import { studentQuantile } from './distribution.ts';
import type { Interval } from './interval.ts';
import { isSuccess, taskOf, templateOf, type TaskResult } from './result.ts';

/** Two players, or two studies, over the tasks that both have. */
export interface Comparison {
  readonly a: number;
  readonly b: number;
  readonly difference: number;
  readonly interval: Interval | undefined;
  readonly verdict: 'a better' | 'b better' | 'undecided';
  /** The true difference that such a study finds four times in five. */
  readonly smallestDetectable: number | undefined;
  readonly tasks: number;
  readonly templates: number;
  /** By task, the largest first. */
  readonly changes: readonly TaskChange[];
}

export interface TaskChange {
  readonly task: string;
  readonly template?: string;
  readonly a: number;
  readonly b: number;
}

/** Compares task by task; undefined where the two share no task. */
export function compareResults(
  a: readonly TaskResult[],
  b: readonly TaskResult[],
  on: 'reward' | 'success' = 'reward',
): Comparison | undefined {
  const value = (result: TaskResult) => (on === 'reward' ? result.reward : Number(isSuccess(result)));
  const [ofA, ofB] = [Map.groupBy(a, taskOf), Map.groupBy(b, taskOf)];
  const pairs = [...ofA].flatMap(([key, trials]) => {
    const others = ofB.get(key);
    return others === undefined
      ? []
      : [{ first: trials[0]!, a: mean(trials.map(value)), b: mean(others.map(value)) }];
  });
  if (pairs.length === 0) return undefined;
  const clusters = [...Map.groupBy(pairs, ({ first }) => templateOf(first)).values()].map((group) =>
    group.map((pair) => pair.b - pair.a),
  );
  const { mean: difference, corrected } = clusteredMean(clusters, { prior: false });
  const error = corrected && Math.sqrt(corrected.variance);
  const reach = corrected && studentQuantile(0.975, corrected.degrees);
  const interval: Interval | undefined = corrected && [
    Math.max(-1, difference - reach! * error!),
    Math.min(1, difference + reach! * error!),
  ];
  return {
    a: mean(pairs.map((pair) => pair.a)),
    b: mean(pairs.map((pair) => pair.b)),
    difference,
    interval,
    verdict:
      interval === undefined
        ? 'undecided'
        : interval[0] > 0
          ? 'b better'
          : interval[1] < 0
            ? 'a better'
            : 'undecided',
    smallestDetectable: corrected && (reach! + studentQuantile(0.8, corrected.degrees)) * error!,
    tasks: pairs.length,
    templates: clusters.length,
    changes: pairs
      .map(({ first, a: before, b: after }) => ({
        task: first.task,
        ...(first.template !== undefined && { template: first.template }),
        a: before,
        b: after,
      }))
      .filter((change) => change.a !== change.b)
      .toSorted((one, other) => Math.abs(other.b - other.a) - Math.abs(one.b - one.a)),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
