import assert from 'node:assert/strict';
import { test } from 'node:test';

import { asJsonSchema } from '../../../test/dialect-rules.ts';
import type { JsonValue } from '../json/value.ts';
import { checkValue, loadChecker } from '../schema/check/check.ts';
import { dialects } from './dialect.ts';
import type { Dialect } from './dialect.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { lower } from './lower.ts';
import type { LowerOptions } from './lower.ts';
import { encodeValue } from './value/encode-value.ts';
import { decodeValue } from './value/decode-value.ts';

function roundTrip(schema: object, dialect: Dialect, value: JsonValue, options?: LowerOptions): JsonValue {
  const { plan } = lower(schema as never, dialect, options);
  const written = encodeValue(value, plan);
  assert.deepEqual(decodeValue(written, plan), value);
  return written;
}

const nullableOptional = { type: 'object', properties: { a: { type: ['string', 'null'] } } };

test('an optional member that may be null is null when absent, and the report tells that null comes back', () => {
  const { plan, report } = lower(nullableOptional, 'openai-strict');
  assert.deepEqual(encodeValue({}, plan), { a: null });
  assert.deepEqual(decodeValue({ a: null }, plan), { a: null });
  assert.deepEqual(
    report.changes.map((one) => [one.path, one.change]),
    [['/properties/a', 'ambiguous-null']],
  );
});

test('a marker tells an absent member from null, whatever texts there are', () => {
  for (const value of [{}, { a: null }, { a: '__absent__' }, { a: '___absent__' }, { a: 'x' }])
    roundTrip(nullableOptional, 'openai-strict', value, { absent: 'marker' });
});

test('a union is written with the branch that brings the value back, not with the first that takes it', () => {
  const schema = {
    type: 'object',
    properties: {
      v: {
        anyOf: [
          { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a'] },
          { type: 'object', properties: { a: { type: 'string' }, c: { type: 'integer' } }, required: ['a'] },
        ],
      },
    },
    required: ['v'],
  };
  assert.deepEqual(roundTrip(schema, 'openai-strict', { v: { a: 'x', c: 1 } }), { v: { a: 'x', c: 1 } });
  assert.deepEqual(roundTrip(schema, 'openai-strict', { v: { a: 'x', b: 'y', c: 1 } }), {
    v: { a: 'x', b: 'y', c: 1 },
  });
});

test('branches that look alike on the wire get a tag', () => {
  const schema = {
    type: 'object',
    properties: {
      v: {
        anyOf: [
          { type: 'object', additionalProperties: { type: 'integer' } },
          {
            type: 'array',
            items: {
              type: 'object',
              properties: { key: { type: 'string' }, value: { type: 'integer' } },
              required: ['key', 'value'],
            },
          },
        ],
      },
    },
    required: ['v'],
  };
  assert.deepEqual(roundTrip(schema, 'openai-strict', { v: { a: 1 } }), {
    v: { option_1: [{ key: 'a', value: 1 }] },
  });
  assert.deepEqual(roundTrip(schema, 'openai-strict', { v: [{ key: 'a', value: 1 }] }), {
    v: [{ key: 'a', value: 1 }],
  });
});

test('a name that a provider does not take is another on the wire, and no member is lost to it', () => {
  const schema = {
    type: 'object',
    properties: { città: { type: 'string' } },
    additionalProperties: { type: 'string' },
  };
  const { plan, schema: wire } = lower(schema, 'gemini-json-schema');
  const [name = ''] = Object.keys((wire as { properties: object }).properties);
  assert.match(name, /^citt__[0-9a-f]{8}$/);
  const value = { città: 'Roma', [name]: 'own', [`${name}~`]: 'too' };
  assert.deepEqual(decodeValue(encodeValue(value, plan), plan), value);
});

test('a listed member is not taken for one of the others, whose values change', async () => {
  await loadChecker();
  const schema = {
    type: 'object',
    properties: { id: { type: 'boolean' } },
    additionalProperties: { enum: ['true', true] },
  };
  for (const dialect of ['gemini-json-schema', 'openai-strict', 'gemini-parameters'] as const) {
    const value = { id: true, other: 'true', another: true };
    const written = roundTrip(schema, dialect, value);
    if (dialect === 'gemini-json-schema')
      assert.deepEqual(checkValue(lower(schema, dialect).schema, written), []);
    assert.equal((written as { id: unknown }).id, true);
  }
});

test("a limit beside a choice excludes none of its branches, as in Kubernetes' quantities", async () => {
  await loadChecker();
  const quantity = {
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    pattern: '^[0-9]+(m|Mi)?$',
    maxLength: 20,
  };
  const schema = {
    type: 'object',
    properties: { cpu: quantity, one: { $ref: '#/$defs/q', minimum: 1 } },
    $defs: { q: quantity },
  };
  for (const dialect of dialects)
    for (const value of [
      { cpu: 2, one: 3 },
      { cpu: '500m', one: '1Mi' },
    ]) {
      const written = roundTrip(schema, dialect, value);
      const { schema: wire, report } = lower(schema, dialect);
      assert.deepEqual(checkValue(asJsonSchema(wire) as JsonSchema, written), [], dialect);
      const told = JSON.stringify([wire, report.dropped]);
      for (const keyword of ['pattern', 'maxLength', 'minimum'])
        assert.ok(told.includes(keyword), `${dialect} ${keyword}`);
    }
});

test('what a dialect is not told is said in the description and in the report', () => {
  const schema = {
    type: 'object',
    properties: { n: { type: 'integer', minimum: 1, description: 'How many' } },
    required: ['n'],
  };
  const { schema: wire, report } = lower(schema, 'anthropic-strict');
  assert.deepEqual((wire as { properties: unknown }).properties, {
    n: { type: 'integer', description: 'How many (minimum: 1)' },
  });
  assert.deepEqual(report.dropped, [
    { path: '/properties/n', keyword: 'minimum', value: 1, said: 'description' },
  ]);
});

test('members beyond what Anthropic counts as optional become nullable', () => {
  const names = Array.from({ length: 30 }, (_, index) => `p${index}`);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  };
  const { report } = lower(schema, 'anthropic-strict');
  assert.deepEqual([report.strict, report.counts.optional, report.counts.unions], [true, 24, 6]);
  roundTrip(schema, 'anthropic-strict', { p0: 'x', p29: '' });
});

test('lowering the same schema again costs nothing', () => {
  const schema = { type: 'object', properties: {} };
  assert.equal(lower(schema, 'openai'), lower(schema, 'openai'));
  assert.notEqual(lower(schema, 'openai'), lower(schema, 'anthropic'));
});

test('what a model writes beside the plan is left as it is, for the check to judge', async () => {
  await loadChecker();
  const schema = {
    type: 'object',
    properties: { r: { type: 'object', additionalProperties: { type: 'integer' } } },
    required: ['r'],
  };
  const { plan } = lower(schema, 'openai-strict');
  assert.deepEqual(decodeValue({ r: { a: 1 } }, plan), { r: { a: 1 } });
  assert.deepEqual(
    decodeValue(
      {
        r: [
          { key: 'a', value: 1 },
          { key: 'a', value: 2 },
        ],
      },
      plan,
    ),
    { r: { a: 2 } },
  );
  const odd = decodeValue({ r: [{ key: 1 }] }, plan);
  assert.equal(checkValue(schema, odd)[0]?.place, 'r');
  assert.equal(decodeValue('text', plan), 'text');
});

test('refuses an unknown dialect, and a plan that is none', () => {
  assert.throws(() => lower({}, 'klingon' as Dialect), {
    code: 'dialect_unknown',
    message: /Known: openai-strict/,
  });
  assert.throws(() => decodeValue({}, {} as never), { code: 'plan_invalid' });
  assert.throws(() => encodeValue({}, { version: 1, original: {}, root: { op: 'spin' } } as never), {
    code: 'plan_invalid',
    message: /spin/,
  });
});

test('refuses what is not a schema, at every door', () => {
  for (const input of [
    null,
    'text',
    7,
    { type: 'strin' },
    { $ref: '#/nowhere' },
    { items: { $ref: '#/items' } },
  ])
    assert.throws(() => lower(input as never, 'openai'), { code: 'schema_invalid' }, JSON.stringify(input));
});

test('refuses a schema that no value fits', () => {
  assert.throws(() => lower(false, 'gemini-parameters'), {
    code: 'schema_refused',
    message: /no value fits/,
  });
});

test('a deep value of a recursive union is written without trying everything with everything', () => {
  const side = { $ref: '#/$defs/expression' };
  const node = (op: string): object => ({
    type: 'object',
    properties: { op: { const: op }, left: side, note: { type: 'string' } },
    required: ['op', 'left'],
  });
  const schema = {
    type: 'object',
    properties: { e: side },
    required: ['e'],
    $defs: {
      expression: {
        anyOf: [
          { $ref: '#/$defs/add' },
          { $ref: '#/$defs/neg' },
          { $ref: '#/$defs/not' },
          { type: 'number' },
        ],
      },
      add: node('add'),
      neg: node('neg'),
      not: node('not'),
    },
  };
  let value: JsonValue = 1;
  for (let depth = 0; depth < 60; depth++) value = { left: value, op: 'not' };
  roundTrip(schema, 'openai-strict', { e: value });
});

test('a schema that would have no end when written out is refused, and a product of choices is widened', () => {
  const doubled: Record<string, object> = { d0: { type: 'string' } };
  for (let n = 1; n < 40; n++)
    doubled[`d${n}`] = {
      type: 'object',
      properties: { a: { $ref: `#/$defs/d${n - 1}` }, b: { $ref: `#/$defs/d${n - 1}` } },
    };
  const schema = { type: 'object', properties: { x: { $ref: '#/$defs/d39' } }, $defs: doubled };
  assert.throws(() => lower(schema as never, 'gemini-parameters'), {
    code: 'schema_refused',
    message: /more than 50000 parts/,
  });
  assert.equal(lower(schema as never, 'gemini-json-schema').report.dropped.length, 0);
  const choice = {
    anyOf: Array.from({ length: 20 }, (_, n) => ({ properties: { [`p${n}`]: { type: 'string' } } })),
  };
  const product = { type: 'object', properties: { v: { allOf: [choice, choice, choice, choice, choice] } } };
  assert.ok(JSON.stringify(lower(product as never, 'gemini-json-schema').schema).length < 1_000_000);
});

test('names a limit that went with its branch, though its keyword is used elsewhere', () => {
  const list = { type: 'array', items: { type: 'string' }, minItems: 2 };
  const schema = {
    type: 'object',
    properties: {
      any: { anyOf: [list, true] },
      few: { type: 'array', items: { type: 'string' }, minItems: 1 },
    },
  };
  const { schema: wire, report } = lower(schema, 'gemini-json-schema');
  assert.match(JSON.stringify(wire), /"any":\{\},"few":.*"minItems":1/);
  const told = report.dropped.filter(({ keyword }) => keyword === 'minItems');
  assert.deepEqual(told, [
    { path: '/properties/any/anyOf/0', keyword: 'minItems', value: 2, said: 'nowhere' },
  ]);
});

test('what is nested deeper than anything can follow is declined, refused or answered with a code', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 5000 }, (_, index) => {
      const next = index === 4999 ? { type: 'string' } : { $ref: `#/$defs/d${index + 1}` };
      return [`d${index}`, { type: 'object', properties: { next } }];
    }),
  );
  const chain = { type: 'object', properties: { first: { $ref: '#/$defs/d0' } }, $defs };
  const { report } = lower(chain as never, 'openai-strict');
  assert.deepEqual([report.strict, report.declined[0]?.reason], [false, 'too-deep']);
  assert.throws(() => lower(chain as never, 'cohere'), { code: 'schema_refused' });
  const list = {
    type: 'object',
    properties: { list: { $ref: '#/$defs/list' } },
    $defs: { list: { type: 'object', properties: { next: { $ref: '#/$defs/list' } } } },
  };
  const { plan } = lower(list, 'openai-strict');
  let value: JsonValue = {};
  for (let level = 0; level < 50_000; level++) value = { next: value };
  assert.throws(() => encodeValue({ list: value }, plan), { code: 'schema_input' });
  assert.throws(() => decodeValue({ list: value }, plan), { code: 'schema_input' });
});

test('what a schema without a type allows besides comes back as it is, whatever its own values become', () => {
  const schema = {
    type: 'object',
    properties: {
      place: { prefixItems: [{ type: 'number' }, { type: 'number' }], items: false },
      record: { additionalProperties: { type: 'string' } },
      text: { minLength: 2 },
    },
  };
  for (const dialect of dialects)
    for (const value of [
      { place: { x: 1 }, record: [], text: [1] },
      { place: {}, record: [{ key: 'a', value: 'b' }], text: 5 },
      { place: [1, 2], record: { a: 'b' }, text: 'ab' },
      { record: [{ key: 'a' }, 3] },
    ])
      roundTrip(schema, dialect, value);
});
