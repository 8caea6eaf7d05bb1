import type { KeyRecord } from '../record.ts';
import { insertInto, keyColumns, readKeyRow, sqlValuesOf } from '../row.ts';
import type { KeyRows } from '../store.ts';
import type { GroupCommit } from './group-commit.ts';
import { insertRow } from './insert-row.ts';
import type { RowCache } from './row-cache.ts';
import type { SettledReads } from './settled-reads.ts';

/** API keys in a SQLite file. */
export class SqliteKeys implements KeyRows {
  readonly #reads: SettledReads;
  readonly #commits: GroupCommit;
  readonly #cache: RowCache;

  constructor(reads: SettledReads, commits: GroupCommit, cache: RowCache) {
    this.#reads = reads;
    this.#commits = commits;
    this.#cache = cache;
  }

  async insert(key: KeyRecord): Promise<void> {
    const sql = insertInto('api_key', keyColumns);
    await this.#commits.write(() => insertRow(this.#reads, sql, sqlValuesOf(keyColumns, key)));
  }

  async read(hash: string): Promise<KeyRecord | undefined> {
    const kept = this.#cache.key(hash);
    if (kept !== undefined) return kept;
    const row = this.#reads.look('SELECT * FROM api_key WHERE hash = ?', hash);
    const key = row && readKeyRow(row);
    if (key !== undefined) this.#cache.keepKey(key);
    return key;
  }

  async list(): Promise<readonly KeyRecord[]> {
    return (await this.#reads.all('SELECT * FROM api_key ORDER BY created_at, id')).map(readKeyRow);
  }

  async revoke(id: string, at: number): Promise<boolean> {
    const sql = 'UPDATE api_key SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?';
    const revoked = await this.#commits.write(() => this.#reads.prepare(sql).run(at, id).changes === 1);
    this.#cache.forget();
    return revoked;
  }
}
