import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

import { WhetstoneError } from '../../../base/host/errors.ts';
import type { Disk } from './disk-sync.ts';
import { pendingMigrations, readMigrations } from '../migration.ts';

export type SqliteDatabase = DatabaseSync;
export type SqliteStatement = StatementSync;

export interface SqliteOptions {
  /** Refuses to grow past this many pages: how a full disk is tried. */
  readonly maxPages?: number;
  /** How many bytes the disk must have left for the store to be called ready; 16 MB unless told. */
  readonly leastRoom?: number;
  /** In the place of the system's: how a slow disk and a broken one are tried. */
  readonly disk?: Disk;
}

/**
 * The only door to `node:sqlite`: opens a file and brings its schema up to date. A commit into a write-ahead log does
 * not wait for the disk; that is done with `openLog`.
 */
export function openSqlite(file: string, options: SqliteOptions = {}): SqliteDatabase {
  let database: DatabaseSync | undefined;
  try {
    const isNew = !existsSync(file);
    database = new DatabaseSync(file, { timeout: 5000 });
    if (isNew && database.location() !== null) chmodSync(file, ownOnly);
    database.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON');
    database.exec(`PRAGMA synchronous = ${hasLog(database) ? 'NORMAL' : 'FULL'}`);
    if (options.maxPages !== undefined) database.exec(`PRAGMA max_page_count = ${options.maxPages}`);
    migrate(database, file);
    // From here on whoever is held up waits beside the event loop: see `GroupCommit`.
    database.exec('PRAGMA busy_timeout = 0');
    return database;
  } catch (error) {
    // SQLite does not say which of its files were in the way.
    const told = database && logFault(database, file);
    database?.close();
    throw told ?? storeError(error, file);
  }
}

/** Opens the write-ahead log of a database, to bring it to the disk; where the file system takes none there is none. */
export function openLog(database: SqliteDatabase, file: string): number | undefined {
  if (!hasLog(database)) return undefined;
  const log = logOf(database);
  try {
    return openSync(log, 'r+');
  } catch (error) {
    database.close();
    throw logError(error, log, file);
  }
}

function logOf(database: SqliteDatabase): string {
  return `${database.location()}-wal`;
}

/** What is wrong with the write-ahead log of a database, where one is. */
function logFault(database: SqliteDatabase, file: string): WhetstoneError | undefined {
  const log = logOf(database);
  try {
    closeSync(openSync(log, 'r+'));
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : logError(error, log, file);
  }
}

function logError(error: unknown, log: string, file: string): WhetstoneError {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === 'EISDIR' ? 'is a folder' : `cannot be read and written (${code})`;
  return unavailable(file, `its log ${log} ${reason}`, error);
}

function hasLog(database: SqliteDatabase): boolean {
  return database.prepare('PRAGMA journal_mode').get()?.['journal_mode'] === 'wal';
}

/**
 * Copies a database that is in use to another file, as it is at this moment: one reading of the write-ahead log, which
 * holds up nobody and is not begun again when somebody writes. The copy gets its name when it is whole.
 */
export function backUpSqlite(database: SqliteDatabase, target: string): void {
  const file = database.location();
  mustBeCopy(target);
  const partial = `${target}.partial`;
  rmSync(partial, { force: true });
  const source = file === null ? database : new DatabaseSync(file, { readOnly: true });
  try {
    source.prepare('VACUUM INTO ?').run(partial);
    chmodSync(partial, ownOnly);
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { force: true });
    throw storeError(error, target);
  } finally {
    if (source !== database) source.close();
  }
}

/** A copy takes the place of an older one, and of nothing else. */
function mustBeCopy(target: string): void {
  const found = statSync(target, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isFile()) throw unavailable(target, 'it cannot be opened', undefined);
  const start = Buffer.alloc(15);
  const open = openSync(target, 'r');
  readSync(open, start);
  closeSync(open);
  if (found.size > 0 && start.toString('latin1') !== 'SQLite format 3')
    throw unavailable(target, 'it is not a database', undefined);
}

/** What people said and keys' hashes are nobody else's business. */
const ownOnly = 0o600;

function migrate(database: DatabaseSync, file: string): void {
  const migrations = readMigrations('sqlite');
  const version = (): number =>
    (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
  if (pendingMigrations(migrations, version(), file).length === 0) return;
  // Two processes may open a new file at once: the second one waits here, and looks again.
  database.exec('BEGIN IMMEDIATE');
  try {
    for (const migration of pendingMigrations(migrations, version(), file))
      database.exec(`${migration.sql}; PRAGMA user_version = ${migration.number}`);
    database.exec('COMMIT');
  } catch (error) {
    // A full disk has ended it already.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

const reasons: Readonly<Record<number, string>> = {
  5: 'another process holds it',
  8: 'it cannot be written',
  10: 'the disk failed',
  11: 'it is damaged',
  13: 'the disk is full',
  14: 'it cannot be opened',
  26: 'it is not a database',
};

/** What SQLite reports, as ours: `store_unavailable` when the world is to blame, else the error as it is. */
export function storeError(error: unknown, place: string): unknown {
  const reason = reasonOf(error);
  return reason === undefined ? error : unavailable(place, reason, error);
}

function unavailable(place: string, reason: string, cause: unknown): WhetstoneError {
  return new WhetstoneError('store_unavailable', `The store ${place} cannot be used now: ${reason}.`, {
    details: { place, reason },
    cause,
  });
}

function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('errcode' in error) return reasons[Number(error.errcode) & 0xff];
  return 'code' in error && error.code === 'ERR_INVALID_STATE' ? 'it is closed' : undefined;
}

/** Refuses where the disk has less room than this many bytes. */
export function mustHaveRoom(database: SqliteDatabase, bytes = 16_000_000): void {
  const file = database.location();
  if (file === null) return;
  const { bavail, bsize } = statfsSync(dirname(file));
  if (bavail * bsize < bytes) throw unavailable(file, reasons[13]!, undefined);
}

/** True when another connection holds the file. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5;
}

/** True when a row with that key is there already. */
export function isUniqueViolation(error: unknown): boolean {
  // 2067 SQLITE_CONSTRAINT_UNIQUE, 1555 SQLITE_CONSTRAINT_PRIMARYKEY
  return error instanceof Error && 'errcode' in error && [2067, 1555].includes(Number(error.errcode));
}
