import assert from 'node:assert/strict';
import { fstatSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';

import type { Disk } from './disk-sync.ts';
import { SqliteStore } from './sqlite-store.ts';
import { bareEpisode, bareTurn } from '../testing/bare-record.ts';

const folder = mkdtempSync(join(tmpdir(), 'whet-sync-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const episode = (id: string) => bareEpisode(id, { createdKey: id });
const turn = (id: string, number: number) => bareTurn(id, number, { key: 'k' });
const change = { state: '{}', expiresAt: 9, totalUsage: '{}' };

/** A disk on which a sync beside the thread ends when the test says so. */
class SlowDisk implements Disk {
  readonly #waiting: ((error: Error | null) => void)[] = [];
  readonly log: string[] = [];
  file = -1;
  broken = false;

  readonly sync = (file: number, done: (error: Error | null) => void): void => {
    this.file = file;
    this.log.push('beside');
    this.#waiting.push(done);
  };

  readonly syncNow = (): void => {
    this.log.push('now');
    if (this.broken) throw new Error('EIO: i/o error, fdatasync');
  };

  /** Resolves when a sync runs. */
  async running(): Promise<void> {
    for (let round = 0; this.#waiting.length === 0; round += 1) {
      assert.ok(round < 20, 'No sync was asked for.');
      await nextRound();
    }
  }

  async end(error: Error | null = null): Promise<void> {
    await this.running();
    this.#waiting.shift()!(error);
  }
}

/** Whether it has been answered once all that is ready has run. */
async function isAnswered(promise: Promise<unknown>): Promise<boolean> {
  let answered = false;
  const note = (): void => {
    answered = true;
  };
  promise.then(note, note);
  for (let round = 0; round < 3; round += 1) await nextRound();
  return answered;
}

async function opened(name: string): Promise<{ disk: SlowDisk; store: SqliteStore }> {
  const disk = new SlowDisk();
  const store = new SqliteStore(join(folder, name), { disk });
  assert.equal(await store.insertEpisode(episode('a')), 'inserted');
  // What stood in the file before it was opened is brought to the disk once.
  const ready = store.keys.list();
  await disk.end();
  await ready;
  assert.equal((await store.readEpisode('a'))?.turnCount, 0);
  return { disk, store };
}

/** A turn that shares its commit with an episode, so that neither is alone. */
const write = (store: SqliteStore, beside: string): Promise<unknown> =>
  Promise.all([store.appendTurn(turn('a', 1), change), store.insertEpisode(episode(beside))]);

test('a write is answered when the disk has the log, and what comes meanwhile waits for the next sync', async () => {
  const { disk, store } = await opened('order.db');
  assert.equal(fstatSync(disk.file).ino, statSync(join(folder, 'order.db-wal')).ino);
  const first = write(store, 'b');
  await disk.running();
  const second = store.insertEpisode(episode('c'));
  assert.deepEqual([await isAnswered(first), await isAnswered(second)], [false, false]);
  const third = store.insertEpisode(episode('d'));
  await nextRound();
  const before = disk.log.length;
  await disk.end();
  assert.deepEqual(await first, [true, 'inserted']);
  assert.deepEqual([await isAnswered(second), await isAnswered(third)], [false, false]);
  await disk.end();
  assert.deepEqual([await second, await third], ['inserted', 'inserted']);
  assert.deepEqual(disk.log.slice(before), ['beside']);
  await store[Symbol.asyncDispose]();
});

test('who is alone waits for the disk at once, and not for another thread', async () => {
  const { disk, store } = await opened('alone.db');
  const before = disk.log.length;
  assert.equal(await store.appendTurn(turn('a', 1), change), true);
  assert.deepEqual(disk.log.slice(before), ['now']);
  disk.broken = true;
  const refused = { code: 'store_unavailable', message: /the disk failed/ };
  await assert.rejects(store.insertEpisode(episode('b')), refused);
  await assert.rejects(store.readTurns('a'), refused);
  await store[Symbol.asyncDispose]();
});

test('a write that comes by itself in a crowd does not stop the others', async () => {
  const { disk, store } = await opened('crowd.db');
  const written = write(store, 'b');
  await disk.end();
  await written;
  const before = disk.log.length;
  const stray = store.insertEpisode(episode('c'));
  await disk.end();
  await stray;
  await store.insertEpisode(episode('d'));
  assert.deepEqual(disk.log.slice(before), ['beside', 'now']);
  await store[Symbol.asyncDispose]();
});

test('nobody is told of a row before it is on disk, by whichever way it is read', async () => {
  const { disk, store } = await opened('early.db');
  const written = write(store, 'b');
  await disk.running();
  const readings = [
    store.readTurns('a'),
    store.readTurnByKey('a', 'k'),
    store.readEpisode('b'),
    store.readEpisodeByKey('local', 'a'),
    store.listEpisodes({ owner: 'local', limit: 9 }),
  ];
  for (const reading of readings) assert.equal(await isAnswered(reading), false);
  // What is kept of the episode is what was on disk.
  assert.equal((await store.readEpisode('a'))?.turnCount, 0);
  await disk.end();
  await disk.end();
  await written;
  await Promise.all(readings);
  assert.equal((await store.readTurns('a')).length, 1);
  assert.equal((await store.readEpisode('a'))?.turnCount, 1);
  await store[Symbol.asyncDispose]();
});

test('what another process has committed is brought to the disk by whoever reads it', async () => {
  const { disk, store } = await opened('stranger.db');
  const mine = new SlowDisk();
  const other = new SqliteStore(join(folder, 'stranger.db'), { disk: mine });
  const before = other.keys.list();
  await mine.end();
  await before;
  const written = write(store, 'b');
  await disk.running();
  const [row, turns] = [other.readEpisode('a'), other.readTurns('a')];
  assert.deepEqual(
    [await isAnswered(row), await isAnswered(turns), await isAnswered(written)],
    [false, false, false],
  );
  await mine.end();
  await mine.end();
  assert.equal((await row)?.turnCount, 1);
  assert.equal((await turns).length, 1);
  await disk.end();
  await written;
  await store[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

test('when the disk fails nothing is acknowledged any more, and all that was is there afterwards', async () => {
  const { disk, store } = await opened('broken.db');
  const written = write(store, 'b');
  await disk.running();
  const next = store.insertEpisode(episode('c'));
  assert.equal(await isAnswered(next), false);
  const refused = { code: 'store_unavailable', message: /the disk failed/ };
  await disk.end(new Error('EIO: i/o error, fdatasync'));
  await assert.rejects(written, refused);
  await assert.rejects(next, refused);
  await assert.rejects(store.appendTurn(turn('a', 2), change), refused);
  await assert.rejects(store.readTurns('a'), refused);
  await assert.rejects(store.keys.list(), refused);
  await store[Symbol.asyncDispose]();
  const again = new SqliteStore(join(folder, 'broken.db'));
  assert.equal((await again.readEpisode('a'))?.id, 'a');
  await again[Symbol.asyncDispose]();
});
