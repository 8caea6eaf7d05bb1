import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';

/** What stands at a dotted path (`orders.A-17.status`, `items.0`), or nothing. Own members only. */
export function readPath(value: JsonValue, path: string): JsonValue | undefined {
  let at: JsonValue | undefined = value;
  if (path === '') return at;
  for (const step of path.split('.')) {
    if (Array.isArray(at)) at = /^\d+$/.test(step) ? (at as readonly JsonValue[])[Number(step)] : undefined;
    else if (isJsonObject(at) && Object.hasOwn(at, step)) at = at[step];
    else return undefined;
  }
  return at;
}

/** The same value with one place changed; what is not on the way is shared. A missing place is made. */
export function writePath(value: JsonObject, path: string, leaf: JsonValue): JsonObject {
  return write(value, path.split('.'), leaf) as JsonObject;
}

function write(value: JsonValue | undefined, steps: readonly string[], leaf: JsonValue): JsonValue {
  const [step, ...rest] = steps;
  if (step === undefined) return leaf;
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
