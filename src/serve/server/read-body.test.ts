import assert from 'node:assert/strict';
import { test } from 'node:test';

import { batchBody, ordinaryBody, readJsonText } from './read-body.ts';

const refused = { code: 'request_not_json' };
const list = (count: number, item = '1'): string =>
  `[${Array.from({ length: count }, () => item).join(',')}]`;

test('10,000 members and items are read, and one more is refused', () => {
  for (const [limits, most] of [
    [ordinaryBody, 10_000],
    [batchBody, 80_000],
  ] as const) {
    readJsonText(list(most), limits);
    assert.throws(() => readJsonText(list(most + 1), limits), refused);
    readJsonText(`{"x":${list(most - 1)}}`, limits);
    assert.throws(() => readJsonText(`{"x":${list(most)}}`, limits), refused);
  }
});

test('a byte order mark before the JSON is let be, and nowhere else', () => {
  assert.deepEqual(readJsonText('\ufeff{"a":"\ufeff"}', ordinaryBody), { a: '\ufeff' });
  for (const text of ['\ufeff\ufeff{}', '{}\ufeff', '{\ufeff}'])
    assert.throws(() => readJsonText(text, ordinaryBody), refused);
});

test('what is empty has no members, with white space in it or without', () => {
  readJsonText(list(10_000, '{}'), ordinaryBody);
  readJsonText(list(10_000, '[ \n]'), ordinaryBody);
  assert.throws(() => readJsonText(list(10_001, '{}'), ordinaryBody), refused);
  assert.throws(() => readJsonText(list(10_000, '[{}]'), ordinaryBody), refused);
});

test('64 levels are read, and one more is refused; brackets in strings are none', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  readJsonText(nested(64), ordinaryBody);
  assert.throws(() => readJsonText(nested(65), ordinaryBody), refused);
  readJsonText(JSON.stringify([nested(100), '\\"', ','.repeat(20_000)]), ordinaryBody);
});
