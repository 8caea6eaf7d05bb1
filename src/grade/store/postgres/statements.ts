import { isUniqueViolation, postgresError, query, type Pool } from './postgres.ts';
import { valuesOf, type Columns } from '../row.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Runs single statements, and says in our words what goes wrong in Postgres. */
export class Statements {
  readonly pool: Pool;
  readonly #place: string;

  constructor(pool: Pool, place: string) {
    this.pool = pool;
    this.#place = place;
  }

  async rows(sql: string, ...values: readonly unknown[]): Promise<readonly Row[]> {
    return (await this.translated(query(this.pool, sql, values))).rows;
  }

  /** How many rows a statement wrote. */
  async write(sql: string, ...values: readonly unknown[]): Promise<number> {
    return (await this.translated(query(this.pool, sql, values))).count;
  }

  /** What a statement answers as `n`. */
  async count(sql: string, ...values: readonly unknown[]): Promise<number> {
    const [row] = await this.rows(sql, ...values);
    return Number(row?.['n']);
  }

  /** Writes rows that are new; false when one is there already. */
  async insert(sql: string, ...values: readonly unknown[]): Promise<boolean> {
    try {
      await this.write(sql, ...values);
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  insertRecord(table: string, columns: Columns, record: object): Promise<boolean> {
    const names = columns.map(([column]) => column).join(', ');
    const places = columns.map((_, index) => `$${index + 1}`).join(', ');
    const sql = `INSERT INTO ${table} (${names}) VALUES (${places})`;
    return this.insert(sql, ...valuesOf(columns, record));
  }

  /** The same work, whose errors are ours. */
  async translated<Value>(work: Promise<Value>): Promise<Value> {
    try {
      return await work;
    } catch (error) {
      throw postgresError(error, this.#place);
    }
  }
}
