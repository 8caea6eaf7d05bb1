import type { Cursor } from './cursor.ts';

/** Where a string is: a tuple is a list in round brackets. */
export type StringPlace = 'key' | 'member' | 'item' | 'tuple';

/** The quotes that models write, and what closes each. */
export const closing: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '”': '”',
  '‘': '’',
  '’': '’',
  '«': '»',
};

/** A string, and those that `+` joins to it. */
export function readStrings(cursor: Cursor, place: StringPlace): string {
  let text = readString(cursor, place);
  for (;;) {
    const plus = cursor.match(/\s*\+\s*(?=["'`])/y);
    if (plus === undefined) return text;
    cursor.note('concatenation', 'Two strings were joined.');
    cursor.at += plus[0].length;
    text += readString(cursor, place);
  }
}

/** A string in any quotes; where it is decides what may follow its end. */
export function readString(cursor: Cursor, place: StringPlace): string {
  const start = cursor.at;
  const quote = cursor.peek();
  const triple = cursor.match(/"""|'''/y)?.[0];
  // `""` before a closer is an empty string; a triple quote has text after it.
  const close = triple ?? (closing[quote] as string);
  if (close !== '"') cursor.note('quotes', `${triple ?? quote} was written for a double quote.`);
  cursor.at += triple?.length ?? 1;
  // The path of a Windows file: who writes one backslash after the drive means each of them.
  const isPath = place !== 'key' && cursor.match(/[A-Za-z]:\\(?![\\"])/y) !== undefined;
  if (isPath) cursor.note('escape', 'Each backslash of a path was escaped.');
  let value = '';
  let controls = false;
  for (;;) {
    const character = cursor.peek();
    if (character === '') {
      cursor.note('missing-quote', `The string that begins at ${start} was not closed.`);
      return value;
    }
    if (character === '\\') {
      const next = cursor.text[cursor.at + 1];
      const isPlain =
        isPath && next !== '\\' && (next !== '"' || closes(cursor, place, close, cursor.at + 1));
      if (isPlain) cursor.at++;
      value += isPlain ? '\\' : readEscape(cursor);
      continue;
    }
    if (cursor.text.startsWith(close, cursor.at) && (triple !== undefined || closes(cursor, place, close))) {
      cursor.at += close.length;
      if (controls)
        cursor.note('control-character', 'Line breaks or tabs inside a string were escaped.', start);
      return value;
    }
    if (
      character === '\n' &&
      triple === undefined &&
      cursor.match(/\n[ \t]*"[^"\n]*"[ \t]*:/y) !== undefined &&
      place !== 'key'
    ) {
      cursor.note('missing-quote', `The string that begins at ${start} was closed at the end of its line.`);
      return value.replace(/[,\s]+$/, '');
    }
    if (character === close) cursor.note('inner-quote', 'A quote inside a string was escaped.');
    if (character < ' ') controls = true;
    value += character;
    cursor.at++;
  }
}

/** Does the quote here end its string? Only if what follows can follow a string at this place. */
function closes(cursor: Cursor, place: StringPlace, close: string, at = cursor.at): boolean {
  const after = at + close.length;
  if (place === 'key')
    return (
      cursor.match(/\s*(?:[:=}]|$|,)/y, after) !== undefined ||
      cursor.match(/\s*["'\d{[]/y, after) !== undefined
    );
  if (after >= cursor.end || cursor.match(/\s*(?:[}\]]|$|\/\*|\+\s*["'`])/y, after) !== undefined)
    return true;
  // A comment: but `href="#top"` is none.
  if (cursor.match(/\s+(?:\/\/|#)|(?:\/\/|#)[^"\n]*(?:\n|$)/y, after) !== undefined) return true;
  if (place === 'tuple' && cursor.match(/\s*\)/y, after) !== undefined) return true;
  const comma = cursor.match(/\s*(?:[,;]\s*)+/y, after);
  const inList = place !== 'member';
  if (comma !== undefined) {
    const next = after + comma[0].length;
    const member = inList
      ? /(?:["'`“‘[{(\])\d.+-]|\/[/*]|#|…|$|(?:true|false|null|True|False|None)\b)/y
      : /(?:["'`“‘}]|\/[/*]|#|…|\.\.\.|$|[^\s:={}[\],"']+\s*[:=])/y;
    return next >= cursor.end || cursor.match(member, next) !== undefined;
  }
  // No comma: another string or key may follow all the same, on a new line or with its colon.
  if (inList) return cursor.match(/\s+["'`“‘[{\d-]|\s*\n/y, after) !== undefined;
  return cursor.match(/(?:\s*(?:"[^"\n]*"|'[^'\n]*')|\s+\w+)\s*:/y, after) !== undefined;
}

function readEscape(cursor: Cursor): string {
  const found = cursor.match(/\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|\r?\n|[^])/y)?.[0] ?? '';
  if (found === '') {
    cursor.note('escape', 'A lone backslash at the end was left out.');
    cursor.at++;
    return '';
  }
  const start = cursor.at;
  cursor.at += found.length;
  const plain = plainEscapes[found.slice(1)];
  if (plain !== undefined) return plain;
  if (found.length === 6) return String.fromCharCode(Number.parseInt(found.slice(2), 16));
  const rest = cursor.at === cursor.end && found === '\\u';
  const meaning =
    /^\\x/.test(found) && found.length === 4
      ? String.fromCharCode(Number.parseInt(found.slice(2), 16))
      : /^\\['`]$/.test(found)
        ? found.slice(1)
        : /^\\\r?\n$/.test(found) || rest
          ? ''
          : found;
  cursor.note('escape', `The escape ${JSON.stringify(found)} became ${JSON.stringify(meaning)}.`, start);
  return meaning;
}

const plainEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
