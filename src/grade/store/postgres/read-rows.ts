import { groupWithin } from './append-turns.ts';
import { query, type Pool } from './postgres.ts';
import type { Row } from './statements.ts';

/** The rows with these names, in their order. */
export async function readRows(
  pool: Pool,
  table: string,
  column: string,
  names: readonly string[],
): Promise<readonly (Row | undefined)[]> {
  const all = `SELECT * FROM ${table} WHERE ${column}`;
  const { rows } =
    names.length === 1
      ? await query(pool, `${all} = $1`, names, groupWithin)
      : await query(pool, `${all} = ANY($1::text[])`, [names], groupWithin);
  const found = new Map(rows.map((row) => [row[column], row]));
  return names.map((name) => found.get(name));
}
