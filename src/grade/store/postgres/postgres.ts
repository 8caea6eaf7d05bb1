import type { Pool, PoolClient, QueryResultRow } from 'pg';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { pendingMigrations, readMigrations } from '../migration.ts';

export type { Pool, PoolClient };

/** True for what names a Postgres database rather than a file. */
export function isPostgresUrl(place: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(place);
}

/** Where a database is, without who may enter it. */
export function placeOf(url: string): string {
  const address = URL.parse(url);
  if (address === null)
    // It is not repeated: a password is in it.
    throw new WhetstoneError(
      'store_unavailable',
      'The URL of the Postgres database is none. Write postgres://user:password@host:5432/database, with signs such as / # ? and @ in the password as %2F %23 %3F and %40.',
    );
  const { protocol, host, pathname } = address;
  return `${protocol}//${host}${pathname}`;
}

/** The only door to `pg`, which is an optional peer: opens a pool and brings the schema up to date. */
export async function openPostgres(url: string): Promise<Pool> {
  const place = placeOf(url);
  mustKnowSslMode(url, place);
  let pg: typeof import('pg').default;
  try {
    pg = (await import('pg')).default;
  } catch (cause) {
    throw new WhetstoneError('peer_missing', 'Postgres needs the package `pg`: npm install pg', {
      details: { peer: 'pg' },
      cause,
    });
  }
  // 8-byte integers come as text, since not all of them fit a number; ours are times and seeds, which do.
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5000,
    // A database that has stopped answering is given up: a request, a probe or a stop would wait for ever.
    query_timeout: 10_000,
    // A connection that the network dropped without a word is found out while it is idle.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {});
  // One that breaks between two statements of a transaction fails the next of them.
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    await migrate(pool, place);
    return pool;
  } catch (error) {
    await pool.end();
    throw postgresError(error, place);
  }
}

/** `pg` takes what it does not know for a wish to speak TLS, and then says that the server does not. */
function mustKnowSslMode(url: string, place: string): void {
  const modes = URL.parse(url)?.searchParams.getAll('sslmode') ?? [];
  const wrong = modes.find((mode) => mode !== '' && !sslModes.includes(mode));
  if (wrong === undefined) return;
  const reason = `sslmode is ${JSON.stringify(wrong.slice(0, 40))}, and it may be ${sslModes.join(', ')}`;
  throw new WhetstoneError('store_unavailable', `The store ${place} cannot be used: ${reason}.`, {
    details: { place, reason },
  });
}

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

async function migrate(pool: Pool, place: string): Promise<void> {
  await transaction(pool, async (client) => {
    // Servers that start together wait here for each other; the lock goes with the transaction.
    await client.query('SELECT pg_advisory_xact_lock(7305827)');
    await client.query(
      'CREATE TABLE IF NOT EXISTS whetstone_migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL)',
    );
    const { rows } = await client.query<{ version: number }>(
      'SELECT coalesce(max(number), 0) AS version FROM whetstone_migration',
    );
    for (const migration of pendingMigrations(readMigrations('postgres'), rows[0]?.version ?? 0, place)) {
      await client.query(migration.sql);
      await client.query('INSERT INTO whetstone_migration VALUES ($1, $2)', [
        migration.number,
        migration.name,
      ]);
    }
  });
}

/** What is done there is done as a whole when it resolves, and not at all when it throws. */
export async function transaction<Value>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Value>,
): Promise<Value> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const value = await work(client);
    await client.query('COMMIT');
    client.release();
    return value;
  } catch (error) {
    // With its connection a transaction that has begun is given up too.
    client.release(true);
    throw error;
  }
}

/**
 * Runs one statement, prepared under the name of its text. What others wait behind says within how many milliseconds it
 * is answered: then its connection is given up, and it is not known whether it was done.
 */
export async function query<Row extends QueryResultRow>(
  pool: Pool,
  text: string,
  values: readonly unknown[],
  within?: number,
): Promise<{ readonly rows: readonly Row[]; readonly count: number }> {
  // `pg` knows the limit of a single statement, its types do not.
  const limit = within === undefined ? {} : { query_timeout: within };
  const result = await pool.query<Row>({ name: nameOf(text), text, values: [...values], ...limit });
  return { rows: result.rows, count: result.rowCount ?? 0 };
}

const names = new Map<string, string>();

/** Postgres cuts long names, so statements are numbered. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `whet_${names.size}`;
    names.set(text, name);
  }
  return name;
}

const refusals: readonly (readonly [RegExp, string])[] = [
  [/^53100/, 'the disk is full'],
  [/^28/, 'the database refuses the user or the password'],
  [/^3D000/, 'there is no such database; make it with createdb'],
  [/^42501/, 'its user may not do that there'],
  [/^ENOTFOUND/, 'there is no host of that name'],
];

/** What Postgres or the way to it reports, as ours: `store_unavailable` when the world is to blame. */
export function postgresError(error: unknown, place: string): unknown {
  if (!(error instanceof Error) || error instanceof WhetstoneError) return error;
  const code = 'code' in error ? String(error.code) : '';
  const refusal = /does not support SSL/.test(error.message)
    ? 'it does not speak TLS; leave sslmode out of the URL, or say sslmode=disable'
    : refusals.find(([codes]) => codes.test(code))?.[1];
  const reason =
    refusal ??
    // Connection, resources, operator intervention, system error, read-only; or nobody listens at all.
    (/^(08|53|57|58|25006)/.test(code) ||
    /^E[A-Z]+$/.test(code) ||
    /connect|terminat|timeout/i.test(error.message)
      ? 'the database does not answer'
      : undefined);
  if (reason === undefined) return error;
  return new WhetstoneError('store_unavailable', `The store ${place} cannot be used now: ${reason}.`, {
    details: { place, reason },
    cause: error,
  });
}

export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

/** Whether a lock was waited for as long as its statement was to wait. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}

/** Whether Postgres itself refused a statement and goes on: nothing of it was done, and another may be. */
export function wasRefused(error: unknown): boolean {
  // Only what Postgres reports has a severity. Lost connections, a shutdown and a broken system are not refusals.
  return (
    error instanceof Error &&
    'severity' in error &&
    'code' in error &&
    !/^(08|57P|58|F0|XX)/.test(String(error.code))
  );
}

/** Whether no connection came about, so that nothing was asked of the database. */
export function neverReached(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  // A broken connection resets and times out; that nobody listens, or cannot be found, is only said of a new one.
  const away = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT|57P03|53300)$/.test(code);
  return (
    away ||
    /timeout exceeded when trying to connect|due to connection timeout|timeout expired/.test(error.message)
  );
}
