import { formatPath } from '../../base/json/path.ts';
import type { JsonValue } from '../../base/json/value.ts';

type Path = readonly (string | number)[];

/** What code made is not plain data at this path. */
export class NotPlain extends Error {
  readonly path: Path;

  constructor(path: Path, what: string) {
    super(path.length === 0 ? `It is ${what}.` : `${formatPath(path)} is ${what}.`);
    this.path = [...path];
  }
}

/**
 * A copy of what code made, as JSON: members that are `undefined` are left out; what JSON has no word for is refused
 * with its path. Getters run, once.
 */
export function plainJson(value: unknown, path: Path = []): JsonValue {
  return copy(value, [...path]);
}

/** `path` is where the copy is: one array, which grows and shrinks on the way through. */
function copy(value: unknown, path: (string | number)[]): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      throw new NotPlain(path, `${value}, which JSON cannot hold`);
    case 'object':
      return value === null ? null : Array.isArray(value) ? copyList(value, path) : copyObject(value, path);
    case 'undefined':
      throw new NotPlain(path, 'nothing (undefined); write null where you mean it');
    case 'bigint':
      throw new NotPlain(path, `a bigint (${value}n); write a number, or a text`);
    case 'function':
      throw new NotPlain(path, 'a function; only data is allowed here');
    case 'symbol':
      throw new NotPlain(path, 'a symbol; write a text');
  }
}

function copyList(list: readonly unknown[], path: (string | number)[]): JsonValue {
  refuseDepth(path);
  const items: JsonValue[] = [];
  for (let index = 0; index < list.length; index++) items.push(copyAt(index, list[index], path));
  return items;
}

function copyObject(value: object, path: (string | number)[]): JsonValue {
  refuseDepth(path);
  if (value instanceof Promise) throw new NotPlain(path, 'a promise; write no async, a value is due at once');
  if (value instanceof Date) throw new NotPlain(path, 'a Date; write a text such as 2026-11-21');
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw new NotPlain(path, `a ${value.constructor.name}; write a plain object or a list`);
  const members: Record<string, JsonValue> = {};
  for (const name of Object.keys(value)) {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (member === undefined) continue;
    const copied = copyAt(name, member, path);
    // A member called __proto__ is a name like any other.
    if (name === '__proto__') Object.defineProperty(members, name, { ...ownMember, value: copied });
    else members[name] = copied;
  }
  return members;
}

const ownMember = { enumerable: true, configurable: true, writable: true };

function copyAt(step: string | number, value: unknown, path: (string | number)[]): JsonValue {
  path.push(step);
  const copied = copy(value, path);
  path.pop();
  return copied;
}

/** JSON this deep is a value that contains itself, and if it is not, nobody could read it. */
function refuseDepth(path: Path): void {
  if (path.length > 100) throw new NotPlain(path.slice(0, 4), 'too deep; perhaps it contains itself');
}
