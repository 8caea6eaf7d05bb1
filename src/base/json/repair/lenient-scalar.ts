import { shorten } from './change.ts';
import type { Cursor } from './cursor.ts';
import type { JsonValue } from '../value.ts';

/** A number, also in forms that JSON does not have. */
export function readNumber(cursor: Cursor): number | undefined {
  const found =
    cursor.match(
      /[+-]?(?:0[xX][\da-fA-F]+|\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d*)?|\.\d+(?:[eE][+-]?\d+)?)(?=[\s,;}\])/#]|$)/y,
    ) ?? lastNumber(cursor);
  if (found === undefined) return undefined;
  const written = found[0];
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(written)) {
    cursor.at += written.length;
    return Number(written);
  }
  // A house number, a telephone number: leading zeros are part of it.
  if (/^0\d/.test(written)) return undefined;
  const value = Number(
    written
      .replaceAll('_', '')
      .replace(/^([+-]?)\./, '$10.')
      .replace(/[eE][+-]?$/, ''),
  );
  if (Number.isNaN(value)) return undefined;
  cursor.note('number', `${written} became ${value}.`);
  cursor.at += written.length;
  return value;
}

/** A number that the end of the text cuts off. */
function lastNumber(cursor: Cursor): RegExpExecArray | undefined {
  const found = cursor.match(/-?\d[\d.eE+-]*/y);
  return found !== undefined && cursor.at + found[0].length === cursor.end ? found : undefined;
}

/** A word without quotes: a literal of some language, or a string. */
export function readBare(cursor: Cursor): JsonValue | undefined {
  const found = cursor.match(/[^,;{}[\]"\n\r:]+(?::(?=\/\/|\d)[^,;{}[\]"\n\r]*)?/y);
  const raw =
    found === undefined
      ? ''
      : found[0].replace(/\s*(?:\/\/|\/\*|#).*$/, (tail) => (/^\s/.test(tail) ? '' : tail));
  const written = raw.trim();
  if (written === '') return undefined;
  const start = cursor.at;
  cursor.at += raw.trimEnd().length;
  const exact = Object.hasOwn(words, written) ? words[written] : undefined;
  if (exact !== undefined) return exact;
  const lenient = lenientWords.get(written);
  if (lenient !== undefined) {
    cursor.note('literal', `${written} became ${JSON.stringify(lenient)}.`, start);
    return lenient;
  }
  const whole =
    cursor.at === cursor.end ? Object.keys(words).find((word) => word.startsWith(written)) : undefined;
  if (whole !== undefined) {
    cursor.note('literal', `${written} was completed to ${whole}.`, start);
    return words[whole];
  }
  cursor.note('unquoted-string', `${shorten(written)} got its quotes.`, start);
  if (cursor.match(/"\s*(?=[,}\]])/y) !== undefined) cursor.at++;
  return written;
}

const words: Readonly<Record<string, JsonValue>> = { true: true, false: false, null: null };
const lenientWords: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['True', true],
  ['TRUE', true],
  ['False', false],
  ['FALSE', false],
  ['None', null],
  ['NULL', null],
  ['Null', null],
  ['nil', null],
  ['undefined', null],
  ['NaN', null],
  ['nan', null],
  ['Infinity', null],
  ['-Infinity', null],
  ['inf', null],
]);
