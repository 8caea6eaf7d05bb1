import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { asJsonSchema, faultsOf } from '../../../test/dialect-rules.ts';
import { isWhetstoneError } from '../host/errors.ts';
import { jsonEqual } from '../json/equal.ts';
import { isJsonObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { checkValue, holds, loadChecker } from '../schema/check/check.ts';
import { dialects } from './dialect.ts';
import type { Dialect } from './dialect.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { lower } from './lower.ts';
import type { Lowered } from './lower.ts';
import type { Plan } from './plan.ts';
import { encodeValue } from './value/encode-value.ts';
import { decodeValue } from './value/decode-value.ts';

const file = new URL('../../../../shared/data/tool-schemas/schemas.jsonl.gz', import.meta.url);
const absent = existsSync(file) ? false : 'the corpus of tool schemas is not beside this checkout';

interface Tool {
  readonly id: string;
  readonly schema: JsonSchema;
  readonly values: readonly JsonValue[];
}

const tools: readonly Tool[] = absent
  ? []
  : gunzipSync(readFileSync(file))
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Tool);

await loadChecker();

for (const dialect of dialects) {
  test(`every tool of the corpus goes to ${dialect} and its values come back`, { skip: absent }, (t) => {
    let values = 0;
    const refused: string[] = [];
    const loose: string[] = [];
    for (const { id, schema, values: valid } of tools) {
      const lowered = tryLower(schema, dialect);
      if (typeof lowered === 'string') {
        refused.push(`${id}: ${lowered}`);
        continue;
      }
      if (dialect.endsWith('-strict') && !lowered.report.strict)
        loose.push(`${id}: ${lowered.report.declined.map((one) => one.reason).join()}`);
      const plan = JSON.parse(JSON.stringify(lowered.plan)) as Plan;
      const wire = asJsonSchema(lowered.schema) as JsonSchema;
      for (const value of valid) {
        values++;
        const written = encodeValue(value, plan);
        assert.deepEqual(checkValue(wire, written), [], `${id} on the wire: ${JSON.stringify(written)}`);
        const back = decodeValue(written, plan);
        if (jsonEqual(back, value)) continue;
        const ambiguous = lowered.report.changes.some((one) => one.change === 'ambiguous-null');
        assert.ok(
          ambiguous && jsonEqual(withoutNulls(back), withoutNulls(value)),
          `${id}: ${JSON.stringify(back)}`,
        );
      }
    }
    t.diagnostic(`${values} values; ${loose.length} loose; ${refused.length} refused`);
    assert.ok(values > 5000);
    for (const one of refused) assert.match(one, /gemini-\S+ cannot take a recursive schema.*"\w+" at/);
    for (const one of loose) assert.match(one, declinable);
    assert.ok(loose.length < 75);
  });

  test(`every tool of the corpus obeys the rules of ${dialect}`, { skip: absent }, () => {
    let unruly = 0;
    for (const { id, schema } of tools) {
      const lowered = tryLower(schema, dialect);
      if (typeof lowered === 'string') continue;
      const rules = lowered.report.strict ? dialect : dialect.replace('-strict', '');
      assert.deepEqual(faultsOf(rules, lowered.schema), [], id);
      if (faultsOf(rules, schema).length > 0) unruly++;
    }
    if (dialect !== 'as-is') assert.ok(unruly > 0, 'the rules find faults in schemas that were not lowered');
  });

  test(`lowering twice to ${dialect} changes nothing`, { skip: absent }, () => {
    for (const { id, schema } of tools) {
      const once = tryLower(schema, dialect);
      if (typeof once === 'string') continue;
      const twice = lower(JSON.parse(JSON.stringify(once.schema)) as JsonSchema, dialect);
      assert.equal(JSON.stringify(twice.schema), JSON.stringify(once.schema), id);
    }
  });

  test(`every constraint that ${dialect} is not told is named`, { skip: absent }, () => {
    for (const { id, schema } of tools) {
      const lowered = tryLower(schema, dialect);
      if (typeof lowered === 'string') continue;
      const told = new Set(keywordsOf(lowered.schema));
      const named = new Set(lowered.report.dropped.map((one) => one.keyword));
      for (const keyword of keywordsOf(schema))
        assert.ok(told.has(keyword) || named.has(keyword), `${id}: ${keyword}`);
    }
  });
}

test('an invalid value is refused after it went to the wire and back', { skip: absent }, () => {
  let refused = 0;
  for (const { id, schema, values } of tools)
    for (const value of values.slice(0, 2))
      for (const bad of spoiled(value)) {
        if (holds(schema, bad)) continue;
        for (const dialect of dialects) {
          const lowered = tryLower(schema, dialect);
          if (typeof lowered === 'string') continue;
          assert.ok(
            !holds(schema, decodeValue(encodeValue(bad, lowered.plan), lowered.plan)),
            `${id} ${dialect} ${JSON.stringify(bad)}`,
          );
          refused++;
        }
      }
  assert.ok(refused > 20_000);
});

/** What a strict dialect may be declined for: it truly cannot say it. */
const declinable =
  /: (free-value|free-object|open-object|open-tuple|recursive|too-deep|too-many-optional|too-many-unions|too-many-enum-values)/;

function tryLower(schema: JsonSchema, dialect: Dialect): Lowered | string {
  try {
    return lower(schema, dialect);
  } catch (error) {
    if (isWhetstoneError(error) && error.code === 'schema_refused') return error.message;
    throw error;
  }
}

function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutNulls(member)]));
}

/** The value with one part of another type, or gone. */
function spoiled(value: JsonValue): JsonValue[] {
  if (!isJsonObject(value)) return [];
  return Object.keys(value)
    .slice(0, 4)
    .flatMap((name) => {
      const { [name]: member, ...rest } = value;
      return [rest, { ...value, [name]: typeof member === 'string' ? 7 : 'seven' }];
    });
}

function keywordsOf(schema: unknown): readonly string[] {
  const structure = new Set(
    'multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern format maxItems minItems uniqueItems contains maxProperties minProperties dependentRequired dependentSchemas allOf oneOf anyOf not if then else prefixItems patternProperties additionalProperties propertyNames const enum required additionalItems contentEncoding contentMediaType'.split(
      ' ',
    ),
  );
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (!isJsonObject(node)) return;
    for (const [key, child] of Object.entries(node)) {
      if (structure.has(key)) found.push(key);
      if (key === 'properties' || key === '$defs' || key === 'definitions')
        Object.values(child as JsonObject).forEach(visit);
      else if (Array.isArray(child) && key !== 'enum') child.forEach(visit);
      else if (key !== 'const' && key !== 'default') visit(child);
    }
  };
  visit(schema);
  return found;
}
