import type { JsonValue } from '../../base/json/value.ts';
import { beyond, endsInFlow, meaning, startsPlain, trimmed } from './yaml-words.ts';

/**
 * Reads the YAML that scenarios are written in: block and flow collections, words, quotes on one line, literal blocks,
 * comments. Undefined as soon as a text holds anything else, or looks wrong: js-yaml then reads it, and says what is
 * wrong. A third of the time of js-yaml, whose every node takes several objects; `yaml.test.ts` holds the two against
 * each other.
 */
export function readPlainYaml(text: string): { readonly value: JsonValue } | undefined {
  if (strange.test(text)) return undefined;
  try {
    return { value: new Reader(text).whole() };
  } catch (thrown) {
    if (thrown === beyond) return undefined;
    throw thrown;
  }
}

/** Tabs, carriage returns, byte order marks, control characters, and what takes two code units. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const strange = /[\0-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufeff\ufffe\uffff]/;

const maxDepth = 40;
const space = 32;
const doubleQuote = 34;
const hash = 35;
const singleQuote = 39;
const comma = 44;
const dash = 45;
const dot = 46;
const zero = 48;
const nine = 57;
const colon = 58;
const openList = 91;
const closeList = 93;
const bar = 124;
const openMap = 123;
const closeMap = 125;

class Reader {
  readonly #text: string;
  #at = 0;
  #lineStart = 0;
  #lineEnd = 0;
  /** Of the first thing on the line that was reached last; -1 at the end of the text. */
  #column = 0;
  #depth = 0;
  #colon = -1;

  constructor(text: string) {
    this.#text = text;
    this.#enterLine(0);
    this.#reachContent();
  }

  whole(): JsonValue {
    if (this.#column !== 0) throw beyond;
    const value = this.#isItem() ? this.#list(0) : this.#map(this.#key(), 0);
    if (!this.#isOver()) throw beyond;
    return value;
  }

  #isOver(): boolean {
    return this.#column === -1;
  }

  #enterLine(start: number): void {
    const end = this.#text.indexOf('\n', start);
    this.#at = this.#lineStart = start;
    this.#lineEnd = end < 0 ? this.#text.length : end;
  }

  /** The rest of the line is a comment at most: on to the next line that holds something. */
  #endLine(): void {
    this.#skipSpaces();
    if (this.#at < this.#lineEnd && !this.#isComment()) throw beyond;
    if (this.#nextLine()) this.#reachContent();
  }

  #nextLine(): boolean {
    const isMore = this.#lineEnd < this.#text.length;
    if (isMore) this.#enterLine(this.#lineEnd + 1);
    else this.#end();
    return isMore;
  }

  #end(): void {
    this.#at = this.#lineStart = this.#lineEnd = this.#text.length;
    this.#column = -1;
  }

  /** From the start of a line to the first thing on it or on a later one. */
  #reachContent(): void {
    do {
      this.#skipSpaces();
      if (this.#at < this.#lineEnd && this.#text.charCodeAt(this.#at) !== hash) {
        this.#column = this.#at - this.#lineStart;
        return;
      }
    } while (this.#nextLine());
  }

  #skipSpaces(): void {
    while (this.#text.charCodeAt(this.#at) === space) this.#at++;
  }

  #isComment(): boolean {
    return (
      this.#text.charCodeAt(this.#at) === hash &&
      (this.#at === this.#lineStart || this.#text.charCodeAt(this.#at - 1) === space)
    );
  }

  #isItem(): boolean {
    return this.#text.charCodeAt(this.#at) === dash && this.#isGap(this.#at + 1);
  }

  /** Between words: a space, or the end of the line. */
  #isGap(at: number): boolean {
    return at >= this.#lineEnd || this.#text.charCodeAt(at) === space;
  }

  #list(column: number): JsonValue {
    this.#deeper();
    const items: JsonValue[] = [];
    do {
      this.#at++;
      this.#skipSpaces();
      if (this.#at < this.#lineEnd && !this.#isComment()) items.push(this.#node(column));
      else {
        this.#endLine();
        items.push(this.#column > column ? this.#node(column) : null);
      }
    } while (this.#column === column && this.#isItem());
    if (this.#column > column) throw beyond;
    this.#depth--;
    return items;
  }

  /** A map whose first key was read. */
  #map(first: string | undefined, column: number): JsonValue {
    this.#deeper();
    const members: Record<string, JsonValue> = {};
    for (let key = first; ; key = this.#key()) {
      if (key === undefined) throw beyond;
      add(members, key, this.#member(column));
      if (this.#column !== column) break;
    }
    if (this.#column > column) throw beyond;
    this.#depth--;
    return members;
  }

  #member(column: number): JsonValue {
    this.#skipSpaces();
    if (this.#at < this.#lineEnd && !this.#isComment()) return this.#scalarOrFlow(column);
    this.#endLine();
    if (this.#column > column) return this.#node(column);
    return this.#column === column && this.#isItem() ? this.#list(column) : null;
  }

  /** What stands below something at a column: a list or a map in lines, or what fits on one. */
  #node(parent: number): JsonValue {
    const column = this.#at - this.#lineStart;
    if (this.#isItem()) return this.#list(column);
    const begun = this.#at;
    const key = this.#key();
    if (key !== undefined) return this.#map(key, column);
    this.#at = begun;
    return this.#scalarOrFlow(parent);
  }

  /** The name that the line begins with, and past its colon; undefined where none stands. */
  #key(): string | undefined {
    const first = this.#text.charCodeAt(this.#at);
    if (first === singleQuote || first === doubleQuote) {
      const quoted = this.#quoted(first);
      if (this.#text.charCodeAt(this.#at) !== colon) return undefined;
      this.#at++;
      if (!this.#isGap(this.#at)) throw beyond;
      return quoted;
    }
    if (!startsPlain[first] || first === dash || first === dot) return undefined;
    let end = this.#colonFrom(this.#at);
    while (end < this.#lineEnd && !this.#isGap(end + 1)) end = this.#colonFrom(end + 1);
    if (end >= this.#lineEnd) return undefined;
    const name = trimmed(this.#text, this.#at, end);
    if (name.includes(' #')) return undefined;
    this.#at = end + 1;
    return String(meaning(name));
  }

  /** The next colon, looked for once however many lines have none. */
  #colonFrom(at: number): number {
    if (this.#colon < at) {
      const found = this.#text.indexOf(':', at);
      this.#colon = found < 0 ? this.#text.length : found;
    }
    return this.#colon;
  }

  #scalarOrFlow(parent: number): JsonValue {
    const first = this.#text.charCodeAt(this.#at);
    let value: JsonValue;
    if (first === openList || first === openMap) value = this.#flow(parent + 1);
    else if (first === singleQuote || first === doubleQuote) value = this.#quoted(first);
    else if (first === bar) return this.#literal(parent);
    else value = this.#words(first);
    this.#endLine();
    return value;
  }

  /** Words up to the end of the line, or to a comment. */
  #words(first: number): JsonValue {
    if (!startsPlain[first] || (first === dash && this.#isGap(this.#at + 1))) throw beyond;
    let words = trimmed(this.#text, this.#at, this.#lineEnd);
    const comment = words.indexOf(' #');
    if (comment >= 0) {
      // `flat #3` is cut there, and its author should know.
      const next = words.charCodeAt(comment + 2);
      if (next >= zero && next <= nine) throw beyond;
      words = trimmed(words, 0, comment);
    }
    if (this.#colonFrom(this.#at) < this.#lineEnd && (words.includes(': ') || words.endsWith(':')))
      throw beyond;
    this.#at = this.#lineEnd;
    return meaning(words);
  }

  #quoted(quote: number): string {
    const begun = this.#at + 1;
    const first = this.#text.indexOf(quote === singleQuote ? "'" : '"', begun);
    const end = quote === singleQuote ? this.#pastPairs(first) : first;
    if (end < 0 || end > this.#lineEnd) throw beyond;
    this.#at = end + 1;
    const inner = this.#text.slice(begun, end);
    if (quote === doubleQuote && inner.includes('\\')) throw beyond;
    return end === first ? inner : inner.replaceAll("''", "'");
  }

  /** Two single quotes are one that belongs to the text. */
  #pastPairs(first: number): number {
    let end = first;
    while (end >= 0 && this.#text.charCodeAt(end + 1) === singleQuote) end = this.#text.indexOf("'", end + 2);
    return end;
  }

  /** A text in lines of its own, after `|` or `|-`. */
  #literal(parent: number): string {
    this.#at++;
    const strip = this.#text.charCodeAt(this.#at) === dash;
    if (strip) this.#at++;
    this.#skipSpaces();
    if (this.#at < this.#lineEnd || !this.#nextLine()) throw beyond;
    this.#skipSpaces();
    const indent = this.#at - this.#lineStart;
    if (indent <= parent || this.#at >= this.#lineEnd) throw beyond;
    const lines: string[] = [];
    let full = 0;
    do {
      this.#skipSpaces();
      const column = this.#at - this.#lineStart;
      if (this.#at < this.#lineEnd) {
        if (column < indent) break;
        full = lines.length + 1;
      } else if (column > indent) throw beyond;
      lines.push(this.#text.slice(this.#lineStart + indent, this.#lineEnd));
    } while (this.#nextLine());
    this.#reachContent();
    lines.length = full;
    return lines.join('\n') + (strip ? '' : '\n');
  }

  /** `[…]` or `{…}`, also over several lines, none of which stands further left than it may. */
  #flow(indent: number): JsonValue {
    this.#deeper();
    const value =
      this.#text.charCodeAt(this.#at++) === openList ? this.#flowList(indent) : this.#flowMap(indent);
    this.#at++;
    this.#depth--;
    return value;
  }

  #flowList(indent: number): JsonValue {
    const items: JsonValue[] = [];
    while (this.#hasNext(indent, closeList)) {
      items.push(this.#inFlow(indent));
      this.#endInFlow(indent, closeList);
    }
    return items;
  }

  #flowMap(indent: number): JsonValue {
    const members: Record<string, JsonValue> = {};
    while (this.#hasNext(indent, closeMap)) {
      const key = this.#inFlow(indent);
      if (key !== null && typeof key === 'object') throw beyond;
      this.#skipInFlow(indent);
      if (this.#text.charCodeAt(this.#at++) !== colon) throw beyond;
      this.#skipInFlow(indent);
      add(members, String(key), this.#inFlow(indent));
      this.#endInFlow(indent, closeMap);
    }
    return members;
  }

  #hasNext(indent: number, close: number): boolean {
    this.#skipInFlow(indent);
    return this.#text.charCodeAt(this.#at) !== close;
  }

  /** Past the comma that follows; where none does, the collection must end. */
  #endInFlow(indent: number, close: number): void {
    this.#skipInFlow(indent);
    const next = this.#text.charCodeAt(this.#at);
    if (next === comma) this.#at++;
    else if (next !== close) throw beyond;
  }

  #inFlow(indent: number): JsonValue {
    const first = this.#text.charCodeAt(this.#at);
    if (first === openList || first === openMap) return this.#flow(indent);
    if (first === singleQuote || first === doubleQuote) return this.#quoted(first);
    if (!startsPlain[first]) throw beyond;
    const begun = this.#at;
    if (first === dash && this.#isGap(++this.#at)) throw beyond;
    for (; this.#at < this.#lineEnd; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (endsInFlow[code] || (code === hash && this.#isComment())) break;
      if (code === colon && (this.#isGap(this.#at + 1) || endsInFlow[this.#text.charCodeAt(this.#at + 1)]))
        break;
    }
    const words = trimmed(this.#text, begun, this.#at);
    if (words === '-') throw beyond;
    return meaning(words);
  }

  #skipInFlow(indent: number): void {
    for (;;) {
      this.#skipSpaces();
      if (this.#at < this.#lineEnd && !this.#isComment()) return;
      if (!this.#nextLine()) throw beyond;
      this.#reachContent();
      if (this.#column < indent) throw beyond;
    }
  }

  #deeper(): void {
    if (++this.#depth > maxDepth) throw beyond;
  }
}

function add(members: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key === '__proto__' || Object.hasOwn(members, key)) throw beyond;
  members[key] = value;
}
