/** A piece of a terminal's output, with the classes of its style. */
export interface AnsiPiece {
  readonly text: string;
  readonly style: string;
}

const escape = '\u001b';
// A sequence of control, a title or link (up to its end), or any other escape of one character.
const sequence =
  // oxlint-disable-next-line no-control-regex -- escapes are what is read here
  /\u001b(?:\[([0-?]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g;

/** Reads the colours of a terminal; every other sequence is dropped, for it would move a cursor that is not there. */
export function readAnsi(text: string): readonly AnsiPiece[] {
  if (!text.includes(escape)) return [{ text, style: '' }];
  const pieces: AnsiPiece[] = [];
  const style = new Map<string, string>();
  let from = 0;
  for (const match of text.matchAll(sequence)) {
    if (match.index > from) pieces.push({ text: text.slice(from, match.index), style: classes(style) });
    from = match.index + match[0].length;
    if (match[2] === 'm') applyCodes(style, match[1] ?? '');
  }
  if (from < text.length) pieces.push({ text: text.slice(from), style: classes(style) });
  return pieces;
}

function classes(style: ReadonlyMap<string, string>): string {
  return [...style.values()].join(' ');
}

function applyCodes(style: Map<string, string>, list: string): void {
  const codes = list.split(/[;:]/).map(Number);
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at]!;
    if (code === 0) style.clear();
    else if (code === 1) style.set('weight', 'ansi-bold');
    else if (code === 2) style.set('weight', 'ansi-dim');
    else if (code === 3) style.set('slant', 'ansi-italic');
    else if (code === 4) style.set('line', 'ansi-underline');
    else if (code === 22) style.delete('weight');
    else if (code === 23) style.delete('slant');
    else if (code === 24) style.delete('line');
    else if (code >= 30 && code <= 37) style.set('ink', `ansi-${code - 30}`);
    else if (code >= 90 && code <= 97) style.set('ink', `ansi-${code - 90}`);
    else if (code === 39) style.delete('ink');
    // A colour of its own (38 and 48) is skipped with its numbers; grounds are not shown.
    else if (code === 38 || code === 48) at += codes[at + 1] === 5 ? 2 : 4;
  }
}
