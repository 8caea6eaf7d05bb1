import { hash } from 'node:crypto';

import type { Pool } from './postgres.ts';
import type { EpisodeRecord, TurnRecord } from '../record.ts';
import { episodeColumns, turnColumns, valuesOf } from '../row.ts';
import type { Insertion } from '../store.ts';

const names = episodeColumns.map(([column]) => column).join(', ');
const places = episodeColumns.map((_, index) => `$${index + 1}`).join(', ');
const insert = `WITH here AS (SELECT count(*) AS open FROM episode WHERE owner = $2 AND status = 'open'),
  inserted AS (
    INSERT INTO episode (${names}) SELECT ${places} FROM here WHERE open < $${episodeColumns.length + 1}
    ON CONFLICT DO NOTHING RETURNING id)
  SELECT open, (SELECT count(*) FROM inserted) AS inserted FROM here`;

const insertTurn = `INSERT INTO turn (${turnColumns.map(([column]) => column).join(', ')})
  VALUES (${turnColumns.map((_, index) => `$${index + 1}`).join(', ')})`;

/**
 * Opens an episode if its owner has fewer than so many. A statement counts what was there when it began, so two at
 * once would both find room: the episodes of one owner wait here for each other, on whatever server.
 */
export async function insertWithin(
  pool: Pool,
  {
    episode,
    turns,
    maxOpen,
  }: { readonly episode: EpisodeRecord; readonly turns: readonly TurnRecord[]; readonly maxOpen: number },
): Promise<Insertion> {
  const client = await pool.connect();
  try {
    // The lock goes with the transaction; whoever has it next counts what this one inserted.
    const lock = parseInt(hash('sha256', episode.owner, 'hex').slice(0, 8), 16) | 0;
    await client.query(`BEGIN; SELECT pg_advisory_xact_lock(7305828, ${lock})`);
    const { rows } = await client.query<{ readonly open: number; readonly inserted: number }>(insert, [
      ...valuesOf(episodeColumns, episode),
      maxOpen,
    ]);
    const [counted] = rows;
    for (const turn of counted?.inserted === 1 ? turns : [])
      await client.query(insertTurn, [...valuesOf(turnColumns, turn)]);
    await client.query('COMMIT');
    client.release();
    if (counted?.inserted === 1) return 'inserted';
    return counted !== undefined && counted.open >= maxOpen ? 'full' : 'taken';
  } catch (error) {
    // With its connection a transaction that has begun is given up too.
    client.release(true);
    throw error;
  }
}
