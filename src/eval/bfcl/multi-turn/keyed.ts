import { typeError } from '../../python/exception.ts';
import { intOf } from '../../python/operate.ts';
import { repr } from '../../python/repr.ts';
import { type PythonDict, type PythonValue, typeName } from '../../python/value.ts';

/** A dict whose keys are ints and texts: each is kept as Python's `repr` of it, so that `1` and `'1'` are two. */
export function keyed(members: PythonDict, isInt: (key: string) => boolean): PythonDict {
  return new Map([...members].map(([key, value]) => [isInt(key) ? repr(intOf(key)) : repr(key), value]));
}

/** How a key is kept. `1.0` and `True` are the key `1` to Python. */
export function keyOf(value: PythonValue): string {
  if (typeof value === 'object' && value !== null) throw typeError(`unhashable type: '${typeName(value)}'`);
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isInteger(value)))
    return repr(BigInt(value));
  return repr(value);
}

/** The keys as they were. */
export function keysOf(members: PythonDict): PythonValue[] {
  return [...members.keys()].map((key) => (/^-?\d+$/.test(key) ? BigInt(key) : key.slice(1, -1)));
}
