import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { sleep } from '../../../base/host/clock.ts';
import { rounds } from '../../../../test/rounds.ts';
import { SqliteStore } from './sqlite-store.ts';
import { openLog, openSqlite } from './sqlite.ts';
import { bareEpisode, bareTurn } from '../testing/bare-record.ts';

const folder = mkdtempSync(join(tmpdir(), 'whet-sqlite-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('keeps a write-ahead log, and the disk is waited for beside it', () => {
  const database = openSqlite(join(folder, 'pragma.db'));
  assert.deepEqual({ ...database.prepare('PRAGMA journal_mode').get() }, { journal_mode: 'wal' });
  assert.deepEqual({ ...database.prepare('PRAGMA synchronous').get() }, { synchronous: 1 });
  database.close();
});

test('refuses a file of a newer schema with store_newer, and leaves it as it is', () => {
  const file = join(folder, 'newer.db');
  const database = openSqlite(file);
  database.exec('PRAGMA user_version = 999');
  database.close();
  assert.throws(() => new SqliteStore(file), { code: 'store_newer', message: /its schema is 999/ });
});

test('an episode whose turns an older version wrote goes on from where it stands', async () => {
  const file = join(folder, 'older.db');
  const store = new SqliteStore(file);
  // Turns that are put back come without a state of their own, as those of an older version do.
  await store.restoreEpisode(bareEpisode('old', { turnCount: 1, state: '{"turn":1}' }), [bareTurn('old', 1)]);
  assert.equal((await store.readEpisode('old'))?.state, '{"turn":1}');
  assert.equal(
    await store.appendTurn(bareTurn('old', 1), { state: '{}', expiresAt: 9, totalUsage: '{}' }),
    false,
  );
  assert.equal(
    await store.appendTurn(bareTurn('old', 2), { state: '{"turn":2}', expiresAt: 9, totalUsage: '{}' }),
    true,
  );
  await store[Symbol.asyncDispose]();
  const again = new SqliteStore(file);
  const { turnCount, state, expiresAt } = (await again.readEpisode('old')) ?? bareEpisode('');
  assert.deepEqual([turnCount, state, expiresAt], [2, '{"turn":2}', 9]);
  await again[Symbol.asyncDispose]();
});

test('a file that is not a database is store_unavailable, by name', () => {
  const file = join(folder, 'words.db');
  writeFileSync(file, 'these are words, and not a database'.repeat(100));
  assert.throws(() => new SqliteStore(file), {
    code: 'store_unavailable',
    message: /words\.db.*not a database/,
  });
});

test('a folder in the place of its log is store_unavailable, by name', async () => {
  const [written, fresh] = ['written.db', 'fresh.db'].map((name) => join(folder, name)) as [string, string];
  await new SqliteStore(written)[Symbol.asyncDispose]();
  for (const file of [written, fresh]) {
    mkdirSync(`${file}-wal`);
    assert.throws(() => new SqliteStore(file), {
      code: 'store_unavailable',
      message: `The store ${file} cannot be used now: its log ${file}-wal is a folder.`,
    });
  }
});

test('a log that nobody lets us write is store_unavailable, by name, and its file is let go of', () => {
  const file = join(folder, 'locked.db');
  const database = openSqlite(file);
  chmodSync(`${file}-wal`, 0o000);
  // Root may write whatever it likes.
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid!('nobody');
  try {
    assert.throws(() => openLog(database, file), {
      code: 'store_unavailable',
      message: /its log .*locked\.db-wal cannot be read and written \(EACCES\)/,
    });
  } finally {
    if (isRoot) process.seteuid!(0);
  }
  assert.equal(database.isOpen, false);
});

test('a full disk is store_unavailable for those it hits, and nothing that was acknowledged is lost', async () => {
  const file = join(folder, 'full.db');
  const store = new SqliteStore(file, { maxPages: 70 });
  const huge = bareEpisode('huge', { opening: 'x'.repeat(400_000) });
  assert.equal(await store.insertEpisode(bareEpisode('before')), 'inserted');
  const results = await Promise.allSettled([
    store.insertEpisode(bareEpisode('small')),
    store.insertEpisode(huge),
    store.insertEpisode(bareEpisode('small too')),
  ]);
  assert.deepEqual(
    results.map((result) => result.status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.match(String((results[1] as PromiseRejectedResult).reason), /the disk is full/);
  await store[Symbol.asyncDispose]();

  const roomy = new SqliteStore(file);
  for (const id of ['before', 'small', 'small too']) assert.equal((await roomy.readEpisode(id))?.id, id);
  assert.equal(await roomy.readEpisode('huge'), undefined);
  assert.equal(await roomy.insertEpisode(huge), 'inserted');
  await roomy[Symbol.asyncDispose]();
});

test('a disk that is full when the database is made is told so', () => {
  const file = join(folder, 'no-room.db');
  assert.throws(
    () => new SqliteStore(file, { maxPages: 3 }),
    /no-room\.db cannot be used now: the disk is full/,
  );
});

test('a backup of a store in use holds all that was acknowledged', async () => {
  const store = new SqliteStore(join(folder, 'live.db'));
  await store.insertEpisode(bareEpisode('kept'));
  await Promise.all([store.backUp(join(folder, 'copy.db')), store.insertEpisode(bareEpisode('meanwhile'))]);
  const copy = new SqliteStore(join(folder, 'copy.db'));
  assert.equal((await copy.readEpisode('kept'))?.id, 'kept');
  await copy[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

test('no backup breaks off because turns are written meanwhile', async () => {
  const store = new SqliteStore(join(folder, 'busy.db'));
  for (let round = 0; round < rounds(30); round++) {
    const target = join(folder, `busy-${round}.db`);
    const writes = Array.from({ length: 20 }, (_, index) =>
      store.insertEpisode(bareEpisode(`${round}-${index}`)),
    );
    await Promise.all([store.backUp(target), ...writes]);
    rmSync(target);
  }
  await store[Symbol.asyncDispose]();
});

test('closing writes what still waits', async () => {
  const store = new SqliteStore(join(folder, 'closing.db'));
  const waiting = store.insertEpisode(bareEpisode('last'));
  await store[Symbol.asyncDispose]();
  assert.equal(await waiting, 'inserted');
});

test('while another process holds the file writes wait beside the event loop, and are then written', async () => {
  const file = join(folder, 'held.db');
  await using store = new SqliteStore(file);
  const foreign = openSqlite(file);
  foreign.exec('BEGIN IMMEDIATE');
  const waiting = store.insertEpisode(bareEpisode('waits'));
  // Reading goes on meanwhile.
  assert.equal(await store.readEpisode('waits'), undefined);
  for (let round = 0; round < 20; round++) await sleep(1);
  foreign.exec('COMMIT');
  assert.equal(await waiting, 'inserted');
  foreign.close();
});
