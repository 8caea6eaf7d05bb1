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
  // One for all pieces: a file of gigabytes would else leave as many for the collector. Only a longer line makes it longer.
  let bytes = Buffer.alloc(chunkBytes);
  let filled = 0;
  let offset = from;
  for (;;) {
    if (filled === bytes.length) bytes = Buffer.concat([bytes], 2 * bytes.length);
    const read = readSync(file, bytes, filled, bytes.length - filled, offset + filled);
    if (read === 0) return;
    const searched = filled;
    filled += read;
    let begun = 0;
    for (
      let end = bytes.indexOf(0x0a, searched);
      end !== -1 && end < filled;
      end = bytes.indexOf(0x0a, begun)
    ) {
      const length = end + 1 - begun;
      if (length > 1) yield { line: bytes.toString('utf8', begun, end), offset: offset + begun, length };
      begun = end + 1;
    }
    bytes.copy(bytes, 0, begun, filled);
    filled -= begun;
    offset += begun;
  }
}
