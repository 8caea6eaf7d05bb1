import { sleep } from '../../../base/host/clock.ts';
import { firstTimedId } from '../../../base/host/random.ts';
import { isMine, lockTables, monthsLock, readParts, tablesOf } from './months.ts';
import { sumStatements } from './postgres-sums.ts';
import { isLockTimeout, transaction, type Pool, type PoolClient } from './postgres.ts';

/** Removes up to this many complete episodes that have not changed since, with all that is theirs; answers how many. */
export function removeRows(pool: Pool, unchangedSince: number, limit: number): Promise<number> {
  return transaction(pool, async (client) => {
    const { rows } = await client.query<{ readonly id: string }>(
      `WITH changed AS (
         DELETE FROM episode WHERE id IN (
           SELECT id FROM episode WHERE status = 'complete' AND updated_at < $1 LIMIT $2)
         RETURNING *),
       taken AS (${sumStatements.change('changed WHERE summed = 1', 'subtract')}),
       freed AS (DELETE FROM episode_key AS known USING changed
         WHERE known.owner = changed.owner AND known.created_key = changed.created_key)
       SELECT id FROM changed`,
      [unchangedSince, limit],
    );
    const ids = [rows.map(({ id }) => id)];
    await client.query('DELETE FROM turn WHERE episode = ANY($1::text[])', ids);
    // By now all words are seen that were entered before the episode was locked.
    await client.query('DELETE FROM episode_words WHERE episode = ANY($1::text[])', ids);
    if (rows.length > 0) await client.query(dropEmptySums);
    return rows.length;
  });
}

const dropEmptySums = 'DELETE FROM episode_sum WHERE episodes = 0';

/**
 * Removes the months in which every episode is complete and has not changed since; answers how many episodes that
 * were. One that others are busy with stays: its rows can be removed.
 */
export async function removeMonths(pool: Pool, unchangedSince: number): Promise<number> {
  const before = firstTimedId('ep', unchangedSince);
  for (const { suffix, to } of await readParts(pool))
    if (to <= before)
      for (let triesLeft = 50; triesLeft > 0; triesLeft -= 1)
        try {
          await transaction(pool, (client) => detachMonth(client, suffix, unchangedSince));
          break;
        } catch (error) {
          // Somebody reads there for long: nobody else is to wait behind.
          if (!isLockTimeout(error)) throw error;
          await sleep(300);
        }
  return dropDetached(pool);
}

/** Takes a month out of the tables, if nothing of it is to stay; that takes an instant, whatever its size. */
async function detachMonth(client: PoolClient, suffix: string, unchangedSince: number): Promise<void> {
  await patiently(client, `SELECT pg_advisory_xact_lock(${monthsLock})`);
  // Somebody else may have been first.
  if (!(await readParts(client)).some((part) => part.suffix === suffix)) return;
  await lockTables(client, [suffix, '_rest']);
  const { rows } = await client.query<{ readonly stays: boolean }>(
    `SELECT EXISTS (SELECT FROM episode${suffix} WHERE status = 'open') OR EXISTS (
       SELECT FROM episode${suffix} WHERE status = 'complete' AND updated_at >= $1) AS stays`,
    [unchangedSince],
  );
  if (rows[0]?.stays !== false) return;
  for (const table of tablesOf(''))
    await client.query(`ALTER TABLE ${table} DETACH PARTITION ${table}${suffix}`);
  await client.query(`ALTER TABLE episode${suffix} INHERIT episode_leaving`);
}

/**
 * Drops the months that were taken out, with their part of the sums and their idempotency keys; answers how many
 * episodes that were. Nobody meets them any more, so it may take its time, and whoever comes next ends what was left.
 */
export async function dropDetached(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ readonly suffix: string }>(
    `SELECT substr(relname, length('episode') + 1) AS suffix FROM pg_class
     WHERE relname ~ '^episode_(before|[0-9]{4}_[0-9]{2})$' AND relkind = 'r' AND NOT relispartition
       AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'episode'::regclass)`,
  );
  let dropped = 0;
  for (const { suffix } of rows) dropped += await transaction(pool, (client) => dropMonth(client, suffix));
  return dropped;
}

async function dropMonth(client: PoolClient, suffix: string): Promise<number> {
  if (!(await isMine(client))) return 0;
  const found = await patiently(client, `SELECT to_regclass('episode${suffix}') IS NOT NULL AS there`);
  if (found[0]?.['there'] !== true) return 0;
  const [counted] = await patiently(
    client,
    `WITH taken AS (${sumStatements.change(`episode${suffix} WHERE summed = 1`, 'subtract')}),
     freed AS (DELETE FROM episode_key AS known USING episode${suffix} AS gone
       WHERE known.owner = gone.owner AND known.created_key = gone.created_key)
     SELECT count(*) AS episodes FROM episode${suffix}`,
  );
  await patiently(client, dropEmptySums);
  await patiently(client, `DROP TABLE ${tablesOf(suffix).join(', ')}`);
  return Number(counted?.['episodes']);
}

/** For a month that was taken out nobody waits, so a statement may take as long as it does. */
async function patiently(
  client: PoolClient,
  text: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  // `pg` knows the limit of a single statement, its types do not.
  const statement = { text, query_timeout: 86_400_000 };
  return (await client.query(statement as { text: string })).rows;
}
