import { formatPath } from '../../base/json/path.ts';
import type { JsonValue } from '../../base/json/value.ts';

type Path = readonly (string | number)[];

/** What code made is not plain data at this path. */
export class NotPlain extends Error {
  readonly path: Path;

  constructor(path: Path, what: string) {
    super(path.length === 0 ? `It is ${what}.` : `${formatPath(path)} is ${what}.`);
    this.path = path;
  }
}

/**
 * A copy of what code made, as JSON: members that are `undefined` are left out; what JSON has no word for is refused
 * with its path. Getters run, once.
 */
export function plainJson(value: unknown, path: Path = []): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      throw new NotPlain(path, `${value}, which JSON cannot hold`);
    case 'object':
      return value === null ? null : plainObject(value, path);
    case 'undefined':
      throw new NotPlain(path, 'nothing (undefined); write null where you mean it');
    case 'bigint':
      throw new NotPlain(path, `a bigint (${value}n); write a number, or a text`);
    case 'function':
      throw new NotPlain(path, 'a function; only data stands here');
    case 'symbol':
      throw new NotPlain(path, 'a symbol; write a text');
  }
}

function plainObject(value: object, path: Path): JsonValue {
  // JSON this deep is a value that contains itself, and if it is not, nobody could read it.
  if (path.length > 100) throw new NotPlain(path.slice(0, 4), 'too deep; perhaps it contains itself');
  if (Array.isArray(value)) return Array.from(value, (item, index) => plainJson(item, [...path, index]));
  if (value instanceof Promise) throw new NotPlain(path, 'a promise; write no async, a value is due at once');
  if (value instanceof Date) throw new NotPlain(path, 'a Date; write a text such as 2026-11-21');
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw new NotPlain(path, `a ${value.constructor.name}; write a plain object or a list`);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, plainJson(member, [...path, name])]));
}
