import type { Caller } from '../../../grade/episode/request.ts';
import type { ServerContext } from '../context.ts';
import { eventStream, type ServerEvent } from '../event-stream.ts';
import { writeStoredTurn, writeSummary } from './write-answer.ts';

/** The turns of an episode as they come, then `complete`. */
export function streamEvents(
  context: ServerContext,
  { caller, episode, after }: { readonly caller: Caller; readonly episode: string; readonly after: number },
): Response {
  const abandon = new AbortController();
  async function* events(): AsyncGenerator<ServerEvent> {
    const rows = context.engine.follow(caller, episode, after, abandon.signal);
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
  return eventStream(events(), { clock: context.clock, pingMs: 15_000, abandon });
}
