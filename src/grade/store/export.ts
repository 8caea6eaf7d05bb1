import { isWhetstoneError, WhetstoneError } from '../../base/host/errors.ts';
import type { ConversationRecord } from '../../run/loop/conversation/conversation-store.ts';
import type { EpisodeRecord, KeyRecord, ScoreRecord, TurnRecord } from './record.ts';
import type { Store } from './store.ts';

/** One line of an export: a record with its kind; an episode brings its turns along. */
export type ExportedRecord =
  | { readonly kind: 'whetstone_export'; readonly version: 1 }
  | { readonly kind: 'key'; readonly record: KeyRecord }
  | { readonly kind: 'episode'; readonly record: EpisodeRecord; readonly turns: readonly TurnRecord[] }
  | { readonly kind: 'score'; readonly record: ScoreRecord }
  /** The journal of a run, entry by entry as it was written. */
  | { readonly kind: 'run'; readonly run: string; readonly entries: readonly string[] }
  | {
      readonly kind: 'conversation';
      readonly record: ConversationRecord;
      readonly messages: readonly string[];
    };

const page = 200;

/** All that a store holds, line by line, as it is met: what changes meanwhile may or may not be in it. */
export async function* exportStore(store: Store): AsyncGenerator<ExportedRecord> {
  yield { kind: 'whetstone_export', version: 1 };
  for (const record of await store.keys.list()) yield { kind: 'key', record };
  for (let after: string | undefined = ''; after !== undefined;) {
    const records: readonly EpisodeRecord[] = await store.scanEpisodes(after, page);
    for (const record of records) {
      const turns = await store.readTurns(record.id);
      // A turn that came after its episode was read is left out, so that the two agree.
      yield { kind: 'episode', record, turns: turns.slice(0, record.turnCount) };
    }
    after = records.at(-1)?.id;
  }
  for (let after: string | undefined = ''; after !== undefined;) {
    const records: readonly ScoreRecord[] = await store.scores.scan(after, page);
    for (const record of records) yield { kind: 'score', record };
    after = records.at(-1)?.id;
  }
  for (let after: string | undefined = ''; after !== undefined;) {
    const runs: readonly string[] = await store.runs.scan(after, page);
    for (const run of runs) yield { kind: 'run', run, entries: await store.runs.read(run) };
    after = runs.at(-1);
  }
  for (let after: string | undefined = ''; after !== undefined;) {
    const records: readonly ConversationRecord[] = await store.conversations.scan(after, page);
    for (const record of records)
      yield { kind: 'conversation', record, messages: await store.conversations.readMessages(record.id) };
    after = records.at(-1)?.id;
  }
}

export interface Imported {
  readonly episodes: number;
  readonly keys: number;
  readonly scores: number;
  /** Journals of runs. */
  readonly runs: number;
  readonly conversations: number;
  /** Were there already, and stayed as they were. */
  readonly skipped: number;
}

/**
 * Puts the lines of an export into a store; what is there already stays, so it may be repeated after it broke off. Keys
 * come along only where that is wanted: they would open the new server to whoever had one for the old. Where an owner is
 * named, all episodes become its own.
 */
export async function importInto(
  store: Store,
  lines: AsyncIterable<string>,
  { keys = false, owner }: { readonly keys?: boolean; readonly owner?: string } = {},
): Promise<Imported> {
  const known = new Set((await store.keys.list()).map(({ id }) => id));
  const done = { episodes: 0, keys: 0, scores: 0, runs: 0, conversations: 0, skipped: 0 };
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    const entry = readLine(line, number);
    if ((number === 1) !== (entry.kind === 'whetstone_export')) throw notAnExport(number);
    if (entry.kind === 'whetstone_export') checkVersion(entry.version);
    else {
      if (entry.kind === 'key' && !keys) {
        done.skipped += 1;
        continue;
      }
      const isNew = await putEntry(store, ownedBy(owner, entry), known).catch((error: unknown) => {
        throw isWhetstoneError(error) ? error : notAnExport(number, error);
      });
      done[isNew ? counts[entry.kind] : 'skipped'] += 1;
    }
  }
  // What was to write it broke down, and a shell made the file all the same.
  if (number === 0) throw notAnExport(1);
  return done;
}

type Entry = Exclude<ExportedRecord, { readonly kind: 'whetstone_export' }>;

const counts = {
  key: 'keys',
  episode: 'episodes',
  score: 'scores',
  run: 'runs',
  conversation: 'conversations',
} as const;

function ownedBy(owner: string | undefined, entry: Entry): Entry {
  if (owner === undefined || entry.kind !== 'episode') return entry;
  // Two owners may have used the same idempotency key.
  return { ...entry, record: { ...entry.record, owner, createdKey: null } };
}

/** Answers whether it was not there yet. */
async function putEntry(store: Store, entry: Entry, known: ReadonlySet<string>): Promise<boolean> {
  switch (entry.kind) {
    case 'key':
      if (known.has(entry.record.id)) return false;
      await store.keys.insert(entry.record);
      return true;
    case 'episode':
      return store.restoreEpisode(entry.record, entry.turns);
    case 'score':
      return store.scores.insert(entry.record);
    case 'run':
      return store.runs.append(entry.run, 0, entry.entries);
    case 'conversation':
      return store.conversations.insert(entry.record, { kept: 0, messages: entry.messages, run: '' });
    default:
      throw new TypeError('its kind is unknown');
  }
}

function checkVersion(version: unknown): void {
  if (version !== 1)
    throw new WhetstoneError(
      'export_invalid',
      `This export is of version ${String(version)}, and this Whetstone reads version 1. Import it with a newer one.`,
      { details: { line: 1 } },
    );
}

function readLine(line: string, number: number): ExportedRecord {
  try {
    const value: unknown = JSON.parse(line);
    // Our own export; a record that was changed by hand is refused by the schema of its table.
    if (typeof value === 'object' && value !== null && 'kind' in value) return value as ExportedRecord;
  } catch {
    // Told below, with the line.
  }
  throw notAnExport(number);
}

function notAnExport(number: number, cause?: unknown): WhetstoneError {
  const why = cause instanceof Error ? `: ${cause.message}` : '';
  return new WhetstoneError('export_invalid', `Line ${number} is not one of a Whetstone export${why}.`, {
    details: { line: number },
    cause,
  });
}
