import { equal, type PythonDict, type PythonValue, typeName } from '../python/value.ts';

/** The types that the checker tells apart, by Python's names for them. */
export type TypeName = 'NoneType' | 'bool' | 'int' | 'float' | 'str' | 'list' | 'dict' | 'tuple';

/** A tuple is kept as the lines write it, `{"$tuple": […]}`: so it equals another tuple and never a list. */
export function typeOf(value: PythonValue): TypeName {
  return tupleItems(value) === undefined ? (typeName(value) as TypeName) : 'tuple';
}

/** What a tuple holds; `undefined` of any other value. */
function tupleItems(value: PythonValue): PythonValue[] | undefined {
  if (!(value instanceof Map) || value.size !== 1) return undefined;
  const items = value.get('$tuple');
  return Array.isArray(items) ? items : undefined;
}

/** What Python goes through in a `for` over a value: items, keys, or the characters of a text. */
export function itemsOf(value: PythonValue): readonly PythonValue[] {
  if (typeof value === 'string') return [...value];
  if (Array.isArray(value)) return value;
  return value instanceof Map ? (tupleItems(value) ?? [...value.keys()]) : [];
}

/** Whether a value is a dict, and no tuple. */
export function isDict(value: PythonValue | undefined): value is PythonDict {
  return value instanceof Map && tupleItems(value) === undefined;
}

/** Python's `value in list`. */
export function isAmong(value: PythonValue, list: readonly PythonValue[]): boolean {
  return list.some((item) => equal(item, value));
}
