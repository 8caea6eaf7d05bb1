import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { loadCatalog } from '../scenario/load/catalog.ts';
import { SqliteStore } from '../store/sqlite/sqlite-store.ts';
import { bareEpisode, bareTurn } from '../store/testing/bare-record.ts';
import { LiveEpisodes } from './live-episode.ts';
import { TaskBook } from './task-book.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));
const place = { collection: 'case-management', scenario: 'lumbar-strain', opening: '{}', turnCount: 1 };

test('keeps transcripts by what they weigh, not by their number: large ones are read again', async () => {
  await using store = new SqliteStore(':memory:');
  const outcomes = JSON.stringify([{ output: 'x'.repeat(10_000_000) }]);
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  for (const id of ids) await store.restoreEpisode(bareEpisode(id, place), [bareTurn(id, 1, { outcomes })]);
  const read: string[] = [];
  const readTurns = store.readTurns.bind(store);
  store.readTurns = (id, after) => (read.push(id), readTurns(id, after));
  const live = new LiveEpisodes(store, new TaskBook(catalog));
  for (const id of [...ids, 'h', 'a']) {
    const record = await store.readEpisode(id);
    assert.equal((await live.load(record!)).turns.length, 1);
  }
  assert.deepEqual(read, [...ids, 'a']);
});
