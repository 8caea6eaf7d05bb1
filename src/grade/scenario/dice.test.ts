import assert from 'node:assert/strict';
import { test } from 'node:test';

import { dice } from './dice.ts';

test('the same seed throws the same cases, another one others', () => {
  const throws = (seed: number) => {
    const { from, one, some, happens } = dice(seed);
    return [from(1, 1000), one(['a', 'b', 'c']), some([1, 2, 3, 4, 5, 6, 7]), happens(0.5), from(1, 1000)];
  };
  assert.deepEqual(throws(7), throws(7));
  assert.notDeepEqual(throws(7), throws(8));
});

test('what is thrown stays within its ends, and nothing is drawn twice', () => {
  const { from, some, happens } = dice(3);
  const thrown = new Set(Array.from({ length: 200 }, () => from(2, 4)));
  assert.deepEqual([...thrown].toSorted(), [2, 3, 4]);
  assert.deepEqual(some([1, 2, 3]).toSorted(), [1, 2, 3]);
  assert.equal(new Set(some([1, 2, 3, 4], 3)).size, 3);
  assert.deepEqual([happens(0), happens(1)], [false, true]);
});
