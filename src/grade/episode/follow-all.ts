import type { Clock } from '../../base/host/clock.ts';
import type { EpisodeRecord } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import type { Watchers } from './watchers.ts';

/** Servers' clocks differ, and a turn is stored a moment after its time was taken: how far back to look again. */
const overlapMs = 2000;
/** However fast turns come, the store is asked no more often. */
const restMs = 100;
const pageSize = 200;

/**
 * From a time on, the episodes of an owner that begin, take a turn or end, as they are then. One that changes faster
 * than it is read is given once, in its last state. At least once a second it gives something, even if only nothing.
 */
export async function* followAll(
  { store, watchers, clock }: { readonly store: Store; readonly watchers: Watchers; readonly clock: Clock },
  { owner, since, signal }: { readonly owner: string; readonly since: number; readonly signal: AbortSignal },
): AsyncGenerator<EpisodeRecord | undefined> {
  const told = new Map<string, EpisodeRecord>();
  let newest = since;
  while (!signal.aborted) {
    const changed = watchers.changed(owner, signal);
    for await (const record of changes(store, owner, newest - overlapMs)) {
      const before = told.get(record.id);
      if (record.updatedAt < since) continue;
      if (before?.turnCount === record.turnCount && before.status === record.status) continue;
      told.set(record.id, record);
      newest = Math.max(newest, record.updatedAt);
      yield record;
    }
    for (const [id, { updatedAt }] of told) if (updatedAt < newest - overlapMs) told.delete(id);
    await changed;
    yield undefined;
    await new Promise<void>((resolve) => clock.after(restMs, resolve));
  }
}

async function* changes(store: Store, owner: string, from: number): AsyncGenerator<EpisodeRecord> {
  for (let size = pageSize; ; size *= 2) {
    const rows = await store.changedEpisodes(owner, from, size);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
    // The page is read again from its last time on: those of the same time may go on behind it.
    if (last.updatedAt > from) [from, size] = [last.updatedAt, pageSize / 2];
  }
}
