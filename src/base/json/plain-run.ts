/** Where a run of plain characters ends: at a quote, a backslash, a control character, or the end of the piece. */
export function runEnd(piece: string, from: number): number {
  const { length } = piece;
  let at = from;
  for (; at < length; at++) {
    const code = piece.charCodeAt(at);
    // Most characters stand above the backslash and are done with one comparison.
    if (code <= 92 && (code === 34 || code === 92 || code < 32)) break;
  }
  return at;
}

/** What `\` and a character stand for, by the character's code. */
export const simpleEscapes: readonly (string | undefined)[] = Array.from({ length: 128 }, (_, code) => {
  const index = '"\\/bfnrt'.indexOf(String.fromCharCode(code));
  return index < 0 ? undefined : '"\\/\b\f\n\r\t'[index];
});
