import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readInline } from './markdown.ts';

test('stress is told from the underscores and stars of names and sums', () => {
  const stressed = (text: string) =>
    readInline(text).flatMap((piece) => (piece.kind === 'text' ? [] : [`${piece.kind} ${piece.text}`]));
  assert.deepEqual(stressed('Physician: _left empty_'), ['emphasis left empty']);
  assert.deepEqual(stressed('*now*, __then__ and **always**'), [
    'emphasis now',
    'strong then',
    'strong always',
  ]);
  assert.deepEqual(stressed('call claim_status_id, then _private or x_y_, 3 * 4 * 5'), []);
  assert.deepEqual(stressed('`claim_status` of _claim_status_'), ['code claim_status']);
});
