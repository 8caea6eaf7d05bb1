/** Where a run of plain characters ends: at a quote, a backslash, a control character, or the end of the piece. */
export function plainEnd(piece: string, from: number): number {
  const { length } = piece;
  let at = from;
  // Looked up and not compared: what comes next in a text is more than a processor can guess.
  while (at < length && endsRun[piece.charCodeAt(at)] === 0) at++;
  return at;
}

/** By the character's code. As long as there are codes, so that none is looked for outside. */
const endsRun = new Uint8Array(65_536);
endsRun.fill(1, 0, 32);
endsRun[34] = 1;
endsRun[92] = 1;

/** What `\` and a character mean, by the character's code. */
export const simpleEscapes: readonly (string | undefined)[] = Array.from({ length: 128 }, (_, code) => {
  const index = '"\\/bfnrt'.indexOf(String.fromCharCode(code));
  return index < 0 ? undefined : '"\\/\b\f\n\r\t'[index];
});
