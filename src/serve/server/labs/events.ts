import type { Caller } from '../../../grade/episode/request.ts';
import type { ServerContext } from '../context.ts';
import type { ServerEvent } from '../event-stream.ts';
import { writeStoredTurn, writeSummary } from './write-answer.ts';

/** The turns of an episode as they come, then `complete`. */
export async function* turnEvents(
  { engine }: ServerContext,
  {
    caller,
    episode,
    after,
    signal,
  }: {
    readonly caller: Caller;
    readonly episode: string;
    readonly after: number;
    readonly signal: AbortSignal;
  },
): AsyncGenerator<ServerEvent> {
  const rows = engine.follow(caller, episode, after, signal);
  for (;;) {
    const next = await rows.next();
    if (next.done) {
      if (next.value) yield { event: 'complete', data: JSON.stringify(writeSummary(next.value)) };
      return;
    }
    const row = next.value;
    yield { event: 'turn', id: String(row.turn), data: JSON.stringify(writeStoredTurn(row, caller)) };
  }
}
