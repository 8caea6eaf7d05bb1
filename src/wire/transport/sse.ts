import { createParser } from 'eventsource-parser';

import type { Chunk } from '../adapter.ts';
import { isGarbled } from '../reply/garbled.ts';
import type { ChunkDecoder } from './framing.ts';
import { parseJson } from '../json-fields.ts';

/** Server-sent events, from bytes in any split. */
export function sseDecoder(): ChunkDecoder {
  const text = new TextDecoder();
  let chunks: Chunk[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => chunks.push(toChunk(event, data)),
  });
  const take = (): readonly Chunk[] => {
    const taken = chunks;
    chunks = [];
    return taken;
  };
  return {
    feed(bytes) {
      parser.feed(text.decode(bytes, { stream: true }));
      return take();
    },
    end() {
      // Some servers close without the blank line that ends an event; what is not JSON then was cut off.
      parser.feed(`${text.decode()}\n\n`);
      return take().filter((chunk) => !isGarbled(chunk));
    },
  };
}

function toChunk(event: string | undefined, data: string): Chunk {
  const value = parseJson(data);
  const payload = value === undefined ? { text: data } : { data: value };
  return event === undefined ? payload : { event, ...payload };
}

/** A chunk as a server sends it. */
export function encodeSse(chunk: Chunk): string {
  const data = chunk.text ?? JSON.stringify(chunk.data);
  return `${chunk.event === undefined ? '' : `event: ${chunk.event}\n`}data: ${data}\n\n`;
}
