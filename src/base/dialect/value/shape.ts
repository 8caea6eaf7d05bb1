import { isJsonObject } from '../../json/value.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { compileTest, type Test } from '../../schema/check/compile-test.ts';

/**
 * Shapes: the structure of wire schemas, by which the branches of a union are told apart. A shape is a JSON
 * Schema of `type`, `enum`, `properties`, `required`, `additionalProperties`, `items`, `prefixItems`, `anyOf`, the
 * plain limits, and `$ref` to `#/shapes/…`.
 */
export type Shapes = Readonly<Record<string, JsonObject>>;

/** The shape of a wire schema. An object is closed unless the wire says that it is open. */
export function shapeOf(wire: Readonly<Record<string, unknown>>): JsonObject {
  if (typeof wire['$ref'] === 'string') return { $ref: wire['$ref'].replace('#/$defs/', '#/shapes/') };
  if (Array.isArray(wire['anyOf'])) return { anyOf: (wire['anyOf'] as JsonObject[]).map(shapeOf) };
  const shape: Record<string, JsonValue> = {};
  const type = wire['type'] as JsonValue | undefined;
  if (type !== undefined) shape['type'] = wire['nullable'] === true ? [type, 'null'] : type;
  if (wire['enum'] !== undefined) {
    const values = wire['enum'] as readonly JsonValue[];
    shape['enum'] = wire['nullable'] === true ? [...values, null] : values;
  }
  if (isJsonObject(wire['properties']))
    shape['properties'] = Object.fromEntries(
      Object.entries(wire['properties']).map(([name, child]) => [name, shapeOf(child as JsonObject)]),
    );
  if (wire['required'] !== undefined) shape['required'] = wire['required'] as JsonValue;
  if (type === 'object' || (Array.isArray(type) && type.includes('object'))) {
    const rest = wire['additionalProperties'];
    if (rest !== true) shape['additionalProperties'] = isJsonObject(rest) ? shapeOf(rest) : false;
  }
  if (isJsonObject(wire['items'])) shape['items'] = shapeOf(wire['items']);
  if (Array.isArray(wire['prefixItems']))
    shape['prefixItems'] = (wire['prefixItems'] as JsonObject[]).map(shapeOf);
  for (const keyword of limits) if (wire[keyword] !== undefined) shape[keyword] = Number(wire[keyword]);
  if (typeof wire['pattern'] === 'string') shape['pattern'] = wire['pattern'];
  return shape;
}

const limits =
  'minItems maxItems minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum'.split(' ');

/** True where the value has the structure. */
export function fits(shape: JsonObject, value: JsonValue, shapes: Shapes): boolean {
  let test = tests.get(shape);
  if (!test) tests.set(shape, (test = compileTest(shape, shapes)));
  return test(value);
}

/** A shape belongs to one plan, and so to its shapes. */
const tests = new WeakMap<JsonObject, Test>();

/** True where certainly no value has both structures. */
export function areApart(left: JsonObject, right: JsonObject, shapes: Shapes, depth = 0): boolean {
  if (depth > 12) return false;
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const reference = one['$ref'];
    if (typeof reference === 'string') {
      const target = shapes[reference.slice('#/shapes/'.length)];
      return target !== undefined && areApart(target, other, shapes, depth + 1);
    }
    if (Array.isArray(one['anyOf']))
      return branches(one).every((branch) => areApart(branch, other, shapes, depth + 1));
  }
  if (Array.isArray(left['enum']))
    return (left['enum'] as JsonValue[]).every((value) => !fits(right, value, shapes));
  if (Array.isArray(right['enum']))
    return (right['enum'] as JsonValue[]).every((value) => !fits(left, value, shapes));
  const shared = commonTypes(left['type'], right['type']);
  return shared.every((type) => {
    if (type === 'object') return objectsApart(left, right, shapes, depth);
    return type === 'array' && listsApart(left, right, shapes, depth);
  });
}

const allTypes = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;

function commonTypes(left: JsonValue | undefined, right: JsonValue | undefined): readonly string[] {
  const has = (types: JsonValue | undefined, name: string): boolean => {
    if (types === undefined) return true;
    const names = Array.isArray(types) ? (types as readonly JsonValue[]) : [types];
    return names.includes(name) || (name === 'number' && names.includes('integer'));
  };
  return allTypes.filter((name) => has(left, name) && has(right, name));
}

function objectsApart(left: JsonObject, right: JsonObject, shapes: Shapes, depth: number): boolean {
  const inLeft = (left['properties'] ?? {}) as JsonObject;
  const inRight = (right['properties'] ?? {}) as JsonObject;
  const misses = (one: JsonObject, known: JsonObject, other: JsonObject): boolean =>
    one['additionalProperties'] === false &&
    ((other['required'] ?? []) as readonly string[]).some((name) => !Object.hasOwn(known, name));
  if (misses(left, inLeft, right) || misses(right, inRight, left)) return true;
  const required = new Set((left['required'] ?? []) as readonly string[]);
  return ((right['required'] ?? []) as readonly string[]).some(
    (name) =>
      required.has(name) &&
      Object.hasOwn(inLeft, name) &&
      Object.hasOwn(inRight, name) &&
      areApart(inLeft[name] as JsonObject, inRight[name] as JsonObject, shapes, depth + 1),
  );
}

function listsApart(left: JsonObject, right: JsonObject, shapes: Shapes, depth: number): boolean {
  const least = Math.max(Number(left['minItems'] ?? 0), Number(right['minItems'] ?? 0));
  const most = Math.min(Number(left['maxItems'] ?? Infinity), Number(right['maxItems'] ?? Infinity));
  if (least > most) return true;
  const at = (shape: JsonObject, index: number): JsonObject | undefined =>
    ((shape['prefixItems'] ?? []) as readonly JsonObject[])[index] ??
    (shape['items'] as JsonObject | undefined);
  for (let index = 0; index < Math.min(least, 8); index++) {
    const one = at(left, index);
    const other = at(right, index);
    if (one && other && areApart(one, other, shapes, depth + 1)) return true;
  }
  return false;
}

function branches(shape: JsonObject): readonly JsonObject[] {
  return shape['anyOf'] as readonly JsonObject[];
}
