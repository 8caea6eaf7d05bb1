import assert from 'node:assert/strict';
import { test } from 'node:test';

import { wordsOf, wordsSaid } from './words.ts';

test('words are letters with what joins them, and numbers with their signs', () => {
  assert.deepEqual(wordsOf("it's a non-smoker, 1,000.50 on 12-6, é, caf\u00e9 -- x'"), [
    "it's",
    'a',
    'non-smoker',
    '1,000.50',
    'on',
    '12-6',
    'caf\u00e9',
    'x',
  ]);
});

test('words as they are said keep commas and the end, and every number is the same', () => {
  assert.deepEqual(wordsSaid('yes, 7 or 12 days', true), ['yes', ',', '#', 'or', '#', 'days', '?']);
  assert.deepEqual(wordsSaid('now', false), ['now', '.']);
});
