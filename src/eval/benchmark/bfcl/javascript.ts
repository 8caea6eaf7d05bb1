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
  const end =
    (bare && endOfNested(code, bare[0].length, ']')) ??
    endOfConstructed(code, /^new\s+Array\(\s*(?=\[)/.exec(code));
  return end === undefined || end === null ? undefined : code.slice(0, end);
}

function endOfConstructed(code: string, found: RegExpExecArray | null): number | undefined {
  return found === null ? undefined : endOfNested(code, found[0].length, ')');
}

/**
 * The end of `[…], […], …` and the bracket that closes it, from the first `[` on. An inner array ends at any `]` that
 * lets the rest be read, the first that does; positions that do not are remembered, so that a long array that was cut
 * off costs no more than its length squared.
 */
function endOfNested(code: string, first: number, close: string): number | undefined {
  const failed = new Set<number>();
  const open: { end: number; readonly limit: number }[] = [];
  const enter = (start: number): void => {
    const line = code.indexOf('\n', start);
    open.push({ end: start, limit: line === -1 ? code.length : line });
  };
  enter(first);
  while (open.length > 0) {
    const inner = open.at(-1)!;
    const at = code.indexOf(']', inner.end + 1);
    if (at === -1 || at >= inner.limit) {
      open.pop();
      if (open.length > 0) failed.add(open.at(-1)!.end);
      continue;
    }
    inner.end = at;
    if (failed.has(at)) continue;
    const next = skipSpace(code, at + 1);
    const following = code[next] === ',' ? skipSpace(code, next + 1) : -1;
    if (code[following] === '[') enter(following);
    else if (code[next] === close) return next + 1;
  }
  return undefined;
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
