import type { Change } from './change.ts';
import { Cursor } from './cursor.ts';
import { setMember } from '../member.ts';
import { readBare, readNumber } from './lenient-scalar.ts';
import { closing, type StringPlace, readString, readStrings } from './lenient-string.ts';
import type { JsonValue } from '../value.ts';

export interface LenientReading {
  readonly value: JsonValue;
  readonly changes: readonly Change[];
  /** Where the value ends. */
  readonly to: number;
}

/** Reads one value at `from` as leniently as it can, to `to` at most. Undefined where none begins. Never recurses. */
export function parseLeniently(text: string, from: number, to: number): LenientReading | undefined {
  return new LenientParser(new Cursor(text, from, to)).read();
}

type List = JsonValue[];
type Members = Record<string, JsonValue>;

interface Frame {
  readonly container: List | Members;
  key: string;
  /** No member yet, or none that a comma has to follow. */
  fresh: boolean;
  /** Opened by `(`. */
  readonly tuple: boolean;
}

class LenientParser {
  readonly #cursor: Cursor;
  readonly #open: Frame[] = [];

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
  }

  read(): LenientReading | undefined {
    const cursor = this.#cursor;
    cursor.skip();
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
    return { value: root, changes: cursor.changes, to: cursor.at };
  }

  /** Where a value is; outside of any container, what may follow a string is what may follow a member. */
  get #place(): StringPlace {
    const frame = this.#open.at(-1);
    if (!Array.isArray(frame?.container)) return 'member';
    return frame.tuple ? 'tuple' : 'item';
  }

  /** The value has just been opened, and so is on top of its own holder. */
  #isOpened(value: JsonValue): boolean {
    return typeof value === 'object' && value !== null && this.#open.at(-1)?.container === value;
  }

  /** The next member of the innermost container, or undefined when that was closed instead. */
  #next(): JsonValue | undefined {
    const cursor = this.#cursor;
    const frame = this.#open.at(-1) as Frame;
    const list = Array.isArray(frame.container);
    this.#separate(frame.fresh);
    frame.fresh = false;
    const character = cursor.peek();
    if (character === '' || character === '}' || character === ']' || character === ')')
      return this.#close(character, list);
    const dots = cursor.match(/(?:\.{3,}|…)/y);
    if (dots !== undefined) {
      cursor.note('ellipsis', 'An ellipsis was left out.');
      frame.fresh = true;
      cursor.at += dots[0].length;
      return undefined;
    }
    if (list) {
      const value = this.#begin();
      if (value !== undefined) return value;
      cursor.note(
        'extra-closer',
        `${JSON.stringify(cursor.peek())} was found where a value should be, and was left out.`,
      );
      frame.fresh = true;
      cursor.at++;
      return undefined;
    }
    const key = this.#key();
    if (key === undefined) {
      frame.fresh = true;
      return undefined;
    }
    frame.key = key;
    cursor.skip();
    if (cursor.match(/"(?=\s*:)/y) !== undefined) {
      cursor.note('inner-quote', `A quote too many after ${JSON.stringify(key)} was left out.`);
      cursor.at++;
      cursor.skip();
    }
    if (cursor.peek() === '') {
      cursor.note(
        'missing-value',
        `The key ${JSON.stringify(key)} was left out: the text ends before its value.`,
      );
      return undefined;
    }
    const colon = cursor.match(/:=?|=>?/y);
    if (colon === undefined)
      cursor.note('missing-colon', `After ${JSON.stringify(key)} the ":" was missing.`);
    else {
      if (colon[0] !== ':') cursor.note('missing-colon', `${colon[0]} was written for ":".`);
      cursor.at += colon[0].length;
    }
    cursor.skip();
    const next = cursor.peek();
    if (next === '') {
      cursor.note(
        'missing-value',
        `The key ${JSON.stringify(key)} was left out: the text ends before its value.`,
      );
      return undefined;
    }
    if (next === ',' || next === '}' || next === ']') {
      cursor.note('missing-value', `${JSON.stringify(key)} had no value; it became null.`);
      return null;
    }
    return this.#begin() ?? null;
  }

  /** Passes what is between two members. */
  #separate(first: boolean): void {
    const cursor = this.#cursor;
    cursor.skip();
    let commas = 0;
    let comma = cursor.at;
    while (cursor.peek() === ',' || cursor.peek() === ';') {
      comma = cursor.at;
      cursor.at++;
      commas++;
      cursor.skip();
    }
    const closes = /^[}\])]?$/.test(cursor.peek());
    if (commas > 0 && closes) cursor.note('trailing-comma', 'A comma before the closer was left out.', comma);
    else if (commas > (first ? 0 : 1)) cursor.note('extra-comma', 'A comma too many was left out.', comma);
    else if (commas === 0 && !first && !closes) {
      cursor.note('missing-comma', 'A comma between two members was missing.');
    }
  }

  #close(character: string, list: boolean): undefined {
    const cursor = this.#cursor;
    if (character === '') {
      cursor.note('missing-closer', `${list ? '"]"' : '"}"'} was missing at the end.`);
      this.#open.pop();
      return undefined;
    }
    const asList = character !== '}';
    if (asList === list) {
      const isTuple = this.#open.at(-1)?.tuple === true;
      if (list && isTuple !== (character === ')'))
        cursor.note('missing-closer', `"${isTuple ? ')' : ']'}" was written as "${character}".`);
      cursor.at++;
      this.#open.pop();
    } else if (this.#open.some(({ container }) => Array.isArray(container) === asList)) {
      cursor.note('missing-closer', `${list ? '"]"' : '"}"'} was missing before "${character}".`);
      this.#open.pop();
    } else {
      cursor.note('extra-closer', `"${character}" closes nothing and was left out.`);
      cursor.at++;
    }
    return undefined;
  }

  /** A scalar, or a container that is now open. Undefined where nothing of the kind begins. */
  #begin(): JsonValue | undefined {
    const cursor = this.#cursor;
    const character = cursor.peek();
    if (character === '{' || character === '[' || (character === '(' && this.#open.length > 0)) {
      if (character === '(') cursor.note('literal', 'A Python tuple became a list.');
      const container: List | Members = character === '{' ? {} : [];
      cursor.at++;
      this.#open.push({ container, key: '', fresh: true, tuple: character === '(' });
      return container;
    }
    const prefix = cursor.match(/[urbfURBF]{1,2}(?=["'])/y);
    if (prefix !== undefined) {
      cursor.note('literal', `The prefix ${prefix[0]} of a Python string was left out.`);
      cursor.at += prefix[0].length;
    }
    if (closing[cursor.peek()] !== undefined) return readStrings(cursor, this.#place);
    return readNumber(cursor) ?? readBare(cursor);
  }

  #key(): string | undefined {
    const cursor = this.#cursor;
    if (closing[cursor.peek()] !== undefined) {
      const start = cursor.at;
      const key = readString(cursor, 'key');
      if (cursor.at < cursor.end || cursor.match(/\s*$/y) === undefined) return key;
      cursor.note(
        'missing-value',
        `${JSON.stringify(key)} was left out: the text ends inside the key.`,
        start,
      );
      return undefined;
    }
    const found = cursor.match(/[^\s:={}[\],"'`“”‘’;]+/y);
    if (found === undefined) {
      cursor.note(
        'extra-closer',
        `${JSON.stringify(cursor.peek())} was found where a key should be, and was left out.`,
      );
      cursor.at++;
      return undefined;
    }
    cursor.note('unquoted-key', `The key ${found[0]} got its quotes.`);
    cursor.at += found[0].length;
    return found[0];
  }
}
