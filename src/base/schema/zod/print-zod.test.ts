import assert from 'node:assert/strict';
import { test } from 'node:test';

import { z } from 'zod';
import * as zod3 from 'zod-3';
import * as zod40 from 'zod-3/v4';
import * as mini from 'zod-3/v4-mini';

import { isWhetstoneError } from '../../host/errors.ts';
import type { JsonObject } from '../../json/value.ts';
import { checkValue } from '../check/check-at-once.ts';
import { loadChecker } from '../check/check.ts';
import type { JsonSchema } from '../json-schema.ts';
import { readSchema } from '../read-schema.ts';
import { printZod } from './print-zod.ts';

// What these share; the types of these versions have nothing in common that says so.
type AnyZ = typeof z;
const versions: readonly (readonly [string, AnyZ])[] = [
  ['3.25', zod3.z as unknown as AnyZ],
  ['4.0', zod40.z as unknown as AnyZ],
];

/** What `enum Size { Small, Large = 7 }` becomes. */
const Size = { 0: 'Small', 7: 'Large', Small: 0, Large: 7 } as const;

/** Schemas as users write them, in words that every version knows. */
const schemas: Readonly<Record<string, (zed: AnyZ) => z.ZodType>> = {
  string: (zed) => zed.string().min(2).max(5).describe('A name'),
  startsWith: (zed) => zed.string().startsWith('a.b').endsWith('c'),
  regex: (zed) => zed.string().regex(/^[a-z]+$/),
  email: (zed) => zed.string().email(),
  datetime: (zed) => zed.string().datetime(),
  integer: (zed) => zed.number().int().positive().max(10),
  number: (zed) => zed.number().gt(0).lt(10).multipleOf(0.5),
  boolean: (zed) => zed.boolean(),
  null: (zed) => zed.null(),
  any: (zed) => zed.any(),
  never: (zed) => zed.object({ no: zed.never().optional() }),
  array: (zed) => zed.array(zed.string()).min(1).max(2),
  length: (zed) => zed.array(zed.number()).length(2),
  object: (zed) =>
    zed.object({
      a: zed.string(),
      b: zed.number().optional(),
      c: zed.string().nullable(),
      d: zed.number().default(3),
    }),
  strict: (zed) => zed.object({ a: zed.string() }).strict(),
  open: (zed) => zed.object({ a: zed.string() }).passthrough(),
  catchall: (zed) => zed.object({ a: zed.string() }).catchall(zed.number()),
  nested: (zed) => zed.object({ list: zed.array(zed.object({ x: zed.number() })) }),
  union: (zed) => zed.union([zed.string(), zed.number()]),
  discriminated: (zed) =>
    zed.discriminatedUnion('kind', [
      zed.object({ kind: zed.literal('a'), x: zed.number() }),
      zed.object({ kind: zed.literal('b'), y: zed.string() }),
    ]),
  intersection: (zed) => zed.object({ a: zed.string() }).and(zed.object({ b: zed.number() })),
  tuple: (zed) => zed.tuple([zed.string(), zed.number()]),
  rest: (zed) => zed.tuple([zed.string()]).rest(zed.number()),
  record: (zed) => zed.record(zed.string(), zed.number()),
  enum: (zed) => zed.enum(['a', 'b']),
  nativeEnum: (zed) => zed.nativeEnum(Size),
  literal: (zed) => zed.literal(7),
  transform: (zed) => zed.string().transform((text) => text.length),
  refine: (zed) => zed.string().refine((text) => text !== 'abc'),
  pipe: (zed) => zed.string().pipe(zed.string()),
  readonly: (zed) => zed.object({ a: zed.string() }).readonly(),
  brand: (zed) => zed.string().brand<'id'>(),
  lazy: (zed) => {
    const node: z.ZodType = zed.object({ x: zed.number(), next: zed.lazy(() => node).optional() });
    return node;
  },
  deep: (zed) => {
    const tree: z.ZodType = zed.lazy(() => zed.union([zed.number(), zed.array(tree)]));
    return zed.object({ tree });
  },
};

const values: readonly unknown[] = [
  ...[
    null,
    true,
    0,
    0.5,
    1,
    3,
    7,
    10,
    11,
    -1,
    '',
    'a',
    'b',
    'abc',
    'abcdef',
    'a.bc',
    'axbc',
    'x@example.com',
  ],
  ...['2026-01-01T00:00:00Z', [], ['a'], ['a', 1], ['a', 1, 2], ['a', 'b', 'c'], [1, 2], [1, 2, 3], {}],
  ...[
    { a: 'x' },
    { a: 1 },
    { a: 'x', b: 1 },
    { a: 'x', c: null },
    { a: 'x', c: 'y', d: 4 },
    { a: 'x', c: null, b: 'no' },
  ],
  ...[{ kind: 'a', x: 1 }, { kind: 'b', x: 1 }, { kind: 'b', y: '' }, { list: [{ x: 1 }] }, { list: [{}] }],
  ...[
    { x: 1 },
    { x: 1, next: { x: 2 } },
    { x: 1, next: { x: '2' } },
    { tree: [1, [2, [3]]] },
    { tree: [1, ['2']] },
  ],
];

/** It holds values back that JSON Schema has no word for. */
const looser = 'refine';

await loadChecker();

for (const [name, make] of Object.entries(schemas))
  test(`${name} of Zod 3.25 and 4.0 is printed as Zod takes it, and as Zod 4 prints it`, () => {
    const ours = make(z)['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
    for (const [version, zed] of versions) {
      const schema = make(zed);
      const printed = printZod(schema) as JsonSchema;
      for (const value of values) {
        const takes = schema.safeParse(value).success;
        const fits = checkValue(printed, value, { formats: true }).length === 0;
        const text = `${version}: ${JSON.stringify(value)} against ${JSON.stringify(printed)}`;
        if (takes) assert.ok(fits, `${text} is refused, and Zod takes it`);
        else if (name !== looser) assert.ok(!fits, `${text} is taken, and Zod refuses it`);
        assert.equal(fits, checkValue(ours as JsonSchema, value, { formats: true }).length === 0, text);
      }
    }
  });

test('a tool takes schemas of Zod 3.25, of 4.0 and of its small build, with their descriptions and defaults', () => {
  for (const schema of [
    zod3.z.object({ city: zod3.z.string().describe('Where'), days: zod3.z.number().int().default(2) }),
    zod40.z.object({ city: zod40.z.string().describe('Where'), days: zod40.z.number().int().default(2) }),
    mini.object({
      city: mini.string().register(mini.globalRegistry, { description: 'Where' }),
      days: mini._default(mini.int(), 2),
    }),
  ]) {
    const { jsonSchema, standard } = readSchema(schema);
    const { properties, required } = jsonSchema as {
      properties: Record<string, JsonObject>;
      required: unknown;
    };
    assert.deepEqual(required, ['city']);
    assert.equal(properties['city']?.['type'], 'string');
    assert.equal(properties['days']?.['type'], 'integer');
    assert.equal(properties['days']?.['default'], 2);
    assert.ok(standard);
    if ('describe' in schema) assert.equal(properties['city']?.['description'], 'Where');
  }
});

test('what no JSON can be is refused with its place, in every version', () => {
  const unfit: readonly (readonly [string, (zed: AnyZ) => z.ZodType])[] = [
    ['/properties/a~1b/anyOf/1', (zed) => zed.object({ 'a/b': zed.union([zed.string(), zed.date()]) })],
    ['/properties/list/items', (zed) => zed.object({ list: zed.array(zed.bigint()) })],
    ['/additionalProperties', (zed) => zed.record(zed.string(), zed.map(zed.string(), zed.string()))],
  ];
  for (const [, zed] of versions)
    for (const [path, make] of unfit)
      assert.throws(
        () => readSchema(make(zed)),
        (error: unknown) => {
          assert.ok(isWhetstoneError(error));
          assert.equal(error.code, 'schema_not_printable');
          assert.equal(error.details['path'], path);
          return true;
        },
      );
});

test('a schema that is made anew at every look is refused, and not followed for ever', () => {
  for (const [, zed] of versions) {
    const endless = (): z.ZodType => zed.object({ next: zed.lazy(endless) });
    assert.throws(() => readSchema(endless()), /goes on for ever/);
  }
});
