import { WhetstoneError } from '../../base/host/errors.ts';
import type { Given } from './arguments.ts';
import type { PythonDict, PythonValue } from './value.ts';

/**
 * The lists that a Python source assigns to names, where they hold literals only; a call such as `Task(name=…)` is read
 * as a dict of its named arguments.
 */
export function readAssignedLists(source: string): ReadonlyMap<string, PythonValue[]> {
  const lists = new Map<string, PythonValue[]>();
  for (const found of source.matchAll(/^(\w+)(?:\s*:[^=\n]+)?\s*=\s*(?=\[)/gm)) {
    const value = new LiteralReader(source, found.index + found[0].length).value();
    lists.set(found[1]!, value as PythonValue[]);
  }
  return lists;
}

/** What a function of a Python source returns, where that is a literal; undefined where there is no such function. */
export function readReturned(source: string, name: string): PythonValue | undefined {
  const found = new RegExp(String.raw`\bdef ${name}\b[^]*?\breturn\s+(?=[[{("'])`).exec(source);
  return found === null ? undefined : new LiteralReader(source, found.index + found[0].length).value();
}

/** A call that is written in Python, whose arguments are literals: its name, and what it is given. */
export function readCall(source: string): { readonly name: string } & Given {
  return new LiteralReader(source, 0).call();
}

const blank = /(?:[ \t\r\n\f]|\\\r?\n|#[^\n]*)*/y;
const name = /[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/y;
const argument = /([A-Za-z_]\w*)\s*=(?!=)/y;
const number = /[-+]?(?:\d[\d_]*\.?(?:\d[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d+)?/y;
const quoted = /(?:[rRuUbBfF]{0,2})("""|'''|"|')/y;
const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  '\n': '',
};

class LiteralReader {
  readonly #source: string;
  #at: number;

  constructor(source: string, at: number) {
    this.#source = source;
    this.#at = at;
  }

  value(): PythonValue {
    const character = this.#next();
    if (character === '[') return this.#items('[', ']');
    if (character === '(') return this.#group();
    if (character === '{') return this.#dict();
    const text = this.#match(quoted, (found) => this.#text(found));
    if (text !== undefined) return this.#joined(text);
    const digits = this.#match(number, ([found]) => found.replaceAll('_', ''));
    if (digits !== undefined)
      return /^[-+]?\d+$/.test(digits) ? BigInt(digits.replace('+', '')) : Number(digits);
    const word = this.#match(name, ([found]) => found);
    if (word === 'None') return null;
    if (word === 'True' || word === 'False') return word === 'True';
    if (word === undefined || this.#next() !== '(') return this.#fail('a literal');
    return this.#call();
  }

  /** A call by its name, which ends the source. */
  call(): { readonly name: string } & Given {
    this.#next();
    const callee = this.#match(name, ([found]) => found) ?? this.#fail('the name of a function');
    const inOrder: PythonValue[] = [];
    const named: PythonDict = new Map();
    this.#take('(');
    while (this.#next() !== ')') {
      const key = this.#match(argument, (found) => found[1]!);
      if (key === undefined) inOrder.push(this.value());
      else named.set(key, this.value());
      if (this.#next() !== ')') this.#take(',');
    }
    this.#take(')');
    if (this.#next() !== undefined) this.#fail('nothing more');
    return { name: callee, inOrder, named };
  }

  /** Texts one after the other are one text. */
  #joined(first: string): string {
    let text = first;
    for (;;) {
      this.#next();
      const more = this.#match(quoted, (found) => this.#text(found));
      if (more === undefined) return text;
      text += more;
    }
  }

  /** Parentheses around one value are nothing; a comma makes them a tuple. */
  #group(): PythonValue {
    const start = this.#at;
    const items = this.#items('(', ')');
    const isOne = items.length === 1 && !/,\s*\)$/.test(this.#source.slice(start, this.#at));
    return isOne ? items[0]! : items;
  }

  #items(open: string, close: string): PythonValue[] {
    const items: PythonValue[] = [];
    this.#take(open);
    while (this.#next() !== close) {
      items.push(this.value());
      if (this.#next() !== close) this.#take(',');
    }
    this.#take(close);
    return items;
  }

  #dict(): PythonDict {
    const dict: PythonDict = new Map();
    this.#take('{');
    while (this.#next() !== '}') {
      const key = this.value();
      if (typeof key !== 'string') this.#fail('a key that is text');
      this.#take(':');
      dict.set(key as string, this.value());
      if (this.#next() !== '}') this.#take(',');
    }
    this.#take('}');
    return dict;
  }

  #call(): PythonDict {
    const named: PythonDict = new Map();
    this.#take('(');
    while (this.#next() !== ')') {
      const key = this.#match(name, ([found]) => found) ?? this.#fail('a named argument');
      this.#take('=');
      named.set(key, this.value());
      if (this.#next() !== ')') this.#take(',');
    }
    this.#take(')');
    return named;
  }

  #text([opening, quote]: RegExpExecArray): string {
    const isRaw = /r/i.test(opening.slice(0, -quote!.length));
    let text = '';
    for (;;) {
      if (this.#source.startsWith(quote!, this.#at)) break;
      const character = this.#source[this.#at++];
      if (character === undefined) return this.#fail('the end of a text');
      if (character !== '\\') text += character;
      else text += isRaw ? `\\${this.#source[this.#at++]}` : this.#escape();
    }
    this.#at += quote!.length;
    return text;
  }

  #escape(): string {
    const letter = this.#source[this.#at++] ?? '';
    const length = { x: 2, u: 4, U: 8 }[letter];
    if (length !== undefined) {
      const code = Number.parseInt(this.#source.slice(this.#at, (this.#at += length)), 16);
      return String.fromCodePoint(code);
    }
    if (/["'\\]/.test(letter)) return letter;
    return escapes[letter] ?? `\\${letter}`;
  }

  #match<Result>(pattern: RegExp, read: (found: RegExpExecArray) => Result): Result | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return read(found);
  }

  #next(): string | undefined {
    blank.lastIndex = this.#at;
    blank.test(this.#source);
    this.#at = blank.lastIndex;
    return this.#source[this.#at];
  }

  #take(character: string): void {
    if (this.#next() !== character) this.#fail(`“${character}”`);
    this.#at++;
  }

  #fail(expected: string): never {
    const line = this.#source.slice(0, this.#at).split('\n').length;
    throw new WhetstoneError('benchmark_data', `Line ${line} of a Python source: ${expected} was expected.`, {
      details: { line, expected },
    });
  }
}
