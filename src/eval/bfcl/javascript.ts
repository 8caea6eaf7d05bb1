import type { PythonDict, PythonValue } from '../python/value.ts';
import { isQuoted, numberOrText, readFloat, readInteger, strip, withoutEnds } from './literal-text.ts';

/** An argument written in JavaScript, as the declared type reads it. What does not have the exact form stays a text. */
export function convertJavaScript(text: string, type: string, inner?: string): PythonValue {
  switch (type) {
    case 'String':
      return isQuoted(text, '"') || isQuoted(text, "'") ? withoutEnds(text) : text;
    case 'integer':
      return /^-?[0-9]+\n?$/.test(text) ? readInteger(text)! : text;
    case 'float':
      return /^-?[0-9]+(?:\.[0-9]+)?\n?$/.test(text) ? readFloat(text)! : text;
    case 'Bigint':
      return /^-?[0-9]+n\n?$/.test(text) ? readInteger(strip(text).slice(0, -1))! : text;
    case 'Boolean':
      return text === 'true' || (text === 'false' ? false : text);
    case 'array':
      return readArray(strip(text), inner);
    case 'dict':
      return readObject(strip(text));
    default:
      return text;
  }
}

function readArray(code: string, inner: string | undefined): PythonValue {
  const nested = nestedArray(code);
  if (nested !== undefined) {
    return [...nested.matchAll(/\[([^\n]*?)\]/g)].map(([, found], index) => {
      const items = strip(found!);
      return (index === 0 && items.startsWith('[') ? items.slice(1) : items).split(',').map(readAny);
    });
  }
  const flat = /^(?:\[([^\n]*?)\]|new\s+Array\(([^\n]*?)\))/.exec(code);
  if (flat === null) return code;
  const items = strip(flat[1] ?? flat[2]!);
  if (items === '') return [];
  return items
    .split(',')
    .map((item) => (inner === undefined ? readAny(item) : convertJavaScript(strip(item), inner)));
}

/** The array of arrays at the start of a text, with which it may go on. */
function nestedArray(code: string): string | undefined {
  const bare = /^\[\s*(?=\[)/.exec(code);
  const made = /^new\s+Array\(\s*(?=\[)/.exec(code);
  let end: number | undefined;
  if (bare !== null) end = endOfNested(code, bare[0].length, ']');
  else if (made !== null) end = endOfNested(code, made[0].length, ')');
  return end === undefined ? undefined : code.slice(0, end);
}

/**
 * The end of `[…], […], …` and the bracket that closes it, from the first `[` on. An inner array is one line, and ends
 * at the first `]` after which comes another or the end; where the next one fails there is no way back, for it has
 * tried every `]` that is left.
 */
function endOfNested(code: string, first: number, close: string): number | undefined {
  let start = first;
  let at = start;
  let lineEnd = -1;
  for (;;) {
    if (lineEnd < start) {
      lineEnd = code.indexOf('\n', start);
      if (lineEnd === -1) lineEnd = code.length;
    }
    at = code.indexOf(']', at + 1);
    if (at === -1 || at >= lineEnd) return undefined;
    const next = skipSpace(code, at + 1);
    if (code[next] === close) return next + 1;
    const following = code[next] === ',' ? skipSpace(code, next + 1) : -1;
    if (code[following] === '[') start = at = following;
  }
}

function skipSpace(code: string, at: number): number {
  let end = at;
  while (end < code.length && /\s/.test(code[end]!)) end++;
  return end;
}

function readObject(code: string): PythonValue {
  const object: PythonDict = new Map();
  if (code === '{}') return object;
  const found = /^\{([^\n]*?)\}/.exec(code);
  if (found === null) return code;
  for (const [, key, written] of found[1]!.matchAll(/([^:]+):\s*([^\n]*?)(?:,\s*(?=[^,]+:)|$)/g))
    object.set(withoutQuotes(strip(key!)), readMember(strip(written!)));
  return object;
}

function readMember(text: string): PythonValue {
  if (text.startsWith('[') && text.endsWith(']')) return readArray(text, undefined);
  if (text.startsWith('{') && text.endsWith('}')) return readObject(text);
  return readAny(withoutQuotes(text));
}

function withoutQuotes(text: string): string {
  return text.replace(/^['"]+/, '').replace(/['"]+$/, '');
}

/** A value whose type nobody declared. */
function readAny(written: string): PythonValue {
  const text = strip(written);
  if (text === 'true') return true;
  if (text === 'false') return false;
  return isQuoted(text, '"') || isQuoted(text, "'") ? withoutEnds(text) : numberOrText(text);
}
