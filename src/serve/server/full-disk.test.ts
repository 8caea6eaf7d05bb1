import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { SqliteStore } from '../../grade/store/sqlite/sqlite-store.ts';
import { lumbar, say, testServer } from './testing/test-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'whet-full-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('on a full disk turns are 503 and not lost, reading goes on, and all goes on when there is room', async () => {
  const file = join(folder, 'data.db');
  const small = new SqliteStore(file, { maxPages: 120 });
  const full = await testServer({ store: small });
  const { episode_id } = (await full.post('/api/v1/episodes', { ...lumbar, score_turns: true })).body;
  const path = `/api/v1/episodes/${episode_id}`;
  const turn = (number: number) => ({ turn: number, messages: [say(`When? ${'x'.repeat(9000)}`)] });
  // Others fill the disk.
  let answer = await full.post('/api/v1/episodes', lumbar);
  while (answer.status === 200) answer = await full.post('/api/v1/episodes', { ...lumbar, config: {} });
  assert.deepEqual(
    [answer.status, answer.body.data.code, answer.headers.get('retry-after')],
    [503, 'store_unavailable', '1'],
  );
  assert.equal(answer.text.includes(folder), false);
  const refused = await full.post(`${path}/turns`, turn(1));
  assert.equal(refused.status, 503);
  assert.equal((await full.get(path)).body.turn_count, 0);
  const batch = { items: [{ id: 'a', episode_id, ...turn(1) }] };
  assert.equal((await full.post('/api/v1/batch/turns', batch)).body.results[0].code, 'store_unavailable');
  await full.close();
  await small[Symbol.asyncDispose]();

  const roomy = new SqliteStore(file);
  const server = await testServer({ store: roomy });
  const played = await server.post(`${path}/turns`, turn(1));
  assert.equal(played.status, 200);
  assert.equal(played.body.turn, 1);
  assert.equal((await server.get(path)).body.turn_count, 1);
  await server.close();
  await roomy[Symbol.asyncDispose]();
});

test('a server whose disk has no room left is not ready', async () => {
  const store = new SqliteStore(join(folder, 'no-room.db'), { leastRoom: Infinity });
  const server = await testServer({ store });
  const answer = await server.get('/ready');
  assert.deepEqual([answer.status, answer.body.reason], [503, 'store_unavailable']);
  await server.close();
  await store[Symbol.asyncDispose]();
});
