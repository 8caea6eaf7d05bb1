import assert from 'node:assert/strict';
import { test } from 'node:test';

import { show } from './show.ts';

test('shows anything, in a few words', () => {
  const self: Record<string, unknown> = {};
  self['self'] = self;
  const list: unknown[] = [1, 2];
  list.push(list);
  const shown = [undefined, null, 5, 5n, 'a "b"', Symbol('s'), () => 1, { a: 1 }, self, list].map(show);
  assert.deepEqual(shown, [
    'undefined',
    'null',
    '5',
    '5',
    '"a \\"b\\""',
    'Symbol(s)',
    'a function',
    '{"a":1}',
    'an object that is not JSON',
    'a list of 3',
  ]);
  assert.equal(show('x'.repeat(200)).length, 80);
});
