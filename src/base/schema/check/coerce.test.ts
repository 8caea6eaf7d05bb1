import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonValue } from '../../json/value.ts';
import { coerce } from './coerce.ts';
import type { JsonSchema } from '../json-schema.ts';

function read(schema: JsonSchema, value: JsonValue): JsonValue {
  return coerce(schema, value).value;
}

test('reads a number, true or false, and JSON out of a text', () => {
  assert.equal(read({ type: 'integer' }, '3'), 3);
  assert.equal(read({ type: 'number' }, ' -2.5e1 '), -25);
  assert.equal(read({ type: 'boolean' }, 'True'), true);
  assert.deepEqual(read({ type: 'object' }, '{"a":1}'), { a: 1 });
  assert.deepEqual(read({ type: 'array', items: { type: 'integer' } }, '["1", 2]'), [1, 2]);
  assert.equal(read({ type: ['integer', 'null'] }, 'null'), null);
  assert.equal(read({ enum: [1, 2] }, '2'), 2);
});

test('puts a lone value into a list', () => {
  assert.deepEqual(read({ type: 'array', items: { type: 'string' } }, 'a'), ['a']);
  assert.deepEqual(read({ type: 'array', items: { type: 'integer' } }, '3'), [3]);
});

test('leaves alone what fits, and what fits in no way', () => {
  assert.equal(read({ type: 'string' }, '3'), '3');
  assert.equal(read({ anyOf: [{ type: 'string' }, { type: 'integer' }] }, '3'), '3');
  for (const value of ['3.5', 'three', '9007199254740993', '', true] as const)
    assert.equal(read({ type: 'integer' }, value), value);
  assert.equal(read({ type: 'string' }, 3), 3);
});

test('a text is not read as a number, or as JSON with one, that no double holds', () => {
  for (const text of ['9007199254740993.0', '90071992547409930e-1', '1e400', '-1e400'])
    assert.equal(read({ type: 'number' }, text), text);
  const order = '{"id": 9007199254740993}';
  assert.equal(read({ type: 'object' }, order), order);
  assert.equal(read({ type: 'number' }, '1e21'), 1e21);
  assert.equal(read({ type: 'number' }, '-0'), -0);
  assert.deepEqual(read({ type: 'object' }, '{"price": 5.0, "tax": 0.10000000000000000001}'), {
    price: 5,
    tax: 0.1,
  });
});

test('tells each change with its place, also inside references, choices and records', () => {
  const schema = {
    type: 'object',
    properties: {
      items: { type: 'array', items: { $ref: '#/$defs/item' } },
      when: {
        anyOf: [
          { type: 'object', properties: { hour: { type: 'integer' } }, required: ['hour'] },
          { type: 'null' },
        ],
      },
    },
    additionalProperties: { type: 'boolean' },
    $defs: { item: { type: 'object', properties: { quantity: { type: 'integer' } } } },
  };
  const { value, coercions } = coerce(schema, {
    items: [{ quantity: '2' }],
    when: { hour: '7' },
    gift: 'false',
    __proto__x: true,
  });
  assert.deepEqual(value, { items: [{ quantity: 2 }], when: { hour: 7 }, gift: false, __proto__x: true });
  assert.deepEqual(
    coercions.map((one) => `${one.place}: ${JSON.stringify(one.from)} → ${JSON.stringify(one.to)}`),
    ['items[0].quantity: "2" → 2', 'when.hour: "7" → 7', 'gift: "false" → false'],
  );
  assert.equal(coercions[0]?.path, '/items/0/quantity');
});
