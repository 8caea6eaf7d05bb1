import type { JsonObject, JsonValue } from '../../base/json/value.ts';

/** What stands in a list; nothing where there is none. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** The same of a list in a file whose format was checked: it has seen to it that they are objects. */
export function objectsIn(list: JsonValue | undefined): readonly JsonObject[] {
  return listOf(list) as readonly JsonObject[];
}

/** The same, as texts. */
export function textsIn(list: JsonValue | undefined): readonly string[] {
  return listOf(list).map(String);
}
