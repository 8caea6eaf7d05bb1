import { setMember } from './member.ts';
import type { JsonValue } from './value.ts';

export type ChangeKind =
  | 'fence'
  | 'prose'
  | 'several-values'
  | 'double-encoded'
  | 'comment'
  | 'trailing-comma'
  | 'extra-comma'
  | 'missing-comma'
  | 'missing-colon'
  | 'missing-value'
  | 'missing-quote'
  | 'missing-closer'
  | 'extra-closer'
  | 'ellipsis'
  | 'quotes'
  | 'inner-quote'
  | 'unquoted-key'
  | 'unquoted-string'
  | 'control-character'
  | 'space'
  | 'escape'
  | 'concatenation'
  | 'literal'
  | 'number';

/** One thing that was changed: what, where in the text, and in words. */
export interface Change {
  readonly kind: ChangeKind;
  readonly offset: number;
  readonly note: string;
}

export interface Mended {
  readonly value: JsonValue;
  readonly changes: readonly Change[];
  /** Where the value ends. */
  readonly to: number;
}

/** Reads one value at `from` as leniently as it can, to `to` at most. Undefined where none begins. Never recurses. */
export function mend(text: string, from: number, to: number): Mended | undefined {
  return new Mender(text, from, to).read();
}

type List = JsonValue[];
type Members = Record<string, JsonValue>;

const closing: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '”': '”',
  '‘': '’',
  '’': '’',
  '«': '»',
};
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

interface Frame {
  readonly container: List | Members;
  key: string;
  /** No member yet, or none that a comma has to follow. */
  fresh: boolean;
  /** Opened by `(`. */
  readonly tuple: boolean;
}

class Mender {
  readonly #text: string;
  readonly #end: number;
  #at: number;
  readonly #changes: Change[] = [];
  readonly #open: Frame[] = [];

  constructor(text: string, from: number, to: number) {
    this.#text = text.slice(0, to);
    this.#at = from;
    this.#end = to;
  }

  read(): Mended | undefined {
    this.#skip();
    let value = this.#begin();
    if (value === undefined) return undefined;
    const root = value;
    while (this.#open.length > 0) {
      value = this.#next();
      if (value === undefined) continue;
      const { container, key } = this.#open.at(-1 - (this.#isOpened(value) ? 1 : 0)) as Frame;
      if (Array.isArray(container)) container.push(value);
      else setMember(container, key, value);
    }
    return { value: root, changes: this.#changes, to: this.#at };
  }

  /** The value has just been opened, and so stands on top of its own holder. */
  #isOpened(value: JsonValue): boolean {
    return typeof value === 'object' && value !== null && this.#open.at(-1)?.container === value;
  }

  #note(kind: ChangeKind, note: string, offset = this.#at): void {
    this.#changes.push({ kind, offset, note });
  }

  #peek(): string {
    return this.#at < this.#end ? this.#text.charAt(this.#at) : '';
  }

  /** What stands at the reader, if it matches a sticky pattern and does not pass the end. */
  #match(pattern: RegExp, at = this.#at): RegExpExecArray | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(this.#text);
    return found !== null && pattern.lastIndex <= this.#end ? found : undefined;
  }

  /** Passes spaces and comments. */
  #skip(): void {
    for (;;) {
      const space = this.#match(/[\s\u200b\ufeff]+/y);
      if (space !== undefined) {
        if (/[^ \t\r\n]/.test(space[0])) this.#note('space', 'Spaces that JSON does not know were left out.');
        this.#at += space[0].length;
      }
      if (this.#match(/\/\/|\/\*|#/y) === undefined) return;
      const block = this.#text.startsWith('/*', this.#at);
      const found = this.#text.indexOf(block ? '*/' : '\n', this.#at);
      const end = found < 0 ? this.#end : block ? found + 2 : found;
      this.#note('comment', `A comment was left out: ${shorten(this.#text.slice(this.#at, end))}.`);
      this.#at = end;
    }
  }

  /** The next member of the innermost container, or undefined when that was closed instead. */
  #next(): JsonValue | undefined {
    const frame = this.#open.at(-1) as Frame;
    const list = Array.isArray(frame.container);
    this.#separate(frame.fresh);
    frame.fresh = false;
    const character = this.#peek();
    if (character === '' || character === '}' || character === ']' || character === ')')
      return this.#close(character, list);
    const dots = this.#match(/(?:\.{3,}|…)/y);
    if (dots !== undefined) {
      this.#note('ellipsis', 'An ellipsis was left out.');
      frame.fresh = true;
      this.#at += dots[0].length;
      return undefined;
    }
    if (list) {
      const value = this.#begin();
      if (value !== undefined) return value;
      this.#note(
        'extra-closer',
        `${JSON.stringify(this.#peek())} stands where a value should, and was left out.`,
      );
      frame.fresh = true;
      this.#at++;
      return undefined;
    }
    const key = this.#key();
    if (key === undefined) {
      frame.fresh = true;
      return undefined;
    }
    frame.key = key;
    this.#skip();
    if (this.#peek() === '') {
      this.#note(
        'missing-value',
        `The key ${JSON.stringify(key)} was left out: the text ends before its value.`,
      );
      return undefined;
    }
    const colon = this.#match(/:=?|=>?/y);
    if (colon === undefined) this.#note('missing-colon', `After ${JSON.stringify(key)} the ":" was missing.`);
    else {
      if (colon[0] !== ':') this.#note('missing-colon', `${colon[0]} stood for ":".`);
      this.#at += colon[0].length;
    }
    this.#skip();
    const next = this.#peek();
    if (next === '') {
      this.#note(
        'missing-value',
        `The key ${JSON.stringify(key)} was left out: the text ends before its value.`,
      );
      return undefined;
    }
    if (next === ',' || next === '}' || next === ']') {
      this.#note('missing-value', `${JSON.stringify(key)} had no value; it became null.`);
      return null;
    }
    return this.#begin() ?? null;
  }

  /** Passes what stands between two members. */
  #separate(first: boolean): void {
    this.#skip();
    let commas = 0;
    let comma = this.#at;
    while (this.#peek() === ',' || this.#peek() === ';') {
      comma = this.#at;
      this.#at++;
      commas++;
      this.#skip();
    }
    const closes = /^[}\])]?$/.test(this.#peek());
    if (commas > 0 && closes) this.#note('trailing-comma', 'A comma before the closer was left out.', comma);
    else if (commas > (first ? 0 : 1)) this.#note('extra-comma', 'A comma too many was left out.', comma);
    else if (commas === 0 && !first && !closes) {
      this.#note('missing-comma', 'A comma between two members was missing.');
    }
  }

  #close(character: string, list: boolean): undefined {
    if (character === '') {
      this.#note('missing-closer', `${list ? '"]"' : '"}"'} was missing at the end.`);
      this.#open.pop();
      return undefined;
    }
    const asList = character !== '}';
    if (asList === list) {
      const isTuple = this.#open.at(-1)?.tuple === true;
      if (list && isTuple !== (character === ')'))
        this.#note('missing-closer', `"${isTuple ? ')' : ']'}" was written as "${character}".`);
      this.#at++;
      this.#open.pop();
    } else if (this.#open.some(({ container }) => Array.isArray(container) === asList)) {
      this.#note('missing-closer', `${list ? '"]"' : '"}"'} was missing before "${character}".`);
      this.#open.pop();
    } else {
      this.#note('extra-closer', `"${character}" closes nothing and was left out.`);
      this.#at++;
    }
    return undefined;
  }

  /** A scalar, or a container that is now open. Undefined where nothing of the kind begins. */
  #begin(): JsonValue | undefined {
    const character = this.#peek();
    if (character === '{' || character === '[' || (character === '(' && this.#open.length > 0)) {
      if (character === '(') this.#note('literal', 'A Python tuple became a list.');
      const container: List | Members = character === '{' ? {} : [];
      this.#at++;
      this.#open.push({ container, key: '', fresh: true, tuple: character === '(' });
      return container;
    }
    const prefix = this.#match(/[urbfURBF]{1,2}(?=["'])/y);
    if (prefix !== undefined) {
      this.#note('literal', `The prefix ${prefix[0]} of a Python string was left out.`);
      this.#at += prefix[0].length;
    }
    if (closing[this.#peek()] !== undefined) return this.#strings();
    return this.#number() ?? this.#bare();
  }

  #number(): number | string | undefined {
    const found =
      this.#match(
        /[+-]?(?:0[xX][\da-fA-F]+|\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d*)?|\.\d+(?:[eE][+-]?\d+)?)(?=[\s,;}\])/#]|$)/y,
      ) ?? this.#lastNumber();
    if (found === undefined) return undefined;
    const written = found[0];
    if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(written)) {
      this.#at += written.length;
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
    this.#note('number', `${written} became ${value}.`);
    this.#at += written.length;
    return value;
  }

  /** A number that the end of the text cuts off. */
  #lastNumber(): RegExpExecArray | undefined {
    const found = this.#match(/-?\d[\d.eE+-]*/y);
    return found !== undefined && this.#at + found[0].length === this.#end ? found : undefined;
  }

  /** A word without quotes: a literal of some language, or a string. */
  #bare(): JsonValue | undefined {
    const found = this.#match(/[^,;{}[\]"\n\r:]+(?::(?=\/\/|\d)[^,;{}[\]"\n\r]*)?/y);
    const raw =
      found === undefined
        ? ''
        : found[0].replace(/\s*(?:\/\/|\/\*|#).*$/, (tail) => (/^\s/.test(tail) ? '' : tail));
    const written = raw.trim();
    if (written === '') return undefined;
    const start = this.#at;
    this.#at += raw.trimEnd().length;
    const exact = Object.hasOwn(words, written) ? words[written] : undefined;
    if (exact !== undefined) return exact;
    const lenient = lenientWords.get(written);
    if (lenient !== undefined) {
      this.#note('literal', `${written} became ${JSON.stringify(lenient)}.`, start);
      return lenient;
    }
    const whole =
      this.#at === this.#end ? Object.keys(words).find((word) => word.startsWith(written)) : undefined;
    if (whole !== undefined) {
      this.#note('literal', `${written} was completed to ${whole}.`, start);
      return words[whole];
    }
    this.#note('unquoted-string', `${shorten(written)} got its quotes.`, start);
    if (this.#match(/"\s*(?=[,}\]])/y) !== undefined) this.#at++;
    return written;
  }

  #key(): string | undefined {
    if (closing[this.#peek()] !== undefined) {
      const start = this.#at;
      const key = this.#string(true);
      if (this.#at < this.#end || this.#match(/\s*$/y) === undefined) return key;
      this.#note(
        'missing-value',
        `${JSON.stringify(key)} was left out: the text ends inside the key.`,
        start,
      );
      return undefined;
    }
    const found = this.#match(/[^\s:={}[\],"'`“”‘’;]+/y);
    if (found === undefined) {
      this.#note(
        'extra-closer',
        `${JSON.stringify(this.#peek())} stands where a key should, and was left out.`,
      );
      this.#at++;
      return undefined;
    }
    this.#note('unquoted-key', `The key ${found[0]} got its quotes.`);
    this.#at += found[0].length;
    return found[0];
  }

  /** A string, and those that `+` joins to it. */
  #strings(): string {
    let text = this.#string(false);
    for (;;) {
      const plus = this.#match(/\s*\+\s*(?=["'`])/y);
      if (plus === undefined) return text;
      this.#note('concatenation', 'Two strings were joined.');
      this.#at += plus[0].length;
      text += this.#string(false);
    }
  }

  #string(isKey: boolean): string {
    const start = this.#at;
    const quote = this.#peek();
    const triple = this.#match(/"""|'''/y)?.[0];
    // `""` before a closer is an empty string; a triple quote has text after it.
    const close = triple ?? (closing[quote] as string);
    if (close !== '"') this.#note('quotes', `${triple ?? quote} stood for a double quote.`);
    this.#at += triple?.length ?? 1;
    let value = '';
    let controls = false;
    for (;;) {
      const character = this.#peek();
      if (character === '') {
        this.#note('missing-quote', `The string that begins at ${start} was not closed.`);
        return value;
      }
      if (character === '\\') {
        value += this.#escape();
        continue;
      }
      if (this.#text.startsWith(close, this.#at) && (triple !== undefined || this.#closes(isKey, close))) {
        this.#at += close.length;
        if (controls)
          this.#note('control-character', 'Line breaks or tabs inside a string were escaped.', start);
        return value;
      }
      if (
        character === '\n' &&
        triple === undefined &&
        this.#match(/\n[ \t]*"[^"\n]*"[ \t]*:/y) !== undefined &&
        !isKey
      ) {
        this.#note('missing-quote', `The string that begins at ${start} was closed at the end of its line.`);
        return value.replace(/[,\s]+$/, '');
      }
      if (character === close) this.#note('inner-quote', 'A quote inside a string was escaped.');
      if (character < ' ') controls = true;
      value += character;
      this.#at++;
    }
  }

  /** Does the quote here end its string? Only if what follows can follow a string at this place. */
  #closes(isKey: boolean, close: string): boolean {
    const after = this.#at + close.length;
    if (isKey)
      return (
        this.#match(/\s*(?:[:=}]|$|,)/y, after) !== undefined ||
        this.#match(/\s*["'\d{[]/y, after) !== undefined
      );
    if (after >= this.#end || this.#match(/\s*(?:[}\])]|$|\/\/|\/\*|#|\+\s*["'`])/y, after) !== undefined)
      return true;
    const comma = this.#match(/\s*[,;]\s*/y, after);
    const inList = Array.isArray(this.#open.at(-1)?.container);
    if (comma !== undefined) {
      const next = after + comma[0].length;
      const member = inList
        ? /(?:["'`“‘[{(\])\d.+-]|\/[/*]|#|…|$|(?:true|false|null|True|False|None)\b)/y
        : /(?:["'`“‘}]|\/[/*]|#|…|\.\.\.|$|[^\s:={}[\],"']+\s*[:=])/y;
      return next >= this.#end || this.#match(member, next) !== undefined;
    }
    // No comma: another string or key may follow all the same, on a new line or with its colon.
    if (inList) return this.#match(/\s+["'`“‘[{\d-]|\s*\n/y, after) !== undefined;
    return this.#match(/\s*(?:"[^"\n]*"|'[^'\n]*'|\w+)\s*:/y, after) !== undefined;
  }

  #escape(): string {
    const found = this.#match(/\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|\r?\n|[^])/y)?.[0] ?? '';
    if (found === '') {
      this.#note('escape', 'A lone backslash at the end was left out.');
      this.#at++;
      return '';
    }
    const start = this.#at;
    this.#at += found.length;
    const plain = plainEscapes[found.slice(1)];
    if (plain !== undefined) return plain;
    if (found.length === 6) return String.fromCharCode(Number.parseInt(found.slice(2), 16));
    const rest = this.#at === this.#end && found === '\\u';
    const meaning =
      /^\\x/.test(found) && found.length === 4
        ? String.fromCharCode(Number.parseInt(found.slice(2), 16))
        : /^\\['`]$/.test(found)
          ? found.slice(1)
          : /^\\\r?\n$/.test(found) || rest
            ? ''
            : found;
    this.#note('escape', `The escape ${JSON.stringify(found)} became ${JSON.stringify(meaning)}.`, start);
    return meaning;
  }
}

function shorten(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 37)}...` : text);
}
