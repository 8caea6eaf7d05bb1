import type { JsonValue } from '../../../base/json/value.ts';
import { room } from './text-bytes.ts';
import type { YamlCursor } from './yaml-cursor.ts';
import { beyond, maxDepth, meaning, startsPlain } from './yaml-words.ts';

const doubleQuote = 34;
const hash = 35;
const singleQuote = 39;
const comma = 44;
const dash = 45;
const colon = 58;
const openList = 91;
const closeList = 93;
const openMap = 123;
const closeMap = 125;

interface Place {
  /** How far left a line may begin. */
  readonly indent: number;
  readonly depth: number;
}

/** `[…]` or `{…}`, also over several lines. */
export function readFlow(cursor: YamlCursor, { indent, depth }: Place): JsonValue {
  if (depth >= maxDepth) throw beyond;
  const inside = { indent, depth: depth + 1 };
  const isList = room[cursor.at++] === openList;
  const value = isList ? readList(cursor, inside) : readMap(cursor, inside);
  cursor.at++;
  return value;
}

function readList(cursor: YamlCursor, place: Place): JsonValue {
  const items: JsonValue[] = [];
  while (hasNext(cursor, place.indent, closeList)) {
    items.push(readNode(cursor, place));
    endNode(cursor, place.indent, closeList);
  }
  return items;
}

function readMap(cursor: YamlCursor, place: Place): JsonValue {
  const members: Record<string, JsonValue> = {};
  let count = 0;
  while (hasNext(cursor, place.indent, closeMap)) {
    const key = readNode(cursor, place);
    if (key !== null && typeof key === 'object') throw beyond;
    toNext(cursor, place.indent);
    if (room[cursor.at++] !== colon) throw beyond;
    toNext(cursor, place.indent);
    members[String(key)] = readNode(cursor, place);
    count++;
    endNode(cursor, place.indent, closeMap);
  }
  refuseTwice(members, count);
  return members;
}

function hasNext(cursor: YamlCursor, indent: number, close: number): boolean {
  toNext(cursor, indent);
  return room[cursor.at] !== close;
}

/** Past the comma that follows; where none does, the collection must end. */
function endNode(cursor: YamlCursor, indent: number, close: number): void {
  toNext(cursor, indent);
  const next = room[cursor.at]!;
  if (next === comma) cursor.at++;
  else if (next !== close) throw beyond;
}

function readNode(cursor: YamlCursor, place: Place): JsonValue {
  const first = room[cursor.at]!;
  if (startsPlain[first]) {
    const words = first === dash && cursor.isGap(cursor.at + 1) ? '-' : cursor.wordsInFlow();
    if (words === '-') throw beyond;
    return meaning(words);
  }
  if (first === singleQuote || first === doubleQuote) return cursor.quoted();
  if (first === openList || first === openMap) return readFlow(cursor, place);
  throw beyond;
}

/** To the next thing, which may stand on a later line, but not too far left. */
function toNext(cursor: YamlCursor, indent: number): void {
  // No space, line end or comment is beyond it.
  if (room[cursor.at]! > hash) return;
  cursor.skipSpaces();
  if (!cursor.isOver()) return;
  cursor.endLine();
  if (cursor.column < indent) throw beyond;
}

/** A map has as many members as were read into it: none stands there twice, and none is the prototype. */
export function refuseTwice(members: Readonly<Record<string, JsonValue>>, count: number): void {
  if (Object.keys(members).length !== count) throw beyond;
}
