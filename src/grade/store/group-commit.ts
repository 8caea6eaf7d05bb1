import type { DiskSync } from './disk-sync.ts';
import { storeError, type SqliteDatabase, type SqliteStatement } from './sqlite.ts';

interface Write {
  readonly run: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes that come in the same turn of the event loop share one commit, and all commits of the time between two syncs
 * share one wait for the disk.
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

  #commitAll(writes: readonly Write[]): void {
    if (this.#commit(writes)) return;
    // One of them failed and took the others back with it: each once more by itself, so that only the guilty fail.
    for (const write of writes) {
      if (writes.length > 1 && this.#commit([write])) continue;
      write.reject(this.#failure);
    }
  }

  #failure: unknown;

  #commit(writes: readonly Write[]): boolean {
    let values: unknown[];
    try {
      this.#begin.run();
      values = writes.map((write) => write.run());
      this.#end.run();
    } catch (error) {
      this.#failure = storeError(error, this.#place);
      // A failed COMMIT may have rolled back already.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      return false;
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
    return true;
  }
}
