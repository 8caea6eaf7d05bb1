import { firstTimedId } from '../../../base/host/random.ts';
import { isLockTimeout, transaction, type Pool, type PoolClient } from './postgres.ts';

/** The tables that are split by month, each by the id of an episode. */
const tables = [
  ['episode', 'id'],
  ['turn', 'episode'],
  ['episode_words', 'episode'],
] as const;

/** Whoever makes or removes months takes this lock, on whatever server. */
export const monthsLock = 7_305_829;

/** Takes that lock until the transaction ends, unless somebody else holds it. */
export async function isMine(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ readonly mine: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${monthsLock}) AS mine`,
  );
  return rows[0]?.mine === true;
}

/** One of the parts: it holds the ids from one on and before another. */
interface Part {
  /** What is behind the names of the tables. */
  readonly suffix: string;
  readonly from: string;
  readonly to: string;
}

export function tablesOf(suffix: string): readonly string[] {
  return tables.map(([table]) => table + suffix);
}

/** The parts that have a range, so not the one for what no month holds. */
export async function readParts(database: Pool | PoolClient): Promise<readonly Part[]> {
  const { rows } = await database.query<{ readonly name: string; readonly bound: string }>(
    `SELECT relname AS name, pg_get_expr(relpartbound, oid) AS bound
     FROM pg_class JOIN pg_inherits ON inhrelid = oid WHERE inhparent = 'episode'::regclass`,
  );
  return rows.flatMap(({ name, bound }) => {
    const [, from = '', to] = /^FOR VALUES FROM \((?:'(.*)'|MINVALUE)\) TO \('(.*)'\)$/.exec(bound) ?? [];
    return to === undefined ? [] : [{ suffix: name.slice('episode'.length), from, to }];
  });
}

/**
 * Makes the month of this time and the one after it, where they are not there yet. Nothing hangs on it: what no month
 * holds is kept all the same, and goes to its month once that is made. So whoever is in the way goes first.
 */
export async function makeMonths(pool: Pool, now: number): Promise<void> {
  for (const start of [startOf(now, 0), startOf(now, 1)])
    try {
      if (!isIn(await readParts(pool), start)) await transaction(pool, (client) => makeMonth(client, start));
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
    }
}

async function makeMonth(client: PoolClient, start: number): Promise<void> {
  if (!(await isMine(client))) return;
  const from = firstTimedId('ep', start);
  const to = firstTimedId('ep', startOf(start, 1));
  if (isIn(await readParts(client), start)) return;
  const suffix = `_${new Date(start).toISOString().slice(0, 7).replace('-', '_')}`;
  for (const [table] of tables)
    await client.query(`CREATE TABLE ${table}${suffix} (LIKE ${table} INCLUDING ALL)`);
  await lockTables(client, ['_rest']);
  for (const [table, id] of tables)
    await client.query(`
      WITH moved AS (DELETE FROM ${table}_rest WHERE ${id} >= '${from}' AND ${id} < '${to}' RETURNING *)
        INSERT INTO ${table}${suffix} SELECT * FROM moved;
      ALTER TABLE ${table} ATTACH PARTITION ${table}${suffix} FOR VALUES FROM ('${from}') TO ('${to}')`);
}

/**
 * Keeps everybody from the tables, and from these parts of them, until the transaction ends. It waits only shortly, since
 * whoever asks for the tables waits behind it: less long than Postgres waits before it looks for a circle, so that a
 * turn is never what it breaks one with.
 */
export async function lockTables(client: PoolClient, parts: readonly string[]): Promise<void> {
  const names = [...tablesOf('').map((table) => `ONLY ${table}`), ...parts.flatMap(tablesOf)];
  await client.query(
    `SET LOCAL lock_timeout = '200ms'; LOCK TABLE ${names.join(', ')} IN ACCESS EXCLUSIVE MODE`,
  );
}

function isIn(parts: readonly Part[], time: number): boolean {
  const id = firstTimedId('ep', time);
  return parts.some(({ from, to }) => from <= id && id < to);
}

/** When the month of a time begins, or one after it. */
function startOf(time: number, ahead: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + ahead);
}
