import { statSync } from 'node:fs';
import { basename } from 'node:path';

import { systemClock } from '../../../base/host/clock.ts';
import { nameOf, type Log } from '../../../eval/exchange/log/log.ts';
import { runsLog } from '../../../eval/exchange/log/run-journal.ts';
import type { Trajectory } from '../../../eval/exchange/trajectory.ts';
import { importInto } from '../../../grade/store/export.ts';
import type { EpisodeRecord } from '../../../grade/store/record.ts';
import type { SqliteStore } from '../../../grade/store/sqlite/sqlite-store.ts';
import type { ViewProgress } from '../../api/health.ts';
import { localCaller } from '../../http/keys.ts';
import type { LogName } from './log-detail.ts';
import { logRecord, shelvedIn, wordsIn } from './log-record.ts';
import type { PictureReader } from './pictures.ts';

/** What is put on the shelf: a log, whose words stay where they are, or an export, whose episodes are taken over whole. */
export type ShelfSource =
  | { readonly kind: 'log'; readonly log: Log }
  | {
      readonly kind: 'export';
      readonly path: string;
      readonly bytes: number;
      readonly lines: () => AsyncIterable<string>;
    };

interface ReadFromLog {
  readonly trajectory: Trajectory;
  readonly log: LogName;
  /** For pictures that the trajectory only names. */
  readonly picture: PictureReader | undefined;
}

/** So often others get their turn while logs are read. */
const turnMs = 10;
const mostAtOnce = 100;

/**
 * Logs that are shown. A row of each of their episodes, and the words to find it by, are kept in a store of their own;
 * what was said is read from the log when somebody asks for it.
 */
export class LogShelf {
  readonly #store: SqliteStore;
  readonly #logs: Log[] = [];
  readonly #sources: readonly ShelfSource[];
  readonly #faults: string[] = [];
  #bytes = 0;
  #episodes = 0;
  #done = false;

  constructor(store: SqliteStore, sources: readonly ShelfSource[]) {
    this.#store = store;
    this.#sources = sources;
  }

  progress(): ViewProgress {
    const of = this.#sources.reduce((sum, source) => sum + bytesOf(source), 0);
    const bytes = this.#done ? of : Math.min(of, this.#bytes);
    return { bytes, of, episodes: this.#episodes, done: this.#done, faults: this.#faults };
  }

  /** Reads all that is on the shelf. What cannot be read is among the faults, and the rest is there all the same. */
  async fill(signal?: AbortSignal): Promise<void> {
    let before = 0;
    for (const source of this.#sources) {
      if (signal?.aborted) return;
      try {
        if (source.kind === 'log') await this.#take(source.log, before, signal);
        else await this.#takeOver(source, before, signal);
      } catch (error) {
        if (signal?.aborted) return;
        this.#faults.push((error as Error).message);
      }
      before += bytesOf(source);
      this.#bytes = before;
    }
    this.#done = true;
  }

  /** The trajectory of a row, read from its log; undefined where the store itself has its turns. */
  async read(record: EpisodeRecord): Promise<ReadFromLog | undefined> {
    const shelved = shelvedIn(record);
    const log = shelved && this.#logs[shelved.log];
    if (shelved === undefined || log === undefined) return undefined;
    return {
      trajectory: await log.read(shelved.place),
      log: { file: basename(log.path), format: log.format },
      picture: log.picture?.bind(log),
    };
  }

  async #take(log: Log, before: number, signal: AbortSignal | undefined): Promise<void> {
    const place = this.#logs.push(log) - 1;
    const since = Math.round(statSync(log.path, { throwIfNoEntry: false })?.mtimeMs ?? systemClock.now());
    const file = nameOf(log.path);
    let rows: { readonly record: EpisodeRecord; readonly words: string }[] = [];
    let turn = systemClock.monotonic();
    const keep = async (): Promise<void> => {
      const kept = rows;
      rows = [];
      await this.#store.keepWithout(kept);
      turn = systemClock.monotonic();
    };
    try {
      for await (const { trajectory, place: where, readTo } of log.entries()) {
        signal?.throwIfAborted();
        this.#episodes += 1;
        const named = { number: this.#episodes, file, since };
        const record = logRecord(trajectory, { log: place, place: where }, named);
        rows.push({ record, words: wordsIn(trajectory) });
        this.#bytes = before + readTo;
        if (rows.length >= mostAtOnce || systemClock.monotonic() - turn > turnMs) await keep();
      }
    } finally {
      if (!signal?.aborted) await keep();
    }
  }

  async #takeOver(
    { lines }: Extract<ShelfSource, { kind: 'export' }>,
    before: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const counted = async function* (this: LogShelf): AsyncGenerator<string> {
      for await (const line of lines()) {
        signal?.throwIfAborted();
        this.#bytes += Buffer.byteLength(line) + 1;
        if (line.startsWith('{"kind":"episode"')) this.#episodes += 1;
        yield line;
      }
    };
    this.#bytes = before;
    await importInto(this.#store, counted.call(this), { owner: localCaller.id });
    await this.#take(runsLog(this.#store), this.#bytes, signal);
  }
}

function bytesOf(source: ShelfSource): number {
  return source.kind === 'log' ? source.log.bytes : source.bytes;
}
