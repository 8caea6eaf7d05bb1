import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { asJsonSchema, faultsOf } from '../../../test/dialect-rules.ts';
import { isWhetstoneError } from '../host/errors.ts';
import { jsonEqual } from '../json/equal.ts';
import type { JsonValue } from '../json/value.ts';
import { checkValue, holds, loadChecker } from '../schema/check/check.ts';
import { type Dialect, dialects } from './dialect.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { lower } from './lower.ts';
import type { Lowered } from './lower.ts';
import type { Plan } from './plan.ts';
import { encodeValue } from './value/encode-value.ts';
import { decodeValue } from './value/decode-value.ts';

interface Hard {
  readonly id: string;
  readonly schema: JsonSchema;
  readonly values: readonly JsonValue[];
  readonly bad: readonly JsonValue[];
}

/** Shapes that public tools and the generators of their schemas have, written by hand, each as hard as it comes. */
const hard: readonly Hard[] = [
  ...readFileSync(new URL('../../../test/hard-schemas.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Hard),
  {
    id: '300 members',
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 300 }, (_, index) => [
          `field ${index}`,
          { type: ['string', 'array'][index % 2]! },
        ]),
      ),
      required: ['field 0'],
    },
    values: [{ 'field 0': 'a' }, { 'field 0': '', 'field 299': [1, null] }],
    bad: [{}, { 'field 0': 1 }],
  },
];

/** Here a value that the schema refuses reads on some wire as the writing of one that it takes: null, `[]`, "2". */
const meansAnother = new Set(['mixed-enum', 'map-of-map', 'rec-map', 'not-required-null', 'literal-absent']);

await loadChecker();

for (const dialect of dialects) {
  test(`hard schemas go to ${dialect} and back`, () => {
    let lowerable = 0;
    for (const { id, schema, values, bad } of hard) {
      const lowered = tryLower(schema, dialect);
      if (!lowered) continue;
      lowerable++;
      const { report } = lowered;
      const context = `${id} ${dialect} ${JSON.stringify(lowered.schema)}`;
      const plan = JSON.parse(JSON.stringify(lowered.plan)) as Plan;
      const rules = report.strict ? dialect : dialect.replace('-strict', '');
      // A definition with an `$id` of its own is a document of its own, which the rules do not follow.
      if (id !== 'id-anchors') assert.deepEqual(faultsOf(rules, lowered.schema), [], context);
      for (const value of values) {
        const wire = encodeValue(value, plan);
        assert.deepEqual(checkValue(asJsonSchema(lowered.schema) as JsonSchema, wire), [], context);
        const back = decodeValue(wire, plan);
        assert.ok(holds(schema, back), `${context}: ${JSON.stringify(back)}`);
        const ambiguous = report.changes.some(({ change }) => change === 'ambiguous-null');
        if (!ambiguous) assert.ok(jsonEqual(back, value), `${context}: ${JSON.stringify(back)}`);
      }
      for (const value of bad) {
        const back = decodeValue(encodeValue(value, plan), plan);
        assert.ok(!holds(schema, back) || meansAnother.has(id), `${context}: ${JSON.stringify(back)}`);
      }
      const twice = lower(JSON.parse(JSON.stringify(lowered.schema)) as JsonSchema, dialect);
      assert.equal(JSON.stringify(twice.schema), JSON.stringify(lowered.schema), id);
    }
    assert.ok(lowerable > hard.length * 0.8, `${lowerable} of ${hard.length}`);
  });
}

test('hard schemas inside each other go to every dialect and back', () => {
  // Those that point to their own root mean something else inside another schema.
  const plain = hard.filter(
    ({ schema }) => !/"\$ref"|"\$id"|"\$defs"|"\$schema"/.test(JSON.stringify(schema)),
  );
  let back = 0;
  plain.forEach((one, index) => {
    const other = plain[(index * 7 + 3) % plain.length] as Hard;
    const schema = {
      type: 'object',
      properties: {
        'a b': one.schema,
        list: { type: 'array', items: { anyOf: [one.schema, other.schema] } },
        map: { type: 'object', additionalProperties: other.schema },
      },
      required: ['list'],
    } as JsonSchema;
    const [first, second] = [one.values.slice(0, 2), other.values.slice(0, 2)];
    const map = Object.fromEntries(second.map((value, place) => [`key ${place}`, value]));
    const values: JsonValue[] = [{ list: [...first, ...second] }, { list: [], map }];
    if (first[0] !== undefined) values.push({ 'a b': first[0], list: [first[0]] });
    for (const dialect of dialects) {
      const lowered = tryLower(schema, dialect);
      if (!lowered) continue;
      const { report, plan } = lowered;
      const context = `${one.id} with ${other.id}, ${dialect}`;
      assert.deepEqual(
        faultsOf(report.strict ? dialect : dialect.replace('-strict', ''), lowered.schema),
        [],
        context,
      );
      for (const value of values.filter((each) => holds(schema, each))) {
        const wire = encodeValue(value, plan);
        assert.deepEqual(checkValue(asJsonSchema(lowered.schema) as JsonSchema, wire), [], context);
        const decoded = decodeValue(wire, plan);
        assert.ok(holds(schema, decoded), `${context}: ${JSON.stringify(decoded)}`);
        if (report.changes.every(({ change }) => change !== 'ambiguous-null'))
          assert.ok(jsonEqual(decoded, value), `${context}: ${JSON.stringify(decoded)}`);
        back++;
      }
    }
  });
  assert.ok(back > 1000, String(back));
});

test('no hard schema is declined for what strict OpenAI can say', () => {
  const declined = hard.flatMap(({ id, schema }) => {
    const reasons = tryLower(schema, 'openai-strict')?.report.declined.map(({ reason }) => reason) ?? [];
    return reasons.map((reason) => ({ id, reason }));
  });
  for (const { id, reason } of declined)
    assert.match(reason, /^(free-value|free-object|open-object|open-tuple|too-deep|nothing-fits)$/, id);
  const names = declined.map(({ id }) => id);
  for (const id of [
    'zod-record-enum',
    'maxItems0',
    'zod-never',
    'dead-branch',
    'recursive-extended',
    'allof-if-then',
  ])
    assert.ok(!names.includes(id), id);
});

function tryLower(schema: JsonSchema, dialect: Dialect): Lowered | undefined {
  try {
    return lower(schema, dialect);
  } catch (error) {
    assert.ok(isWhetstoneError(error) && error.code === 'schema_refused', String(error));
    return undefined;
  }
}
