import { WhetstoneError } from '../../host/errors.ts';
import { show } from '../../host/show.ts';
import { JsonReader } from './reader.ts';
import type { ExactJson, JsonValue } from '../value.ts';

/**
 * The door for JSON that comes as bytes: UTF-8 only, cut anywhere, and refused at the first byte that is none. A byte
 * order mark reaches the reader, which refuses it as `JSON.parse` does.
 *
 * @example
 * const bytes = new JsonBytes(reader);
 * for await (const piece of response.body) bytes.push(piece);
 * const value = bytes.end();
 */
export class JsonBytes<Value extends ExactJson = JsonValue> {
  readonly #reader: JsonReader<Value>;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  /** Bytes read before the current piece. */
  #before = 0;
  /** The last bytes of the last piece: the beginning of a character that goes on in the next. */
  #open = new Uint8Array(0);
  #failure: WhetstoneError | undefined;

  constructor(reader: JsonReader<Value>) {
    if (!(reader instanceof JsonReader)) {
      throw new WhetstoneError('json_input', `JSON bytes go to a JsonReader, not to ${show(reader)}.`, {
        details: { reader },
      });
    }
    this.#reader = reader;
  }

  push(piece: Uint8Array): void {
    if (!(piece instanceof Uint8Array)) {
      throw new WhetstoneError('json_input', `JSON bytes are a Uint8Array, not ${typeof piece}.`, {
        details: { piece },
      });
    }
    if (this.#failure !== undefined) {
      throw new WhetstoneError('json_reader_closed', 'These JSON bytes were refused: no more are taken.', {
        cause: this.#failure,
      });
    }
    const bytes = this.#open.length === 0 ? piece : joined(this.#open, piece);
    const start = this.#before - this.#open.length;
    let text: string;
    let bad: number | undefined;
    try {
      text = this.#decoder.decode(piece, { stream: true });
    } catch {
      bad = firstBad(bytes);
      text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, bad));
    }
    this.#reader.push(text);
    if (bad !== undefined) throw (this.#failure = refuseByte(start + bad, bytes[bad]));
    this.#before += piece.length;
    this.#open = Uint8Array.from(bytes.subarray(bytes.length - openLength(bytes)));
  }

  end(): Value {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#open.length > 0) throw (this.#failure = refuseByte(this.#before, undefined));
    return this.#reader.end();
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function refuseByte(offset: number, byte: number | undefined): WhetstoneError {
  const found = byte === undefined ? 'the bytes ended inside a character' : `byte 0x${byte.toString(16)}`;
  return new WhetstoneError('json_encoding', `Not UTF-8 at byte ${offset}: ${found}.`, {
    details: { offset, ...(byte === undefined ? {} : { byte }) },
  });
}

/** How many bytes the character takes that begins with this one; 0 where none begins so. */
function width(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead < 0xc2) return 0;
  if (lead < 0xe0) return 2;
  if (lead < 0xf0) return 3;
  return lead < 0xf5 ? 4 : 0;
}

/** How many bytes at the end begin a character that is not whole yet. The bytes are known to be good. */
function openLength(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const needed = width(bytes[bytes.length - back] as number);
    if (needed > 0) return needed > back ? back : 0;
  }
  return 0;
}

/** The first byte with which no UTF-8 text goes on (Unicode, table 3-7). */
function firstBad(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes[at] as number;
    const needed = width(lead);
    if (needed === 0) return at;
    for (let step = 1; step < needed; step++) {
      const next = bytes[at + step];
      if (next === undefined) return at + step;
      const low = step > 1 ? 0x80 : lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
      const high = step > 1 ? 0xbf : lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
      if (next < low || next > high) return at + step;
    }
    at += needed;
  }
  return at;
}
