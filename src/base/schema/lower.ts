import { isJsonObject } from '../json/value.ts';
import type { JsonObject } from '../json/value.ts';
import { readDialect } from './dialect.ts';
import type { Dialect } from './dialect.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Change, Plan, Report } from './plan.ts';
import { mapSubschemas } from './subschemas.ts';

/** A schema in a provider's form, the way there and back for values, and what it cost. */
export interface Lowered {
  readonly schema: JsonSchema;
  readonly plan: Plan;
  readonly report: Report;
}

/** Lowers a schema to what a provider takes. Nothing is lost: raised values are checked against the original. */
export function lower(schema: JsonSchema, dialect: Dialect): Lowered {
  const name = readDialect(dialect);
  const plan = { version: 1, dialect: name, strict: false, original: schema } as const;
  const report = { dialect: name, strict: false, changes: [], dropped: [], declined: [] };
  if (name === 'as-is' || isObjectRoot(schema)) return { schema, plan, report };
  const changes: Change[] = [
    {
      path: '',
      change: 'wrap-root',
      text: 'The root is no plain object, so it stands as the member "value" of one.',
    },
  ];
  return {
    schema: wrapRoot(schema),
    plan: { ...plan, root: { op: 'wrap', key: 'value' } },
    report: { ...report, changes },
  };
}

function isObjectRoot(schema: JsonSchema): boolean {
  return (
    isJsonObject(schema) &&
    schema['type'] === 'object' &&
    !['anyOf', 'oneOf', 'allOf', '$ref', 'enum', 'const', 'not'].some((keyword) => keyword in schema)
  );
}

function wrapRoot(schema: JsonSchema): JsonObject {
  return {
    type: 'object',
    properties: { value: moveReferences(schema) },
    required: ['value'],
    additionalProperties: false,
  };
}

/** `#` and `#/…` now begin one property deeper. */
function moveReferences(schema: JsonSchema): JsonSchema {
  if (!isJsonObject(schema)) return schema;
  const moved = mapSubschemas(schema, moveReferences);
  const reference = moved['$ref'];
  if (typeof reference !== 'string' || !/^#(\/|$)/.test(reference)) return moved;
  return { ...moved, $ref: `#/properties/value${reference.slice(1)}` };
}
