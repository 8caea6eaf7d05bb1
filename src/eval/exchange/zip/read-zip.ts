import type { FileHandle } from 'node:fs/promises';
import { inflateRaw, zstdDecompress } from 'node:zlib';
import { promisify } from 'node:util';

import { WhetstoneError } from '../../../base/host/errors.ts';

/** A member of a zip file: where it is, and how it was packed. */
export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

const inflate = promisify(inflateRaw);
const unpackZstd = promisify(zstdDecompress);

/** What the directory at the end of a zip file lists. Members are read one by one: a file may be larger than memory. */
export async function readDirectory(file: FileHandle, name: string): Promise<readonly ZipEntry[]> {
  const { size } = await file.stat();
  // A comment of at most 65,535 bytes may follow the record of 22.
  const tail = await readAt(file, Math.max(0, size - 65_557), Math.min(size, 65_557));
  const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0) throw broken(name, 'it has no directory at its end: it may have been cut off');
  let count = tail.readUInt16LE(end + 10);
  let length = tail.readUInt32LE(end + 12);
  let offset = tail.readUInt32LE(end + 16);
  const locator = end - 20;
  if (locator >= 0 && tail.readUInt32LE(locator) === 0x07064b50) {
    const record = await readAt(file, Number(tail.readBigUInt64LE(locator + 8)), 56);
    count = Number(record.readBigUInt64LE(32));
    length = Number(record.readBigUInt64LE(40));
    offset = Number(record.readBigUInt64LE(48));
  }
  if (offset + length > size) throw broken(name, 'its directory is not where it should be');
  const directory = await readAt(file, offset, length);
  const entries: ZipEntry[] = [];
  for (let at = 0; entries.length < count;) {
    if (at + 46 > length || directory.readUInt32LE(at) !== 0x02014b50)
      throw broken(name, `its directory lists ${entries.length} of ${count} members`);
    const names = directory.readUInt16LE(at + 28);
    const extras = directory.readUInt16LE(at + 30);
    entries.push(entryOf(directory.subarray(at, at + 46 + names + extras), names));
    at += 46 + names + extras + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/** The text of a member. */
export async function readMember(file: FileHandle, entry: ZipEntry, name: string): Promise<string> {
  const head = await readAt(file, entry.offset, 30);
  if (head.length < 30 || head.readUInt32LE(0) !== 0x04034b50)
    throw broken(name, `${entry.name} is not there`);
  const start = entry.offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
  const packed = await readAt(file, start, entry.packed);
  if (packed.length < entry.packed) throw broken(name, `${entry.name} is cut off`);
  try {
    return (await unpack(packed, entry)).toString('utf8');
  } catch (error) {
    throw broken(name, `${entry.name} cannot be unpacked: ${(error as Error).message}`, error);
  }
}

async function unpack(packed: Buffer, { method, size }: ZipEntry): Promise<Buffer> {
  // The directory says how long it is: whatever claims to be longer is not this member.
  const options = { maxOutputLength: Math.max(1, size) };
  if (method === 0) return packed;
  if (method === 8) return inflate(packed, options);
  if (method === 93) return unpackZstd(packed, options);
  throw new Error(`it is packed by method ${method}; only stored, deflate (8) and zstandard (93) are known`);
}

function entryOf(bytes: Buffer, names: number): ZipEntry {
  let size = bytes.readUInt32LE(24);
  let packed = bytes.readUInt32LE(20);
  let offset = bytes.readUInt32LE(42);
  // Zip64 puts in a field of its own, in this order, what has no room in 32 bits.
  for (let at = 46 + names; at + 4 <= bytes.length; at += 4 + bytes.readUInt16LE(at + 2)) {
    if (bytes.readUInt16LE(at) !== 1) continue;
    let next = at + 4;
    const wide = (short: number): number => {
      if (short !== 0xffffffff) return short;
      next += 8;
      return Number(bytes.readBigUInt64LE(next - 8));
    };
    size = wide(size);
    packed = wide(packed);
    offset = wide(offset);
  }
  return {
    name: bytes.toString('utf8', 46, 46 + names),
    method: bytes.readUInt16LE(10),
    packed,
    size,
    offset,
  };
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await file.read(buffer, read, length - read, position + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return buffer.subarray(0, read);
}

function broken(name: string, why: string, cause?: unknown): WhetstoneError {
  return new WhetstoneError('log_unreadable', `${name} is not a whole zip file: ${why}.`, { cause });
}
