import assert from 'node:assert/strict';
import { test } from 'node:test';

import { rounds, seed } from '../../../test/rounds.ts';
import { seededRandom } from '../../base/host/random.ts';
import { NumberMap } from './number-map.ts';

test('numbers are found as in a map, however many there are and once it was emptied', () => {
  const random = seededRandom(seed('number map'));
  const next = (below: number) => Math.floor(random() * below);
  const numbers = new NumberMap();
  for (let round = 0; round < rounds(20); round++) {
    const wanted = new Map<number, number>();
    const range = [10, 300, 2 ** 31][next(3)]!;
    const keyOf = () => ((next(range) + 1) * (2 * next(2) - 1)) | 0 || 1;
    for (let entry = 0; entry < next(2000); entry++) {
      const [key, value] = [keyOf(), next(1000)];
      wanted.set(key, value);
      numbers.set(key, value);
    }
    assert.equal(numbers.size, wanted.size);
    for (const [key, value] of wanted) assert.equal(numbers.get(key), value);
    for (let other = 0; other < 500; other++) {
      const key = keyOf();
      assert.equal(numbers.get(key), wanted.get(key) ?? -1, String(key));
    }
    numbers.clear();
    assert.equal(numbers.size, 0);
  }
});
