import type { RunRows } from '../store.ts';
import type { GroupCommit } from './group-commit.ts';
import { insertRow } from './insert-row.ts';
import type { SettledReads } from './settled-reads.ts';

/** Journals of runs in a SQLite file. */
export class SqliteRuns implements RunRows {
  readonly #reads: SettledReads;
  readonly #commits: GroupCommit;

  constructor(reads: SettledReads, commits: GroupCommit) {
    this.#reads = reads;
    this.#commits = commits;
  }

  append(run: string, after: number, entries: readonly string[]): Promise<boolean> {
    const sql = 'INSERT INTO run_entry SELECT ?, ? + key + 1, value FROM json_each(?)';
    return this.#commits.write(() => insertRow(this.#reads, sql, [run, after, JSON.stringify(entries)]));
  }

  async read(run: string): Promise<readonly string[]> {
    const rows = await this.#reads.all('SELECT entry FROM run_entry WHERE run = ? ORDER BY number', run);
    return rows.map((row) => String(row['entry']));
  }

  async scan(after: string, limit: number): Promise<readonly string[]> {
    const sql = 'SELECT DISTINCT run FROM run_entry WHERE run > ? ORDER BY run LIMIT ?';
    return (await this.#reads.all(sql, after, limit)).map((row) => String(row['run']));
  }

  async remove(endedBefore: number, limit: number): Promise<number> {
    // With max(), SQLite gives the entry of that very row.
    const rows = await this.#reads.all(
      `SELECT run FROM (SELECT run, entry, max(number) FROM run_entry GROUP BY run)
       WHERE entry ->> 'type' = 'end' AND entry ->> 'stop' <> 'waiting' AND entry ->> 'at' < ? LIMIT ?`,
      endedBefore,
      limit,
    );
    const runs = JSON.stringify(rows.map((row) => row['run']));
    const sql = 'DELETE FROM run_entry WHERE run IN (SELECT value FROM json_each(?))';
    await this.#commits.write(() => this.#reads.prepare(sql).run(runs));
    return rows.length;
  }
}
