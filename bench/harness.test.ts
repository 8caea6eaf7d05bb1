import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  exponent,
  fittedExponent,
  inFreshProcess,
  isKept,
  median,
  quantile,
  tableOf,
  timeInTurn,
} from './harness.ts';
import { claimNames } from './run.ts';
import { benchmarksPage } from './write-page.ts';

test('every contender gets the same number of turns, and none always goes first', async () => {
  const turns: string[] = [];
  const work = (name: string) => (count: number) => {
    const until = performance.now() + 0.01 * count;
    while (performance.now() < until);
    turns.push(name);
  };
  const times = await timeInTurn({ a: work('a'), b: work('b') }, { rounds: 4, batchMs: 0.1, warmMs: 0.1 });
  assert.deepEqual(turns.slice(-8), ['a', 'b', 'b', 'a', 'a', 'b', 'b', 'a']);
  assert.ok(times.a.fastest <= times.a.median && times.a.median <= times.a.slowest);
});

test('what is made once, at the first call, does not say how often a contender is asked', async (t) => {
  const counts: number[] = [];
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const work = (count: number): void => {
    now += counts.length === 0 ? 20 : 0.01 * count;
    counts.push(count);
  };
  await timeInTurn({ work }, { rounds: 1, batchMs: 1, warmMs: 1 });
  assert.equal(counts.at(-1), 100);
});

test('medians and quantiles lie between the ranks', () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.equal(quantile([0, 10], 0.25), 2.5);
  assert.throws(() => median([]), RangeError);
});

test('an exponent over several sizes is the one of two where all lie on a line, and between them else', () => {
  const at = (size: number, power: number): { size: number; time: number } => ({
    size,
    time: 3 * size ** power,
  });
  assert.ok(Math.abs(fittedExponent([at(10, 1.2), at(100, 1.2), at(1000, 1.2)]) - 1.2) < 1e-9);
  const bent = fittedExponent([at(10, 1), at(100, 1), { size: 1000, time: 6000 }]);
  assert.ok(bent > 1.1 && bent < 1.3);
});

test('an exponent of one is linear, of two quadratic', () => {
  assert.equal(exponent({ size: 10, time: 3 }, { size: 100, time: 30 }), 1);
  assert.equal(exponent({ size: 10, time: 3 }, { size: 100, time: 300 }), 2);
});

test('a limit is kept from both sides', () => {
  assert.ok(isKept({ says: '', measured: 1, atMost: 1 }));
  assert.ok(!isKept({ says: '', measured: 1.1, atMost: 1 }));
  assert.ok(!isKept({ says: '', measured: 0.2, atLeast: 0.33 }));
});

test('a fresh process answers in JSON, and one that fails is an error', () => {
  assert.deepEqual(inFreshProcess('console.log(JSON.stringify({ two: 1 + 1 }))', { cwd: '.' }), { two: 2 });
  assert.throws(() => inFreshProcess('throw new Error("no")', { cwd: '.' }), /measured process failed/);
});

test('a missed limit is written as missed', () => {
  const page = benchmarksPage([
    {
      claim: 'c',
      title: 't',
      rounds: 1,
      date: '2026-11-21',
      node: 'v26',
      machine: 'm',
      rows: [{ a: 1, b: 'x' }],
      limits: [{ says: 'time', measured: 2, atMost: 1 }],
    },
  ]);
  assert.match(page, /\*\*missed\*\*: time is 2 \(at most 1\)/);
  assert.ok(page.includes(tableOf([{ a: 1, b: 'x' }])));
});

test('every file of the folder exports the claim that it is named after', async () => {
  const names = claimNames();
  assert.ok(names.length > 0);
  for (const name of names) {
    const { claim } = (await import(`./${name}.ts`)) as { claim: { name: string } };
    assert.equal(claim.name, name);
  }
});
