import { WhetstoneError } from '../../base/host/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { nearestName } from '../../base/schema/check/nearest-names.ts';

/** The members of an object in a suite; a name that is not known is told with the nearest that is. */
export function members(value: JsonValue | undefined, at: string, known: readonly string[]): JsonObject {
  if (!isJsonObject(value)) throw invalid(at, `It should be an object with ${known.join(', ')}.`);
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue;
    const near = nearestName(name, known);
    throw invalid(
      at,
      `There is no "${name}" here.${near === undefined ? '' : ` Did you mean "${near}"?`} Known: ${known.join(', ')}.`,
    );
  }
  return value;
}

export function list(value: JsonValue | undefined, at: string): readonly JsonValue[] {
  if (!Array.isArray(value) || value.length === 0) throw invalid(at, 'It should be a list of one or more.');
  return value as readonly JsonValue[];
}

export function text(value: JsonValue | undefined, at: string): string {
  if (typeof value !== 'string' || value === '') throw invalid(at, 'It should be a text.');
  return value;
}

/** One of some words, or yes or no. */
export function oneOf<const Word extends string | boolean>(
  value: JsonValue | undefined,
  at: string,
  words: readonly Word[],
): Word {
  const found = words.find((word) => word === value);
  if (found === undefined)
    throw invalid(at, `It should be one of ${words.join(', ')}, not ${JSON.stringify(value ?? null)}.`);
  return found;
}

export function count(value: JsonValue | undefined, at: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1)
    throw invalid(at, `It should be a whole number of at least 1, not ${JSON.stringify(value ?? null)}.`);
  return value as number;
}

export function amount(value: JsonValue | undefined, at: string): number {
  if (typeof value !== 'number' || !(value >= 0))
    throw invalid(at, `It should be a number of at least 0, not ${JSON.stringify(value ?? null)}.`);
  return value;
}

export function invalid(at: string, message: string): WhetstoneError {
  return new WhetstoneError('suite_invalid', `${at}: ${message}`, { details: { at } });
}
