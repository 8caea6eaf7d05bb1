import { hash } from 'node:crypto';

import type { Pool } from './postgres.ts';
import type { EpisodeRecord, TurnRecord } from '../record.ts';
import { episodeColumns, turnColumns, valuesOf } from '../row.ts';
import type { Insertion } from '../store.ts';
import type { Statements } from './statements.ts';

const names = episodeColumns.map(([column]) => column).join(', ');
const places = episodeColumns.map((_, index) => `$${index + 1}`).join(', ');
const place = (column: string): string => `$${episodeColumns.findIndex(([name]) => name === column) + 1}`;
const limit = `$${episodeColumns.length + 1}`;

/** An index over all months cannot hold an idempotency key, so it has a row of its own. */
const enterKey = `INSERT INTO episode_key (owner, created_key, episode)
  SELECT ${place('owner')}::text, ${place('created_key')}::text, ${place('id')}::text`;

const turnNames = turnColumns.map(([column]) => column).join(', ');
const turnTypes = 'text int text text text text text text bigint text'.split(' ');
const turnPlaces = turnTypes
  .map((type, index) => `$${episodeColumns.length + index + 1}::${type}[]`)
  .join(', ');

const insertAll = `WITH known AS (${enterKey} WHERE ${place('created_key')}::text IS NOT NULL),
  inserted AS (INSERT INTO episode (${names}) VALUES (${places}) RETURNING id)
  INSERT INTO turn (${turnNames}) SELECT ${turnNames} FROM inserted, unnest(${turnPlaces}) AS t (${turnNames})`;

/** Puts an episode in with its turns; false when it, or its owner's idempotency key, is there already. */
export function insertEpisode(
  statements: Statements,
  episode: EpisodeRecord,
  turns: readonly TurnRecord[],
): Promise<boolean> {
  const rows = turns.map((turn) => valuesOf(turnColumns, turn));
  const columns = turnColumns.map((_, index) => rows.map((row) => row[index]));
  return statements.insert(insertAll, ...valuesOf(episodeColumns, episode), ...columns);
}

const insertOne = `WITH here AS (
    SELECT count(*) AS open FROM episode WHERE owner = ${place('owner')} AND status = 'open'),
  room AS (SELECT FROM here WHERE open < ${limit}),
  known AS (
    ${enterKey} FROM room WHERE ${place('created_key')}::text IS NOT NULL ON CONFLICT DO NOTHING RETURNING episode),
  inserted AS (
    INSERT INTO episode (${names}) SELECT ${places} FROM room
    WHERE ${place('created_key')}::text IS NULL OR EXISTS (SELECT FROM known)
    ON CONFLICT DO NOTHING RETURNING id)
  SELECT open, (SELECT count(*) FROM inserted) AS inserted FROM here`;

const insertTurn = `INSERT INTO turn (${turnNames}) VALUES (${turnColumns.map((_, index) => `$${index + 1}`).join(', ')})`;

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
    const { rows } = await client.query<{ readonly open: number; readonly inserted: number }>(insertOne, [
      ...valuesOf(episodeColumns, episode),
      maxOpen,
    ]);
    const [counted] = rows;
    const isInserted = counted?.inserted === 1;
    for (const turn of isInserted ? turns : [])
      await client.query(insertTurn, [...valuesOf(turnColumns, turn)]);
    // Without its episode no key is entered either.
    await client.query(isInserted ? 'COMMIT' : 'ROLLBACK');
    client.release();
    if (isInserted) return 'inserted';
    return counted !== undefined && counted.open >= maxOpen ? 'full' : 'taken';
  } catch (error) {
    // With its connection a transaction that has begun is given up too.
    client.release(true);
    throw error;
  }
}
