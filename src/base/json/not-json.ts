import type { JsonPath } from './path.ts';

/** A part of a value that JSON cannot hold. */
export interface NotJson {
  readonly path: JsonPath;
  readonly expected: string;
  readonly found: unknown;
}

/** The first part of a value that JSON cannot hold: a function, a number without end, a class instance, a cycle. */
export function findNotJson(value: unknown, depth = 0): NotJson | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : { path: [], expected: 'JSON', found: value };
  if (typeof value !== 'object' || !(Array.isArray(value) || isPlain(value)))
    return { path: [], expected: 'JSON', found: value };
  if (depth > deepest) return { path: [], expected: `JSON of at most ${deepest} levels`, found: value };
  const isList = Array.isArray(value);
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined && !isList) continue;
    const inside = findNotJson(member, depth + 1);
    if (inside) return { ...inside, path: [isList ? Number(key) : key, ...inside.path] };
  }
  return undefined;
}

/** As deep as JSON from the network may be. */
const deepest = 256;

/** A class instance would come back as something else, except one that says how it is written (`NumberToken`). */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null || 'toJSON' in value;
}
