import type { Chunk } from '../adapter.ts';
import { isGarbled } from '../reply/garbled.ts';
import type { ChunkDecoder } from './framing.ts';
import { parseJson } from '../json-fields.ts';

/** JSON by the line, from bytes in any split. */
export function ndjsonDecoder(): ChunkDecoder {
  const text = new TextDecoder();
  let pieces: string[] = [];
  const lines = (more: string): readonly Chunk[] => {
    const parts = more.split('\n');
    const chunks: Chunk[] = [];
    for (let index = 0; index < parts.length; index++) {
      pieces.push(parts[index]!);
      if (index === parts.length - 1) break;
      const line = pieces.join('').trim();
      pieces = [];
      if (line !== '') chunks.push(toChunk(line));
    }
    return chunks;
  };
  return {
    feed: (bytes) => lines(text.decode(bytes, { stream: true })),
    // What is not JSON at the end was cut off.
    end: () => lines(`${text.decode()}\n`).filter((chunk) => !isGarbled(chunk)),
  };
}

function toChunk(line: string): Chunk {
  const value = parseJson(line);
  return value === undefined ? { text: line } : { data: value };
}

/** A chunk as a server sends it. */
export function encodeNdjson(chunk: Chunk): string {
  return `${chunk.text ?? JSON.stringify(chunk.data)}\n`;
}
