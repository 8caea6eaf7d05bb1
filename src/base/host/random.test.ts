import assert from 'node:assert/strict';
import { test } from 'node:test';

import { firstTimedId, randomId, timedId } from './random.ts';

test('ids of one prefix differ, and hold only letters and digits', () => {
  const ids = Array.from({ length: 1000 }, () => randomId('run'));
  assert.equal(new Set(ids).size, 1000);
  for (const id of ids) assert.match(id, /^run_[0-9a-hjkmnp-tv-z]{20}$/);
});

test('ids with a time sort by their times, and differ within one', () => {
  const times = [0, 31, 32, 1_700_000_000_000, 1_700_000_000_001, 32 ** 9 - 1];
  const ids = times.map((time) => timedId('ep', time));
  assert.deepEqual(ids.toSorted(), ids);
  for (const id of ids) assert.match(id, /^ep_[0-9a-hjkmnp-tv-z]{25}$/);
  assert.equal(new Set(Array.from({ length: 1000 }, () => timedId('ep', 5))).size, 1000);
  for (const time of times.slice(1)) {
    assert.ok(timedId('ep', time - 1) < firstTimedId('ep', time));
    assert.ok(firstTimedId('ep', time) < timedId('ep', time));
  }
});
