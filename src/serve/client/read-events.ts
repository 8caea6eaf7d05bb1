import { EventSourceParserStream } from 'eventsource-parser/stream';

import { isJsonObject, type JsonObject } from '../../base/json/value.ts';
import type { RequestOptions } from './client.ts';
import { brokenOff, foreignAnswer, parseJson, type Asked } from './read-answer.ts';

/** The events of a stream that have a name, until it ends. Leaving the loop early closes the connection. */
export async function* readEvents(
  asked: Asked,
  response: Response,
  { signal }: RequestOptions,
): AsyncIterable<{ readonly event: string; readonly data: JsonObject }> {
  const type = response.headers.get('content-type') ?? 'nothing';
  if (response.body === null || !type.startsWith('text/event-stream')) {
    await response.body?.cancel();
    throw foreignAnswer(asked, response, type);
  }
  const stream = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  const messages = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await messages.next().catch((cause: unknown) => {
        throw signal?.aborted ? cause : brokenOff(asked, cause);
      });
      if (next.done) return;
      const { event, data } = next.value;
      if (event === undefined) continue;
      const value = parseJson(data);
      if (!isJsonObject(value)) throw foreignAnswer(asked, response, data);
      yield { event, data: value };
    }
  } finally {
    await messages.return?.();
  }
}
