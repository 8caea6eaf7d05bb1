import { sleep, systemClock } from '../../../base/host/clock.ts';
import type { DiskSync } from './disk-sync.ts';
import { isBusy, storeError, type SqliteDatabase, type SqliteStatement } from './sqlite.ts';

interface Write {
  readonly run: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/** How long writes wait for another process that holds the file, and how often they try meanwhile. */
const longestWaitMs = 5000;
const lookAgainMs = 5;

/**
 * Writes that come in the same turn of the event loop share one commit, and all commits of the time between two syncs
 * share one wait for the disk. While another process holds the file they wait beside the event loop, never in it.
 */
export class GroupCommit {
  readonly #database: SqliteDatabase;
  readonly #place: string;
  readonly #disk: DiskSync;
  readonly #begin: SqliteStatement;
  readonly #end: SqliteStatement;
  #waiting: Write[] = [];
  #scheduled = false;
  /** Others wrote at the time of the last commit. */
  #crowd = false;
  /** Since when another process has held the file. */
  #heldSince: number | undefined;

  constructor(database: SqliteDatabase, place: string, disk: DiskSync) {
    this.#database = database;
    this.#place = place;
    this.#disk = disk;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#end = database.prepare('COMMIT');
  }

  /** Runs a write inside the next commit; resolves with what it returned once that is on disk. */
  write<Value>(run: () => Value): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ run, resolve, reject });
      if (this.#scheduled) return;
      this.#scheduled = true;
      setImmediate(() => this.flush());
    });
  }

  /** Commits what waits, now; it is answered when the disk has it. */
  flush(): void {
    this.#scheduled = false;
    const writes = this.#waiting;
    this.#waiting = [];
    if (this.#disk.failure !== undefined) for (const { reject } of writes) reject(this.#disk.failure);
    else if (writes.length > 0) this.#commitAll(writes);
  }

  /** Commits all that waits, also what another process holds up. */
  async drain(): Promise<void> {
    this.flush();
    while (this.#waiting.length > 0) await sleep(lookAgainMs);
  }

  #commitAll(writes: readonly Write[]): void {
    const ended = this.#commit(writes);
    if (ended === 'done') return;
    if (ended === 'held') return this.#comeAgain(writes);
    // One of them failed and took the others back with it: each once more by itself, so that only the guilty fail.
    if (writes.length > 1) for (const write of writes) this.#commitAll([write]);
    else writes[0]?.reject(this.#failure);
  }

  /** Another process holds the file: what waits for it comes again soon, until it has waited for too long. */
  #comeAgain(writes: readonly Write[]): void {
    const now = systemClock.monotonic();
    this.#heldSince ??= now;
    if (now - this.#heldSince >= longestWaitMs) {
      for (const { reject } of writes) reject(this.#failure);
      return;
    }
    this.#waiting.unshift(...writes);
    if (this.#scheduled) return;
    this.#scheduled = true;
    systemClock.after(lookAgainMs, () => this.flush(), { keepAlive: true });
  }

  #failure: unknown;

  #commit(writes: readonly Write[]): 'done' | 'held' | 'failed' {
    let values: unknown[];
    try {
      this.#begin.run();
      this.#heldSince = undefined;
      values = writes.map((write) => write.run());
      this.#end.run();
    } catch (error) {
      this.#failure = storeError(error, this.#place);
      // A failed COMMIT may have rolled back already.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      return isBusy(error) ? 'held' : 'failed';
    }
    const answer = (failure: unknown): void => {
      for (const [index, write] of writes.entries())
        if (failure !== undefined) write.reject(failure);
        // A write's own type was forgotten when it was queued; its promise still expects exactly this value.
        else write.resolve(values[index] as never);
    };
    // In a crowd a write is by itself now and then, and all others would stand still for its sync.
    const wasCrowd = this.#crowd;
    this.#crowd = writes.length > 1 || this.#disk.busy;
    if (this.#crowd || wasCrowd) this.#disk.reach(answer);
    else this.#disk.reachNow(answer);
    return 'done';
  }
}
