import type { JsonObject, JsonValue } from '../../../base/json/value.ts';

/** A `${variable}` may stand wherever a value may; it is checked when a variant fills it in. */
export const filled = {
  type: 'string',
  pattern: '^\\$\\{[\\w.-]+\\}$',
  description: 'a variable: ${name.field}',
} as const;

export const text = { type: 'string' } as const;
export const name = {
  type: 'string',
  pattern: '^[A-Za-z][\\w-]*$',
  description: 'a name of letters, digits, _ and -',
} as const;
export const anything = {} as const;
export const plainNumber = { type: 'number' } as const;
export const number = { anyOf: [plainNumber, filled] } as const;
/** Of what may not be below nothing: weights, penalties, times. */
export const amount = { anyOf: [{ type: 'number', minimum: 0 }, filled] } as const;
export const flag = { anyOf: [{ type: 'boolean' }, filled] } as const;
export const names = { anyOf: [{ type: 'array', items: name }, filled] } as const;
export const patterns = {
  anyOf: [{ type: 'array', items: text, minItems: 1 }, text],
  description:
    'patterns: words that must be in one question; a|b choices, !not, =exact, ?besides, next_door a phrase',
} as const;
export const when = {
  type: 'object',
  description: 'only in variants where each of these variables has the given value, or one of a list',
  additionalProperties: anything,
} as const;
export function record(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, required: [...required], additionalProperties: false };
}

export function listOf(items: JsonValue): JsonObject {
  return { type: 'array', items };
}
