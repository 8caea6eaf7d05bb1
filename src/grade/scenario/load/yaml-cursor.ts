import type { JsonValue } from '../../../base/json/value.ts';
import type { TextBytes } from './text-bytes.ts';
import { room } from './text-bytes.ts';
import { beyond, endsWords, meaning, startsPlain } from './yaml-words.ts';

const newline = 10;
const space = 32;
const hash = 35;
const quote = 39;
const dash = 45;
const colon = 58;

/** Goes through a text, byte by byte. Strings are windows into it where they are ASCII. */
export class YamlCursor {
  readonly #bytes: TextBytes;
  /** A character for each byte; it ends with a line end. */
  readonly text: string;
  at = 0;
  lineStart = 0;
  lineEnd = 0;
  /** Of the first thing on the line that was reached last; -1 at the end of the text. */
  column = 0;
  /** The next of their kind, looked for once however many lines have none. */
  #colon = -1;
  #hash = -1;
  #wide = -1;

  constructor(bytes: TextBytes) {
    this.#bytes = bytes;
    this.text = bytes.latin;
    this.reachContent(0);
  }

  /** From the start of a line to the first thing on it or on a later one. */
  reachContent(start: number): void {
    const { text } = this;
    let lineStart = start;
    let at = start;
    while (at < text.length) {
      while (room[at] === space) at++;
      const code = room[at];
      if (code === newline) lineStart = ++at;
      else if (code === hash) lineStart = at = text.indexOf('\n', at) + 1;
      else break;
    }
    this.at = at;
    this.lineStart = lineStart;
    if (at < text.length) {
      this.column = at - lineStart;
      this.lineEnd = text.indexOf('\n', at);
    } else this.column = -1;
  }

  /** The rest of the line is a comment at most: on to the next line that holds something. */
  endLine(): void {
    if (this.at < this.lineEnd) {
      this.skipSpaces();
      if (this.at < this.lineEnd && !this.isComment()) throw beyond;
    }
    this.reachContent(this.lineEnd + 1);
  }

  skipSpaces(): void {
    let { at } = this;
    while (room[at] === space) at++;
    this.at = at;
  }

  /** Nothing comes on this line any more. */
  isOver(): boolean {
    return this.at >= this.lineEnd || this.isComment();
  }

  isComment(): boolean {
    return this.#beginsComment(this.at);
  }

  /** Between words: a space, or the end of the line. */
  isGap(at: number): boolean {
    const code = room[at]!;
    return code === space || code === newline;
  }

  /** Words up to the end of the line, a comment, or a colon before a gap. */
  words(): string {
    const { at, lineEnd } = this;
    let end = lineEnd;
    if (this.#hash < at) this.#hash = this.#find('#', at);
    while (this.#hash < end) {
      if (this.#beginsComment(this.#hash)) end = this.#hash;
      else this.#hash = this.#find('#', this.#hash + 1);
    }
    if (this.#colon < at) this.#colon = this.#find(':', at);
    while (this.#colon < end) {
      if (this.isGap(this.#colon + 1)) end = this.#colon;
      else this.#colon = this.#find(':', this.#colon + 1);
    }
    this.at = end;
    return room[end] === colon ? this.#known(at, end) : this.#trimmed(at, end);
  }

  /**
   * What is nothing but a text after one space, up to the end of the line, and on to the next line: so are most items
   * and members. Undefined where it may be anything else.
   */
  restOfLine(gap: number): JsonValue | undefined {
    const { lineEnd } = this;
    const from = gap + 1;
    const first = room[from]!;
    if (room[gap] !== space) return undefined;
    let value: JsonValue;
    if (first === quote) {
      const end = this.text.indexOf("'", from + 1);
      if (end + 1 !== lineEnd) return undefined;
      value = this.slice(from + 1, end);
    } else {
      if (!startsPlain[first] || first === dash) return undefined;
      if (this.#hash < from) this.#hash = this.#find('#', from);
      if (this.#colon < from) this.#colon = this.#find(':', from);
      if (this.#hash < lineEnd || this.#colon < lineEnd) return undefined;
      value = meaning(this.#trimmed(from, lineEnd));
    }
    this.reachContent(lineEnd + 1);
    return value;
  }

  /** Words between brackets, which end there too. */
  wordsInFlow(): string {
    const { at } = this;
    let end = at;
    for (; ; end++) {
      let kind;
      while ((kind = endsWords[room[end]!]) === 0) end++;
      if (kind === 1) break;
      const next = room[end + 1]!;
      if (kind === hash ? this.#beginsComment(end) : next === space || endsWords[next] === 1) break;
    }
    this.at = end;
    return room[end] === colon ? this.#known(at, end) : this.#trimmed(at, end);
  }

  /** A text in quotes on one line, and past it. */
  quoted(): string {
    const { text } = this;
    const mark = room[this.at] === quote ? "'" : '"';
    const begun = this.at + 1;
    const first = text.indexOf(mark, begun);
    let end = first;
    if (mark === "'")
      // Two of them are one that belongs to the text.
      while (end >= 0 && room[end + 1] === quote) end = text.indexOf(mark, end + 2);
    if (end < 0 || end > this.lineEnd) throw beyond;
    this.at = end + 1;
    const inner = this.slice(begun, end);
    if (mark === '"' && inner.includes('\\')) throw beyond;
    return end === first ? inner : inner.replaceAll("''", "'");
  }

  /** The name of an anchor or an alias, and on to what follows it. */
  nameAfterMark(): string {
    const begun = this.at + 1;
    const [name = ''] = /^[\w-]*/.exec(this.text.slice(begun, this.lineEnd))!;
    this.at = begun + name.length;
    if (name === '' || !this.isGap(this.at)) throw beyond;
    this.skipSpaces();
    return name;
  }

  #beginsComment(at: number): boolean {
    return room[at] === hash && (at === this.lineStart || room[at - 1] === space);
  }

  #find(mark: string, from: number): number {
    const found = this.text.indexOf(mark, from);
    return found < 0 ? this.text.length : found;
  }

  slice(from: number, to: number): string {
    if (this.#wide < from) this.#wide = this.#bytes.wideFrom(from);
    return this.#wide < to ? this.#bytes.decode(from, to) : this.text.slice(from, to);
  }

  #trimmed(from: number, to: number): string {
    let last = to;
    while (room[last - 1] === space) last--;
    return this.slice(from, last);
  }

  /** A name: most have been met, and need neither be made again nor be looked up by whoever sets a member. */
  #known(from: number, to: number): string {
    const { text } = this;
    const length = to - from;
    const middle = room[from + (length >> 1)]!;
    const slot = (room[from]! * 31 + room[to - 1]! * 7 + middle * 3 + length * 11) & (slots - 1);
    const met = names[slot]!;
    if (met.length === length && text.startsWith(met, from)) return met;
    const beside = names[slot + slots]!;
    names[slot + slots] = met;
    if (beside.length === length && text.startsWith(beside, from)) return (names[slot] = beside);
    // As the name of a member it is a string of its own, no window that would keep the whole text.
    const [name = ''] = Object.keys({ [this.#trimmed(from, to)]: true });
    names[slot] = name;
    return name;
  }
}

const slots = 512;
/** Names that were met lately: two of each slot, as those of one file that share one would else be made each time. */
const names: string[] = Array.from({ length: 2 * slots }, () => '');
