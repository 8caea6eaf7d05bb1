import type { Adapter, Chunk } from '../adapter.ts';
import { awsEventStreamDecoder, encodeAwsEventStream } from './aws-event-stream.ts';
import { encodeNdjson, ndjsonDecoder } from './ndjson.ts';
import { encodeSse, sseDecoder } from './sse.ts';

/** Takes the framing off a body that arrives in any split of bytes. */
export interface ChunkDecoder {
  feed(bytes: Uint8Array): readonly Chunk[];
  /** The body has ended: what was still held. */
  end(): readonly Chunk[];
}

type Framing = Adapter['framing'];

export function chunkDecoder(framing: Framing): ChunkDecoder {
  switch (framing) {
    case 'sse':
      return sseDecoder();
    case 'ndjson':
      return ndjsonDecoder();
    case 'aws-event-stream':
      return awsEventStreamDecoder();
  }
}

/** Puts the framing on. */
export function encodeChunk(framing: Framing, chunk: Chunk): Uint8Array {
  switch (framing) {
    case 'sse':
      return new TextEncoder().encode(encodeSse(chunk));
    case 'ndjson':
      return new TextEncoder().encode(encodeNdjson(chunk));
    case 'aws-event-stream':
      return encodeAwsEventStream(chunk);
  }
}

export const contentTypes: Readonly<Record<Framing, string>> = {
  sse: 'text/event-stream',
  ndjson: 'application/x-ndjson',
  'aws-event-stream': 'application/vnd.amazon.eventstream',
};
