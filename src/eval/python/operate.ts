import { keyError, PythonException, typeError, valueError } from './exception.ts';
import { arithmetic, type PythonNumber } from './number.ts';
import { repr } from './repr.ts';
import {
  compareText,
  deepCopy,
  equal,
  isNumber,
  type PythonDict,
  type PythonValue,
  typeName,
} from './value.ts';

/** Python's `container[key]`. */
export function getItem(container: PythonValue, key: PythonValue): PythonValue {
  if (container instanceof Map) {
    requireHashable(key);
    const value = typeof key === 'string' ? container.get(key) : undefined;
    if (value === undefined) throw keyError(key);
    return value;
  }
  if (Array.isArray(container)) return elementAt(container, key, 'list');
  if (typeof container === 'string') return elementAt([...container], key, 'string');
  throw typeError(`'${typeName(container)}' object is not subscriptable`);
}

function elementAt(items: readonly PythonValue[], key: PythonValue, kind: 'list' | 'string'): PythonValue {
  if (typeof key !== 'bigint' && typeof key !== 'boolean') {
    throw typeError(
      kind === 'list'
        ? `list indices must be integers or slices, not ${typeName(key)}`
        : `string indices must be integers, not '${typeName(key)}'`,
    );
  }
  const value = items.at(Number(key));
  if (value === undefined) throw new PythonException('IndexError', `${kind} index out of range`);
  return value;
}

/** `container[key]` where the container is the benchmark's own and so a dict. */
export function getDict(container: PythonValue, key: PythonValue): PythonDict {
  return getItem(container, key) as PythonDict;
}

/** Python's `container[key] = value`, for text as the key. */
export function setItem(container: PythonValue, key: string, value: PythonValue): void {
  if (container instanceof Map) container.set(key, value);
  else if (Array.isArray(container)) throw typeError('list indices must be integers or slices, not str');
  else throw typeError(`'${typeName(container)}' object does not support item assignment`);
}

/** Python's `item in container`. */
export function contains(container: PythonValue, item: PythonValue): boolean {
  if (container instanceof Map) {
    requireHashable(item);
    return typeof item === 'string' && container.has(item);
  }
  if (Array.isArray(container)) return container.some((member) => equal(member, item));
  if (typeof container !== 'string') {
    throw typeError(`argument of type '${typeName(container)}' is not iterable`);
  }
  if (typeof item !== 'string') {
    throw typeError(`'in <string>' requires string as left operand, not ${typeName(item)}`);
  }
  return container.includes(item);
}

function requireHashable(key: PythonValue): void {
  if (typeof key === 'object' && key !== null) throw typeError(`unhashable type: '${typeName(key)}'`);
}

/** What Python's `for` goes over: items, keys, or characters. */
export function iterate(value: PythonValue): readonly PythonValue[] {
  if (Array.isArray(value)) return value;
  if (value instanceof Map) return [...value.keys()];
  if (typeof value === 'string') return [...value];
  throw typeError(`'${typeName(value)}' object is not iterable`);
}

/** Python's `len(value)`. */
export function lengthOf(value: PythonValue): bigint {
  if (value instanceof Map) return BigInt(value.size);
  if (Array.isArray(value)) return BigInt(value.length);
  if (typeof value === 'string') return BigInt([...value].length);
  throw typeError(`object of type '${typeName(value)}' has no len()`);
}

/** Python's `value.count(item)`. */
export function count(value: PythonValue, item: PythonValue): number {
  if (Array.isArray(value)) return value.filter((member) => equal(member, item)).length;
  if (typeof value !== 'string') throw attributeError(value, 'count');
  if (typeof item !== 'string') throw typeError(`must be str, not ${typeName(item)}`);
  return value.split(item).length - 1;
}

/** Python's `value.lower()`. */
export function lower(value: PythonValue): string {
  if (typeof value !== 'string') throw attributeError(value, 'lower');
  return value.toLowerCase();
}

/** The error of `value.name` where the type has no such attribute. */
function attributeError(value: PythonValue, name: string): PythonException {
  return new PythonException('AttributeError', `'${typeName(value)}' object has no attribute '${name}'`);
}

/** Python's `sorted(value)`. */
export function sorted(value: PythonValue): PythonValue[] {
  const items = iterate(value);
  // Python compares each item with the one before it first, and an error names them in that order.
  items.slice(1).forEach((item, index) => isLess(item, items[index]!));
  return items.toSorted((left, right) => Number(isLess(right, left)) - Number(isLess(left, right)));
}

/** Python's `left < right`; `operator` is the one that an error names. */
export function isLess(left: PythonValue, right: PythonValue, operator: '<' | '>' = '<'): boolean {
  const [small, large] = operator === '<' ? [left, right] : [right, left];
  if (isNumber(small) && isNumber(large)) return small < large;
  if (typeof small === 'string' && typeof large === 'string') return compareText(small, large) < 0;
  if (Array.isArray(left) && Array.isArray(right)) {
    const at = left.findIndex((item, index) => index >= right.length || !equal(item, right[index]!));
    if (at >= 0 && at < right.length) return isLess(left[at]!, right[at]!, operator);
    return operator === '<' ? left.length < right.length : left.length > right.length;
  }
  throw typeError(
    `'${operator}' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`,
  );
}

/** Python's `left > right`. */
export function isGreater(left: PythonValue, right: PythonValue): boolean {
  return isLess(left, right, '>');
}

/** Python's `+`, `-`, `*`, and their forms with `=`, which an error names. */
export function operate(
  operator: '+' | '-' | '*' | '+=' | '-=' | '*=',
  left: PythonValue,
  right: PythonValue,
): PythonValue {
  const plain = operator[0] as '+' | '-' | '*';
  if (isNumber(left) && isNumber(right)) return arithmetic(plain, asNumber(left), asNumber(right));
  if (plain === '+' && isSequence(left)) {
    if (typeof left === 'string' && typeof right === 'string') return left + right;
    if (Array.isArray(left)) {
      if (Array.isArray(right)) return [...left, ...right];
      // `+=` extends a list by whatever can be gone over.
      if (operator === '+=') return [...left, ...iterate(right)];
    }
    const name = typeName(left);
    throw typeError(`can only concatenate ${name} (not "${typeName(right)}") to ${name}`);
  }
  if (plain === '*' && (isSequence(left) || isSequence(right))) return repeat(left, right);
  throw typeError(
    `unsupported operand type(s) for ${operator}: '${typeName(left)}' and '${typeName(right)}'`,
  );
}

function isSequence(value: PythonValue): value is string | PythonValue[] {
  return typeof value === 'string' || Array.isArray(value);
}

/** No benchmark repeats anything by more; Python would run out of memory at last. */
const mostRepeats = 1_000_000;

function repeat(left: PythonValue, right: PythonValue): PythonValue {
  const [sequence, times] = isSequence(left) ? [left, right] : [right, left];
  if (typeof times !== 'bigint' && typeof times !== 'boolean') {
    throw typeError(`can't multiply sequence by non-int of type '${typeName(times)}'`);
  }
  const repeats = Math.max(0, Number(times));
  if (repeats > mostRepeats) throw new PythonException('MemoryError', '');
  if (typeof sequence === 'string') return sequence.repeat(repeats);
  return Array.from({ length: repeats }, () => sequence as PythonValue[]).flat();
}

/** Python's `-value`. */
export function negate(value: PythonValue): PythonValue {
  if (!isNumber(value)) throw typeError(`bad operand type for unary -: '${typeName(value)}'`);
  return -asNumber(value);
}

/** Python's `sum(values)`. */
export function sum(values: Iterable<PythonValue>): PythonValue {
  let total: PythonValue = 0n;
  for (const value of values) total = operate('+', total, value);
  return total;
}

/** A number without its bool. */
export function asNumber(value: boolean | bigint | number): PythonNumber {
  return typeof value === 'boolean' ? BigInt(value) : value;
}

/** Python's `int(text)` in base 10: spaces around it, a sign and single underscores are allowed. */
export function intOf(value: PythonValue): bigint {
  if (typeof value === 'bigint' || typeof value === 'boolean') return BigInt(value);
  if (typeof value === 'number') {
    if (Number.isNaN(value)) throw valueError('cannot convert float NaN to integer');
    if (!Number.isFinite(value)) {
      throw new PythonException('OverflowError', 'cannot convert float infinity to integer');
    }
    return BigInt(Math.trunc(value));
  }
  if (typeof value !== 'string') {
    throw typeError(
      `int() argument must be a string, a bytes-like object or a real number, not '${typeName(value)}'`,
    );
  }
  const text = value.trim();
  if (!/^[+-]?\d+(?:_\d+)*$/.test(text)) {
    throw valueError(`invalid literal for int() with base 10: ${repr(value)}`);
  }
  const digits = text.replaceAll('_', '').replace(/^\+/, '');
  return digits.startsWith('-') ? -BigInt(digits.slice(1)) : BigInt(digits);
}

/** Python's `value[-n:]`. */
export function lastOf(value: PythonValue, n: number): PythonValue {
  if (typeof value === 'string') return [...value].slice(-n).join('');
  if (Array.isArray(value)) return deepCopy(value.slice(-n));
  if (value instanceof Map) throw typeError("unhashable type: 'slice'");
  throw typeError(`'${typeName(value)}' object is not subscriptable`);
}

/** Python's `value.append(item)`. */
export function append(value: PythonValue, item: PythonValue): void {
  if (!Array.isArray(value)) throw attributeError(value, 'append');
  value.push(item);
}

/** Python's `value.extend(items)`. */
export function extend(value: PythonValue, items: readonly PythonValue[]): void {
  if (!Array.isArray(value)) throw attributeError(value, 'extend');
  value.push(...items);
}
