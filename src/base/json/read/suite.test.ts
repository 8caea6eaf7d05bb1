import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { isWhetstoneError } from '../../host/errors.ts';
import { JsonBytes } from './bytes.ts';
import { JsonReader } from './reader.ts';

// What a JSON parser must take (y_), refuse (n_) or may do either way (i_): github.com/nst/JSONTestSuite.
const folder = new URL('../../../../../shared/data/jsontestsuite/test_parsing/', import.meta.url);
const skip = existsSync(folder) ? false : 'JSONTestSuite is not on this machine';
const files = skip ? [] : readdirSync(folder).filter((name) => name.endsWith('.json'));

/** The value, or the code of the refusal; read in pieces of `size` bytes. */
function outcome(bytes: Uint8Array, size: number): { value: unknown } | { code: string } {
  try {
    const door = new JsonBytes(new JsonReader());
    for (let at = 0; at < bytes.length; at += size) door.push(bytes.subarray(at, at + size));
    return { value: door.end() };
  } catch (error) {
    assert(isWhetstoneError(error), String(error));
    return { code: error.code };
  }
}

function nativeValue(bytes: Uint8Array): { value: unknown } | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

test('every file of JSONTestSuite is taken or refused as it must be, whole and in pieces', { skip }, () => {
  const counted = { y: 0, n: 0, i: 0 };
  for (const name of files) {
    const bytes = readFileSync(new URL(encodeURIComponent(name), folder));
    const kind = name[0] as 'y' | 'n' | 'i';
    counted[kind]++;
    const native = nativeValue(bytes);
    for (const size of [1, 7, 1 << 20]) {
      const read = outcome(bytes, size);
      if (kind === 'y') assert('value' in read, `${name} must be taken`);
      if (kind === 'n') assert('code' in read, `${name} must be refused`);
      if (native === undefined) assert('code' in read, `${name}: JSON.parse refuses it`);
      else assert.deepStrictEqual(read, native, name);
    }
  }
  assert.deepEqual(counted, { y: 95, n: 188, i: 35 });
});

test('what JSONTestSuite leaves open is documented as it is', { skip }, () => {
  const note = readFileSync(new URL('../../../../docs/design/json.md', import.meta.url), 'utf8');
  for (const name of files.filter((file) => file.startsWith('i_'))) {
    const read = outcome(readFileSync(new URL(encodeURIComponent(name), folder)), 1 << 20);
    const verdict = 'value' in read ? 'taken' : `refused: \`${read.code}\``;
    assert(note.includes(`| \`${name.slice(0, -5)}\` | ${verdict} |`), `${name} is ${verdict}`);
  }
});

test('transformed texts keep what JSON.parse keeps', { skip }, () => {
  const transforms = new URL('../test_transform/', folder);
  for (const name of readdirSync(transforms)) {
    const bytes = readFileSync(new URL(encodeURIComponent(name), transforms));
    const native = nativeValue(bytes);
    const read = outcome(bytes, 3);
    if (native === undefined) assert('code' in read, name);
    else assert.deepStrictEqual(read, native, name);
  }
});

test('bytes that are not UTF-8 are refused at their first byte, after what comes before them', () => {
  const refused = (...pieces: number[][]): unknown => {
    const door = new JsonBytes(new JsonReader());
    try {
      for (const piece of pieces) door.push(Uint8Array.from(piece));
      door.end();
    } catch (error) {
      assert(isWhetstoneError(error));
      return [error.code, error.details['offset']];
    }
    return undefined;
  };
  assert.deepEqual(refused([0x22, 0x61, 0xff]), ['json_encoding', 2]);
  assert.deepEqual(refused([0x22, 0xe2, 0x82], [0xac, 0x22]), undefined);
  assert.deepEqual(refused([0x22, 0xe2], [0x82], [0x22]), ['json_encoding', 3]);
  assert.deepEqual(refused([0x22, 0xed], [0xa0, 0x80]), ['json_encoding', 2]);
  assert.deepEqual(refused([0x22, 0xe2, 0x82]), ['json_encoding', 3]);
  assert.deepEqual(refused([0x5b, 0x7d, 0xff]), ['json_syntax', 1]);
  assert.deepEqual(refused([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), ['json_syntax', 0]);
  assert.throws(() => new JsonBytes(new JsonReader()).push('{}' as unknown as Uint8Array), {
    code: 'json_input',
  });
});
