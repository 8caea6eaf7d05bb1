import { crc32, deflateSync, inflateSync } from 'node:zlib';

import { WhetstoneError } from '../../../base/host/errors.ts';
import type { Picture } from './picture.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The picture as a PNG without alpha. The same pixels give the same bytes. */
export function writePng({ width, height, data }: Picture): Buffer {
  const line = width * 3 + 1;
  const raw = Buffer.alloc(line * height);
  for (let y = 0; y < height; y++) {
    let out = y * line;
    let from = y * width * 4;
    // "Sub" on the first line and "up" on the others make flat pages small, and cost little.
    raw[out++] = y === 0 ? 1 : 2;
    for (let x = 0; x < width; x++, from += 4, out += 3) {
      const before = y === 0 ? from - 4 : from - width * 4;
      const isFirst = y === 0 && x === 0;
      raw[out] = data[from]! - (isFirst ? 0 : data[before]!);
      raw[out + 1] = data[from + 1]! - (isFirst ? 0 : data[before + 1]!);
      raw[out + 2] = data[from + 2]! - (isFirst ? 0 : data[before + 2]!);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw, { level: 3 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The pixels of a PNG with 8 bits for each of three or four colours, which is what browsers write. */
export function readPng(bytes: Buffer): Picture {
  if (!bytes.subarray(0, 8).equals(signature)) throw unreadable('it does not begin like one');
  let width = 0;
  let height = 0;
  let colours = 0;
  const pieces: Buffer[] = [];
  for (let at = 8; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const body = bytes.subarray(at + 8, at + 8 + length);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IHDR') {
      width = body.readUInt32BE(0);
      height = body.readUInt32BE(4);
      colours = body[9] === 6 ? 4 : body[9] === 2 ? 3 : 0;
      if (body[8] !== 8 || colours === 0 || body[12] !== 0)
        throw unreadable('its pixels are of another kind');
    } else if (type === 'IDAT') pieces.push(body);
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(pieces));
  if (raw.length < height * (width * colours + 1)) throw unreadable('it is cut off');
  unfilter(raw, width * colours, height, colours);
  const data = new Uint8Array(width * height * 4);
  const line = width * colours + 1;
  for (let y = 0, out = 0; y < height; y++) {
    for (let x = 0, from = y * line + 1; x < width; x++, from += colours, out += 4) {
      data[out] = raw[from]!;
      data[out + 1] = raw[from + 1]!;
      data[out + 2] = raw[from + 2]!;
      data[out + 3] = 255;
    }
  }
  return { width, height, data };
}

function unfilter(raw: Buffer, length: number, height: number, step: number): void {
  for (let y = 0; y < height; y++) {
    const start = y * (length + 1) + 1;
    const end = start + length;
    const filter = raw[start - 1]!;
    // The two that browsers use most, without deciding again for each byte.
    if (filter === 1) for (let at = start + step; at < end; at++) raw[at]! += raw[at - step]!;
    else if (filter === 2 && y > 0) for (let at = start; at < end; at++) raw[at]! += raw[at - length - 1]!;
    else if (filter > 2) unfilterLine(raw, start, { length, step, isFirst: y === 0 });
  }
}

function unfilterLine(
  raw: Buffer,
  start: number,
  line: { readonly length: number; readonly step: number; readonly isFirst: boolean },
): void {
  const { length, step, isFirst } = line;
  const above = start - length - 1;
  const filter = raw[start - 1]!;
  for (let x = 0; x < length; x++) {
    const left = x >= step ? raw[start + x - step]! : 0;
    const up = isFirst ? 0 : raw[above + x]!;
    const corner = x >= step && !isFirst ? raw[above + x - step]! : 0;
    raw[start + x]! += filter === 3 ? (left + up) >> 1 : paeth(left, up, corner);
  }
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const byLeft = Math.abs(estimate - left);
  const byUp = Math.abs(estimate - up);
  const byCorner = Math.abs(estimate - corner);
  return byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner;
}

function chunk(type: string, body: Buffer): Buffer {
  const whole = Buffer.alloc(body.length + 12);
  whole.writeUInt32BE(body.length, 0);
  whole.write(type, 4, 'latin1');
  whole.set(body, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, body.length + 8)), body.length + 8);
  return whole;
}

function unreadable(why: string): WhetstoneError {
  return new WhetstoneError('picture_unreadable', `This is not a PNG that can be read: ${why}.`);
}
