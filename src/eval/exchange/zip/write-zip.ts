import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';

const deflate = promisify(deflateRaw);

interface Written {
  readonly name: Buffer;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

/** Writes a zip file member by member: only the directory is kept in memory, so that any number may be added. */
export class ZipWriter {
  readonly #file: FileHandle;
  readonly #written: Written[] = [];
  #offset = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async add(name: string, text: string): Promise<void> {
    const bytes = Buffer.from(text, 'utf8');
    const packed = await deflate(bytes);
    const entry: Written = {
      name: Buffer.from(name, 'utf8'),
      crc: crc32(bytes),
      packed: packed.length,
      size: bytes.length,
      offset: this.#offset,
    };
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    writeCommon(head, 4, entry);
    await this.#write(head, entry.name, packed);
    this.#written.push(entry);
  }

  /** Writes the directory. Nothing can be added after it. */
  async end(): Promise<void> {
    const start = this.#offset;
    for (const entry of this.#written) {
      const far = entry.offset >= 0xffffffff;
      const extra = Buffer.alloc(far ? 12 : 0);
      if (far) {
        extra.writeUInt16LE(1, 0);
        extra.writeUInt16LE(8, 2);
        extra.writeBigUInt64LE(BigInt(entry.offset), 4);
      }
      const head = Buffer.alloc(46);
      head.writeUInt32LE(0x02014b50, 0);
      head.writeUInt16LE(far ? 45 : 20, 4);
      writeCommon(head, 6, entry);
      head.writeUInt16LE(extra.length, 30);
      head.writeUInt32LE(far ? 0xffffffff : entry.offset, 42);
      await this.#write(head, entry.name, extra);
    }
    await this.#write(...endOf(this.#written.length, start, this.#offset - start));
  }

  async #write(...pieces: readonly Buffer[]): Promise<void> {
    for (const piece of pieces) {
      for (let done = 0; done < piece.length;) {
        const { bytesWritten } = await this.#file.write(
          piece,
          done,
          piece.length - done,
          this.#offset + done,
        );
        done += bytesWritten;
      }
      this.#offset += piece.length;
    }
  }
}

/** What the head of a member and its line of the directory have in common, from the version on. */
function writeCommon(head: Buffer, at: number, { name, crc, packed, size }: Written): void {
  head.writeUInt16LE(20, at);
  // Names are UTF-8.
  head.writeUInt16LE(0x0800, at + 2);
  head.writeUInt16LE(8, at + 4);
  // 1980-01-01: the same trajectories give the same bytes.
  head.writeUInt16LE(0x21, at + 8);
  head.writeUInt32LE(crc, at + 10);
  head.writeUInt32LE(packed, at + 14);
  head.writeUInt32LE(size, at + 18);
  head.writeUInt16LE(name.length, at + 22);
}

function endOf(count: number, start: number, length: number): readonly Buffer[] {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, 0xffff), 8);
  end.writeUInt16LE(Math.min(count, 0xffff), 10);
  end.writeUInt32LE(Math.min(length, 0xffffffff), 12);
  end.writeUInt32LE(Math.min(start, 0xffffffff), 16);
  if (count < 0xffff && start < 0xffffffff) return [end];
  const wide = Buffer.alloc(56);
  wide.writeUInt32LE(0x06064b50, 0);
  wide.writeBigUInt64LE(44n, 4);
  wide.writeUInt16LE(45, 12);
  wide.writeUInt16LE(45, 14);
  wide.writeBigUInt64LE(BigInt(count), 24);
  wide.writeBigUInt64LE(BigInt(count), 32);
  wide.writeBigUInt64LE(BigInt(length), 40);
  wide.writeBigUInt64LE(BigInt(start), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(start + length), 8);
  locator.writeUInt32LE(1, 16);
  return [wide, locator, end];
}
