import { WhetstoneError } from '../../../base/host/errors.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { clusteredMean } from '../../../eval/statistics/clustered-mean.ts';
import { compareResults } from '../../../eval/statistics/comparison.ts';
import { runGate } from '../../../eval/statistics/gate.ts';
import { type Interval, meanInterval } from '../../../eval/statistics/interval.ts';
import { passRates } from '../../../eval/statistics/pass-at-k.ts';
import {
  clustersOf,
  isSuccess,
  taskOf,
  type TaskResult,
  templateOf,
} from '../../../eval/statistics/result.ts';
import { bad, readResults } from './read-results.ts';

/** `whet eval stats`: one study. */
export function answerStats(line: JsonObject): JsonObject {
  const results = readResults(line, 'results');
  const { passAtK, passHatK } = passRates(results, readCounts(line['k']));
  return {
    results: results.length,
    tasks: new Set(results.map(taskOf)).size,
    templates: new Set(results.map(templateOf)).size,
    reward: meanOf(results, ({ reward }) => reward),
    success: meanOf(results, (result) => Number(isSuccess(result))),
    pass_at_k: passAtK,
    pass_hat_k: passHatK,
  };
}

/** `whet eval compare`: two studies over the tasks that both have. */
export function answerComparison(line: JsonObject): JsonObject {
  const on = line['on'] ?? 'reward';
  if (on !== 'reward' && on !== 'success') throw bad('on', '"reward" or "success"', on);
  const compared = compareResults(readResults(line, 'a'), readResults(line, 'b'), on);
  if (compared === undefined)
    throw new WhetstoneError(
      'results_invalid',
      '"a" and "b" share no task, so there is nothing to compare: a task is identified by its template and its name.',
    );
  const { a, b, difference, interval, verdict, smallestDetectable, tasks, templates } = compared;
  return {
    on,
    a,
    b,
    difference,
    interval: boundsOf(interval),
    verdict,
    smallest_detectable: smallestDetectable ?? null,
    tasks,
    templates,
  };
}

/** `whet eval gate`: successes in the order in which they came. */
export function answerGate(line: JsonObject): JsonObject {
  const atLeast = line['at_least'];
  if (typeof atLeast !== 'number' || !(atLeast >= 0 && atLeast <= 1))
    throw bad('at_least', 'a number from 0 to 1', atLeast);
  const list = line['results'];
  if (!Array.isArray(list)) throw bad('results', 'a list of numbers from 0 to 1', list);
  const results = (list as readonly JsonValue[]).map((value, index) => {
    const number = typeof value === 'boolean' ? Number(value) : value;
    if (typeof number !== 'number' || !(number >= 0 && number <= 1))
      throw bad(`results[${index}]`, 'a number from 0 to 1', value);
    return number;
  });
  const { verdict, after } = runGate(results, atLeast);
  return { verdict, after: after ?? null };
}

function meanOf(results: readonly TaskResult[], value: (result: TaskResult) => number): JsonObject {
  const found = clusteredMean(clustersOf(results, value));
  return {
    mean: found.mean,
    stderr: found.stderr,
    clustered_stderr: found.clusteredStderr ?? null,
    interval: boundsOf(meanInterval(found)),
  };
}

function boundsOf(interval: Interval | undefined): JsonValue {
  return interval === undefined ? null : [...interval];
}

function readCounts(value: JsonValue | undefined): readonly number[] | undefined {
  if (value === undefined || value === null) return undefined;
  const isCount = (k: JsonValue): k is number => Number.isSafeInteger(k) && (k as number) > 0;
  if (!Array.isArray(value) || !(value as readonly JsonValue[]).every(isCount))
    throw bad('k', 'a list of whole numbers of at least 1', value);
  return value as readonly number[];
}
