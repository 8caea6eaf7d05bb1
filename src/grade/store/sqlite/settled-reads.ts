import type { DiskSync } from './disk-sync.ts';
import { storeError, type SqliteDatabase, type SqliteStatement } from './sqlite.ts';

export type Value = string | number | null;
export type Row = Record<string, unknown>;

/**
 * Reads what is on disk. A row may have been committed a moment ago, by this process or by another, and not be there
 * yet: its reader waits, so that nobody is told of what may be lost.
 */
export class SettledReads {
  readonly #database: SqliteDatabase;
  readonly #place: string;
  readonly #disk: DiskSync;
  readonly #statements = new Map<string, SqliteStatement>();
  /** Episodes with a write under way: how many. */
  readonly #writing = new Map<string, number>();
  /** What other processes had committed when the disk was last known to have it. */
  #onDisk = NaN;

  constructor(database: SqliteDatabase, place: string, disk: DiskSync) {
    this.#database = database;
    this.#place = place;
    this.#disk = disk;
  }

  /** Moves when another connection has committed. */
  version(): number {
    return Number(this.look('PRAGMA data_version')?.['data_version']);
  }

  /** Notes a write to an episode until it has ended: its rows are not settled meanwhile. */
  async during<Written>(episode: string, write: () => Promise<Written>): Promise<Written> {
    this.#writing.set(episode, 1 + (this.#writing.get(episode) ?? 0));
    try {
      return await write();
    } finally {
      const others = this.#writing.get(episode)! - 1;
      if (others === 0) this.#writing.delete(episode);
      else this.#writing.set(episode, others);
    }
  }

  /** Waits until what was just read, of one episode or of whatever, is on disk; undefined when it is. */
  settled(episode?: string): Promise<void> | undefined {
    const version = this.version();
    if (version !== this.#onDisk)
      return this.#disk.reached().then(() => {
        this.#onDisk = version;
      });
    const early = episode === undefined ? this.#disk.busy : this.#writing.has(episode);
    return early || this.#disk.failure !== undefined ? this.#disk.reached() : undefined;
  }

  async get(sql: string, ...values: readonly Value[]): Promise<Row | undefined> {
    const row = this.look(sql, ...values);
    await this.settled();
    return row;
  }

  async all(sql: string, ...values: readonly Value[]): Promise<readonly Row[]> {
    const rows = this.lookAll(sql, ...values);
    await this.settled();
    return rows;
  }

  /** The row as it is, on disk or not. */
  look(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.trying(() => this.prepare(sql).get(...values));
  }

  lookAll(sql: string, ...values: readonly Value[]): readonly Row[] {
    return this.trying(() => this.prepare(sql).all(...values));
  }

  prepare(sql: string): SqliteStatement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  trying<Answer>(run: () => Answer): Answer {
    try {
      return run();
    } catch (error) {
      throw storeError(error, this.#place);
    }
  }
}
