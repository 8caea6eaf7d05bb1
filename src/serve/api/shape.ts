import type { JsonObject, JsonValue } from '../../base/json/value.ts';

declare const type: unique symbol;

/** A JSON Schema with the type of the values that fit it: the type, the check and the OpenAPI document are made of one. */
export type Shape<Value = unknown> = JsonObject & { readonly [type]?: Value };

/** The type of the values of a shape. */
export type TypeOf<Of> = Of extends Shape<infer Value> ? Value : never;

/** Fields by their names; those that end in `?` may be left out. */
export type Fields = Readonly<Record<string, Shape>>;

export type Values<Of extends Fields> = Plain<
  {
    readonly [Name in keyof Of as Name extends `${string}?` ? never : Name]: TypeOf<Of[Name]>;
  } & {
    readonly [Name in keyof Of as Name extends `${infer Bare}?` ? Bare : never]?: TypeOf<Of[Name]>;
  }
>;

type Plain<Value> = { readonly [Name in keyof Value]: Value[Name] };

export const text: Shape<string> = { type: 'string' };
export const number: Shape<number> = { type: 'number' };
export const flag: Shape<boolean> = { type: 'boolean' };
export const count: Shape<number> = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
export const share: Shape<number> = { type: 'number', minimum: 0, maximum: 1 };
export const bit: Shape<0 | 1> = { enum: [0, 1] };
export const date: Shape<string> = { type: 'string', format: 'date-time', description: 'ISO 8601' };
export const json: Shape<JsonValue> = {};
export const object: Shape<JsonObject> = { type: 'object' };

/** No control characters, and no half of a character. */
export const printable = '^[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]*$';
/** A short name: a slug, a label, a key. */
export const label: Shape<string> = { type: 'string', minLength: 1, maxLength: 200, pattern: printable };

export function between(minimum: number, maximum: number): Shape<number> {
  return { type: 'integer', minimum, maximum };
}

export function list<Item>(
  items: Shape<Item>,
  counts: { readonly minItems?: number; readonly maxItems?: number } = {},
): Shape<readonly Item[]> {
  return { type: 'array', items, ...counts };
}

export function pair<Item>(items: Shape<Item>): Shape<readonly [Item, Item]> {
  return { type: 'array', items, minItems: 2, maxItems: 2 };
}

export function map<Value>(values: Shape<Value>): Shape<Readonly<Record<string, Value>>> {
  return { type: 'object', additionalProperties: values };
}

export function oneOf<const Value extends JsonValue>(...values: readonly Value[]): Shape<Value> {
  return { enum: values };
}

export function either<One, Other>(one: Shape<One>, other: Shape<Other>): Shape<One | Other> {
  return { anyOf: [one, other] };
}

export function nullable<Value>(shape: Shape<Value>): Shape<Value | null> {
  return { anyOf: [shape, { type: 'null' }] };
}

/** The same, with what it means. */
export function described<Value>(shape: Shape<Value>, description: string): Shape<Value> {
  return { ...shape, description };
}

/** What a client sends: these fields are read; others are ignored, unless they can only be one of these misspelt. */
export function request<const Of extends Fields>(fields: Of): Shape<Values<Of>> {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, shape]) => [name.replace('?', ''), shape])),
    required: entries.filter(([name]) => !name.endsWith('?')).map(([name]) => name),
  };
}

/** What the server answers: exactly these fields. */
export function answer<const Of extends Fields>(fields: Of): Shape<Values<Of>> {
  return { ...request(fields), additionalProperties: false };
}
