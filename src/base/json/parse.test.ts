import assert from 'node:assert/strict';
import { test } from 'node:test';

import { NumberToken } from './number-token.ts';
import { parseJson } from './parse.ts';

test('gives what JSON.parse gives, and says where a text is not JSON', () => {
  assert.deepEqual(parseJson(' {"a":[1,"x"]} '), { a: [1, 'x'] });
  assert.throws(() => parseJson('{"a":1,\n}'), {
    code: 'json_syntax',
    message: 'Not JSON at line 2, column 1 (offset 8): expected a key, found "}".',
  });
  assert.throws(() => parseJson(''), {
    code: 'json_incomplete',
    message: /offset 0.*expected a value, the text ended/,
  });
  assert.throws(() => parseJson('\ufeff{}'), { code: 'json_syntax', message: /found U\+FEFF/ });
  assert.throws(() => parseJson(undefined as unknown as string), { code: 'json_input' });
});

test('keeps numbers as they are written when asked to', () => {
  const value = parseJson('[5.0,5,9007199254740993,0.1,1e400,-0]', { numbers: 'as-written' });
  assert.deepEqual(value, [
    new NumberToken('5.0'),
    5,
    new NumberToken('9007199254740993'),
    0.1,
    new NumberToken('1e400'),
    new NumberToken('-0'),
  ]);
});

test('tells of keys that come again, and takes the last', () => {
  const told: unknown[] = [];
  const value = parseJson('{"a":1,"b":[{"c":1,"c":2}],"\\u0061":3}', {
    onDuplicate: (path) => told.push(path),
  });
  assert.deepEqual(value, { a: 3, b: [{ c: 2 }] });
  assert.deepEqual(told, [['b', 0, 'c'], ['a']]);
});

test('keeps to its limits', () => {
  assert.throws(() => parseJson('[[1]]', { limits: { depth: 1 } }), {
    code: 'json_limit',
    message: 'The JSON text is nested deeper than 1 levels at line 1, column 2 (offset 1).',
  });
});

test('an escaped key is read exactly, whatever was read before', () => {
  // Once V8 14.6 has parsed the first, its own JSON.parse gives {"\\":1} for the second.
  assert.deepEqual(parseJson('{"\\\\":1}'), { '\\': 1 });
  assert.deepEqual(parseJson('{"\\u0061":1}'), { a: 1 });
  assert.deepEqual(parseJson('{"k\\\\":1}'), { 'k\\': 1 });
  assert.deepEqual(parseJson('{"k\\u0061" :1}'), { ka: 1 });
});
