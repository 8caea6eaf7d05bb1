import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';

import { canonicalJson } from './canonical.ts';
import { jsonEqual } from './equal.ts';
import { NumberToken } from './number-token.ts';
import { parseJson } from './parse.ts';
import { hashJson, sha256 } from './sha256.ts';
import type { ExactJson, JsonValue } from './value.ts';

const exact = (text: string): ExactJson => parseJson(text, { numbers: 'as-written' });

test('sorts keys by UTF-16 units and writes numbers and strings as RFC 8785 says', () => {
  // The example of RFC 8785, section 3.2.2 and 3.2.3.
  const value = {
    numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
    literals: [null, true, false],
  };
  assert.equal(
    canonicalJson(value),
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
  assert.equal(
    canonicalJson({ '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 }),
    '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
  );
  assert.equal(canonicalJson(-0), '0');
});

test('a number that no double holds enters as written; one that a double holds enters as the double', () => {
  assert.equal(
    canonicalJson(exact('[9007199254740993,9007199254740992]')),
    '[9007199254740993,9007199254740992]',
  );
  assert.equal(canonicalJson(exact('[5.0,5,5e0,-0,0.10,1E2]')), '[5,5,5,0,0.1,100]');
  assert.equal(canonicalJson(exact('[1e400,-1e400,1e-400,0e9]')), '[1e400,-1e400,1e-400,0]');
  assert.notEqual(hashJson(exact('{"id":9007199254740993}')), hashJson(exact('{"id":9007199254740992}')));
});

test('equality agrees with canonical form', () => {
  const texts = [
    '0',
    '-0',
    '0.0',
    '5',
    '5.0',
    '"5"',
    '1e400',
    '1E400',
    '9007199254740993',
    '9007199254740992',
    '9007199254740992.0',
    '[]',
    '{}',
    'null',
    'false',
    '""',
    '[1,[2]]',
    '[1,2]',
    '{"a":1,"b":2}',
    '{"b":2.0,"a":1}',
    '{"__proto__":1}',
    '{"a":null}',
    '{"b":null}',
    '"\\ud800"',
    '"\\\\ud800"',
    '"\\ufffd"',
  ];
  for (const left of texts) {
    for (const right of texts) {
      const [a, b] = [exact(left), exact(right)];
      const same = canonicalJson(a) === canonicalJson(b);
      assert.equal(jsonEqual(a, b), same, `${left} and ${right}`);
      assert.equal(hashJson(a) === hashJson(b), same, `${left} and ${right}`);
    }
  }
});

test('what is not JSON is refused with its path', () => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = [cycle];
  for (const value of [undefined, Number.NaN, Infinity, () => 1, 1n, new Date(0), new Map(), cycle]) {
    const wrapped = { list: [value] } as unknown as JsonValue;
    assert.throws(() => canonicalJson(wrapped), { code: 'json_value', message: /`list\[0\]/ });
  }
});

test('a million levels can be written, hashed and compared', () => {
  const depth = 1_000_000;
  const text = `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;
  const value = parseJson(text);
  assert.equal(canonicalJson(value), text);
  assert.equal(hashJson(value), createHash('sha256').update(text).digest('hex'));
  assert(jsonEqual(value, parseJson(text)));
  assert(!jsonEqual(value, parseJson(text.replace('1', '2'))));
});

test('a kept number prints itself', () => {
  const value = exact('{"price":5.0,"id":9007199254740993,"plain":7}');
  assert.equal(JSON.stringify(value), '{"price":5.0,"id":9007199254740993,"plain":7}');
  assert.equal(Number(new NumberToken('5.0')), 5);
  assert.equal(String(new NumberToken('5.0')), '5.0');
});

test('SHA-256 agrees with OpenSSL for every length around a block', () => {
  for (let length = 0; length < 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + length) & 255);
    assert.equal(sha256(bytes), createHash('sha256').update(bytes).digest('hex'));
  }
  const text = 'é😀x'.repeat(50_000);
  assert.equal(sha256(text), createHash('sha256').update(text).digest('hex'));
  assert.throws(() => sha256(1 as unknown as string), { code: 'json_input' });
});
