import type { PythonDict, PythonValue } from '../python/value.ts';
import { isQuoted, numberOrText, readFloat, readInteger, strip, withoutEnds } from './literal-text.ts';

/** An argument written in Java, as the declared type reads it. What does not have the exact form stays a text. */
export function convertJava(text: string, type: string, inner?: string): PythonValue {
  switch (type) {
    case 'byte':
    case 'short':
    case 'integer':
      return /^-?[0-9]+\n?$/.test(text) ? readInteger(text)! : text;
    case 'long':
      return isLong(text) ? readLong(text) : text;
    case 'float':
      return isFloat(text) ? readSingle(text) : text;
    case 'double':
      return /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\n?$/.test(text) ? readFloat(text)! : text;
    case 'boolean':
      return text === 'true' || (text === 'false' ? false : text);
    case 'Array':
      return readArray(text, inner);
    case 'ArrayList':
      return readArrayList(text, inner);
    case 'HashMap':
      return readHashMap(text);
    default:
      // A char keeps its quotes.
      return text;
  }
}

function readArray(text: string, inner: string | undefined): PythonValue {
  const found = /new\s+[\p{L}\p{N}_]+\[\]\s*\{([^\n]*?)\}/u.exec(text);
  if (found === null) return text;
  return found[1]!
    .split(',')
    .map(strip)
    .filter((item) => item !== '')
    .map((item) => readItem(item, inner));
}

function readArrayList(text: string, inner: string | undefined): PythonValue {
  const item = (written: string): PythonValue => {
    const stripped = strip(written);
    return inner === 'char' || inner === 'String' ? withoutEnds(stripped) : readItem(stripped, inner);
  };
  const listed = /new\s+ArrayList<[\p{L}\p{N}_]*>\(Arrays\.asList\(([^\n]+?)\)\)/u.exec(text);
  if (listed !== null) return listed[1]!.split(',').map(item);
  const added = /new\s+ArrayList<[\p{L}\p{N}_]*>\(\)\s*\{\{\s*/u.exec(text);
  if (added !== null) {
    const start = added.index + added[0].length;
    const body = text.slice(start, bodyEnd(text, start + 1, '}}'));
    return [...body.matchAll(/add\(([^\n]+?)\)/g)].map(([, written]) => item(written!));
  }
  return /new\s+ArrayList<[\p{L}\p{N}_]*>\(\)/u.test(text) ? [] : text;
}

function readHashMap(text: string): PythonValue {
  const map: PythonDict = new Map();
  const head = /new\s+HashMap<[^]*?>\s*\(\)\s*\{(?:\s*\{)?/.exec(text);
  const start = head === null ? text.length : head.index + head[0].length;
  const end = bodyEnd(text, start, '}');
  if (end === start && !text.startsWith('}', start))
    return /new\s+HashMap<[^\n]*?>\s*\(\)/.test(text) ? map : text;
  // Without its last parenthesis no put is one, and the pattern would look for it from everywhere.
  const puts = text.slice(start, Math.max(start, text.lastIndexOf(')', end) + 1));
  for (const [, key, value] of puts.matchAll(/put\("([^\n]*?)",\s*([^\n]*?)\)/g))
    map.set(key!, readAny(strip(value!)));
  return map;
}

/** Where a body ends: found by hand, for a pattern takes the cube of a long gap. One without its end is empty. */
function bodyEnd(text: string, start: number, close: string): number {
  const end = text.indexOf(close, start);
  return end === -1 ? start : end;
}

function readItem(text: string, inner: string | undefined): PythonValue {
  return inner === undefined ? readAny(text) : convertJava(text, inner);
}

/** A value whose type nobody declared. */
function readAny(text: string): PythonValue {
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (isQuoted(text, '"')) return withoutEnds(text);
  if (isLong(text)) return readLong(text);
  return isFloat(text) ? readSingle(text) : numberOrText(text);
}

function isLong(text: string): boolean {
  return /^-?[0-9]+[lL]\n?$/.test(text);
}

function readLong(text: string): bigint {
  return readInteger(strip(text).slice(0, -1))!;
}

function isFloat(text: string): boolean {
  return /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?[fF]\n?$/.test(text);
}

function readSingle(text: string): number {
  return readFloat(strip(text).slice(0, -1))!;
}
