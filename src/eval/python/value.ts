/**
 * A value as Python holds it: an int is a bigint, a float a number, a dict a Map, which keeps its keys in the order in
 * which they came whatever they look like.
 */
export type PythonValue = null | boolean | bigint | number | string | PythonValue[] | PythonDict;

/** A dict whose keys are all text, as every dict that comes from JSON is. */
export type PythonDict = Map<string, PythonValue>;

/** What `type(value).__name__` says. */
export function typeName(value: PythonValue): string {
  if (value === null) return 'NoneType';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'float';
    case 'string':
      return 'str';
    default:
      return Array.isArray(value) ? 'list' : 'dict';
  }
}

/** Whether a value is a number to Python, which counts True and False among them. */
export function isNumber(value: PythonValue): value is boolean | bigint | number {
  return typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean';
}

/** Python's `==`: numbers by their value whatever their type, dicts without regard to order. */
export function equal(left: PythonValue, right: PythonValue): boolean {
  if (left === right) return true;
  if (isNumber(left) && isNumber(right)) {
    // A bigint and a number compare by their exact values, and True counts as 1.
    // oxlint-disable-next-line eqeqeq
    return left == right;
  }
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => equal(item, right[index]!))
    );
  }
  if (left instanceof Map && right instanceof Map) {
    if (left.size !== right.size) return false;
    for (const [key, value] of left) {
      const other = right.get(key);
      if (other === undefined || !equal(value, other)) return false;
    }
    return true;
  }
  return false;
}

/** Python's `bool(value)`. */
export function isTrue(value: PythonValue): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Map) return value.size > 0;
  // NaN is true to Python.
  return typeof value === 'number' ? value !== 0 : Boolean(value);
}

/** A copy that shares no list and no dict with the original. */
export function deepCopy<Value extends PythonValue>(value: Value): Value {
  return copy(value) as Value;
}

function copy(value: PythonValue): PythonValue {
  if (Array.isArray(value)) return value.map(copy);
  if (!(value instanceof Map)) return value;
  const copied: PythonDict = new Map();
  for (const [key, item] of value) copied.set(key, copy(item));
  return copied;
}

/** Orders text by code point, as Python does; JavaScript compares UTF-16 units. */
export function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a !== b) return surrogatesLast(a) - surrogatesLast(b);
  }
  return left.length - right.length;
}

/** Units of a pair represent code points above all others, yet lie below U+E000 as units. */
function surrogatesLast(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
