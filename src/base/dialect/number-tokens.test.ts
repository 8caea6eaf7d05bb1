import assert from 'node:assert/strict';
import { test } from 'node:test';

import { comparableNumber, NumberToken } from '../json/number-token.ts';
import { parseJson } from '../json/parse.ts';
import type { JsonValue } from '../json/value.ts';
import { checkValue, loadChecker } from '../schema/check/check.ts';
import { coerce } from '../schema/check/coerce.ts';
import { describeIssues } from '../schema/check/issue.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { lower } from './lower.ts';
import { encodeValue } from './value/encode-value.ts';
import { decodeValue } from './value/decode-value.ts';

await loadChecker();

function read(text: string): JsonValue {
  return parseJson(text, { numbers: 'as-written' }) as JsonValue;
}

function misses(schema: JsonSchema, text: string): string {
  return describeIssues(checkValue(schema, read(text)));
}

test('a number as it was written is taken where the number that it writes is', () => {
  const taken: readonly (readonly [JsonSchema, string])[] = [
    [{ type: 'integer' }, '9007199254740993'],
    [{ type: 'integer' }, '5.0'],
    [{ type: 'integer' }, '5e0'],
    [{ type: 'integer' }, '1e400'],
    [{ type: 'number' }, '0.10000000000000000000001'],
    [{ type: ['integer', 'null'], minimum: 9007199254740992 }, '9007199254740993'],
    [{ exclusiveMaximum: -9007199254740992 }, '-9007199254740993'],
    [{ exclusiveMinimum: 0 }, '1e-400'],
    [{ const: 5 }, '5.0'],
    [{ enum: [{ a: 5 }] }, '{"a":5.0}'],
    [{ uniqueItems: true }, '[9007199254740993,9007199254740992]'],
    [{ multipleOf: 3 }, '9007199254740993'],
    [{ multipleOf: 0.5 }, '9007199254740993'],
    [{ allOf: [{ $ref: '#/$defs/id' }], $defs: { id: { type: 'integer' } } }, '9007199254740993'],
    [
      { type: 'object', additionalProperties: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
      '{"a":5.0}',
    ],
    [{ not: { type: 'object' } }, '5.0'],
  ];
  for (const [schema, text] of taken) assert.equal(misses(schema, text), '', text);
});

test('and refused where it is not, with its own characters in the message', () => {
  const refused: readonly (readonly [JsonSchema, string, RegExp])[] = [
    [{ type: 'integer' }, '5.50', /expected an integer, got 5\.50$/],
    [{ type: 'integer' }, '1.00000000000000000001', /got 1\.00000000000000000001$/],
    [{ type: 'integer' }, '0.99999999999999999999', /expected an integer/],
    [{ type: 'object' }, '5.0', /expected an object, got 5\.0/],
    [{ type: 'object', required: ['text'] }, '5.0', /expected an object/],
    [{ type: 'string' }, '9007199254740993', /got 9007199254740993/],
    [{ maximum: 9007199254740992 }, '9007199254740993', /≤ 9007199254740992, got 9007199254740993/],
    [{ const: 9007199254740992 }, '9007199254740993', /expected 9007199254740992, got 9007199254740993/],
    [{ enum: [9007199254740992] }, '9007199254740993', /got 9007199254740993/],
    [{ multipleOf: 2 }, '9007199254740993', /a multiple of 2/],
    [{ uniqueItems: true }, '[5.0,5]', /two equal items/],
    [{ not: { type: 'integer' } }, '9007199254740993', /does not exclude/],
    [
      { type: 'object', properties: { a: { type: 'array', items: { type: 'integer', maximum: 10 } } } },
      '{"a":[1,9007199254740993]}',
      /a\[1\]: expected an integer ≤ 10, got 9007199254740993/,
    ],
  ];
  for (const [schema, text, words] of refused) assert.match(misses(schema, text), words);
});

test('a number with a million digits is compared, not written out', () => {
  assert.equal(comparableNumber(new NumberToken('1e1000000')), Number.MAX_VALUE);
  assert.equal(comparableNumber(new NumberToken('-1e1000000')), -Number.MAX_VALUE);
  assert.match(misses({ maximum: 10 }, '1e1000000'), /≤ 10/);
});

test('goes to a dialect and back as it was written', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      id: { anyOf: [{ type: 'integer' }, { type: 'object', additionalProperties: { type: 'integer' } }] },
    },
  };
  for (const dialect of ['openai-strict', 'gemini-parameters', 'ollama'] as const) {
    const { plan } = lower(schema, dialect);
    const value = read('{"id":{"a":9007199254740993}}');
    assert.equal(
      JSON.stringify(decodeValue(encodeValue(value, plan), plan)),
      '{"id":{"a":9007199254740993}}',
    );
  }
  assert.deepEqual(coerce({ type: 'integer' }, read('9007199254740993')).coercions, []);
});
