import { WhetstoneError } from '../host/errors.ts';
import { show } from '../host/show.ts';
import { NumberToken } from './number-token.ts';
import type { JsonValue } from './value.ts';

/** The keys of a JSON pointer (RFC 6901): `/a~1b/0` is `['a/b', '0']`; the empty pointer is the whole document. */
export function parsePointer(pointer: string): string[] {
  if (typeof pointer !== 'string') throw refusePointer(pointer, 'it is not text');
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) throw refusePointer(pointer, 'it does not begin with "/"');
  if (/~(?![01])/.test(pointer)) throw refusePointer(pointer, '"~" has no 0 or 1 after it');
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Keys as a JSON pointer: `['a/b', 0]` is `/a~1b/0`. */
export function formatPointer(path: readonly (string | number)[]): string {
  return readPath(path)
    .map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

/** The value at a pointer or a path; undefined where there is none. Only own keys are seen. */
export function getByPointer(
  document: JsonValue,
  pointer: string | readonly (string | number)[],
): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const key of typeof pointer === 'string' ? parsePointer(pointer) : readPath(pointer)) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) {
      if (!/^(?:0|[1-9]\d*)$/.test(String(key))) return undefined;
      value = (value as readonly JsonValue[])[Number(key)];
    } else {
      if (value instanceof NumberToken || !Object.hasOwn(value, key)) return undefined;
      value = (value as { readonly [name: string]: JsonValue })[key];
    }
  }
  return value;
}

function readPath(path: readonly (string | number)[]): readonly (string | number)[] {
  const isPath =
    Array.isArray(path) && path.every((key) => typeof key === 'string' || typeof key === 'number');
  if (!isPath) throw refusePointer(path, 'a path is a list of keys and indexes');
  return path;
}

function refusePointer(pointer: unknown, why: string): WhetstoneError {
  return new WhetstoneError('json_pointer', `${show(pointer)} is not a JSON pointer: ${why}.`, {
    details: { pointer },
  });
}
