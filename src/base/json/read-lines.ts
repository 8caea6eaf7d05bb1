/**
 * The lines of a stream of bytes, without their ends. Only `\n` ends one: U+2028, at which `node:readline` breaks too,
 * may be part of a text in JSON.
 */
export async function* readLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pending: string[] = [];
  for await (const bytes of input) {
    const pieces = decoder.decode(bytes, { stream: true }).split('\n');
    for (let at = 0; at < pieces.length - 1; at++) {
      pending.push(pieces[at]!);
      yield withoutReturn(pending.join(''));
      pending = [];
    }
    pending.push(pieces.at(-1)!);
  }
  const last = withoutReturn(pending.join('') + decoder.decode());
  if (last !== '') yield last;
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
