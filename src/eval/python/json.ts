import { WhetstoneError } from '../../base/host/errors.ts';
import { reprOfFloat } from './repr.ts';
import type { PythonDict, PythonValue } from './value.ts';

/**
 * Reads JSON as Python's `json.loads`: `5` is an int of any length and `5.0` a float, keys keep their order also where
 * they look like numbers, and NaN and the infinities are read.
 */
export function readJson(text: string): PythonValue {
  const reader = new Reader(text);
  const value = reader.value();
  reader.end();
  return value;
}

const space = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const words: readonly (readonly [string, PythonValue])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
];

/** Deeper than this Python gives up too (`RecursionError`). */
const deepest = 900;

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): PythonValue {
    this.#skip();
    const character = this.#text[this.#at];
    if (character === '"') return this.#string();
    if (character === '{' || character === '[') {
      if (++this.#depth > deepest) this.#fail('less depth');
      const value = character === '{' ? this.#dict() : this.#list();
      this.#depth--;
      return value;
    }
    return this.#number() ?? this.#word();
  }

  end(): void {
    this.#skip();
    if (this.#at < this.#text.length) this.#fail('the end');
  }

  #dict(): PythonDict {
    const dict: PythonDict = new Map();
    this.#at++;
    this.#skip();
    if (this.#text[this.#at] === '}') {
      this.#at++;
      return dict;
    }
    for (;;) {
      this.#skip();
      if (this.#text[this.#at] !== '"') this.#fail('a key');
      const key = this.#string();
      this.#skip();
      if (this.#text[this.#at++] !== ':') this.#fail('a colon', this.#at - 1);
      dict.set(key, this.value());
      if (this.#isLast('}')) return dict;
    }
  }

  #list(): PythonValue[] {
    const list: PythonValue[] = [];
    this.#at++;
    this.#skip();
    if (this.#text[this.#at] === ']') {
      this.#at++;
      return list;
    }
    for (;;) {
      list.push(this.value());
      if (this.#isLast(']')) return list;
    }
  }

  #isLast(end: string): boolean {
    this.#skip();
    const character = this.#text[this.#at++];
    if (character === end) return true;
    if (character !== ',') this.#fail(`a comma or “${end}”`, this.#at - 1);
    return false;
  }

  #string(): string {
    const start = this.#at++;
    for (;;) {
      const character = this.#text.charCodeAt(this.#at);
      if (character === 34) break;
      if (Number.isNaN(character) || character < 32) this.#fail('the end of a text');
      this.#at += character === 92 ? 2 : 1;
    }
    const written = this.#text.slice(start, ++this.#at);
    if (!written.includes('\\')) return written.slice(1, -1);
    try {
      return JSON.parse(written) as string;
    } catch {
      return this.#fail('a text', start);
    }
  }

  #number(): PythonValue | undefined {
    number.lastIndex = this.#at;
    const found = number.exec(this.#text);
    if (found === null) return undefined;
    this.#at = number.lastIndex;
    return found[1] === undefined && found[2] === undefined ? BigInt(found[0]) : Number(found[0]);
  }

  #word(): PythonValue {
    for (const [word, value] of words) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    return this.#fail('a value');
  }

  #skip(): void {
    space.lastIndex = this.#at;
    space.test(this.#text);
    this.#at = space.lastIndex;
  }

  #fail(expected: string, at = this.#at): never {
    throw new WhetstoneError('json_syntax', `Not JSON: ${expected} was expected at offset ${at}.`, {
      details: { offset: at, expected },
    });
  }
}

/** Writes JSON as Python's `json.dumps`: a space after commas and colons, and all but ASCII escaped. */
export function writeJson(value: PythonValue): string {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'number':
      return writeFloat(value);
    case 'string':
      return writeText(value);
    default: {
      if (Array.isArray(value)) return `[${value.map(writeJson).join(', ')}]`;
      const members: string[] = [];
      for (const [key, item] of value) members.push(`${writeText(key)}: ${writeJson(item)}`);
      return `{${members.join(', ')}}`;
    }
  }
}

function writeFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  return reprOfFloat(value);
}

/** `JSON.stringify` escapes quotes, backslashes and what lies below a space just so; Python also all above `~`. */
function writeText(text: string): string {
  return JSON.stringify(text).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
