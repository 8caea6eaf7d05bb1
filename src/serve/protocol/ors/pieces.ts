const longest = 4096;

/**
 * Cuts JSON text into pieces for the `data:` lines of an event stream. Clients strip white space at the ends of a line
 * and split lines at some characters other than the line break, so no piece begins or ends with white space, none ends
 * inside a surrogate pair, and those characters are written as escapes.
 */
export function piecesOf(json: string): readonly string[] {
  const text = json
    .replaceAll(/[\u0085\u2028\u2029]/g, escaped)
    .replaceAll(/\s{64,}/g, (run) => run.replaceAll(/\s/g, escaped));
  const pieces: string[] = [];
  let start = 0;
  while (text.length - start > longest) {
    let end = start + longest;
    while (!mayCut(text, end)) end -= 1;
    pieces.push(text.slice(start, end));
    start = end;
  }
  pieces.push(text.slice(start));
  return pieces;
}

const space = /\s/;

function mayCut(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (before >= 0xd800 && before <= 0xdbff) return false;
  return !space.test(text.charAt(at)) && !space.test(text.charAt(at - 1));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
