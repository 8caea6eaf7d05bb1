import assert from 'node:assert/strict';
import { test } from 'node:test';

import { stem } from './stem.ts';
import { kinship } from './word-vectors.ts';

const near = (one: string, other: string) => kinship(stem(one), stem(other));

test('words that mean nearly the same are nearer to each other than to others', () => {
  const kin = [
    ['salary', 'wages', 'elbow'],
    ['elbow', 'wrist', 'invoice'],
    ['jacket', 'coat', 'fever'],
    ['brother', 'sister', 'refund'],
  ] as const;
  for (const [word, relative, stranger] of kin) {
    assert.ok(near(word, relative) > 0.5, `${word}, ${relative}: ${near(word, relative)}`);
    assert.ok(near(word, stranger) < 0.4, `${word}, ${stranger}: ${near(word, stranger)}`);
    assert.equal(near(word, relative), near(relative, word));
  }
});

test('a word is its own nearest, and one that nobody knows has no relatives', () => {
  assert.equal(near('salary', 'salary'), 1);
  assert.equal(near('zzyzxq', 'zzyzxq'), 1);
  assert.equal(near('zzyzxq', 'salary'), 0);
});
