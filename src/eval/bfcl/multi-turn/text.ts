import { PythonException, typeError, valueError } from '../../python/exception.ts';
import { type PythonNumber, toFloat } from '../../python/number.ts';
import { asNumber } from '../../python/operate.ts';
import { repr } from '../../python/repr.ts';
import { isNumber, type PythonValue, typeName } from '../../python/value.ts';

/** A text of which a method is called; anything else has no such attribute. */
export function attributeOf(value: PythonValue, name: string): string {
  if (typeof value === 'string') return value;
  throw new PythonException('AttributeError', `'${typeName(value)}' object has no attribute '${name}'`);
}

/** Python's `value.rstrip(character)`. */
export function strippedRight(value: PythonValue, character: string): string {
  let text = attributeOf(value, 'rstrip');
  while (text.endsWith(character)) text = text.slice(0, -character.length);
  return text;
}

/** Python's `value.splitlines()`. */
export function splitLines(value: PythonValue): string[] {
  const text = attributeOf(value, 'splitlines');
  // Three of them are control characters, which separate files, groups and records.
  // oxlint-disable-next-line no-control-regex
  const lines = text.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Python's `key in dict`, for a dict whose keys are texts. */
export function hasKey(members: ReadonlyMap<string, unknown>, key: PythonValue): key is string {
  if (typeof key === 'object' && key !== null) throw typeError(`unhashable type: '${typeName(key)}'`);
  return typeof key === 'string' && members.has(key);
}

/** Python's `float(value)`. */
export function floatOf(value: PythonValue): number {
  if (isNumber(value)) return toFloat(asNumber(value) as PythonNumber);
  if (typeof value !== 'string')
    throw typeError(`float() argument must be a string or a real number, not '${typeName(value)}'`);
  const text = value.trim();
  if (!/^[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text))
    throw valueError(`could not convert string to float: ${repr(value)}`);
  return Number(text.replaceAll('_', ''));
}

/** Python's `datetime.strptime(value, "%Y-%m-%d")`, with a time of day where the format has one, as a text that sorts. */
export function dateOf(value: PythonValue, format: '%Y-%m-%d' | '%Y-%m-%d %H:%M:%S'): string {
  if (typeof value !== 'string') throw typeError(`strptime() argument 1 must be str, not ${typeName(value)}`);
  const day = String.raw`(\d{4})-(\d{1,2})-(\d{1,2})`;
  const time = String.raw`(\d{1,2}):(\d{1,2}):(\d{1,2})`;
  const found = new RegExp(format === '%Y-%m-%d' ? `^${day}$` : `^${day} ${time}$`).exec(value);
  const [year = 0, month = 0, date = 0, hour = 0, minute = 0, second = 0] = found?.slice(1).map(Number) ?? [];
  const isDate = month >= 1 && month <= 12 && date >= 1 && date <= daysIn(year, month);
  if (found === null || !isDate || hour > 23 || minute > 59 || second > 61)
    throw valueError(`time data ${repr(value)} does not match format '${format}'`);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(date)} ${two(hour)}:${two(minute)}:${two(second)}`;
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}
