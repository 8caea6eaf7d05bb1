import { EventSourceParserStream } from 'eventsource-parser/stream';

import { isJsonObject } from '../../base/json/value.ts';
import type { EpisodeEvent } from '../api/episode.ts';
import type { RequestOptions } from './client.ts';
import { brokenOff, foreignAnswer, parseJson, type Asked } from './read-answer.ts';

/** The events of an episode's stream, until it ends. Leaving the loop early closes the connection. */
export async function* readEvents(
  asked: Asked,
  response: Response,
  { signal }: RequestOptions,
): AsyncIterable<EpisodeEvent> {
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
      if (event !== 'turn' && event !== 'complete') continue;
      const value = parseJson(data);
      if (!isJsonObject(value)) throw foreignAnswer(asked, response, data);
      yield { event, data: value as never };
    }
  } finally {
    await messages.return?.();
  }
}
