import { formatPointer } from '../json/pointer.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { dateMark } from './type-schema.ts';

/** The schema as plain JSON, and pointers to the places in it where a `Date` was meant. */
export function takeDates(marked: JsonObject): {
  readonly schema: JsonObject;
  readonly dates: readonly string[];
} {
  const dates: string[] = [];
  const clean = (value: JsonValue, path: readonly (string | number)[]): JsonValue => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item, index) => clean(item as JsonValue, [...path, index]));
    if (dateMark in value) dates.push(formatPointer(path));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clean(item, [...path, key])]));
  };
  return { schema: clean(marked, []) as JsonObject, dates };
}
