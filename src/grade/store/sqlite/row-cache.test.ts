import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import type { EpisodeRecord } from '../record.ts';
import { SqliteStore } from './sqlite-store.ts';
import { bareEpisode, bareKey, bareTurn } from '../testing/bare-record.ts';

const folder = mkdtempSync(join(tmpdir(), 'whet-rows-'));
const file = join(folder, 'data.db');
const [one, other] = [new SqliteStore(file), new SqliteStore(file)];
after(async () => {
  await one[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const end = {
  terminalReason: 'completed',
  reward: 0.5,
  success: 1,
  progress: 0,
  gate: 1,
  scores: '{}',
  grade: '{}',
} as const;

test('a row that is kept is the row that the file has, whatever was written', async () => {
  const check = async (): Promise<EpisodeRecord | undefined> => {
    const kept = await one.readEpisode('a');
    const fresh = new SqliteStore(file);
    assert.deepEqual(kept, await fresh.readEpisode('a'));
    await fresh[Symbol.asyncDispose]();
    return kept;
  };
  await one.insertEpisode(bareEpisode('a'));
  await check();
  await one.appendTurn(bareTurn('a', 1), { state: '{"turn":1}', expiresAt: 10, totalUsage: '{}' });
  assert.equal((await check())?.turnCount, 1);
  assert.equal(
    await one.appendTurn(bareTurn('a', 1), { state: '{}', expiresAt: 10, totalUsage: '{}' }),
    false,
  );
  await check();
  await one.touchEpisode('a', 99);
  assert.equal((await check())?.expiresAt, 99);
  await one.appendTurn(bareTurn('a', 2), { state: '{"turn":2}', expiresAt: 20, totalUsage: '{}', end });
  assert.equal((await check())?.status, 'complete');
  await one.removeEpisodes(1000, 10);
  assert.equal(await check(), undefined);
});

test('what another process writes into the file is seen at once', async () => {
  await one.insertEpisode(bareEpisode('b'));
  assert.equal((await one.readEpisode('b'))?.turnCount, 0);
  await other.appendTurn(bareTurn('b', 1), { state: '{"turn":1}', expiresAt: 10, totalUsage: '{}' });
  assert.equal((await one.readEpisode('b'))?.turnCount, 1);
  await other.endEpisode('b', 1, end, 5);
  assert.equal((await one.readEpisode('b'))?.status, 'complete');
});

test('a key that is revoked is seen as revoked at once, by whomever', async () => {
  for (const [id, revoker] of [
    ['k1', one],
    ['k2', other],
  ] as const) {
    await one.keys.insert(bareKey(id));
    assert.equal((await one.keys.read(id))?.revokedAt, null);
    await revoker.keys.revoke(id, 7);
    assert.equal((await one.keys.read(id))?.revokedAt, 7);
  }
});
