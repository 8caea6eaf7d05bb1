import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { listOf, objectsIn } from './json-list.ts';
import { equalJson, readPath } from './world-path.ts';

/** What varies: each axis has its values; a variant takes one of each. */
export interface Axis {
  readonly name: string;
  readonly values: readonly JsonValue[];
  /** Where the value follows from those of other axes: what follows, each with the `when` of its variants. */
  readonly derive?: readonly JsonValue[];
  /** Which of those that hold make the value: the first, a list of all, or the sum of all. */
  readonly takes?: 'first' | 'every' | 'sum';
}

/** Of a range of numbers; more would be told apart by nobody. */
export const mostValues = 1000;

/** The axes of a scenario: of `vary` lists of values, or `{from, to, step}` for numbers; of `derive` what follows from them. */
export function axesOf({ vary, derive }: JsonObject): readonly Axis[] {
  return [
    ...Object.entries(isJsonObject(vary) ? vary : {}).map(([name, values]) => ({
      name,
      values: valuesOf(values),
    })),
    ...Object.entries(isJsonObject(derive) ? derive : {}).map(([name, choices]) =>
      derivedAxis(name, choices),
    ),
  ];
}

function derivedAxis(name: string, written: JsonValue): Axis {
  const { every, sum } = isJsonObject(written) ? written : {};
  const derive = listOf(every ?? sum ?? written);
  const each = objectsIn(derive).map(({ is }) => is ?? null);
  if (every !== undefined) return { name, derive, takes: 'every', values: [each] };
  if (sum !== undefined) return { name, derive, takes: 'sum', values: sumsOf(each) };
  return { name, derive, takes: 'first', values: each };
}

/** Every total that some of the parts can have. What is still to be filled in has none that is known. */
function sumsOf(parts: readonly JsonValue[]): readonly number[] {
  let sums: readonly number[] = [0];
  for (const part of parts) {
    if (typeof part !== 'number') continue;
    sums = [...new Set([...sums, ...sums.map((sum) => decimal(sum + part))])].slice(0, mostValues);
  }
  return sums;
}

function valuesOf(values: JsonValue): readonly JsonValue[] {
  if (Array.isArray(values)) return values;
  if (!isJsonObject(values)) return [values];
  const { from, to, step } = values;
  if (typeof from !== 'number' || typeof to !== 'number') return [values];
  const by = typeof step === 'number' && step > 0 ? step : 1;
  const count = Math.max(0, Math.min(mostValues, Math.floor((to - from) / by + 1e-9) + 1));
  return Array.from({ length: count }, (_, index) => decimal(from + index * by));
}

/** Three tenths, where a sum of tenths is a hair above: it is in texts, and is compared. */
function decimal(number: number): number {
  return Number.isInteger(number) ? number : Number(number.toPrecision(12));
}

export function countVariants(axes: readonly Axis[]): number {
  return axes.reduce((product, axis) => product * (axis.derive ? 1 : Math.max(1, axis.values.length)), 1);
}

/**
 * The values of one variant. Variant 0 takes the first of each axis; the others step through all combinations by a
 * stride that has no factor in common with their count, so that neighbours differ in every axis and none comes twice.
 */
export function bindVariant(axes: readonly Axis[], variant: number): JsonObject {
  const count = countVariants(axes);
  let rest = Number((BigInt(variant) * BigInt(strideFor(count))) % BigInt(count));
  const bound: Record<string, JsonValue> = {};
  for (const axis of axes) {
    if (axis.derive) {
      // What stood before it is bound, and tells which of its choices hold.
      bound[axis.name] = taken(
        objectsIn(fillTemplate(axis.derive, bound)).map(({ is }) => is ?? null),
        axis.takes,
      );
      continue;
    }
    const size = Math.max(1, axis.values.length);
    bound[axis.name] = axis.values[rest % size] ?? null;
    rest = Math.floor(rest / size);
  }
  return bound;
}

function taken(holding: readonly JsonValue[], takes: Axis['takes']): JsonValue {
  if (takes === 'every') return [...holding];
  if (takes === 'sum') return decimal(holding.reduce<number>((sum, one) => sum + Number(one), 0));
  return holding[0] ?? null;
}

/** Near the golden section of the count, which spreads best. */
function strideFor(count: number): number {
  if (count <= 2) return 1;
  let stride = Math.max(1, Math.round(count * 0.6180339887498949));
  while (commonFactor(stride, count) !== 1) stride++;
  return stride;
}

function commonFactor(one: number, other: number): number {
  return other === 0 ? one : commonFactor(other, one % other);
}

/**
 * A template with its variables filled in: `${name.field}` in any text, and a text that is nothing else becomes the value
 * itself. An item whose `when` does not hold in this variant is left out. `missing` is told of names that are bound to nothing.
 */
export function fillTemplate(
  value: JsonValue,
  bound: JsonObject,
  missing: (name: string) => void = () => {},
): JsonValue {
  if (typeof value === 'string') return fillString(value, bound, missing);
  if (Array.isArray(value))
    return (value as readonly JsonValue[])
      .filter((item) => !isJsonObject(item) || whenHolds(item, bound))
      .map((item) => fillTemplate(item, bound, missing));
  if (!isJsonObject(value)) return value;
  const filled: [string, JsonValue][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (key === 'when' && namesAxes(item, (axis) => Object.hasOwn(bound, axis))) continue;
    if (isJsonObject(item) && !whenHolds(item, bound)) continue;
    filled.push([String(fillString(key, bound, missing)), fillTemplate(item, bound, missing)]);
  }
  return Object.fromEntries(filled);
}

/**
 * Whether a `when` says in which variants something stands: it names nothing but axes. Any other is a field of that name,
 * as the world, a schema or an input may have one.
 */
export function namesAxes(when: JsonValue, isAxis: (name: string) => boolean): when is JsonObject {
  if (!isJsonObject(when)) return false;
  const paths = Object.keys(when);
  return paths.length > 0 && paths.every((path) => isAxis(path.split('.', 1)[0]!));
}

/** `when: {case.kind: [a, b]}`: each path has one of these values. */
function whenHolds(item: JsonObject, bound: JsonObject): boolean {
  const { when } = item;
  if (when === undefined || !namesAxes(when, (axis) => Object.hasOwn(bound, axis))) return true;
  return Object.entries(when).every(([path, wanted]) => {
    const found = readPath(bound, path) ?? null;
    const choices: readonly JsonValue[] = Array.isArray(wanted) ? wanted : [wanted];
    return choices.some((choice) => equalJson(choice, found));
  });
}

const variable = /\$\{([\w.-]+)\}/g;

function fillString(text: string, bound: JsonObject, missing: (name: string) => void): JsonValue {
  if (!text.includes('${')) return text;
  const whole = /^\$\{([\w.-]+)\}$/.exec(text);
  if (whole) {
    const found = readPath(bound, whole[1]!);
    if (found !== undefined) return found;
  }
  return text.replace(variable, (written, name: string) => {
    const found = readPath(bound, name);
    if (found === undefined) {
      missing(name);
      return written;
    }
    return typeof found === 'string' ? found : JSON.stringify(found);
  });
}
