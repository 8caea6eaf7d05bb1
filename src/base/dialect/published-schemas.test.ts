import assert from 'node:assert/strict';
import { test } from 'node:test';

import { z } from 'zod';

import { asJsonSchema, faultsOf } from '../../../test/dialect-rules.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { readSchema } from '../schema/read-schema.ts';
import { checkValue, loadChecker } from '../schema/check/check.ts';
import { dialects } from './dialect.ts';
import type { Dialect } from './dialect.ts';
import { describeIssues } from '../schema/check/issue.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { lower } from './lower.ts';
import type { Lowered } from './lower.ts';
import { encodeValue } from './value/encode-value.ts';
import { decodeValue } from './value/decode-value.ts';

// What users of other toolkits reported; the report is named in brackets.

await loadChecker();

/** Lowers to each dialect, sees that its rules hold, and that the values go there and come back. */
function carry(
  input: unknown,
  values: readonly JsonValue[],
  to: readonly Dialect[] = dialects,
): Map<Dialect, Lowered> {
  const schema = readSchema(input).jsonSchema;
  const all = new Map<Dialect, Lowered>();
  for (const dialect of to) {
    const lowered = lower(schema, dialect);
    const rules = lowered.report.strict ? dialect : dialect.replace('-strict', '');
    assert.deepEqual(faultsOf(rules, lowered.schema), [], dialect);
    for (const value of values) {
      const written = encodeValue(value, lowered.plan);
      assert.deepEqual(checkValue(asJsonSchema(lowered.schema) as JsonSchema, written), [], dialect);
      assert.deepEqual(decodeValue(written, lowered.plan), value, dialect);
      assert.deepEqual(checkValue(schema, decodeValue(written, lowered.plan)), []);
    }
    all.set(dialect, lowered);
  }
  return all;
}

function schemaOf(lowered: Lowered | undefined): JsonObject {
  return lowered?.schema as JsonObject;
}

test('a union at the root becomes an object, and so harms no other tool of an Anthropic request (vercel/ai#21350)', () => {
  const union = z.discriminatedUnion('action', [
    z.object({ action: z.literal('create'), title: z.string() }),
    z.object({ action: z.literal('delete'), id: z.number().int() }),
  ]);
  const all = carry(union, [
    { action: 'create', title: 'x' },
    { action: 'delete', id: 7 },
  ]);
  for (const dialect of ['anthropic', 'anthropic-strict', 'openai', 'openai-strict', 'bedrock'] as const) {
    assert.equal(schemaOf(all.get(dialect))['type'], 'object');
    assert.ok(!('oneOf' in schemaOf(all.get(dialect))));
  }
  assert.equal(all.get('openai-strict')?.report.strict, true);
});

test('a record reaches Vertex as pairs (vercel/ai#5628)', () => {
  const all = carry(z.object({ labels: z.record(z.string(), z.string()) }), [
    { labels: {} },
    { labels: { a: 'b', 'x y': '' } },
  ]);
  assert.ok(!JSON.stringify(schemaOf(all.get('gemini-parameters'))).includes('additionalProperties'));
});

test('tuples reach every provider (vercel/ai#2271)', () => {
  const all = carry(z.object({ at: z.tuple([z.number(), z.number(), z.string()]) }), [
    { at: [1, -2.5, 'm'] },
  ]);
  assert.ok(!JSON.stringify(schemaOf(all.get('openai-strict'))).includes('prefixItems'));
});

test('optional members stay optional under strict rules (vercel/ai#5360)', () => {
  const all = carry(z.object({ city: z.string(), unit: z.enum(['c', 'f']).optional() }), [
    { city: 'Oslo' },
    { city: 'Oslo', unit: 'c' },
  ]);
  const strict = all.get('openai-strict');
  assert.equal(strict?.report.strict, true);
  assert.deepEqual(schemaOf(strict)['required'], ['city', 'unit']);
  assert.deepEqual(strict && decodeValue({ city: 'Oslo', unit: null }, strict.plan), { city: 'Oslo' });
});

test('the value schemas of records and catchalls are not erased (vercel/ai#18046)', () => {
  const nested = z.object({ prices: z.record(z.string(), z.object({ amount: z.number() })) });
  carry(nested, [{ prices: { a: { amount: 1 } } }]);
  const caught = z.object({ id: z.string() }).catchall(z.number());
  const all = carry(caught, [{ id: 'x' }, { id: 'x', width: 3, others: 4 }]);
  assert.equal(all.get('openai-strict')?.report.strict, true);
  for (const { schema } of all.values()) assert.match(JSON.stringify(schema), /"number"/);
});

test('local references reach Google (vercel/ai#19141)', () => {
  const schema = {
    type: 'object',
    properties: { from: { $ref: '#/$defs/place' }, to: { $ref: '#/$defs/place', description: 'Where to' } },
    required: ['from'],
    $defs: { place: { type: 'object', properties: { lat: { type: 'number' } }, required: ['lat'] } },
  };
  const all = carry(schema, [{ from: { lat: 1 } }, { from: { lat: 1 }, to: { lat: 2 } }]);
  assert.ok(!JSON.stringify(schemaOf(all.get('gemini-parameters'))).includes('$ref'));
  assert.ok(JSON.stringify(schemaOf(all.get('gemini-json-schema'))).includes('#/$defs/place'));
});

test('oneOf does not reach Anthropic (vercel/ai#12876)', () => {
  const schema = {
    type: 'object',
    properties: { v: { oneOf: [{ type: 'string' }, { type: 'integer' }] } },
    required: ['v'],
  };
  const all = carry(schema, [{ v: 'x' }, { v: 1 }]);
  assert.ok(!JSON.stringify(schemaOf(all.get('anthropic-strict'))).includes('oneOf'));
});

test('unions, discriminated unions with limits, and nullable members reach Gemini (zod#5807, langchainjs#8872, #8289)', () => {
  const shape = z.object({
    size: z.union([z.string(), z.number()]),
    pay: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('card'), cents: z.number().int().positive() }),
      z.object({ kind: z.literal('none') }),
    ]),
    note: z.string().nullable(),
  });
  const all = carry(shape, [
    { size: 'L', pay: { kind: 'card', cents: 5 }, note: null },
    { size: 4, pay: { kind: 'none' }, note: '' },
  ]);
  const gemini = all.get('gemini-parameters');
  assert.ok(
    gemini?.report.dropped.some((one) => one.keyword === 'exclusiveMinimum' && one.said === 'description'),
  );
  const decoded =
    gemini && decodeValue({ size: 'L', pay: { kind: 'card', cents: 0 }, note: null }, gemini.plan);
  assert.match(
    describeIssues(checkValue(readSchema(shape).jsonSchema, decoded)),
    /pay\.cents: expected an integer > 0/,
  );
});

test('a discriminated union is permitted by OpenAI strict (openai-agents-js#1138)', () => {
  const schema = z.object({
    shape: z.discriminatedUnion('type', [
      z.object({ type: z.literal('circle'), radius: z.number() }),
      z.object({ type: z.literal('square'), side: z.number() }),
    ]),
  });
  const strict = carry(schema, [{ shape: { type: 'circle', radius: 1 } }]).get('openai-strict');
  assert.equal(strict?.report.strict, true);
  assert.ok(!JSON.stringify(strict.schema).includes('oneOf'));
});

test('no branch of a union is dropped in silence (openai-agents-js#1476)', () => {
  const schema = {
    type: 'object',
    properties: {
      v: {
        anyOf: [
          { type: 'string' },
          {
            type: 'array',
            prefixItems: [{ type: 'integer' }, { type: 'string' }],
            items: false,
            minItems: 2,
          },
          { type: 'object', additionalProperties: { type: 'integer' } },
        ],
      },
    },
    required: ['v'],
  };
  const all = carry(schema, [{ v: 'x' }, { v: [1, 'a'] }, { v: { k: 1 } }, { v: {} }]);
  for (const dialect of ['openai-strict', 'anthropic-strict'] as const)
    assert.equal(all.get(dialect)?.report.strict, true);
  assert.throws(() => readSchema(z.object({ v: z.union([z.string(), z.bigint()]) })), {
    code: 'schema_not_printable',
    message: /anyOf\/1/,
  });
});

test('a schema of another copy of Zod is read like any other (openai-agents-js#352)', () => {
  const own = z.object({ a: z.string() });
  const foreign = { '~standard': own['~standard'] };
  assert.deepEqual(readSchema(foreign).jsonSchema, readSchema(own).jsonSchema);
});

test('null types of MCP servers are no obstacle (mastra#13204, #13315)', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'null' }, b: { type: ['string', 'number', 'boolean', 'null'] } },
    required: ['a', 'b'],
  };
  carry(schema, [
    { a: null, b: null },
    { a: null, b: true },
    { a: null, b: '1' },
  ]);
});

test('defaults and optional members take the null that a model sends (mastra#17655)', () => {
  const schema = z.object({ limit: z.number().int().default(10), query: z.string().optional() });
  const accepted = readSchema(schema);
  const { plan, schema: wire } = lower(accepted.jsonSchema, 'openai-strict');
  const decoded = decodeValue({ limit: null, query: null }, plan);
  assert.deepEqual(decoded, {});
  assert.deepEqual(checkValue(accepted.jsonSchema, decoded), []);
  assert.match(JSON.stringify(wire), /default: 10/);
});

test('a tuple in the schema of an output does not crash (mastra#8040)', () => {
  carry(z.object({ range: z.tuple([z.number(), z.number()]) }), [{ range: [1, 2] }]);
});

test('propertyNames refuse nothing (TanStack/ai#976)', () => {
  const schema = {
    type: 'object',
    properties: {
      f: { type: 'object', propertyNames: { type: 'string' }, additionalProperties: { type: 'string' } },
    },
    required: ['f'],
  };
  const all = carry(schema, [{ f: { a: 'b' } }]);
  for (const dialect of [
    'openai-strict',
    'anthropic-strict',
    'gemini-parameters',
    'gemini-json-schema',
  ] as const) {
    assert.ok(!JSON.stringify(all.get(dialect)?.schema).includes('"propertyNames":{'));
    assert.ok(all.get(dialect)?.report.dropped.some((one) => one.keyword === 'propertyNames'));
  }
});

test('where strict is lost the report says so, and why (TanStack/ai#1213)', () => {
  const schema = { type: 'object', properties: { data: {} }, required: ['data'] };
  const { report } = lower(schema, 'openai-strict');
  assert.equal(report.strict, false);
  assert.deepEqual(report.declined, [
    { path: '/properties/data', reason: 'free-value', text: 'nothing is said of this value' },
  ]);
  assert.equal(lower(schema, 'openai-strict', { free: 'text' }).report.strict, true);
});

test('what was widened to null is not refused by our own check (TanStack/ai#731, #939)', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string' }, deep: { type: 'object', properties: { b: { type: 'integer' } } } },
  };
  const { plan } = lower(schema, 'openai-strict');
  const decoded = decodeValue({ a: null, deep: { b: null } }, plan);
  assert.deepEqual(decoded, { deep: {} });
  assert.deepEqual(checkValue(schema, decoded), []);
});

test('strict does not refuse optional members (Effect#6009)', () => {
  const schema = {
    type: 'object',
    properties: {
      a: { type: 'string' },
      b: { type: 'array', items: { type: 'object', properties: { c: { type: 'boolean' } } } },
    },
    required: ['a'],
  };
  const all = carry(schema, [{ a: 'x' }, { a: 'x', b: [{}, { c: true }] }]);
  for (const dialect of ['openai-strict', 'anthropic-strict'] as const)
    assert.equal(all.get(dialect)?.report.strict, true);
});

test('a schema that contains itself overflows no stack, and is refused by name where a provider cannot take it', () => {
  const schema = {
    type: 'object',
    properties: { node: { $ref: '#/$defs/node' } },
    required: ['node'],
    $defs: {
      node: {
        type: 'object',
        properties: { value: { type: 'integer' }, next: { $ref: '#/$defs/node' } },
        required: ['value'],
      },
    },
  };
  const able = dialects.filter((dialect) => dialect !== 'gemini-parameters');
  const all = carry(schema, [{ node: { value: 1, next: { value: 2 } } }], able);
  assert.equal(all.get('openai-strict')?.report.strict, true);
  assert.equal(all.get('anthropic-strict')?.report.declined[0]?.reason, 'recursive');
  assert.throws(() => lower(schema, 'gemini-parameters'), {
    code: 'schema_refused',
    message: /"node" at \/properties\/node/,
  });
  const root = {
    type: 'object',
    properties: { child: { $ref: '#' }, name: { type: 'string' } },
    required: ['name'],
  };
  carry(root, [{ name: 'a', child: { name: 'b' } }], able);
  for (const endless of [
    { $ref: '#' },
    { $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
    { allOf: [{ $ref: '#' }] },
  ])
    assert.throws(() => lower(endless, 'openai-strict'), { code: 'schema_invalid' });
});
