import assert from 'node:assert/strict';
import { test } from 'node:test';

import { seededRandom } from '../../base/host/random.ts';
import { rounds } from '../../../test/rounds.ts';
import { gateFlips } from './gate-flips.ts';

const earned = (successes: number) => Array.from({ length: 20 }, (_, index) => (index < successes ? 1 : 0));

test('a gate that looks at the same player twice says pass and fail in one round of twenty at most', () => {
  console.log('rate  pass  fail  undecided  flips of rounds');
  for (const successes of [0, 12, 15, 16, 17, 18, 20]) {
    const found = gateFlips(earned(successes), 0.8, { random: seededRandom(1), rounds: rounds(400) });
    const { rate, flips, verdicts } = found;
    console.log(
      [rate, verdicts.pass, verdicts.fail, verdicts.undecided, `${flips}/${found.rounds}`].join('  '),
    );
    assert.ok(flips / found.rounds <= 0.05, `${rate}: ${flips} of ${found.rounds}`);
    if (rate < 0.8) assert.ok(verdicts.pass / (2 * found.rounds) <= 0.05);
    if (rate > 0.8) assert.ok(verdicts.fail / (2 * found.rounds) <= 0.05);
  }
});

test('the same seed gives the same rounds, and who never fails never flips', () => {
  const ask = (seed: number) => gateFlips(earned(15), 0.75, { random: seededRandom(seed), rounds: 50 });
  assert.deepEqual(ask(3), ask(3));
  assert.notDeepEqual(ask(3).verdicts, ask(4).verdicts);
  const { flips, verdicts } = gateFlips([1, 1, 1], 0.8, { random: seededRandom(1), rounds: 50 });
  assert.deepEqual([flips, verdicts], [0, { pass: 100, fail: 0, undecided: 0 }]);
});
