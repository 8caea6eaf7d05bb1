import { setMember } from '../json/member.ts';
import { isJsonObject } from '../json/value.ts';
import type { JsonObject } from '../json/value.ts';
import type { JsonSchema } from './json-schema.ts';

/** How a keyword holds schemas, as bits: one, a list of them (`items` both, in draft 7), or by name. */
const holds = { one: 1, list: 2, map: 4 } as const;

const holdsOf: ReadonlyMap<string, number> = new Map([
  ['items', holds.one | holds.list],
  ['additionalItems', holds.one],
  ['additionalProperties', holds.one],
  ['unevaluatedProperties', holds.one],
  ['unevaluatedItems', holds.one],
  ['propertyNames', holds.one],
  ['contains', holds.one],
  ['not', holds.one],
  ['if', holds.one],
  ['then', holds.one],
  ['else', holds.one],
  ['contentSchema', holds.one],
  ['prefixItems', holds.list],
  ['allOf', holds.list],
  ['anyOf', holds.list],
  ['oneOf', holds.list],
  ['properties', holds.map],
  ['patternProperties', holds.map],
  ['$defs', holds.map],
  ['definitions', holds.map],
  ['dependentSchemas', holds.map],
  // Also of lists of names.
  ['dependencies', holds.map],
]);

/** How this keyword holds schemas; 0 where it holds none. */
function howHeld(keyword: string): number {
  return holdsOf.get(keyword) ?? 0;
}

/** Sees each schema directly inside a schema, with the keyword that holds it and its name or place there. */
export function eachSubschema(
  schema: JsonObject,
  see: (child: JsonSchema, keyword: string, key?: string | number) => void,
): void {
  for (const keyword in schema) {
    const how = howHeld(keyword);
    if (how === 0 || !Object.hasOwn(schema, keyword)) continue;
    const value = schema[keyword];
    if (typeof value !== 'object' || value === null) {
      if (typeof value === 'boolean' && how & holds.one) see(value, keyword);
    } else if (Array.isArray(value)) {
      if ((how & holds.list) === 0) continue;
      for (let index = 0; index < value.length; index++) {
        const child: unknown = value[index];
        if (isSchema(child)) see(child, keyword, index);
      }
    } else if (how & holds.one) see(value as JsonObject, keyword);
    else if (how & holds.map) {
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
    const how = howHeld(key);
    if (how & holds.one && isSchema(value)) result[key] = change(value);
    else if (how & holds.list && Array.isArray(value))
      result[key] = value.map((child: unknown) => (isSchema(child) ? change(child) : child));
    else if (how & holds.map && isJsonObject(value)) {
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
