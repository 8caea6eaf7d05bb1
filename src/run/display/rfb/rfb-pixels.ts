import { WhetstoneError } from '../../../base/host/errors.ts';
import type { Region } from '../picture/picture.ts';

/** What a display at an address shows, as far as it has told; four bytes a pixel, as in a picture. */
export interface RfbFrame {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Pixels as they are, four bytes each. */
export function drawRaw(frame: RfbFrame, { x, y, width, height }: Region, bytes: Uint8Array): void {
  for (let row = 0; row < height; row++)
    frame.data.set(bytes.subarray(row * width * 4, (row + 1) * width * 4), ((y + row) * frame.width + x) * 4);
}

/** A rectangle that is somewhere on the screen already. The two may overlap. */
export function drawCopy(
  frame: RfbFrame,
  to: Region,
  from: { readonly x: number; readonly y: number },
): void {
  const isDown = to.y > from.y;
  for (let each = 0; each < to.height; each++) {
    const row = isDown ? to.height - 1 - each : each;
    const start = ((from.y + row) * frame.width + from.x) * 4;
    frame.data.copyWithin(((to.y + row) * frame.width + to.x) * 4, start, start + to.width * 4);
  }
}

const tile = 64;

/** Tiles of 64 by 64 pixels, each in the way that is the shortest for it, as ZRLE writes them when it is unpacked. */
export function drawZrle(frame: RfbFrame, rect: Region, bytes: Uint8Array): void {
  const reader = new TileReader(bytes);
  for (let y = rect.y; y < rect.y + rect.height; y += tile)
    for (let x = rect.x; x < rect.x + rect.width; x += tile) {
      const width = Math.min(tile, rect.x + rect.width - x);
      const height = Math.min(tile, rect.y + rect.height - y);
      drawTile(frame, { x, y, width, height }, reader);
    }
}

function drawTile(frame: RfbFrame, { x, y, width, height }: Region, reader: TileReader): void {
  const kind = reader.byte();
  const count = width * height;
  const pixels = new Uint32Array(count);
  if (kind === 0) for (let at = 0; at < count; at++) pixels[at] = reader.pixel();
  else if (kind === 1) pixels.fill(reader.pixel());
  else if (kind <= 16) readPacked(pixels, { width, height, palette: reader.palette(kind) }, reader);
  else if (kind === 128) readRuns(pixels, reader, () => [reader.pixel(), true]);
  else if (kind >= 130) {
    const palette = reader.palette(kind - 128);
    readRuns(pixels, reader, () => {
      const index = reader.byte();
      return [palette[index & 127] ?? 0, index > 127];
    });
  } else throw rfbBroken(`a tile is of the unknown kind ${kind}`);
  const { data } = frame;
  for (let row = 0, at = 0; row < height; row++)
    for (let column = 0, out = ((y + row) * frame.width + x) * 4; column < width; column++, at++, out += 4) {
      const pixel = pixels[at]!;
      data[out] = pixel & 255;
      data[out + 1] = (pixel >> 8) & 255;
      data[out + 2] = (pixel >> 16) & 255;
    }
}

/** Indices of one, two or four bits; each row begins with a byte of its own. */
function readPacked(
  pixels: Uint32Array,
  { width, height, palette }: { width: number; height: number; palette: Uint32Array },
  reader: TileReader,
): void {
  const bits = palette.length === 2 ? 1 : palette.length <= 4 ? 2 : 4;
  for (let row = 0, at = 0; row < height; row++) {
    let byte = 0;
    for (let column = 0, left = 0; column < width; column++, at++) {
      if (left === 0) {
        byte = reader.byte();
        left = 8;
      }
      left -= bits;
      pixels[at] = palette[(byte >> left) & ((1 << bits) - 1)] ?? 0;
    }
  }
}

function readRuns(
  pixels: Uint32Array,
  reader: TileReader,
  next: () => readonly [pixel: number, isRun: boolean],
): void {
  for (let at = 0; at < pixels.length;) {
    const [pixel, isRun] = next();
    const length = isRun ? reader.runLength() : 1;
    if (at + length > pixels.length) throw rfbBroken('a run goes beyond its tile');
    pixels.fill(pixel, at, at + length);
    at += length;
  }
}

class TileReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw rfbBroken('its tiles are cut off');
    return byte;
  }

  /** Three bytes: what is always 0 in four is left out. */
  pixel(): number {
    return this.byte() | (this.byte() << 8) | (this.byte() << 16);
  }

  palette(size: number): Uint32Array {
    return Uint32Array.from({ length: size }, () => this.pixel());
  }

  runLength(): number {
    let length = 1;
    for (;;) {
      const byte = this.byte();
      length += byte;
      if (byte !== 255) return length;
    }
  }
}

/** What a display at an address sent is not what the protocol has. */
export function rfbBroken(why: string): WhetstoneError {
  return new WhetstoneError('computer_lost', `What the display at the address sends cannot be read: ${why}.`);
}
