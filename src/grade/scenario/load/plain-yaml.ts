import type { JsonValue } from '../../../base/json/value.ts';
import type { TextBytes } from './text-bytes.ts';
import { room } from './text-bytes.ts';
import { readBlockText } from './yaml-block-text.ts';
import { YamlCursor } from './yaml-cursor.ts';
import { readFlow, refuseTwice } from './yaml-flow.ts';
import { beyond, maxAliases, maxDepth, meaning, startsPlain } from './yaml-words.ts';

/**
 * Reads the YAML that scenarios are written in: block and flow collections, words, quotes on one line, literal and
 * folded blocks, members that are repeated, comments. Undefined as soon as a text holds anything else, or looks wrong: js-yaml then reads it, and
 * says what is wrong. `plain-yaml.test.ts` holds the two against each other.
 */
export function readPlainYaml(bytes: TextBytes): { readonly value: JsonValue } | undefined {
  if (isStrange(bytes)) return undefined;
  try {
    return { value: new Reader(new YamlCursor(bytes)).whole() };
  } catch (thrown) {
    if (thrown === beyond) return undefined;
    throw thrown;
  }
}

/** Tabs, carriage returns, byte order marks, control characters, and what is no character. */
function isStrange({ latin, isAscii }: TextBytes): boolean {
  for (const control of controls) if (latin.includes(control)) return true;
  if (isAscii) return false;
  for (let at = latin.indexOf('\xc2'); at >= 0; at = latin.indexOf('\xc2', at + 1))
    if (latin.charCodeAt(at + 1) < 0xa0) return true;
  return ['\xef\xbb\xbf', '\xef\xbf\xbe', '\xef\xbf\xbf'].some((one) => latin.includes(one));
}

/** Each is looked for apart: so it takes a fifth of the time of one expression. */
const controls: readonly string[] = Array.from({ length: 128 }, (_, code) =>
  String.fromCharCode(code),
).filter((one) => (one < ' ' && one !== '\n') || one === '\x7f');

const doubleQuote = 34;
const ampersand = 38;
const singleQuote = 39;
const asterisk = 42;
const dash = 45;
const dot = 46;
const zero = 48;
const nine = 57;
const colon = 58;
const folded = 62;
const openList = 91;
const literal = 124;
const openMap = 123;

/** Lists and maps in lines. */
class Reader {
  readonly #cursor: YamlCursor;
  #depth = 0;
  readonly #anchors = new Map<string, JsonValue>();
  readonly #aliases: string[] = [];

  constructor(cursor: YamlCursor) {
    this.#cursor = cursor;
  }

  whole(): JsonValue {
    const cursor = this.#cursor;
    if (cursor.column !== 0) throw beyond;
    const value = this.#isItem() ? this.#list(0) : this.#map(this.#name(), 0);
    if (cursor.column >= 0 || this.#aliases.length > maxAliases) throw beyond;
    // A text that begins with & and has no quotes is named so, and nobody asks for it.
    for (const name of this.#anchors.keys()) if (!this.#aliases.includes(name)) throw beyond;
    return value;
  }

  #isItem(): boolean {
    const { at } = this.#cursor;
    return room[at] === dash && this.#cursor.isGap(at + 1);
  }

  #list(column: number): JsonValue {
    this.#deeper();
    const cursor = this.#cursor;
    const items: JsonValue[] = [];
    do {
      const line = cursor.restOfLine(cursor.at + 1);
      if (line !== undefined) {
        items.push(line);
        continue;
      }
      cursor.at++;
      cursor.skipSpaces();
      if (!cursor.isOver()) items.push(this.#node(column));
      else {
        cursor.endLine();
        items.push(cursor.column > column ? this.#node(column) : null);
      }
    } while (cursor.column === column && this.#isItem());
    if (cursor.column > column) throw beyond;
    this.#depth--;
    return items;
  }

  /** A map whose first name was read. */
  #map(first: string, column: number): JsonValue {
    this.#deeper();
    const cursor = this.#cursor;
    const members: Record<string, JsonValue> = {};
    members[first] = this.#member(column);
    let count = 1;
    for (; cursor.column === column; count++) {
      const name = this.#name();
      members[name] = this.#member(column);
    }
    refuseTwice(members, count);
    if (cursor.column > column) throw beyond;
    this.#depth--;
    return members;
  }

  /** The name that the line begins with, and past its colon. */
  #name(): string {
    const cursor = this.#cursor;
    const first = room[cursor.at]!;
    const isQuoted = first === singleQuote || first === doubleQuote;
    const name = isQuoted ? cursor.quoted() : this.#words(first);
    if (room[cursor.at] !== colon) throw beyond;
    return this.#named(name, first);
  }

  /** The name was read, and its colon comes next. */
  #named(words: string, first: number): string {
    const cursor = this.#cursor;
    cursor.at++;
    if (first === singleQuote || first === doubleQuote) {
      if (!cursor.isGap(cursor.at)) throw beyond;
      return words;
    }
    if (first === dash || first === dot) throw beyond;
    return String(meaning(words));
  }

  #member(column: number): JsonValue {
    const cursor = this.#cursor;
    const line = cursor.restOfLine(cursor.at);
    if (line !== undefined) return line;
    cursor.skipSpaces();
    if (room[cursor.at] === ampersand) return this.#anchored(column);
    if (!cursor.isOver()) return this.#scalarOrFlow(column);
    cursor.endLine();
    if (cursor.column > column) return this.#node(column);
    return cursor.column === column && this.#isItem() ? this.#list(column) : null;
  }

  /** A member with a name by which it is repeated elsewhere. */
  #anchored(column: number): JsonValue {
    const name = this.#cursor.nameAfterMark();
    const value = this.#member(column);
    if (value === null || this.#anchors.has(name)) throw beyond;
    this.#anchors.set(name, value);
    return value;
  }

  #repeated(): JsonValue {
    const name = this.#cursor.nameAfterMark();
    const value = this.#anchors.get(name);
    if (value === undefined) throw beyond;
    this.#aliases.push(name);
    return this.#ended(value);
  }

  /** What stands below something at a column: a list or a map in lines, or what fits on one. */
  #node(parent: number): JsonValue {
    const cursor = this.#cursor;
    const column = cursor.at - cursor.lineStart;
    const first = room[cursor.at]!;
    if (first === dash && this.#isItem()) return this.#list(column);
    const isQuoted = first === singleQuote || first === doubleQuote;
    if (!isQuoted && !startsPlain[first]) return this.#scalarOrFlow(parent);
    const words = isQuoted ? cursor.quoted() : this.#words(first);
    if (room[cursor.at] === colon) return this.#map(this.#named(words, first), column);
    return isQuoted ? this.#ended(words) : this.#endWords(words);
  }

  #scalarOrFlow(parent: number): JsonValue {
    const cursor = this.#cursor;
    const first = room[cursor.at]!;
    if (first === singleQuote || first === doubleQuote) return this.#ended(cursor.quoted());
    if (first === openList || first === openMap)
      return this.#ended(readFlow(cursor, { indent: parent + 1, depth: this.#depth }));
    if (first === literal || first === folded) return readBlockText(cursor, parent);
    if (first === asterisk) return this.#repeated();
    return this.#endWords(this.#words(first));
  }

  #words(first: number): string {
    const cursor = this.#cursor;
    if (!startsPlain[first] || (first === dash && cursor.isGap(cursor.at + 1))) throw beyond;
    return cursor.words();
  }

  #endWords(words: string): JsonValue {
    const { at, lineEnd } = this.#cursor;
    if (at < lineEnd) {
      // `flat #3` is cut there, and its author should know.
      const next = room[at + 1]!;
      if (next >= zero && next <= nine) throw beyond;
    }
    return this.#ended(meaning(words));
  }

  #ended(value: JsonValue): JsonValue {
    this.#cursor.endLine();
    return value;
  }

  #deeper(): void {
    if (++this.#depth > maxDepth) throw beyond;
  }
}
