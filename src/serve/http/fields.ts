import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { invalid } from './refusal.ts';

/** Readers of a request's fields: each gives the value, or refuses it by its path. An absent or null one is undefined. */
export function objectAt(value: unknown, path: string): JsonObject {
  if (!isJsonObject(value))
    throw invalid(path, `${path === '' ? 'The body ' : ''}must be an object, not ${kindOf(value)}.`);
  return value;
}

export function listAt(
  value: unknown,
  path: string,
  limit?: { readonly min: number; readonly max: number },
): readonly JsonValue[] {
  if (!Array.isArray(value)) throw invalid(path, `must be a list, not ${kindOf(value)}.`);
  if (limit && (value.length < limit.min || value.length > limit.max))
    throw invalid(path, `must have ${limit.min} to ${limit.max} items, but has ${value.length}.`);
  return value as readonly JsonValue[];
}

/** A short name: a slug, a label, a key. No control characters, no half of a character. */
export function nameAt(value: unknown, path: string, max = 200): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw invalid(path, `must be a string, not ${kindOf(value)}.`);
  if (value.length === 0 || value.length > max) throw invalid(path, `must have 1 to ${max} characters.`);
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(value) || !value.isWellFormed())
    throw invalid(path, 'must not hold control characters.');
  return value;
}

export function requiredNameAt(value: unknown, path: string): string {
  const name = nameAt(value, path);
  if (name === undefined) throw invalid(path, 'is missing.');
  return name;
}

export function integerAt(
  value: unknown,
  path: string,
  range: { readonly min: number; readonly max: number },
): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < range.min || value > range.max)
    throw invalid(path, `must be a whole number from ${range.min} to ${range.max}.`);
  return value;
}

/** A whole number that is written in an address or a header. */
export function countAt(
  text: string | undefined,
  path: string,
  range = { min: 0, max: Number.MAX_SAFE_INTEGER },
): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,16}$/.test(text)) throw invalid(path, 'must be a whole number.');
  return integerAt(Number(text), path, range);
}

export function optionAt<Option extends string>(
  value: unknown,
  path: string,
  options: readonly Option[],
): Option | undefined {
  if (value === undefined || value === null) return undefined;
  const option = options.find((known) => known === value);
  if (option === undefined) throw invalid(path, `must be one of ${options.join(', ')}.`);
  return option;
}

/** What a value is, in a word; never the value itself. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
