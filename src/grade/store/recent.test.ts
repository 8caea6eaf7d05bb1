import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Recent } from './recent.ts';

test('keeps what is asked for, and never more than its size', () => {
  const recent = new Recent<number>(10);
  for (let number = 0; number < 100; number++) {
    recent.set(`key ${number}`, number);
    assert.equal(recent.get('key 0'), 0);
    const kept = Array.from({ length: number + 1 }, (_, index) => recent.get(`key ${index}`));
    assert.ok(kept.filter((value) => value !== undefined).length <= 10);
    recent.set('key 0', 0);
  }
  assert.equal(recent.get('key 50'), undefined);
});

test('a value that is set anew or deleted is not found as it was', () => {
  const recent = new Recent<number>(4);
  for (const key of ['a', 'b', 'c']) recent.set(key, 1);
  recent.set('a', 2);
  assert.equal(recent.get('a'), 2);
  recent.delete('b');
  recent.delete('c');
  assert.deepEqual([recent.get('b'), recent.get('c')], [undefined, undefined]);
});
