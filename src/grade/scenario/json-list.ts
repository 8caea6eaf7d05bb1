import type { JsonObject, JsonValue } from '../../base/json/value.ts';

/** The items of a list; none where the value is not a list. */
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
