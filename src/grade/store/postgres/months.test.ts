import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import pg from 'pg';

import { timedId } from '../../../base/host/random.ts';
import { readMigrations } from '../migration.ts';
import { readParts } from './months.ts';
import { PostgresStore } from './postgres-store.ts';
import { openPostgres } from './postgres.ts';
import type { EpisodeRecord } from '../record.ts';
import { bareEpisode, bareTurn } from '../testing/bare-record.ts';
import { startPostgres } from '../testing/postgres-server.ts';

const postgres = await startPostgres();
after(() => postgres.remove());

/** Months that no database of today has yet. */
const [first, second, third] = [0, 1, 2].map((month) => Date.UTC(2040, month, 15)) as [
  number,
  number,
  number,
];
const owner = 'trainer';
const ended = {
  status: 'complete',
  terminalReason: 'ended',
  reward: 0.5,
  success: 0,
  progress: 0.5,
  gate: 1,
};
const moved = { state: '{}', expiresAt: 3, totalUsage: '{}' };

const episodeAt = (time: number, change: Partial<EpisodeRecord> = {}): EpisodeRecord =>
  bareEpisode(timedId('ep', time), { owner, createdAt: time, updatedAt: time, ...change });

const endedAt = (time: number, change: Partial<EpisodeRecord> = {}): EpisodeRecord =>
  episodeAt(time, { ...(ended as Partial<EpisodeRecord>), turnCount: 1, ...change });

/** Three months with ended episodes, each with a turn, of which every second is in the sums that are kept. */
async function fill(store: PostgresStore): Promise<readonly EpisodeRecord[]> {
  await store.months.make(first);
  await store.months.make(second);
  const records = [first, second, third].flatMap((time) =>
    Array.from({ length: 10 }, (_, index) => endedAt(time + index, { createdKey: `${time} ${index}` })),
  );
  for (const record of records) {
    await store.restoreEpisode(record, [bareTurn(record.id, 1)]);
    if (records.indexOf(record) % 2 === 0) await store.sums.add(100);
  }
  await store.readWords(100);
  return records;
}

/** By variant nothing is kept: all is added up anew. */
async function sumsAgree(store: PostgresStore, episodes: number): Promise<void> {
  const [kept] = await store.sums.read({ owner }, []);
  const [anew] = await store.sums.read({ owner }, ['variant']);
  // When the first of them began may be said of one that has been removed.
  assert.deepEqual({ ...kept, by: {}, beganAt: 0 }, { ...anew, by: {}, beganAt: 0 });
  assert.equal(kept?.episodes, episodes);
}

async function ids(store: PostgresStore): Promise<readonly string[]> {
  return (await store.listEpisodes({ owner, limit: 1000 })).map(({ id }) => id).toSorted();
}

test('a database from before the months keeps all of its episodes, wherever their ids sort', async () => {
  const url = await postgres.database('before');
  const pool = new pg.Pool({ connectionString: url });
  await pool.query('CREATE TABLE whetstone_migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL)');
  for (const { number, name, sql } of readMigrations('postgres').slice(0, 12)) {
    await pool.query(sql);
    await pool.query('INSERT INTO whetstone_migration VALUES ($1, $2)', [number, name]);
  }
  const all: readonly string[] = ['A', 'ep_1', timedId('ep', Date.now()), timedId('ep', first), 'zebra'];
  for (const id of all) {
    await pool.query(`INSERT INTO episode SELECT * FROM json_populate_record(NULL::episode, $1)`, [
      {
        id,
        owner,
        collection: 'c',
        scenario: 's',
        version: '1',
        variant: 0,
        seed: 0,
        created_key: id,
        created_hash: '',
        options: '{}',
        opening: '{}',
        state: '{}',
        status: 'open',
        turn_count: 1,
        created_at: 1,
        updated_at: 1,
        expires_at: 1,
        words_read: 0,
        summed: 0,
      },
    ]);
    await pool.query(`INSERT INTO turn VALUES ($1, 1, 'k', '', '', '[]', '[]', '{}', 1)`, [id]);
  }
  await pool.end();

  await using store = await PostgresStore.open(url);
  assert.deepEqual(await ids(store), all);
  for (const id of all) {
    assert.equal((await store.readTurnByKey(id, 'k'))?.episode, id);
    assert.equal((await store.readEpisodeByKey(owner, id))?.id, id);
    assert.equal(await store.insertEpisode(episodeAt(second, { createdKey: id })), 'taken');
    assert.equal(await store.insertEpisode(bareEpisode(id, { owner })), 'taken');
    assert.equal(await store.appendTurn(bareTurn(id, 2), moved), true);
  }
  await store.months.make(first);
  assert.deepEqual(await ids(store), all);
});

test('servers make a month at the same moment once, and what came before it is in it afterwards', async () => {
  const url = await postgres.database('race');
  await using store = await PostgresStore.open(url);
  await using other = await PostgresStore.open(url);
  const early = [episodeAt(first), episodeAt(second)];
  for (const record of early) await store.insertEpisode(record, undefined, [bareTurn(record.id, 1)]);
  const later = Array.from({ length: 40 }, (_, index) => episodeAt(first + index));
  await Promise.all([
    ...Array.from({ length: 4 }, () => [store.months.make(first), other.months.make(first)]).flat(),
    ...later.map((record, index) => (index % 2 === 0 ? store : other).insertEpisode(record)),
  ]);
  // Whoever met another at it may have left it undone.
  await store.months.make(first);
  assert.deepEqual(await ids(store), [...early, ...later].map(({ id }) => id).toSorted());
  for (const { id } of early) assert.equal((await other.readTurns(id)).length, 1);
  const pool = await openPostgres(url);
  const parts = (await readParts(pool)).map(({ suffix }) => suffix).toSorted();
  assert.deepEqual(parts, ['_2040_01', '_2040_02', '_before']);
  for (const table of ['episode_rest', 'turn_rest', 'episode_words_rest'])
    assert.equal((await pool.query(`SELECT FROM ${table}`)).rowCount, 0, table);
  await pool.end();
});

test('a month in which nothing stays is removed as one, with its turns, words, sums and keys', async () => {
  const url = await postgres.database('prune');
  await using store = await PostgresStore.open(url);
  const records = await fill(store);
  await sumsAgree(store, 30);
  const open = episodeAt(second, { owner: 'another' });
  await store.insertEpisode(open);
  assert.equal(await store.months.remove(Date.UTC(2040, 0, 31)), 0, 'the month is not over');
  assert.equal(await store.months.remove(third), 10, 'in the second one an episode is open');
  const left = records
    .slice(10)
    .map(({ id }) => id)
    .toSorted();
  assert.deepEqual(await ids(store), left);
  await sumsAgree(store, 20);
  assert.deepEqual(await store.readTurns(records[0]!.id), []);
  assert.equal(await store.readEpisodeByKey(owner, records[0]!.createdKey!), undefined);
  assert.equal((await store.readEpisodeByKey(owner, records[10]!.createdKey!))?.id, records[10]!.id);
  // The rest of what is old goes row by row.
  for (let count = 1; count > 0;) count = await store.removeEpisodes(third, 3);
  assert.deepEqual(await ids(store), left.slice(10));
  await sumsAgree(store, 10);
  assert.equal((await store.readEpisode(open.id))?.id, open.id);
  assert.equal(
    await store.insertEpisode(episodeAt(third, { createdKey: records[0]!.createdKey })),
    'inserted',
  );
  assert.deepEqual(await store.readEpisode(records[29]!.id).then((record) => record?.id), records[29]!.id);
  const pool = await openPostgres(url);
  const tables = await pool.query(
    `SELECT relname FROM pg_class WHERE relname ~ '^(episode|turn|episode_words)_2040_01$'`,
  );
  assert.deepEqual(tables.rows, []);
  await pool.end();
});

test('turns go on beside a prune, and one that is killed in the middle is ended by whoever comes next', async () => {
  const url = await postgres.database('killed');
  const store = await PostgresStore.open(url);
  const records = await fill(store);
  const [reader, keeper] = [0, 1].map(() => new pg.Client({ connectionString: url }));
  for (const client of [reader!, keeper!]) {
    client.on('error', () => {});
    await client.connect();
    await client.query('BEGIN');
  }
  await reader!.query('SELECT FROM episode LIMIT 1');
  await keeper!.query('LOCK TABLE episode_sum IN SHARE MODE');
  const waiting = async (table: string): Promise<void> => {
    const sql = `SELECT FROM pg_locks WHERE NOT granted AND relation = $1::regclass`;
    while ((await keeper!.query(sql, [table])).rowCount === 0);
  };
  const pruned = store.months.remove(third).catch((error: { code: string }) => error.code);
  await waiting('episode');
  const open = episodeAt(third);
  assert.equal(await store.insertEpisode(open), 'inserted');
  // So often that Postgres makes plans for any month.
  for (let number = 1; number <= 6; number += 1)
    assert.equal(await store.appendTurn(bareTurn(open.id, number), moved), true);
  assert.equal((await ids(store)).length, records.length + 1);
  await reader!.query('COMMIT');
  // The months are out, and their sums are still to be taken away.
  await waiting('episode_sum');
  await postgres.kill();
  assert.equal(await pruned, 'store_unavailable');
  await postgres.start();
  await store[Symbol.asyncDispose]();

  await using again = await PostgresStore.open(url);
  const left = [...records.slice(20), open];
  assert.deepEqual(await ids(again), left.map(({ id }) => id).toSorted());
  await sumsAgree(again, 11);
  await again.months.make(third);
  await sumsAgree(again, 11);
  assert.deepEqual(await again.readTurns(records[0]!.id), []);
  for (const { id } of records.slice(20)) assert.equal((await again.readTurns(id)).length, 1);
  assert.equal(
    await again.insertEpisode(episodeAt(third, { createdKey: records[0]!.createdKey })),
    'inserted',
  );
});
