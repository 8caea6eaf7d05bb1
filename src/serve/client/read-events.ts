import { EventSourceParserStream } from 'eventsource-parser/stream';

import type { EpisodeEvent } from '../api/episode.ts';

/** The events of an episode's stream, until it ends. Leaving the loop early closes the connection. */
export async function* readEvents(response: Response): AsyncIterable<EpisodeEvent> {
  if (response.body === null) return;
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const message of events) {
    if (message.event === 'turn' || message.event === 'complete')
      yield { event: message.event, data: JSON.parse(message.data) as never };
  }
}
