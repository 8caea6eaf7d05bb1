import type { KeyRecord } from '../record.ts';
import { keyColumns, readKeyRow } from '../row.ts';
import type { KeyRows } from '../store.ts';
import { GroupStatement } from './group-statement.ts';
import { neverReached, wasRefused } from './postgres.ts';
import { readRows } from './read-rows.ts';
import type { Row, Statements } from './statements.ts';

/** API keys in Postgres. Those that are asked for at the same moment are read together. */
export class PostgresKeys implements KeyRows {
  readonly #statements: Statements;
  readonly #group: GroupStatement<string, Row | undefined>;

  constructor(statements: Statements) {
    this.#statements = statements;
    this.#group = new GroupStatement({
      run: (hashes) => readRows(statements.pool, 'api_key', 'hash', hashes),
      wasRefused,
      neverReached,
    });
  }

  async insert(key: KeyRecord): Promise<void> {
    await this.#statements.insertRecord('api_key', keyColumns, key);
  }

  async read(hash: string): Promise<KeyRecord | undefined> {
    const row = await this.#statements.translated(this.#group.ask(hash));
    return row && readKeyRow(row);
  }

  async list(): Promise<readonly KeyRecord[]> {
    return (await this.#statements.rows('SELECT * FROM api_key ORDER BY created_at, id')).map(readKeyRow);
  }

  async revoke(id: string, at: number): Promise<boolean> {
    const sql = 'UPDATE api_key SET revoked_at = coalesce(revoked_at, $1) WHERE id = $2';
    return (await this.#statements.write(sql, at, id)) === 1;
  }
}
