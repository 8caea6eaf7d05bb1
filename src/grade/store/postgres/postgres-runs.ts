import type { RunRows } from '../store.ts';
import type { Statements } from './statements.ts';

/** Journals of runs in Postgres. */
export class PostgresRuns implements RunRows {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  append(run: string, after: number, entries: readonly string[]): Promise<boolean> {
    const sql = `INSERT INTO run_entry SELECT $1, $2::int + number, entry
      FROM unnest($3::text[]) WITH ORDINALITY AS t (entry, number)`;
    return this.#statements.insert(sql, run, after, entries);
  }

  async read(run: string): Promise<readonly string[]> {
    const sql = 'SELECT entry FROM run_entry WHERE run = $1 ORDER BY number';
    return (await this.#statements.rows(sql, run)).map((row) => String(row['entry']));
  }

  async scan(after: string, limit: number): Promise<readonly string[]> {
    const sql = 'SELECT DISTINCT run FROM run_entry WHERE run > $1 ORDER BY run LIMIT $2';
    return (await this.#statements.rows(sql, after, limit)).map((row) => String(row['run']));
  }

  async remove(endedBefore: number, limit: number): Promise<number> {
    // Only an `end` is read as JSON: other entries may hold what Postgres takes for none (a zero character).
    const rows = await this.#statements.rows(
      `WITH ended AS (
         SELECT run FROM (SELECT DISTINCT ON (run) run, entry FROM run_entry ORDER BY run, number DESC) AS latest
         WHERE CASE WHEN entry LIKE '{"type":"end",%'
           THEN entry::json ->> 'stop' <> 'waiting' AND (entry::json ->> 'at')::numeric < $1
           ELSE false END
         LIMIT $2),
       gone AS (DELETE FROM run_entry WHERE run IN (SELECT run FROM ended))
       SELECT run FROM ended`,
      endedBefore,
      limit,
    );
    return rows.length;
  }
}
