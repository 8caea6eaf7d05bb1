import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';

/** Fields whose inside is the user's own: their names are not ours to change. */
const opaque = new Set([
  'args',
  'response',
  'parameters',
  'parametersJsonSchema',
  'responseSchema',
  'responseJsonSchema',
  'labels',
]);

/** The API takes `function_call` as well as `functionCall`; this is the second spelling throughout. */
export function camelFields(value: JsonObject): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const [key, inner] of Object.entries(value)) {
    const name = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    result[name] = opaque.has(name) ? inner : camelValue(inner);
  }
  return result;
}

function camelValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(camelValue);
  return isJsonObject(value) ? camelFields(value) : value;
}
