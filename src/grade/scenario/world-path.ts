import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';

/**
 * The value at a dotted path (`orders.A-17.status`, `items.0`), or nothing. Own members only; a member whose name has
 * dots (`ann@example.com`) is found as well, where there is none by a shorter name.
 */
export function readPath(value: JsonValue, path: string): JsonValue | undefined {
  if (path === '') return value;
  // Most paths are one name.
  if (isJsonObject(value) && !path.includes('.')) return Object.hasOwn(value, path) ? value[path] : undefined;
  return readSteps(value, path.split('.'));
}

/** The same by names that are taken as they stand, dots and all: for what a model has written. */
export function readSteps(value: JsonValue | undefined, steps: readonly string[]): JsonValue | undefined {
  let at = value;
  for (let place = 0; place < steps.length; place++) {
    const step = steps[place]!;
    if (Array.isArray(at)) at = /^\d+$/.test(step) ? (at as readonly JsonValue[])[Number(step)] : undefined;
    else if (!isJsonObject(at)) return undefined;
    else if (Object.hasOwn(at, step)) at = at[step];
    else {
      const taken = lengthOfName(at, steps.slice(place));
      const name = steps.slice(place, place + taken).join('.');
      if (!Object.hasOwn(at, name)) return undefined;
      at = at[name];
      place += taken - 1;
    }
  }
  return at;
}

/** The same value with one place changed; what is not on the way is shared. A missing place is made. */
export function writePath(value: JsonObject, path: string, leaf: JsonValue): JsonObject {
  return writeSteps(value, path.split('.'), leaf);
}

export function writeSteps(value: JsonObject, steps: readonly string[], leaf: JsonValue): JsonObject {
  return write(value, steps, leaf) as JsonObject;
}

function write(value: JsonValue | undefined, steps: readonly string[], leaf: JsonValue): JsonValue {
  const taken = lengthOfName(value, steps);
  const step = steps.slice(0, taken).join('.');
  const rest = steps.slice(taken);
  if (taken === 0) return leaf;
  if (Array.isArray(value)) {
    const copy: JsonValue[] = [...value];
    const index = step === '+' ? copy.length : Number(step);
    if (Number.isInteger(index) && index >= 0 && index <= copy.length)
      copy[index] = write(copy[index], rest, leaf);
    return copy;
  }
  const base: JsonObject = isJsonObject(value) ? value : {};
  const inner = write(Object.hasOwn(base, step) ? base[step] : undefined, rest, leaf);
  // fromEntries defines own members, so that a step called __proto__ is a name like any other.
  return Object.fromEntries([...Object.entries(base).filter(([key]) => key !== step), [step, inner]]);
}

/** How many steps the name of a member takes: more than one where only a name with dots is there. */
function lengthOfName(value: JsonValue | undefined, steps: readonly string[]): number {
  const [step] = steps;
  if (step === undefined || !isJsonObject(value) || Object.hasOwn(value, step))
    return steps.length === 0 ? 0 : 1;
  for (let length = 2; length <= steps.length; length++)
    if (Object.hasOwn(value, steps.slice(0, length).join('.'))) return length;
  return 1;
}

/** Equal as JSON: the order of members does not matter, that of items does. */
export function equalJson(one: JsonValue, other: JsonValue): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return (
      one.length === other.length &&
      one.every((item: JsonValue, index) => equalJson(item, (other as JsonValue[])[index]!))
    );
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && equalJson(one[key]!, other[key]!))
  );
}
