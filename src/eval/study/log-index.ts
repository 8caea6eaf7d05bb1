import { createHash } from 'node:crypto';
import { closeSync, existsSync, ftruncateSync, fstatSync, openSync, readFileSync, writeSync } from 'node:fs';

/** Where a line of a log lies, and whether it settles its key. */
export interface IndexEntry {
  readonly offset: number;
  readonly length: number;
  readonly isOpen: boolean;
}

/** 12 bytes of the key's hash, 6 of the offset, 4 of the length, 1 of what the line is, 1 free. */
const size = 24;
const hashBytes = 12;

/**
 * Finds the last line of each key of a log: 24 bytes a line on disk and in memory, and no text. The log is the truth:
 * an index that is lost or behind is made again from it.
 */
export class LogIndex {
  readonly #file: number;
  #records: Buffer;
  #count = 0;
  /** Open addressing: the number of a record and one more, 0 where there is none. */
  #table = new Int32Array(1024);
  #keys = 0;
  #settled = 0;

  constructor(file: string, logBytes: number) {
    const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
    this.#records = Buffer.alloc(Math.max(size * 512, bytes.length * 2));
    while (this.#table.length * size < bytes.length * 2) this.#table = new Int32Array(this.#table.length * 2);
    for (let at = 0; at + size <= bytes.length; at += size) {
      const record = bytes.subarray(at, at + size);
      const { offset, length } = entryOf(record);
      // The index is not made safe on disk as the log is: what does not follow on is not believed.
      if (offset < this.end || offset + length > logBytes) break;
      this.#insert(record);
    }
    this.#file = openSync(file, 'a+');
    if (fstatSync(this.#file).size !== this.#count * size) ftruncateSync(this.#file, this.#count * size);
  }

  /** Where the lines that it knows end. */
  get end(): number {
    if (this.#count === 0) return 0;
    const { offset, length } = entryOf(this.#record(this.#count - 1));
    return offset + length;
  }

  /** Keys that are settled. */
  get settled(): number {
    return this.#settled;
  }

  find(key: string): IndexEntry | undefined {
    const at = this.#table[this.#slotOf(hashOf(key))]!;
    return at === 0 ? undefined : entryOf(this.#record(at - 1));
  }

  /** The lines that count, the last of each key, in the order of the log. */
  *entries(): Generator<IndexEntry> {
    for (let number = 0; number < this.#count; number++) {
      const record = this.#record(number);
      if (this.#table[this.#slotOf(record.subarray(0, hashBytes))] === number + 1) yield entryOf(record);
    }
  }

  add(key: string, { offset, length, isOpen }: IndexEntry): void {
    const record = Buffer.alloc(size);
    hashOf(key).copy(record);
    record.writeUIntLE(offset, 12, 6);
    record.writeUInt32LE(length, 18);
    record.writeUInt8(isOpen ? 1 : 0, 22);
    this.#insert(record);
    writeSync(this.#file, record);
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }

  #insert(record: Buffer): void {
    if ((this.#count + 1) * size > this.#records.length) {
      const larger = Buffer.alloc(this.#records.length * 2);
      this.#records.copy(larger);
      this.#records = larger;
    }
    record.copy(this.#records, this.#count * size);
    if ((this.#keys + 1) * 2 > this.#table.length) this.#grow();
    const slot = this.#slotOf(record.subarray(0, hashBytes));
    const before = this.#table[slot]!;
    if (before === 0) this.#keys++;
    else if (!entryOf(this.#record(before - 1)).isOpen) this.#settled--;
    if (!entryOf(record).isOpen) this.#settled++;
    this.#table[slot] = ++this.#count;
  }

  #grow(): void {
    const numbers = this.#table.filter((number) => number > 0);
    this.#table = new Int32Array(this.#table.length * 2);
    for (const number of numbers) {
      const record = this.#record(number - 1);
      this.#table[this.#slotOf(record.subarray(0, hashBytes))] = number;
    }
  }

  /** The slot of a key, or the free one where it would be. */
  #slotOf(hash: Buffer): number {
    const mask = this.#table.length - 1;
    for (let slot = hash.readUInt32LE(0) & mask; ; slot = (slot + 1) & mask) {
      const number = this.#table[slot]!;
      if (number === 0 || this.#record(number - 1).compare(hash, 0, hashBytes, 0, hashBytes) === 0)
        return slot;
    }
  }

  #record(number: number): Buffer {
    return this.#records.subarray(number * size, (number + 1) * size);
  }
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, hashBytes);
}

function entryOf(record: Buffer): IndexEntry {
  return {
    offset: record.readUIntLE(12, 6),
    length: record.readUInt32LE(18),
    isOpen: record.readUInt8(22) === 1,
  };
}
