import assert from 'node:assert/strict';
import { test } from 'node:test';

import { systemClock } from './clock.ts';

test('a wait that is longer than any timer does not ring at once', async () => {
  const rung: number[] = [];
  const cancels = [2 ** 31, 1e12, Infinity].map((ms) => systemClock.after(ms, () => void rung.push(ms)));
  // A timer that was set for too long rings after a millisecond, so before this one.
  await new Promise<void>((resolve) => void systemClock.after(5, resolve, { keepAlive: true }));
  for (const cancel of cancels) cancel();
  assert.deepEqual(rung, []);
});
