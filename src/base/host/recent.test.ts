import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Recent } from './recent.ts';

test('keeps what is asked for, and never more than its size', () => {
  const recent = new Recent<string, number>(10);
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
  const recent = new Recent<string, number>(4);
  for (const key of ['a', 'b', 'c']) recent.set(key, 1);
  recent.set('a', 2);
  assert.equal(recent.get('a'), 2);
  recent.delete('b');
  recent.delete('c');
  assert.deepEqual([recent.get('b'), recent.get('c')], [undefined, undefined]);
});

test('keeps what is asked for now and then, whatever else comes by, and forgets the rest', () => {
  const recent = new Recent<string, number>(20);
  recent.set('often', 1);
  recent.set('once', 2);
  for (let index = 0; index < 1000; index++) {
    recent.set(`stranger ${index}`, index);
    if (index % 5 === 0) assert.equal(recent.get('often'), 1);
  }
  assert.equal(recent.get('once'), undefined);
  const kept = Array.from({ length: 1000 }, (_, index) => recent.get(`stranger ${index}`));
  assert.ok(kept.filter((value) => value !== undefined).length < 20);
});

test('holds no more than its size by weight, and keeps nothing that is too heavy for it', () => {
  const recent = new Recent<number, string>(100, (text) => text.length);
  for (let round = 0; round < 500; round++) {
    recent.set(round % 30, 'x'.repeat((round * 7) % 60));
    const held = Array.from({ length: 30 }, (_, key) => recent.get(key)?.length ?? 0);
    assert.ok(held.reduce((sum, length) => sum + length) <= 100);
  }
  recent.set(1, 'short');
  recent.set(1, 'x'.repeat(51));
  assert.equal(recent.get(1), undefined);
});
