import assert from 'node:assert/strict';
import { test } from 'node:test';

import { checkValue } from './check-at-once.ts';
import { loadChecker } from './check.ts';

test('the library is loaded at the first check, also while somebody waits for it', async () => {
  const waiting = loadChecker();
  assert.equal(checkValue({ type: 'string' }, 1).length, 1);
  assert.deepEqual(checkValue({ type: 'string' }, 'a'), []);
  await waiting;
});
