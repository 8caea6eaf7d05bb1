import type { JsonObject, JsonValue } from '../json/value.ts';

/** Alternatives as one schema: literals as one `enum`, `true` and `false` as boolean, `null` next to a plain type. */
export function joinAlternatives(schemas: readonly JsonObject[]): JsonObject {
  const literals = schemas
    .filter((schema) => 'const' in schema)
    .map((schema) => schema['const'] as JsonValue);
  const hasNull = schemas.some((schema) => schema['type'] === 'null');
  const others = schemas.filter((schema) => !('const' in schema) && schema['type'] !== 'null');
  const booleans = literals.includes(true) && literals.includes(false);
  const values = literals.filter((value) => !(booleans && typeof value === 'boolean'));
  const parts = [
    ...others,
    ...(booleans ? [{ type: 'boolean' }] : []),
    ...(values.length > 0 ? [enumOf(values)] : []),
  ];
  const [only] = parts;
  if (only === undefined) return { type: 'null' };
  if (parts.length === 1) return hasNull ? orNull(only) : only;
  return { anyOf: hasNull ? [...parts, { type: 'null' }] : parts };
}

function enumOf(values: readonly JsonValue[]): JsonObject {
  const types = [...new Set(values.map((value) => typeof value as string))];
  const type = types.length === 1 ? (types[0] as string) : types;
  return values.length === 1 ? { type, const: values[0] as JsonValue } : { type, enum: [...values] };
}

function orNull(schema: JsonObject): JsonObject {
  const { type } = schema;
  if (typeof type !== 'string')
    return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] };
  if ('const' in schema) return { type: [type, 'null'], enum: [schema['const'] as JsonValue, null] };
  if (Array.isArray(schema['enum']))
    return { ...schema, type: [type, 'null'], enum: [...schema['enum'], null] };
  return { ...schema, type: [type, 'null'] };
}
