import assert from 'node:assert/strict';
import { test } from 'node:test';

import { formatPointer, getByPointer, parsePointer } from './pointer.ts';

// The document and the answers of RFC 6901, section 5.
const document = {
  foo: ['bar', 'baz'],
  '': 0,
  'a/b': 1,
  'c%d': 2,
  'e^f': 3,
  'g|h': 4,
  'i\\j': 5,
  'k"l': 6,
  ' ': 7,
  'm~n': 8,
};

test('finds what RFC 6901 says', () => {
  const answers: Record<string, unknown> = {
    '': document,
    '/foo': ['bar', 'baz'],
    '/foo/0': 'bar',
    '/': 0,
    '/a~1b': 1,
    '/c%d': 2,
    '/e^f': 3,
    '/g|h': 4,
    '/i\\j': 5,
    '/k"l': 6,
    '/ ': 7,
    '/m~0n': 8,
  };
  for (const [pointer, answer] of Object.entries(answers)) {
    assert.deepEqual(getByPointer(document, pointer), answer);
    assert.equal(formatPointer(parsePointer(pointer)), pointer);
  }
});

test('sees own keys only, and only true indices', () => {
  for (const pointer of [
    '/foo/00',
    '/foo/-',
    '/foo/2',
    '/foo/length',
    '/constructor',
    '/__proto__',
    '/foo/0/x',
    '/foo/1e0',
  ]) {
    assert.equal(getByPointer(document, pointer), undefined);
  }
});

test('refuses what is not a pointer', () => {
  for (const pointer of ['foo', '#/foo', '/a~', '/a~2', 7 as unknown as string]) {
    assert.throws(() => parsePointer(pointer), { code: 'json_pointer' });
  }
});
