import type { ServerContext } from '../../http/context.ts';
import type { ServerEvent } from '../../http/event-stream.ts';
import { stillHolds, type Identity } from '../../http/keys.ts';
import { writeStoredTurn, writeSummary } from './write-answer.ts';

/** The turns of an episode as they come, then `complete`; it ends without that when the key no longer holds, or the server stops. */
export async function* turnEvents(
  context: ServerContext,
  {
    identity,
    episode,
    after,
    signal,
  }: {
    readonly identity: Identity;
    readonly episode: string;
    readonly after: number;
    readonly signal: AbortSignal;
  },
): AsyncGenerator<ServerEvent> {
  const { caller } = identity;
  const rows = context.engine.follow(caller, episode, after, signal);
  for (;;) {
    const next = await rows.next();
    if (!(await stillHolds(context, identity))) return;
    if (next.done) {
      if (next.value) yield { event: 'complete', data: JSON.stringify(writeSummary(next.value)) };
      return;
    }
    const row = next.value;
    // It may be taken up again at another server.
    if (row === undefined && context.stopping()) return;
    if (row === undefined) continue;
    yield { event: 'turn', id: String(row.turn), data: JSON.stringify(writeStoredTurn(row, caller)) };
  }
}

/** Every episode of the caller that begins, takes a turn or ends, as it is then; until the key no longer holds, or the server stops. */
export async function* allEvents(
  context: ServerContext,
  {
    identity,
    since,
    signal,
  }: { readonly identity: Identity; readonly since: number; readonly signal: AbortSignal },
): AsyncGenerator<ServerEvent> {
  for await (const record of context.engine.followAll(identity.caller, since, signal)) {
    if (!(await stillHolds(context, identity))) return;
    if (record === undefined && context.stopping()) return;
    if (record === undefined) continue;
    const event = record.status === 'complete' ? 'complete' : record.turnCount === 0 ? 'begin' : 'turn';
    yield { event, id: String(record.updatedAt), data: JSON.stringify(writeSummary(record)) };
  }
}
