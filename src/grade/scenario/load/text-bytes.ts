import { isAscii, isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';

/**
 * Where the bytes lie of what is read just now: reading never waits, and what is kept are strings. So a small file
 * costs a third of what `readFileSync` takes, and a byte of it less than a character of a text.
 */
export const room = Buffer.alloc(1 << 20);
const fours = new Int32Array(room.buffer);
/** In the room, for a line end and for what ends a search. */
const spare = 8;

const newline = 10;

/** A text as its bytes, each a character: a reader meets no character of two bytes, and has those it finds decoded. */
export class TextBytes {
  /** Ends with a line end. */
  readonly latin: string;
  readonly isAscii: boolean;

  constructor(length: number) {
    let end = length;
    if (end === 0 || room[end - 1] !== newline) room[end++] = newline;
    this.latin = room.toString('latin1', 0, end);
    room[end] = 0x80;
    this.isAscii = isAscii(room.subarray(0, end));
  }

  /** The first place from here on that is not ASCII; beyond the text where none is. */
  wideFrom(at: number): number {
    if (this.isAscii) return this.latin.length;
    let place = at;
    while ((place & 3) !== 0) {
      if (room[place]! >= 0x80) return place;
      place++;
    }
    let four = place >> 2;
    while ((fours[four]! & 0x80_80_80_80) === 0) four++;
    place = four << 2;
    while (room[place]! < 0x80) place++;
    return place;
  }

  decode(from: number, to: number): string {
    return room.toString('utf8', from, to);
  }
}

/** A file; undefined where it is no UTF-8, or so long that it does not matter how it is read. */
export function bytesOfFile(file: string): TextBytes | undefined {
  const length = readIntoRoom(file);
  return length !== undefined && isUtf8(room.subarray(0, length)) ? new TextBytes(length) : undefined;
}

/** Undefined where it is so long, or where half of a character would become another one. */
export function bytesOfText(text: string): TextBytes | undefined {
  const fits = 3 * text.length + spare <= room.length && text.isWellFormed();
  return fits ? new TextBytes(room.write(text)) : undefined;
}

/** A text once more, of which only the characters of its bytes were kept. */
export function bytesOfLatin(latin: string): TextBytes {
  return new TextBytes(room.write(latin, 'latin1'));
}

/** How long the file is; undefined where the room is too small. */
function readIntoRoom(file: string): number | undefined {
  const descriptor = openSync(file, 'r');
  try {
    const most = room.length - spare;
    for (let length = 0; length < most;) {
      const more = readSync(descriptor, room, length, most - length, null);
      if (more === 0) return length;
      length += more;
    }
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}
