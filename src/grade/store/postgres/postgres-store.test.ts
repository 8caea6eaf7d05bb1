import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { after, test } from 'node:test';

import { openStore } from '../open-store.ts';
import { PostgresStore } from './postgres-store.ts';
import { neverReached, openPostgres, placeOf, postgresError, query } from './postgres.ts';
import { bareEpisode, bareKey, bareTurn } from '../testing/bare-record.ts';
import { startPostgres } from '../testing/postgres-server.ts';

test('without the package pg there is peer_missing, and it says what to install', async () => {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'pg') throw new Error('Cannot find package pg');
      return next(specifier, context);
    },
  });
  try {
    await assert.rejects(PostgresStore.open('postgres://127.0.0.1:1/none'), {
      code: 'peer_missing',
      message: /npm install pg/,
    });
  } finally {
    hooks.deregister();
  }
});

test('a database that nobody answers for is store_unavailable, and its password is not said', async () => {
  await assert.rejects(
    openStore('postgres://me:secret@127.0.0.1:1/none'),
    (error: Error & { code: string }) => {
      assert.equal(error.code, 'store_unavailable');
      assert.doesNotMatch(error.message, /secret/);
      return true;
    },
  );
});

test('a place names the host and the database, and nobody', () => {
  assert.equal(placeOf('postgres://me:secret@host:5432/db?sslmode=require'), 'postgres://host:5432/db');
});

test('a URL that is none is refused in a sentence, and its password is not said', async () => {
  for (const url of ['postgres://me:secret@host:99999/db', 'postgres://me:secret/#@host:5432/db'])
    await assert.rejects(openStore(url), (error: Error & { code: string }) => {
      assert.equal(error.code, 'store_unavailable');
      assert.match(error.message, /Write postgres:\/\/user:password@host:5432\/database/);
      assert.doesNotMatch(error.message, /secret/);
      return true;
    });
});

test('an sslmode that is none is told with those that are', async () => {
  await assert.rejects(openStore('postgres://me:secret@127.0.0.1:1/db?sslmode=requrie'), {
    code: 'store_unavailable',
    message:
      'The store postgres://127.0.0.1:1/db cannot be used: sslmode is "requrie", and it may be disable, allow, prefer, require, verify-ca, verify-full, no-verify.',
  });
});

const postgres = await startPostgres();
after(() => postgres.remove());

test('a database or a user that is not there is told in a sentence', async () => {
  const url = new URL(await postgres.database('entrance'));
  url.pathname = '/nowhere';
  await assert.rejects(openStore(url.href), {
    code: 'store_unavailable',
    message: /there is no such database/,
  });
  url.search = '?sslmode=no-verify';
  await assert.rejects(openStore(url.href), {
    code: 'store_unavailable',
    message: /does not speak TLS; leave sslmode out/,
  });
  for (const code of ['28P01', '28000'])
    assert.match(
      String(postgresError(Object.assign(new Error('no'), { code }), 'here')),
      /refuses the user or the password/,
    );
});

test('a statement that is not answered in its time is given up with its connection, and the next goes on', async (context) => {
  const pool = await openPostgres(await postgres.database('silent'));
  context.after(() => pool.end());
  const silent = query(pool, 'SELECT pg_sleep($1)', [5], 50).catch((error: unknown) =>
    Promise.reject(postgresError(error, 'here')),
  );
  await assert.rejects(silent, { code: 'store_unavailable' });
  assert.deepEqual((await query(pool, 'SELECT 1 AS one', [], 5000)).rows, [{ one: 1 }]);
});

test('turns that go together take their rows in one order, so that servers never wait in a circle', async () => {
  const url = await postgres.database('order');
  await using store = await PostgresStore.open(url);
  // In the table they stand the other way round.
  for (const id of ['b', 'a']) await store.insertEpisode(bareEpisode(id));
  const { default: pg } = await import('pg');
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query('BEGIN');
  await other.query("SELECT id FROM episode WHERE id = 'a' FOR UPDATE");
  const appended = Promise.all(
    ['b', 'a'].map((id) =>
      store.appendTurn(bareTurn(id, 1), { state: '{}', expiresAt: 3, totalUsage: '{}' }),
    ),
  );
  for (let waits = 0; waits === 0;)
    waits = (await other.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount ?? 0;
  await other.query("SELECT id FROM episode WHERE id = 'b' FOR UPDATE NOWAIT");
  await other.query('COMMIT');
  assert.deepEqual(await appended, [true, true]);
  await other.end();
});

test('a real database: servers that start together, a newer schema, and a kill in between', async () => {
  const url = await postgres.database('together');
  const stores = await Promise.all([
    PostgresStore.open(url),
    PostgresStore.open(url),
    PostgresStore.open(url),
  ]);
  assert.equal(stores[0].place.includes('whet@'), false);

  // Killed while it is used: what was acknowledged is there when it comes back, and the pool finds its way.
  const key = bareKey('h', { id: 'key_1', explain: true });
  await stores[0].keys.insert(key);
  await postgres.kill();
  await assert.rejects(openStore(url), { code: 'store_unavailable' });
  const { default: pg } = await import('pg');
  const nobody = await new pg.Client({ connectionString: url }).connect().catch((error: unknown) => error);
  assert.equal(neverReached(nobody), true);
  await postgres.start();
  await using again = await PostgresStore.open(url);
  assert.deepEqual(await again.keys.read('h'), key);
  // A pool drops broken connections as it meets them, and has at most ten.
  const found = await Promise.allSettled(Array.from({ length: 11 }, () => stores[0].keys.read('h')));
  assert.deepEqual(await stores[0].keys.read('h'), key);
  for (const result of found)
    if (result.status === 'rejected') assert.equal(result.reason.code, 'store_unavailable');
  for (const store of stores) await store[Symbol.asyncDispose]();

  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("INSERT INTO whetstone_migration VALUES (999, '0999-future')");
  await client.end();
  await assert.rejects(openStore(url), { code: 'store_newer', message: /its schema is 999/ });
});
