import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { krippendorffAlpha } from './agreement.ts';
import { bootstrapInterval } from './bootstrap.ts';
import { clusteredMean } from './clustered-mean.ts';
import { compareResults } from './comparison.ts';
import { normalProbability, normalQuantile, studentProbability, studentQuantile } from './distribution.ts';
import { meanInterval, wilsonInterval } from './interval.ts';
import { holmCorrection } from './many-comparisons.ts';
import { passRates } from './pass-at-k.ts';
import { detectableDifference } from './power.ts';
import { clustersOf, type TaskResult } from './result.ts';
import { seededRandom } from '../../base/host/random.ts';

const near = (actual: number, expected: number, digits = 4): void =>
  assert.ok(Math.abs(actual - expected) < 10 ** -digits, `${actual} is not ${expected}`);

test('the distributions are those of the tables', () => {
  near(studentQuantile(0.975, 4), 2.776445);
  near(studentQuantile(0.975, 1), 12.7062, 3);
  near(studentQuantile(0.8, 9), 0.883404);
  near(studentProbability(-2.776445, 4), 0.025);
  near(normalQuantile(0.975), 1.959964);
  near(normalProbability(1), 0.841345);
  near(normalProbability(-3), 0.00135, 5);
});

test('a standard error counts templates, where results of one resemble each other', () => {
  const clusters = [
    [1, 1, 1, 1],
    [0, 0, 0, 0],
    [1, 1, 0, 0],
  ];
  const { mean, stderr, clusteredStderr } = clusteredMean(clusters);
  assert.equal(mean, 0.5);
  near(stderr, Math.sqrt(3 / 11 / 12));
  near(clusteredStderr!, Math.sqrt((3 / 2) * (4 + 4 + 0)) / 12);
});

test('with one template there is neither a clustered error nor an interval', () => {
  const found = clusteredMean([[0, 1, 1]]);
  assert.equal(found.clusteredStderr, undefined);
  assert.equal(meanInterval(found), undefined);
});

test('an interval stays within 0 and 1, and has a width where all results are the same', () => {
  for (const value of [0, 0.5, 1]) {
    const [low, high] = meanInterval(clusteredMean([[value], [value], [value], [value]]))!;
    assert.ok(low >= 0 && high <= 1 && low < high && low <= value && value <= high, `${low} ${high}`);
  }
});

test('Wilson’s interval is that of the textbook', () => {
  const [low, high] = wilsonInterval(8, 10);
  near(low, 0.4902, 3);
  near(high, 0.9433, 3);
});

test('pass@k and pass^k are exact, also for hundreds of trials, and leave out what cannot be known', () => {
  const trials = (task: string, successes: number, count: number): TaskResult[] =>
    Array.from({ length: count }, (_, trial) => ({ task, trial, reward: trial < successes ? 1 : 0 }));
  const { passAtK, passHatK } = passRates([...trials('a', 1, 4), ...trials('b', 4, 4)], [1, 2, 5]);
  assert.deepEqual(passAtK, { 1: 0.625, 2: 0.75 });
  assert.deepEqual(passHatK, { 1: 0.625, 2: 0.5 });
  const many = passRates(trials('a', 300, 400), [100]);
  // C(300,100) / C(400,100), computed with whole numbers.
  near(Math.log(many.passHatK['100']!), -33.920985);
});

test('a comparison pairs by task and says which side is better only where it is shown', () => {
  const study = (shift: number): TaskResult[] =>
    Array.from({ length: 40 }, (_, index) => ({
      template: `t${index % 10}`,
      task: `${index}`,
      reward: 0.3 + (index % 7) / 20 + shift + (index % 3) / 50,
    }));
  const better = compareResults(study(0), study(0.1))!;
  near(better.difference, 0.1);
  assert.equal(better.verdict, 'b better');
  assert.deepEqual([better.tasks, better.templates], [40, 10]);
  assert.equal(compareResults(study(0.1), study(0))!.verdict, 'a better');
  const same = compareResults(study(0), study(0))!;
  assert.deepEqual([same.verdict, same.changes], ['undecided', []]);
  assert.equal(compareResults(study(0), [{ task: 'other', reward: 1 }]), undefined);
});

test('tasks are told apart by template and name together, and a success may be told apart from its reward', () => {
  const a: TaskResult[] = [
    { template: 'x', task: '1', reward: 0.4, success: true },
    { template: 'y', task: '1', reward: 0.9, success: false },
  ];
  const compared = compareResults(a, a, 'success')!;
  assert.deepEqual([compared.tasks, compared.a], [2, 0.5]);
});

test('Holm’s correction keeps the order and grows no smaller', () => {
  assert.deepEqual(
    holmCorrection([0.01, 0.04, 0.03]).map((value) => Math.round(value * 1000) / 1000),
    [0.03, 0.06, 0.06],
  );
});

test('Krippendorff’s alpha is that of his own example', () => {
  // Hayes and Krippendorff 2007: nominal data with gaps, α = 0.743.
  const a = [1, 2, 3, 3, 2, 1, 4, 1, 2, undefined, undefined, undefined];
  const b = [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, undefined, 3];
  const c = [undefined, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, undefined];
  const d = [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, undefined];
  const units = a.map((_, index) => [a[index], b[index], c[index], d[index]]);
  near(krippendorffAlpha(units)!, 0.743, 3);
  assert.equal(krippendorffAlpha([[1, 1]]), undefined);
});

test('more templates find smaller differences, and one finds none', () => {
  const plan = { variants: 8, trials: 4 };
  assert.equal(detectableDifference({ ...plan, templates: 1 }), undefined);
  assert.ok(
    detectableDifference({ ...plan, templates: 40 })! < detectableDifference({ ...plan, templates: 10 })!,
  );
});

test('the bootstrap draws whole clusters', () => {
  const clusters = clustersOf(
    Array.from({ length: 60 }, (_, index) => ({
      template: `${index % 12}`,
      task: `${index}`,
      reward: index % 12 < 6 ? 1 : 0,
    })),
    ({ reward }) => reward,
  );
  const [low, high] = bootstrapInterval(clusters, (drawn) => clusteredMean(drawn).mean, {
    random: seededRandom(1),
  });
  assert.ok(low > 0.1 && low < 0.35 && high > 0.65 && high < 0.9, `${low} ${high}`);
});

const airline = new URL(
  '../../../../shared/data/tau-bench/airline/trajectories_gpt-4o_even_tasks.json',
  import.meta.url,
);

test(
  'the published figures of tau-bench airline come out, with the error that counts tasks',
  { skip: !existsSync(airline) && 'the recorded episodes are not on this machine' },
  () => {
    const episodes = JSON.parse(readFileSync(airline, 'utf8')) as readonly {
      readonly task_id: number;
      readonly trial: number;
      readonly reward: number;
    }[];
    const results = episodes.map(({ task_id, trial, reward }) => ({ task: `${task_id}`, trial, reward }));
    const { stderr, clusteredStderr } = clusteredMean(clustersOf(results, ({ reward }) => reward));
    assert.equal(results.length, 100);
    near(stderr, 0.05, 3);
    near(clusteredStderr!, 0.085, 3);
    const { passHatK } = passRates(results);
    assert.deepEqual(
      Object.values(passHatK).map((rate) => rate.toFixed(3)),
      ['0.490', '0.387', '0.340', '0.320'],
    );
  },
);
