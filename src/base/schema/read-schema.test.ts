import assert from 'node:assert/strict';
import { test } from 'node:test';

import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';

import { readSchema } from './read-schema.ts';
import type { InputOf, OutputOf } from './read-schema.ts';

test('takes plain JSON Schema as it is, and equal schemas for one', () => {
  const make = (): object => ({ type: 'object', properties: { city: { type: 'string' }, gone: undefined } });
  const { jsonSchema } = readSchema(make());
  assert.deepEqual(jsonSchema, { type: 'object', properties: { city: { type: 'string' } } });
  assert.equal(readSchema(make()).jsonSchema, jsonSchema);
  assert.equal(readSchema(true).jsonSchema, true);
});

test('a schema that is changed after it was read changes nothing', () => {
  const schema = { type: 'object', title: 'before' };
  const { jsonSchema } = readSchema(schema);
  schema.title = 'after';
  assert.deepEqual(jsonSchema, { type: 'object', title: 'before' });
});

test('what the text of a schema does not show is refused all the same', () => {
  readSchema({ title: 'shown' });
  assert.throws(() => readSchema({ title: 'shown', default: () => 1 }), { code: 'schema_invalid' });
});

test('a map or a date in the place of a schema is refused, not read as one that says nothing', () => {
  const inPlace = (properties: unknown): unknown => ({ type: 'object', properties });
  for (const [schema, place] of [
    [inPlace(new Map([['city', { type: 'string' }]])), '/properties'],
    [inPlace({ day: new Date(0) }), '/properties/day'],
    [inPlace({ tags: new Set() }), '/properties/tags'],
  ] as const)
    assert.throws(() => readSchema(schema), {
      code: 'schema_invalid',
      message: new RegExp(`at ${place}, only plain objects are JSON`),
    });
});

test('a copy holds what the text of the schema holds', () => {
  const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"},"n":{"default":-0}}}') as object;
  const { jsonSchema } = readSchema({ ...schema, default: undefined, minimum: -0 });
  const { properties: members, minimum, ...rest } = jsonSchema as Record<string, unknown>;
  assert.deepEqual(Object.keys(members as object), ['__proto__', 'n']);
  assert.ok(Object.is(minimum, 0));
  assert.deepEqual(rest, {});
});

test('what inherits from a schema that was read, or spreads it, is another schema', () => {
  const { jsonSchema } = readSchema({ type: 'object', title: 'first' });
  const heir = Object.assign(Object.create(jsonSchema as object) as object, { type: 'string' });
  assert.deepEqual(readSchema(heir).jsonSchema, { type: 'string' });
  assert.deepEqual(readSchema({ ...(jsonSchema as object), title: 'second' }).jsonSchema, {
    type: 'object',
    title: 'second',
  });
});

test('schemas without end in number are read, and one that is asked for again and again stays known', () => {
  const often = (): object => ({ title: 'often' });
  const { jsonSchema } = readSchema(often());
  for (let n = 0; n < 3000; n++) {
    readSchema({ title: `once ${n}` });
    if (n % 500 === 0) assert.equal(readSchema(often()).jsonSchema, jsonSchema);
  }
});

test('takes Zod 4, ArkType and Valibot through its wrapper, and keeps their own check', () => {
  const zod = readSchema(z.object({ city: z.string(), days: z.number().int().optional() }));
  assert.deepEqual(properties(zod.jsonSchema), ['city', 'days']);
  const ark = readSchema(type({ city: 'string', 'days?': 'number.integer' }));
  assert.deepEqual(properties(ark.jsonSchema), ['city', 'days']);
  const valibot = readSchema(
    toStandardJsonSchema(v.object({ city: v.string(), days: v.optional(v.number()) })),
  );
  assert.deepEqual(properties(valibot.jsonSchema), ['city', 'days']);
  for (const accepted of [zod, ark, valibot]) assert.ok(accepted.standard);
});

test('reads the same schema object once', () => {
  const schema = z.object({ a: z.string() });
  assert.equal(readSchema(schema), readSchema(schema));
});

test('refuses bare Valibot and names its wrapper', () => {
  assert.throws(() => readSchema(v.object({ city: v.string() })), {
    code: 'schema_without_json',
    message: /toStandardJsonSchema/,
  });
});

test('refuses what is not JSON with the place and the reason', () => {
  assert.throws(() => readSchema(z.object({ trip: z.object({ day: z.date() }) })), {
    code: 'schema_not_printable',
    message: /at \/properties\/trip\/properties\/day: Date/,
  });
  assert.throws(() => readSchema({ type: 'object', properties: { a: { type: 'strin' } } }), {
    code: 'schema_invalid',
    message: /at \/properties\/a\/type, "type" must be a type name/,
  });
  assert.throws(() => readSchema({ default: () => 1 }), { code: 'schema_invalid', message: /\/default/ });
  assert.throws(() => readSchema('object'), { code: 'schema_invalid', message: /the root/ });
  const own: Record<string, unknown> = { type: 'object' };
  own['properties'] = { again: own };
  assert.throws(() => readSchema(own), { code: 'schema_invalid', message: /contains itself.*\$ref/ });
});

test('names the field that cannot be printed, among others that could not be either', () => {
  for (const [schema, place] of [
    [z.object({ n: z.object({ x: z.bigint() }), day: z.date() }), '/properties/n/properties/x: BigInt'],
    [z.object({ kind: z.literal(1n), day: z.date() }), '/properties/kind: BigInt literals'],
    [z.object({ 'a/b': z.date() }), '/properties/a~1b: Date'],
  ] as const)
    assert.throws(() => readSchema(schema), { code: 'schema_not_printable', message: new RegExp(place) });
});

test('refuses what a library prints as if any value would do, and then takes none that JSON has', () => {
  for (const [schema, place] of [
    [type({ trip: { day: 'Date' } }), '/properties/trip/properties/day: Date'],
    [type({ 'big?': 'bigint' }), '/properties/big: bigint'],
    [type({ names: type.instanceOf(Set) }), '/properties/names: Set'],
    [z.object({ scans: z.array(z.file()) }), '/properties/scans/items: File'],
  ] as const)
    assert.throws(() => readSchema(schema), { code: 'schema_not_printable', message: new RegExp(place) });
  for (const schema of [
    type({ day: 'string | Date', 'nick?': 'string | undefined', n: 'string.numeric.parse' }),
    z.object({ bytes: z.string().meta({ format: 'binary' }) }),
  ])
    assert.equal(properties(readSchema(schema).jsonSchema).length > 0, true);
});

test('a tool is typed by its schema', () => {
  const schema = z.object({ n: z.string().transform(Number) });
  const given: InputOf<typeof schema> = { n: '1' };
  const got: OutputOf<typeof schema> = { n: 1 };
  assert.equal(Number(given.n), got.n);
});

function properties(schema: unknown): readonly string[] {
  return Object.keys((schema as { properties: object }).properties);
}
