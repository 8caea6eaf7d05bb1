import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';

/** Fields of what others wrote: a field of another type counts as absent. */
export function textAt(object: JsonObject, name: string): string | undefined {
  const value = object[name];
  return typeof value === 'string' ? value : undefined;
}

export function numberAt(object: JsonObject, name: string): number | undefined {
  const value = object[name];
  return typeof value === 'number' ? value : undefined;
}

export function objectAt(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

export function objectsAt(object: JsonObject, name: string): readonly JsonObject[] {
  return listAt(object, name).filter(isJsonObject);
}

export function numbersAt(object: JsonObject, name: string): readonly number[] | undefined {
  const value = object[name];
  if (!Array.isArray(value)) return undefined;
  const numbers = (value as readonly JsonValue[]).filter((one) => typeof one === 'number');
  return numbers.length === value.length ? numbers : undefined;
}

function listAt(object: JsonObject, name: string): readonly JsonValue[] {
  const value = object[name];
  return Array.isArray(value) ? value : [];
}
