import { readSync } from 'node:fs';

export interface LogLine {
  readonly line: string;
  readonly offset: number;
  /** In bytes, its end included. */
  readonly length: number;
}

const chunkBytes = 1 << 20;

/** The whole lines of a file from a place on, read piece by piece; what follows the last line end is left out. */
export function* readLogLines(file: number, from: number): Generator<LogLine, undefined> {
  let rest = Buffer.alloc(0);
  let offset = from;
  for (;;) {
    const chunk = Buffer.alloc(chunkBytes);
    const read = readSync(file, chunk, 0, chunkBytes, offset + rest.length);
    if (read === 0) return;
    const bytes = Buffer.concat([rest, chunk.subarray(0, read)]);
    let begun = 0;
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, begun)) {
      const length = end + 1 - begun;
      if (length > 1) yield { line: bytes.toString('utf8', begun, end), offset: offset + begun, length };
      begun = end + 1;
    }
    offset += begun;
    rest = bytes.subarray(begun);
  }
}
