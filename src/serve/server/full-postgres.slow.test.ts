import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { PostgresStore } from '../../grade/store/postgres/postgres-store.ts';
import { startPostgres, type PostgresServer } from '../../grade/store/testing/postgres-server.ts';
import { mountSmallDisk, type SmallDisk } from '../../grade/store/testing/small-disk.ts';
import { lumbar, say, testServer, type Answer, type TestServer } from './testing/test-server.ts';

const turn = (number: number, length: number) => ({
  turn: number,
  messages: [say(`When did it happen? ${'x'.repeat(length)}`)],
});

/** Everything but the id of the request. */
const bytes = (answer: Answer): string => answer.text.replace(/,"request_id":"\w+"\}$/, '}');

/** Plays until the database has no room; what was acknowledged until then. */
async function playUntilFull(
  server: TestServer,
  disk: SmallDisk,
): Promise<{ readonly path: string; readonly acknowledged: readonly Answer[]; readonly refused: Answer }> {
  const { episode_id } = (
    await server.post('/api/v1/episodes', { ...lumbar, score_turns: true, config: { max_turns: 30 } })
  ).body;
  const path = `/api/v1/episodes/${episode_id}`;
  const acknowledged = [await server.post(`${path}/turns`, turn(1, 10))];
  assert.equal(acknowledged[0]?.status, 200);
  disk.fill();
  for (;;) {
    const number = acknowledged.length + 1;
    const answer = await server.post(`${path}/turns`, turn(number, 9000));
    if (answer.status !== 200) return { path, acknowledged, refused: answer };
    acknowledged.push(answer);
    // What the files had still room for is used up by others.
    await Promise.all(Array.from({ length: 100 }, () => server.post('/api/v1/episodes', lumbar)));
  }
}

async function onDisk(
  t: { readonly skip: (reason: string) => void },
  megabytes: number,
  places: (disk: SmallDisk, other: string) => { readonly data: string; readonly log?: string },
  play: (server: TestServer, disk: SmallDisk, postgres: PostgresServer) => Promise<void>,
): Promise<void> {
  const disk = mountSmallDisk(megabytes);
  if (disk === undefined)
    return t.skip('no small disk can be mounted here (it needs the right to mount a tmpfs)');
  const other = mkdtempSync(join(tmpdir(), 'whet-log-'));
  chmodSync(other, 0o755);
  const postgres = await startPostgres(places(disk, other));
  try {
    await using store = await PostgresStore.open(await postgres.database('small'));
    const server = await testServer({ store });
    try {
      await play(server, disk, postgres);
    } finally {
      await server.close();
    }
  } finally {
    await postgres.remove();
    disk.remove();
    rmSync(other, { recursive: true, force: true });
  }
}

test('Postgres without room for its tables: turns are 503 and not lost, and go on when there is room', (t) =>
  onDisk(
    t,
    80,
    (disk, other) => ({ data: disk.folder, log: other }),
    async (server, disk) => {
      const { path, acknowledged, refused } = await playUntilFull(server, disk);
      assert.deepEqual(
        [refused.status, refused.body.data.code, refused.headers.get('retry-after')],
        [503, 'store_unavailable', '1'],
      );
      assert.equal(refused.text.includes(disk.folder), false);
      assert.equal((await server.get(path)).body.turn_count, acknowledged.length);
      disk.makeRoom();
      const number = acknowledged.length + 1;
      assert.equal((await server.post(`${path}/turns`, turn(number, 9000))).body.turn, number);
      assert.equal(bytes(await server.post(`${path}/turns`, turn(1, 10))), bytes(acknowledged[0] as Answer));
    },
  ));

test('Postgres without room for its log breaks down; once there is room it has every acknowledged turn', (t) =>
  onDisk(
    t,
    16,
    (disk, other) => ({ data: other, log: disk.folder }),
    async (server, disk, postgres) => {
      const { path, acknowledged, refused } = await playUntilFull(server, disk);
      assert.deepEqual([refused.status, refused.body.data.code], [503, 'store_unavailable']);
      disk.makeRoom();
      // It comes back by itself when its recovery found room, else a person starts it.
      let answer = await server.post(`${path}/turns`, turn(1, 10));
      for (let left = 5000; answer.status === 503 && left > 0; left -= 1) {
        await postgres.start();
        answer = await server.post(`${path}/turns`, turn(1, 10));
      }
      assert.equal(bytes(answer), bytes(acknowledged[0] as Answer));
      const { turn_count } = (await server.get(path)).body;
      assert.ok(turn_count === acknowledged.length || turn_count === acknowledged.length + 1);
      const next = await server.post(`${path}/turns`, turn(acknowledged.length + 1, 9000));
      assert.equal(next.body.turn, acknowledged.length + 1);
    },
  ));
