import assert from 'node:assert/strict';
import { test } from 'node:test';

import { asJsonSchema, faultsOf } from '../../../test/dialect-rules.ts';
import { rounds, seed } from '../../../test/rounds.ts';
import { SchemaGenerator } from '../../../test/schema-generator.ts';
import { isWhetstoneError } from '../host/errors.ts';
import { seededRandom } from '../host/random.ts';
import { jsonEqual } from '../json/equal.ts';
import { isJsonObject } from '../json/value.ts';
import type { JsonValue } from '../json/value.ts';
import { checkValue, holds, loadChecker } from '../schema/check/check.ts';
import { dialects } from './dialect.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { lower } from './lower.ts';
import type { Lowered, LowerOptions } from './lower.ts';
import type { Plan } from './plan.ts';
import { encodeValue } from './value/encode-value.ts';
import { decodeValue } from './value/decode-value.ts';
import { eachSubschema } from '../schema/subschemas.ts';

const mustBeHit = (
  'type properties required additionalProperties items prefixItems additionalItems patternProperties propertyNames ' +
  'enum const anyOf oneOf allOf not if then else dependentRequired $ref $defs definitions minimum maximum ' +
  'exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format contentEncoding minItems ' +
  'maxItems uniqueItems minProperties maxProperties description default'
).split(' ');

test('what goes to any dialect comes back, and the wire keeps its rules', async (t) => {
  await loadChecker();
  const random = seededRandom(seed('lowering'));
  const generator = new SchemaGenerator(random);
  const hits = new Map<string, number>();
  const tally = { schemas: 0, values: 0, refused: 0, strict: 0, loose: 0 };
  for (let round = rounds(60); round > 0; round--) {
    const { schema, value } = generator.root();
    tally.schemas++;
    countKeywords(schema, hits);
    const values = Array.from({ length: 3 }, () => value(3)).filter((one) => holds(schema, one));
    for (const dialect of dialects)
      for (const options of [{}, { absent: 'marker' }, { free: 'text' }] as const) {
        const lowered = tryLower(schema, dialect, options);
        if (!lowered) {
          tally.refused++;
          continue;
        }
        if (dialect.endsWith('-strict')) tally[lowered.report.strict ? 'strict' : 'loose']++;
        tally.values += values.length;
        judge(schema, lowered, options, values);
      }
  }
  t.diagnostic(JSON.stringify(tally));
  t.diagnostic([...hits].map(([keyword, count]) => `${keyword} ${count}`).join(', '));
  assert.deepEqual(
    mustBeHit.filter((keyword) => !hits.has(keyword)),
    [],
  );
  assert.ok(tally.strict > tally.loose);
});

function judge(
  schema: JsonSchema,
  lowered: Lowered,
  options: LowerOptions,
  values: readonly JsonValue[],
): void {
  const { dialect, strict, changes } = lowered.report;
  const context = `${dialect} ${JSON.stringify(options)}\n${JSON.stringify(schema)}\n${JSON.stringify(lowered.schema)}`;
  const rules = strict ? dialect : dialect.replace('-strict', '');
  assert.deepEqual(faultsOf(rules, lowered.schema), [], context);
  const plan = JSON.parse(JSON.stringify(lowered.plan)) as Plan;
  const wire = asJsonSchema(lowered.schema) as JsonSchema;
  for (const value of values) {
    const written = encodeValue(value, plan);
    const back = decodeValue(JSON.parse(JSON.stringify(written)) as JsonValue, plan);
    const story = `${context}\n${JSON.stringify(value)}\n${JSON.stringify(written)}\n${JSON.stringify(back)}`;
    if (!jsonEqual(back, value))
      assert.ok(
        changes.some((one) => one.change === 'ambiguous-null') &&
          jsonEqual(withoutNulls(back), withoutNulls(value)),
        story,
      );
    assert.deepEqual(checkValue(wire, written), [], story);
  }
  if (dialect === 'as-is') return;
  const again = tryLower(JSON.parse(JSON.stringify(lowered.schema)) as JsonSchema, dialect, options);
  assert.equal(JSON.stringify(again?.schema), JSON.stringify(lowered.schema), context);
}

function tryLower(
  schema: JsonSchema,
  dialect: (typeof dialects)[number],
  options: LowerOptions,
): Lowered | undefined {
  try {
    return lower(schema, dialect, options);
  } catch (error) {
    if (isWhetstoneError(error) && error.code === 'schema_refused') return undefined;
    throw error;
  }
}

function countKeywords(schema: JsonSchema, hits: Map<string, number>): void {
  if (!isJsonObject(schema)) return;
  for (const keyword of Object.keys(schema)) hits.set(keyword, (hits.get(keyword) ?? 0) + 1);
  eachSubschema(schema, (child) => countKeywords(child, hits));
}

function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutNulls(member)]));
}
