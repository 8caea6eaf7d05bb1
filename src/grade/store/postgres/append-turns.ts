import { query, type Pool } from './postgres.ts';
import type { EpisodeChange, TurnRecord } from '../record.ts';
import { turnColumns, valuesOf } from '../row.ts';

/** A turn with what it changes in its episode. */
export interface NewTurn {
  readonly turn: TurnRecord;
  readonly change: EpisodeChange;
}

const turnNames = turnColumns.map(([column]) => column);
const changed = [
  'state',
  'expires_at',
  'status',
  'terminal_reason',
  'reward',
  'success',
  'grade',
  'progress',
  'gate',
  'scores',
  'total_usage',
];
const given = [...turnNames, ...changed];
const types =
  'text int text text text text text text bigint text text bigint text text float8 int text float8 int text text'.split(
    ' ',
  );

/** Each turn is its own compare-and-set: it moves its episode's count from the turn before, or is not written. */
const appendOne = `WITH moved AS (
    UPDATE episode SET turn_count = $2, updated_at = $9,
      ${changed.map((column, index) => `${column} = $${turnNames.length + index + 1}`).join(', ')}
    WHERE id = $1 AND turn_count = $2 - 1 AND status = 'open' RETURNING id)
  INSERT INTO turn (${turnNames.join(', ')})
  SELECT id, ${turnNames
    .slice(1)
    .map((_, index) => `$${index + 2}`)
    .join(', ')} FROM moved`;

/**
 * The same for many at once. Rows are locked in the order of their ids, so that two servers whose groups meet wait for
 * each other and never in a circle.
 */
const appendAll = `WITH given AS (
    SELECT * FROM unnest(${types.map((type, index) => `$${index + 1}::${type}[]`).join(', ')})
      WITH ORDINALITY AS t (${given.join(', ')}, place)),
  held AS (SELECT id FROM episode WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE),
  moved AS (
    UPDATE episode SET turn_count = given.turn, updated_at = given.at,
      ${changed.map((column) => `${column} = given.${column}`).join(', ')}
    FROM given JOIN held ON held.id = given.episode
    WHERE episode.id = held.id AND episode.id = ANY($1::text[])
      AND episode.turn_count = given.turn - 1 AND episode.status = 'open'
    RETURNING given.*),
  written AS (INSERT INTO turn (${turnNames.join(', ')}) SELECT ${turnNames.join(', ')} FROM moved)
  SELECT place FROM moved`;

/** So long may a statement take, in milliseconds, behind which all that came later waits. */
export const groupWithin = 10_000;

/** Appends turns in one statement, so in one round trip and one commit; answers which of them were written. */
export async function appendTurns(pool: Pool, turns: readonly NewTurn[]): Promise<readonly boolean[]> {
  const rows = turns.map(({ turn, change: { state, expiresAt, totalUsage, end } }) => [
    ...valuesOf(turnColumns, turn),
    ...[state, expiresAt, end ? 'complete' : 'open'],
    ...[end?.terminalReason ?? null, end?.reward ?? null, end?.success ?? null, end?.grade ?? null],
    ...[end?.progress ?? null, end?.gate ?? null, end?.scores ?? null, totalUsage],
  ]);
  const [only] = rows;
  // The plain statement is planned once, and takes two thirds of the time: who is alone need not pay for the others.
  if (rows.length === 1 && only !== undefined)
    return [(await query(pool, appendOne, only, groupWithin)).count === 1];
  const columns = given.map((_, index) => rows.map((row) => row[index]));
  const { rows: moved } = await query<{ readonly place: number }>(pool, appendAll, columns, groupWithin);
  const places = new Set(moved.map(({ place }) => place));
  return turns.map((_, index) => places.has(index + 1));
}
