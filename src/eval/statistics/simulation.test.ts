import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type Random, seededRandom } from '../../base/host/random.ts';
import { rounds } from '../../../test/rounds.ts';
import { clusteredMean } from './clustered-mean.ts';
import { compareResults } from './comparison.ts';
import { runGate } from './gate.ts';
import { meanInterval } from './interval.ts';
import type { TaskResult } from './result.ts';

/** Numbers of a distribution, from a seed that is fixed: the table is the same on every machine. */
const random = seededRandom(20_261_123);

test('of simulated studies, the share whose interval holds the true mean', (t) => {
  const studies = rounds(60);
  for (const templates of [5, 10, 20, 50]) {
    let held = 0;
    let width = 0;
    let count = 0;
    for (const mean of [0.03, 0.1, 0.3, 0.5, 0.9])
      for (const likeness of [0.05, 0.4, 0.9])
        for (const uneven of [false, true])
          for (let study = 0; study < studies; study++) {
            const clusters = Array.from({ length: templates }, () => {
              const rate = beta(mean * (1 / likeness - 1), (1 - mean) * (1 / likeness - 1));
              const size = uneven ? 4 * (1 + Math.floor(random() * random() * 16)) : 16;
              return Array.from({ length: size }, () => Number(random() < rate));
            });
            const [low, high] = meanInterval(clusteredMean(clusters))!;
            if (low <= mean && mean <= high) held++;
            width += high - low;
            count++;
          }
    const share = held / count;
    t.diagnostic(
      `${templates} templates: ${(share * 100).toFixed(1)} % hold it, width ${(width / count).toFixed(3)}`,
    );
    assert.ok(share > 0.925 && share < 0.995, `${templates} templates: ${share}`);
  }
});

test('where two players are the same, at most one comparison in twenty says otherwise', (t) => {
  const studies = rounds(60);
  for (const templates of [5, 10, 20]) {
    let wrong = 0;
    let count = 0;
    for (const ease of [0, 2])
      for (const uneven of [false, true])
        for (let study = 0; study < studies; study++) {
          const player = (): TaskResult[] => [];
          const [a, b] = [player(), player()];
          for (let template = 0; template < templates; template++) {
            const level = ease + normal() * 1.5;
            const variants = uneven ? 1 + Math.floor(random() * random() * 16) : 4;
            for (let variant = 0; variant < variants; variant++) {
              const rate = 1 / (1 + Math.exp(-(level + normal() * 0.5)));
              const play = (): TaskResult => ({
                template: `${template}`,
                task: `${variant}`,
                reward: Number(random() < rate),
              });
              for (let trial = 0; trial < 4; trial++) {
                a.push(play());
                b.push(play());
              }
            }
          }
          if (compareResults(a, b)!.verdict !== 'undecided') wrong++;
          count++;
        }
    t.diagnostic(`${templates} templates: ${((wrong / count) * 100).toFixed(1)} % false alarms`);
    assert.ok(wrong / count <= 0.05 + 2 * Math.sqrt((0.05 * 0.95) / count), `${templates}: ${wrong / count}`);
  }
});

test('a gate finds a rate that is 20 points too low, and is wrong in at most one run of twenty', (t) => {
  const runs = rounds(200);
  for (const atLeast of [0.5, 0.8, 0.9, 0.95]) {
    let found = 0;
    let wrong = 0;
    for (let run = 0; run < runs; run++) {
      if (runGate(tosses(atLeast - 0.2, 200), atLeast).verdict === 'fail') found++;
      if (runGate(tosses(atLeast, 1000), atLeast).verdict === 'fail') wrong++;
    }
    t.diagnostic(
      `at least ${atLeast}: ${((found / runs) * 100).toFixed(1)} % found within 200, ${((wrong / runs) * 100).toFixed(1)} % false alarms in 1,000`,
    );
    assert.ok(found / runs >= 0.9, `${atLeast}: found ${found / runs}`);
    assert.ok(
      wrong / runs <= 0.05 + 2 * Math.sqrt((0.05 * 0.95) / runs),
      `${atLeast}: wrong ${wrong / runs}`,
    );
  }
});

test('what follows a verdict does not change it, and numbers between 0 and 1 are taken', () => {
  const losses = Array.from({ length: 40 }, () => 0);
  const first = runGate(losses, 0.8);
  assert.equal(first.verdict, 'fail');
  assert.deepEqual(runGate([...losses, ...Array.from({ length: 500 }, () => 1)], 0.8), first);
  assert.deepEqual(runGate([1, 0, 1], 0.5), { verdict: 'undecided', after: undefined });
  assert.equal(
    runGate(
      Array.from({ length: 200 }, () => 0.95),
      0.8,
    ).verdict,
    'pass',
  );
});

function* tosses(rate: number, count: number): Generator<number> {
  for (let toss = 0; toss < count; toss++) yield Number(random() < rate);
}

function normal(from: Random = random): number {
  return Math.sqrt(-2 * Math.log(1 - from())) * Math.cos(2 * Math.PI * from());
}

function beta(a: number, b: number): number {
  const [x, y] = [gamma(a), gamma(b)];
  return x / (x + y);
}

/** Marsaglia and Tsang 2000. */
function gamma(shape: number): number {
  if (shape < 1) return gamma(shape + 1) * random() ** (1 / shape);
  const d = shape - 1 / 3;
  for (;;) {
    const x = normal();
    const v = (1 + x / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}
