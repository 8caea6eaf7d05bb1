import { isJsonObject } from '../base/json/value.ts';
import type { JsonObject, JsonValue } from '../base/json/value.ts';

// Providers and the servers that imitate them send null, "" and wrong types where their documents promise
// a value: everything read from a wire goes through these, and none of them throws.

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The text, unless it is missing or empty. */
export function filledText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

export function booleanOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : emptyObject;
}

export function listOf(value: unknown): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : emptyList;
}

/** The objects of a list; whatever else is in it is passed over. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return listOf(value).filter(isJsonObject);
}

const emptyObject: JsonObject = {};
const emptyList: readonly JsonValue[] = [];

/** What is in an object apart from the named fields; undefined when nothing is. */
export function restOf(object: JsonObject, known: readonly string[]): JsonObject | undefined {
  let rest: Record<string, JsonValue> | undefined;
  for (const key in object) {
    if (known.includes(key)) continue;
    rest ??= {};
    rest[key] = object[key] as JsonValue;
  }
  return rest;
}

type Filled<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without its undefined fields, so that optional fields can be written in one expression. */
export function omitUndefined<T extends object>(object: T): Filled<T> {
  const result: Record<string, unknown> = {};
  for (const key in object) if (object[key] !== undefined) result[key] = object[key];
  return result as Filled<T>;
}

/** Parses JSON text; undefined when it is none. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
