import { NumberToken } from './number-token.ts';

/** Any JSON value, as `JSON.parse` gives it. Never to be changed in place. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A JSON value in which numbers that no double holds are kept as they were written. */
export type ExactJson =
  | string
  | number
  | boolean
  | null
  | NumberToken
  | readonly ExactJson[]
  | { readonly [key: string]: ExactJson };

export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberToken)
  );
}
