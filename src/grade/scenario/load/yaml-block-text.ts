import { room } from './text-bytes.ts';
import type { YamlCursor } from './yaml-cursor.ts';
import { beyond } from './yaml-words.ts';

const newline = 10;
const dash = 45;
const folded = 62;

/** A text in lines of its own: after `|` as they are, after `>` joined by spaces; with `-` without a line end. */
export function readBlockText(cursor: YamlCursor, parent: number): string {
  const { text } = cursor;
  const isFolded = room[cursor.at] === folded;
  const isStripped = room[++cursor.at] === dash;
  if (isStripped) cursor.at++;
  cursor.skipSpaces();
  if (cursor.at < cursor.lineEnd) throw beyond;
  const pieces: string[] = [];
  let start = cursor.lineEnd + 1;
  let indent = -1;
  for (let blank = 0; start < text.length;) {
    cursor.at = start;
    cursor.skipSpaces();
    const column = cursor.at - start;
    if (room[cursor.at] === newline) {
      if (indent < 0 || column > indent) throw beyond;
      blank++;
      start = cursor.at + 1;
      continue;
    }
    if (indent < 0) indent = column;
    if (column < indent || column <= parent) break;
    // Of folded lines, those that stand further in, and spaces at their ends, have rules of their own.
    if (isFolded && (column > indent || pieces.at(-1)?.endsWith(' '))) throw beyond;
    const end = text.indexOf('\n', cursor.at);
    if (pieces.length > 0)
      pieces.push(isFolded && blank === 0 ? ' ' : '\n'.repeat(isFolded ? blank : blank + 1));
    pieces.push(cursor.slice(start + indent, end));
    blank = 0;
    start = end + 1;
  }
  if (pieces.length === 0) throw beyond;
  cursor.reachContent(start);
  if (!isStripped) pieces.push('\n');
  return pieces.join('');
}
