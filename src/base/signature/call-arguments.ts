import { WhetstoneError } from '../host/errors.ts';
import { formatPath } from '../json/path.ts';
import type { JsonPath } from '../json/path.ts';
import { isJsonObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { getByPointer } from '../json/pointer.ts';
import { holds } from '../schema/check/check.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { StoredSignature } from './signature.ts';

/** What a run hands in, in addition to the arguments. */
export interface Injected {
  readonly context?: unknown;
  readonly signal?: AbortSignal;
}

/**
 * The checked input of a call as the arguments of the function: in order, with dates where it wants dates. Throws
 * `arguments_invalid` for a text that is not a date.
 */
export function callArguments(
  signature: StoredSignature,
  input: JsonObject,
  injected: Injected = {},
): unknown[] {
  const value = signature.dates.length === 0 ? input : reviveDates(signature, input);
  const given: unknown[] = [];
  for (const { name, kind } of signature.parameters) {
    if (kind === 'whole') given.push(value);
    else if (kind === 'context') given.push(injected.context);
    else if (kind === 'signal') given.push(injected.signal);
    else if (kind === 'rest') given.push(...((own(value, name) ?? []) as readonly unknown[]));
    else given.push(own(value, name));
  }
  return given;
}

function own(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Walks value and schema together; where several alternatives might be meant, the one that the value fits. */
function reviveDates(
  { input: root, dates }: StoredSignature,
  input: JsonObject,
): Readonly<Record<string, unknown>> {
  const dated = new Set(dates.map((pointer) => getByPointer(root, pointer)));
  const revive = (schema: JsonSchema | undefined, value: JsonValue, path: JsonPath): unknown => {
    if (!isJsonObject(schema)) return value;
    if (dated.has(schema)) return typeof value === 'string' ? dateOf(value, path) : value;
    const { $ref: reference } = schema;
    if (typeof reference === 'string')
      return revive(getByPointer(root, reference.slice(1)) as JsonObject, value, path);
    if (Array.isArray(schema['anyOf'])) {
      const fitting = (schema['anyOf'] as JsonObject[]).find((branch) =>
        holds({ ...branch, $defs: root['$defs'] ?? {} }, value),
      );
      return revive(fitting, value, path);
    }
    if (Array.isArray(value)) {
      const fixed = (schema['prefixItems'] ?? []) as readonly JsonSchema[];
      return value.map((item, index) =>
        revive(fixed[index] ?? (schema['items'] as JsonSchema), item as JsonValue, [...path, index]),
      );
    }
    if (!isJsonObject(value)) return value;
    const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
    const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
      const pattern = Object.keys((schema['patternProperties'] ?? {}) as object).find((each) =>
        new RegExp(each, 'u').test(key),
      );
      const inner = Object.hasOwn(properties, key)
        ? properties[key]
        : pattern === undefined
          ? schema['additionalProperties']
          : (schema['patternProperties'] as JsonObject)[pattern];
      return [key, revive(inner as JsonSchema, item, [...path, key])];
    });
    return Object.fromEntries(entries);
  };
  return revive(root, input, []) as Readonly<Record<string, unknown>>;
}

const isoDate = /^(\d{4}-\d\d-\d\d)(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:?\d\d)?)?$/;

/** `Date` itself makes a day of nearly anything ("next week 3") and of the 31st of February the 3rd of March. */
function dateOf(text: string, path: JsonPath): Date {
  const day = isoDate.exec(text)?.[1];
  const date = new Date(day === undefined ? Number.NaN : text);
  const isDay = !Number.isNaN(date.getTime()) && new Date(`${day}T00:00:00Z`).toJSON().startsWith(day ?? '');
  if (isDay) return date;
  const place = formatPath(path);
  const expected = 'a date, or a date and time, such as "2026-01-31T09:30:00Z"';
  throw new WhetstoneError(
    'arguments_invalid',
    `${place}: expected ${expected}, got ${JSON.stringify(text)}`,
    { details: { place, expected: `${expected}, got ${JSON.stringify(text)}` } },
  );
}
