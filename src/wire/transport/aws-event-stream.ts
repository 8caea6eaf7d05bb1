import { crc32 } from 'node:zlib';

import { WhetstoneError } from '../../base/host/errors.ts';
import type { Chunk } from '../adapter.ts';
import type { ChunkDecoder } from './framing.ts';
import { omitUndefined, parseJson } from '../json-fields.ts';

// A message: total length, length of the headers, a checksum over these two; headers; payload; a checksum
// over everything before it. All numbers big-endian, all checksums CRC-32.
const preludeLength = 12;
const trailerLength = 4;
const stringType = 7;
/** No message of the service comes near this; a length beyond it means that the bytes are not an event stream. */
const longestMessage = 24 * 1024 * 1024;

/** `application/vnd.amazon.eventstream`, from bytes in any split. */
export function awsEventStreamDecoder(): ChunkDecoder {
  let held: Uint8Array[] = [];
  let heldLength = 0;
  let needed = preludeLength;
  return {
    feed(bytes) {
      held.push(bytes);
      heldLength += bytes.length;
      if (heldLength < needed) return [];
      let rest = join(held, heldLength);
      const chunks: Chunk[] = [];
      needed = preludeLength;
      while (rest.length >= preludeLength) {
        needed = messageLength(rest);
        if (rest.length < needed) break;
        chunks.push(readMessage(rest.subarray(0, needed)));
        rest = rest.subarray(needed);
        needed = preludeLength;
      }
      held = [rest];
      heldLength = rest.length;
      return chunks;
    },
    // What is left is a message that was cut; the reply's reader sees that its end is missing.
    end: () => [],
  };
}

function join(pieces: readonly Uint8Array[], length: number): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function messageLength(bytes: Uint8Array): number {
  const view = viewOf(bytes);
  const length = view.getUint32(0);
  const headers = view.getUint32(4);
  const sound = view.getUint32(8) === crc32(bytes.subarray(0, 8));
  if (sound && length <= longestMessage && headers + preludeLength + trailerLength <= length) return length;
  throw new WhetstoneError(
    'event_stream_corrupt',
    'The bytes are not an AWS event stream: the checksum of a message head is wrong. Does a proxy change the body?',
  );
}

function readMessage(bytes: Uint8Array): Chunk {
  const view = viewOf(bytes);
  const end = bytes.length - trailerLength;
  if (view.getUint32(end) !== crc32(bytes.subarray(0, end)))
    throw new WhetstoneError(
      'event_stream_corrupt',
      'A message of the AWS event stream was damaged on the way.',
    );
  const headersEnd = preludeLength + view.getUint32(4);
  const headers = readHeaders(bytes.subarray(preludeLength, headersEnd));
  const payload = new TextDecoder().decode(bytes.subarray(headersEnd, end));
  const data = parseJson(payload);
  // An error of the transport itself has no payload.
  if (headers.get(':message-type') === 'error') {
    const code = headers.get(':error-code') ?? 'error';
    return { event: 'error', data: { code, message: headers.get(':error-message') ?? code } };
  }
  return omitUndefined({
    event: headers.get(':event-type') ?? headers.get(':exception-type'),
    data,
    text: data === undefined ? payload : undefined,
  });
}

/** Only text headers are told; the service sends no others that matter. */
function readHeaders(bytes: Uint8Array): ReadonlyMap<string, string> {
  const view = viewOf(bytes);
  const text = new TextDecoder();
  const headers = new Map<string, string>();
  let at = 0;
  while (at < bytes.length) {
    const nameLength = view.getUint8(at);
    const name = text.decode(bytes.subarray(at + 1, at + 1 + nameLength));
    at += 1 + nameLength;
    const type = view.getUint8(at);
    at += 1;
    const fixed = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16][type];
    if (fixed !== undefined) {
      at += fixed;
      continue;
    }
    const length = view.getUint16(at);
    if (type === stringType) headers.set(name, text.decode(bytes.subarray(at + 2, at + 2 + length)));
    at += 2 + length;
  }
  return headers;
}

/** A chunk as the service sends it. */
export function encodeAwsEventStream(chunk: Chunk): Uint8Array {
  const text = new TextEncoder();
  const headers = [
    [':event-type', chunk.event ?? ''],
    [':content-type', 'application/json'],
    [':message-type', 'event'],
  ].flatMap(([name, value]) => {
    const nameBytes = text.encode(name);
    const valueBytes = text.encode(value);
    return [
      nameBytes.length,
      ...nameBytes,
      stringType,
      valueBytes.length >> 8,
      valueBytes.length & 255,
      ...valueBytes,
    ];
  });
  const payload = text.encode(chunk.text ?? JSON.stringify(chunk.data));
  const length = preludeLength + headers.length + payload.length + trailerLength;
  const bytes = new Uint8Array(length);
  const view = viewOf(bytes);
  view.setUint32(0, length);
  view.setUint32(4, headers.length);
  view.setUint32(8, crc32(bytes.subarray(0, 8)));
  bytes.set(headers, preludeLength);
  bytes.set(payload, preludeLength + headers.length);
  view.setUint32(length - trailerLength, crc32(bytes.subarray(0, length - trailerLength)));
  return bytes;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
