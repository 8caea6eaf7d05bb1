import { isJsonObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Dialect } from './dialect.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Counts, Declined } from './plan.ts';
import { subschemas } from './subschemas.ts';

/** What providers count in a wire schema. */
export function count(schema: JsonSchema): Counts {
  const counts = { properties: 0, optional: 0, unions: 0, depth: 0, enumValues: 0, characters: 0 };
  const visit = (node: JsonSchema, depth: number): void => {
    if (!isJsonObject(node)) return;
    if (Array.isArray(node['anyOf']) || Array.isArray(node['type'])) counts.unions++;
    const values = node['enum'] ?? (node['const'] === undefined ? undefined : [node['const']]);
    if (Array.isArray(values)) {
      counts.enumValues += values.length;
      for (const value of values as readonly JsonValue[]) counts.characters += lengthOf(value);
    }
    const properties = isJsonObject(node['properties']) ? Object.keys(node['properties']) : [];
    const required = new Set(Array.isArray(node['required']) ? (node['required'] as readonly string[]) : []);
    counts.properties += properties.length;
    counts.optional += properties.filter((name) => !required.has(name)).length;
    for (const name of properties) counts.characters += name.length;
    for (const name of Object.keys((node['$defs'] ?? {}) as JsonObject)) counts.characters += name.length;
    const deeper = depth + (node['type'] === 'object' || node['properties'] !== undefined ? 1 : 0);
    counts.depth = Math.max(counts.depth, deeper);
    for (const [pointer, child] of subschemas(node)) visit(child, pointer.startsWith('/$defs/') ? 0 : deeper);
  };
  visit(schema, 0);
  return counts;
}

/** The numbers that a dialect allows in one tool, and those that were passed. */
export function overLimits(schema: JsonObject, counts: Counts, dialect: Dialect): readonly Declined[] {
  const over: Declined[] = [];
  const check = (reason: string, value: number, most: number, what: string): void => {
    if (value > most)
      over.push({ path: '', reason, text: `${value} ${what}, and the provider takes ${most}` });
  };
  if (dialect === 'openai-strict') {
    check('too-many-properties', counts.properties, 5000, 'properties');
    check('too-deep', counts.depth, 10, 'levels of objects');
    check('too-many-enum-values', counts.enumValues, 1000, 'enum values');
    check('too-long', counts.characters, 120_000, 'characters of names, enum values and constants');
    check(
      'enum-too-long',
      longestLargeEnum(schema),
      15_000,
      'characters in one enum of more than 250 values',
    );
  }
  if (dialect === 'anthropic-strict') {
    check('too-many-optional', counts.optional, mostOptional, 'optional members');
    check('too-many-unions', counts.unions, mostUnions, 'members of more than one type');
  }
  return over;
}

export const mostOptional = 24;
export const mostUnions = 16;

function longestLargeEnum(schema: JsonSchema): number {
  if (!isJsonObject(schema)) return 0;
  const values = schema['enum'];
  let longest =
    Array.isArray(values) && values.length > 250
      ? (values as readonly JsonValue[]).reduce<number>((sum, value) => sum + lengthOf(value), 0)
      : 0;
  for (const [, child] of subschemas(schema)) longest = Math.max(longest, longestLargeEnum(child));
  return longest;
}

function lengthOf(value: JsonValue): number {
  return typeof value === 'string' ? value.length : JSON.stringify(value).length;
}
