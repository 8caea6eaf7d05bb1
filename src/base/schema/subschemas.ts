import { setMember } from '../json/member.ts';
import { isJsonObject } from '../json/value.ts';
import type { JsonObject } from '../json/value.ts';
import type { JsonSchema } from './json-schema.ts';

/** Keywords that hold one schema. */
const schemaKeywords: ReadonlySet<string> = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
]);

/** Keywords that hold a list of schemas (`items` too, in draft 7). */
const listKeywords: ReadonlySet<string> = new Set(['items', 'prefixItems', 'allOf', 'anyOf', 'oneOf']);

/** Keywords that hold schemas by name (`dependencies` also holds lists of names). */
const mapKeywords: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

/** Sees each schema directly inside a schema, with the keyword that holds it and its name or place there. */
export function eachSubschema(
  schema: JsonObject,
  see: (child: JsonSchema, keyword: string, key?: string | number) => void,
): void {
  for (const keyword in schema) {
    if (!Object.hasOwn(schema, keyword)) continue;
    const value = schema[keyword];
    if (typeof value !== 'object' || value === null) {
      if (typeof value === 'boolean' && schemaKeywords.has(keyword)) see(value, keyword);
    } else if (Array.isArray(value)) {
      if (!listKeywords.has(keyword)) continue;
      for (let index = 0; index < value.length; index++) {
        const child: unknown = value[index];
        if (isSchema(child)) see(child, keyword, index);
      }
    } else if (schemaKeywords.has(keyword)) see(value as JsonObject, keyword);
    else if (mapKeywords.has(keyword)) {
      for (const name of Object.keys(value)) {
        const child = (value as JsonObject)[name];
        if (isSchema(child)) see(child, keyword, name);
      }
    }
  }
}

/** The JSON pointer from a schema to one directly inside it. */
export function pointerTo(keyword: string, key?: string | number): string {
  return key === undefined ? `/${keyword}` : `/${keyword}/${escapeKey(String(key))}`;
}

/** The same schema with each schema directly inside it replaced. */
export function mapSubschemas(schema: JsonObject, change: (child: JsonSchema) => JsonSchema): JsonObject {
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(schema)) {
    const value = schema[key];
    if (schemaKeywords.has(key) && isSchema(value)) result[key] = change(value);
    else if (listKeywords.has(key) && Array.isArray(value))
      result[key] = value.map((child: unknown) => (isSchema(child) ? change(child) : child));
    else if (mapKeywords.has(key) && isJsonObject(value)) {
      const members: Record<string, unknown> = {};
      for (const name of Object.keys(value)) {
        const child = value[name];
        setMember(members, name, isSchema(child) ? change(child) : child);
      }
      result[key] = members;
    } else setMember(result, key, value);
  }
  return result as JsonObject;
}

/** A key as a token of a JSON pointer. */
export function escapeKey(key: string): string {
  return key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'boolean' || isJsonObject(value);
}
