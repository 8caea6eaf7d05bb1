import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isWhetstoneError } from '../../host/errors.ts';
import type { JsonEvent } from './events.ts';
import { JsonReader, type JsonReaderOptions } from './reader.ts';
import { anyKey } from './subscription.ts';
import type { JsonValue } from '../value.ts';

function readAll(pieces: readonly string[], options?: JsonReaderOptions): JsonValue {
  const reader = new JsonReader(options);
  for (const piece of pieces) reader.push(piece);
  return reader.end();
}

function refusal(pieces: readonly string[], options?: JsonReaderOptions): Record<string, unknown> {
  try {
    readAll(pieces, options);
  } catch (error) {
    assert(isWhetstoneError(error));
    return { code: error.code, ...error.details };
  }
  throw new assert.AssertionError({ message: `taken: ${pieces.join('')}` });
}

test('gives the value of the whole, wherever the pieces are cut', () => {
  const text = ' {"a\\n\\u00e9\\ud83d\\ude00":[-0.5e+3, 120, true,\tfalse,null,"x\\"y 😀"],"":{"b":[]}}\r\n';
  const value: unknown = JSON.parse(text);
  for (let first = 0; first <= text.length; first++) {
    for (let second = first; second <= text.length; second++) {
      const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second)];
      assert.deepStrictEqual(readAll(pieces), value);
    }
  }
});

test('gives every number of a list, wherever the pieces are cut', () => {
  const tokens =
    '0 -0 7 -12 -0.5 12.25 10.05 0.000000001 123456789 1234567890 12345.67891 123456789012345 1234567890123456 0.1234567890123456 1e5 -1.5E-3 0e+1 5.0';
  const text = `[${tokens.replaceAll(' ', ',')}, 3 ,[1,2],4]`;
  const value: unknown = JSON.parse(text);
  const written = readAll([text], { numbers: 'as-written' });
  assert.equal(JSON.stringify(written), text.replaceAll(' ', ''));
  for (let first = 0; first <= text.length; first++) {
    for (let second = first; second <= text.length; second++) {
      const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second)];
      assert.deepStrictEqual(readAll(pieces), value);
      assert.deepStrictEqual(readAll(pieces, { numbers: 'as-written' }), written);
    }
  }
});

test('refuses a number of a list at the character that spoils it, wherever the pieces are cut', () => {
  const spoiled = { '01': 1, '-01': 2, '00': 1, '1..2': 2, '1.': 2, '1-': 1, '--1': 1, '1.2.3': 3, '.5': 0 };
  for (const [token, offset] of Object.entries({ ...spoiled, '12345678901.x': 12, '1e,': 2, '01.5': 1 })) {
    const text = `[1,${token},2]`;
    for (let cut = 0; cut <= text.length; cut++) {
      const { code, offset: found } = refusal([text.slice(0, cut), text.slice(cut)]);
      assert.deepEqual({ code, found }, { code: 'json_syntax', found: offset + 3 }, `${token} cut at ${cut}`);
    }
  }
});

test('a number at the root is complete only at the end', () => {
  const reader = new JsonReader();
  reader.push('1');
  assert.equal(reader.isComplete, false);
  assert.equal(reader.current, undefined);
  reader.push('2');
  assert.equal(reader.end(), 12);
});

test('keeps minus zero, and reads numbers as JSON.parse does', () => {
  for (const text of [
    '-0',
    '0.1',
    '123456789012345',
    '1234567890123456789',
    '5.0',
    '1e400',
    '-1E-7',
    '0.30000000000000004',
  ]) {
    assert(
      Object.is(
        readAll([`[${text}]`]) instanceof Array && (readAll([`[${text}]`]) as number[])[0],
        JSON.parse(text),
      ),
    );
  }
});

test('shows a half-written string and holds back half a surrogate pair', () => {
  const reader = new JsonReader();
  reader.push('{"note":"smile \ud83d');
  assert.deepEqual(reader.current, { note: 'smile ' });
  reader.push('\ude00');
  assert.deepEqual(reader.current, { note: 'smile 😀' });
  reader.push(' \\ud83d');
  assert.deepEqual(reader.current, { note: 'smile 😀 ' });
  reader.push('"}');
  assert.deepEqual(reader.end(), { note: 'smile 😀 \ud83d' });
});

test('a string longer than what is joined for good reads as it was written, at any place', () => {
  const line = 'const name = "Zürich 😀";\n\tcall(\\ \u2028);';
  const value = { first: line.repeat(4000), second: [line.repeat(3200), 'short', line.repeat(20)] };
  const text = JSON.stringify(value);
  for (const size of [7, 1000, 140_000]) {
    const reader = new JsonReader();
    for (let at = 0; at < text.length; at += size) {
      reader.push(text.slice(at, at + size));
      const { first } = (reader.current ?? {}) as { first?: string };
      if (at % 9973 < size && first !== undefined) assert.ok(value.first.startsWith(first));
    }
    assert.deepEqual(reader.end(), value);
  }
});

test('many objects at one place are plain objects, and their short lists are whole', () => {
  const items = Array.from({ length: 1100 }, (_, id) => ({
    id,
    tags: ['a', `tag ${id}`].slice(0, id % 3),
    ...(id % 5 === 0 ? { extra: [[id], []] } : { size: { width: id } }),
  }));
  const text = JSON.stringify({ items });
  for (const size of [5, 64]) {
    const reader = new JsonReader();
    for (let at = 0; at < text.length; at += size) {
      reader.push(text.slice(at, at + size));
      if (at % 6007 < size) assert.deepEqual(reader.current, reader.snapshot());
    }
    const value = reader.end() as { items: object[] };
    assert.deepEqual(value, JSON.parse(text));
    for (const item of value.items) {
      assert.equal(Object.getPrototypeOf(item), Object.prototype);
      assert.equal(item.constructor, Object);
    }
  }
});

test('a snapshot never changes, and shares what is closed', () => {
  const reader = new JsonReader();
  reader.push('{"done":{"a":[1]},"open":[{"b":"x');
  const early = reader.snapshot() as { done: unknown };
  assert.equal(reader.snapshot(), early);
  const text = JSON.stringify(early);
  assert.equal(text, '{"done":{"a":[1]},"open":[{"b":"x"}]}');
  reader.push('yz","c":2},3]}');
  assert.equal(JSON.stringify(early), text);
  const late = reader.snapshot() as { done: unknown };
  assert.deepEqual(late, { done: { a: [1] }, open: [{ b: 'xyz', c: 2 }, 3] });
  assert.equal(late.done, early.done);
});

test('__proto__ and constructor are ordinary keys', () => {
  const text = '{"__proto__":{"x":1},"constructor":2,"toString":3}';
  const reader = new JsonReader();
  reader.push(text.slice(0, 17));
  assert(Object.hasOwn(reader.snapshot() as object, '__proto__'));
  reader.push(text.slice(17));
  assert.deepStrictEqual(reader.end(), JSON.parse(text));
  assert.equal(({} as Record<string, unknown>)['x'], undefined);
});

test('tells what happens, with paths, and text in pieces', () => {
  const told: unknown[] = [];
  const onEvent = (event: JsonEvent): void => {
    told.push([
      event.type,
      event.path.join('/'),
      'text' in event ? event.text : 'value' in event ? event.value : '',
    ]);
  };
  const reader = new JsonReader({ onEvent });
  for (const piece of ['{"a":["he', 'llo', '",1', '],"a":{', '}}']) reader.push(piece);
  reader.end();
  assert.deepEqual(told, [
    ['open', '', ''],
    ['open', 'a', ''],
    ['text', 'a/0', 'he'],
    ['text', 'a/0', 'llo'],
    ['value', 'a/0', 'hello'],
    ['value', 'a/1', 1],
    ['value', 'a', ['hello', 1]],
    ['duplicate', 'a', ''],
    ['open', 'a', ''],
    ['value', 'a', {}],
    ['value', '', { a: {} }],
  ]);
});

test('follows paths: names, indices, any key, odd keys, the root', () => {
  const text = '{"items":[{"name":"a","n":1},{"name":"b"}],"odd key":{"x":true},"code":"run()"}';
  const heard: string[] = [];
  const reader = new JsonReader();
  const hear = (label: string) => (event: { type: string; path: readonly unknown[] }) =>
    void heard.push(`${label} ${event.type} ${event.path.join('.')}`);
  reader.on('items[*].name', hear('names'));
  reader.on('items[1]', hear('second'));
  reader.on('["odd key"].*', hear('odd'));
  reader.on([anyKey, anyKey, 'n'], hear('list'));
  reader.on('', hear('root'));
  const stop = reader.on('code', hear('code'));
  reader.push(text.slice(0, -4));
  stop();
  reader.push(text.slice(-4));
  reader.end();
  assert.deepEqual(heard, [
    'names text items.0.name',
    'names value items.0.name',
    'list value items.0.n',
    'names text items.1.name',
    'names value items.1.name',
    'second value items.1',
    'odd value odd key.x',
    'code text code',
    'root value ',
  ]);
});

test('a path that cannot be read is refused', () => {
  const reader = new JsonReader();
  for (const path of ['a..b', 'a[', 'items[x]', '["open', '.', 7 as unknown as string]) {
    assert.throws(() => reader.on(path, () => undefined), { code: 'json_path' }, String(path));
  }
});

test('a listener that comes late hears from there on', () => {
  const reader = new JsonReader();
  const heard: unknown[] = [];
  reader.push('{"a":[{"b":"one ');
  reader.on('a[*].b', (event) => heard.push(event.type === 'text' ? event.text : event.value));
  reader.push('two"},{"b":3}]}');
  assert.deepEqual(heard, ['two', 'one two', 3]);
});

test('a listener that throws harms nothing: the rest is told next', () => {
  const reader = new JsonReader();
  const heard: unknown[] = [];
  reader.on('*', (event) => {
    heard.push(event.path[0]);
    if (event.path[0] === 0) throw new Error('mine');
  });
  assert.throws(() => reader.push('[1,2,3,'), /mine/);
  reader.push('4]');
  assert.deepEqual(heard, [0, 1, 2, 3]);
  assert.deepEqual(reader.end(), [1, 2, 3, 4]);
});

test('a listener that throws or pushes in the middle of a long piece loses nothing', () => {
  const reader = new JsonReader();
  let heard = 0;
  reader.on('[*]', () => {
    heard++;
    assert.throws(() => reader.push('x'), { code: 'json_reader_closed', message: /telling a listener/ });
    if (heard === 10) throw new Error('mine');
  });
  const text = JSON.stringify(Array.from({ length: 50_000 }, (_, index) => index));
  assert.throws(() => reader.push(text), /mine/);
  assert.deepEqual(reader.end(), JSON.parse(text));
  assert.equal(heard, 50_000);
});

test('an error says the place, the line and what was expected', () => {
  assert.deepEqual(refusal(['{"a":1,\n ', ' 7}']), {
    code: 'json_syntax',
    offset: 10,
    line: 2,
    column: 3,
    expected: 'a key',
    found: '7',
  });
  assert.deepEqual(refusal(['[1, "ab']), {
    code: 'json_incomplete',
    offset: 7,
    line: 1,
    column: 8,
    expected: 'the end of the string',
  });
});

test('a reader that has ended or refused takes no more', () => {
  const ended = new JsonReader();
  ended.push('[]');
  assert.deepEqual(ended.end(), ended.end());
  assert.throws(() => ended.push(' '), { code: 'json_reader_closed' });
  const refused = new JsonReader();
  assert.throws(() => refused.push('[}'), { code: 'json_syntax' });
  assert.throws(() => refused.push(']'), { code: 'json_reader_closed' });
  assert.throws(() => refused.end(), { code: 'json_syntax' });
  assert.throws(() => new JsonReader().push(1 as unknown as string), { code: 'json_input' });
});

test('limits are off by default and refuse at the first character beyond them', () => {
  assert.equal(refusal(['[[', '[]]]'], { limits: { depth: 2 } })['offset'], 2);
  assert.equal(refusal(['[1,2,', '3]'], { limits: { members: 2 } })['offset'], 5);
  assert.equal(refusal(['{"a":1,"b":{},"c":3}'], { limits: { members: 2 } })['offset'], 14);
  assert.deepEqual(refusal(['[1', ',2]'], { limits: { length: 3 } }), {
    code: 'json_limit',
    limit: 'length',
    allowed: 3,
    offset: 3,
    line: 1,
    column: 4,
  });
  assert.deepEqual(readAll(['[{"a":[]},', '{"b":1}]'], { limits: { depth: 3, length: 18, members: 2 } }), [
    { a: [] },
    { b: 1 },
  ]);
});

test('a million open brackets do no harm', () => {
  const depth = 1_000_000;
  const reader = new JsonReader();
  reader.push('['.repeat(depth));
  let level = 0;
  for (let inner = reader.snapshot(); Array.isArray(inner); inner = (inner as JsonValue[])[0]) level++;
  assert.equal(level, depth);
  reader.push(']'.repeat(depth));
  assert(Array.isArray(reader.end()));
});
