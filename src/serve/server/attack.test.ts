import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { WebSocket } from 'ws';

import { systemClock, type Clock } from '../../base/host/clock.ts';
import { SqliteStore } from '../../grade/store/sqlite/sqlite-store.ts';
import { openSqlite } from '../../grade/store/sqlite/sqlite.ts';
import { createKey } from '../http/keys.ts';
import { bundledCatalog, lumbar, say, testServer } from './testing/test-server.ts';

/** The system's clock, some of whose waits a test ends itself. */
function rushedClock(ms: number): { readonly clock: Clock; readonly rush: () => void } {
  const waiting = new Set<() => void>();
  return {
    clock: {
      ...systemClock,
      after(wanted, ring, options) {
        if (wanted !== ms) return systemClock.after(wanted, ring, options);
        waiting.add(ring);
        return () => waiting.delete(ring);
      },
    },
    rush: () => {
      for (const ring of waiting) ring();
    },
  };
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

async function halfSent(port: number, key: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `POST /api/v1/evaluate HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Length: 100\r\n\r\n{`,
  );
  return socket;
}

test('a key that opens requests and never ends them locks out itself alone', async () => {
  const { clock, rush } = rushedClock(10_000);
  const server = await testServer({ open: false, maxInFlight: 8, clock });
  const [bad, good] = [
    await createKey(server.store, { name: 'bad' }, 0),
    await createKey(server.store, { name: 'good' }, 0),
  ];
  const sockets: Socket[] = [];
  for (let count = 0; count < 4; count++) sockets.push(await halfSent(server.port, bad.key));
  const answers = sockets.map(async (socket) => {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    return chunk.toString();
  });
  let refused = await server.get('/api/v1/key', bearer(bad.key));
  while (refused.status !== 429) refused = await server.get('/api/v1/key', bearer(bad.key));
  assert.match(refused.body.message, /in flight/);
  assert.equal((await server.get('/api/v1/key', bearer(good.key))).status, 200);
  assert.equal((await server.get('/health')).status, 200);
  rush();
  for (const answer of await Promise.all(answers)) assert.match(answer, /400 .*did not arrive within 10 s/s);
  for (const socket of sockets) socket.destroy();
});

test('the items of a batch count against the rate', async () => {
  const server = await testServer({ open: false });
  const { key } = await createKey(server.store, { name: 'k', rateLimit: 5 }, 0);
  const item = (id: string) => ({ id, ...lumbar, messages: [say('Hello.')] });
  const batch = (count: number) =>
    server.post(
      '/api/v1/batch/evaluate',
      { items: Array.from({ length: count }, (_, index) => item(`${index}`)) },
      { authorization: `Bearer ${key}` },
    );
  assert.equal((await batch(4)).status, 200);
  assert.equal((await batch(4)).status, 429);
});

test('others are answered while a long conversation is graded', async () => {
  const server = await testServer();
  const messages = Array.from({ length: 40 }, (_, index) =>
    say(`${index}. How did it happen, and when was that? `.repeat(20)),
  );
  const graded = new AbortController();
  const grading = server.post('/api/v1/evaluate', { ...lumbar, messages }).then(() => graded.abort());
  let meanwhile = 0;
  while (!graded.signal.aborted) {
    await server.get('/health');
    if (!graded.signal.aborted) meanwhile++;
  }
  await grading;
  assert.ok(meanwhile > 3, `${meanwhile} answers meanwhile`);
});

test('a number that no double holds is refused, and breaks nothing', async () => {
  const server = await testServer();
  const body = JSON.stringify({ ...lumbar, extra: 0 }).replace('"extra":0', '"extra":1e400');
  const { status, body: answer } = await server.send('POST', '/api/v1/episodes', body);
  assert.deepEqual([status, answer.data.code], [400, 'invalid_json']);
});

test('every answer says that it is what it says, and is kept by nobody', async () => {
  const server = await testServer();
  const { headers } = await server.get('/api/v1/catalog');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('cache-control'), 'no-store');
});

test('the data are for their owner alone', { skip: process.platform === 'win32' && 'no modes' }, async () => {
  const server = await testServer();
  assert.equal(statSync(server.file).mode & 0o777, 0o600);
});

test('a socket that is closed by its message ends as the protocol says', async () => {
  const server = await testServer();
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/openenv/ws`);
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'close' }));
  const [code] = (await once(socket, 'close')) as [number];
  assert.equal(code, 1000);
});

test('a deleted session of ORS is gone for pings too', async () => {
  const server = await testServer();
  const headers = { 'x-session-id': 'ses_gone' };
  await server.post('/ors/create', { split: 'train', index: 0 }, headers);
  assert.equal((await server.post('/ors/ping', {}, headers)).status, 200);
  await server.post('/ors/delete', {}, headers);
  assert.equal((await server.post('/ors/ping', {}, headers)).status, 404);
});

test('a time of day that is set forward or back ends no episode and locks nobody out', async () => {
  let shift = 0;
  const clock: Clock = { ...systemClock, now: () => Date.now() + shift };
  const server = await testServer({ open: false, clock });
  const { key } = await createKey(server.store, { name: 'k', rateLimit: 1000 }, 0);
  const auth = { authorization: `Bearer ${key}` };
  const { body } = await server.post('/api/v1/episodes', lumbar, auth);
  shift = 25 * 3_600_000;
  assert.equal(await server.engine.reap(), 0);
  assert.equal((await server.get(`/api/v1/episodes/${body.episode_id}`, auth)).body.status, 'open');
  shift = -3_600_000;
  assert.equal((await server.get('/api/v1/key', auth)).status, 200);
});

test('a foreign lock on the database holds up writers, until they are told 503, and neither readers nor the event loop', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'whet-lock-'));
  const store = new SqliteStore(join(folder, 'data.db'));
  const server = await testServer({ store });
  const { episode_id } = (await server.post('/api/v1/episodes', lumbar)).body;
  const foreign = openSqlite(join(folder, 'data.db'));
  foreign.exec('BEGIN IMMEDIATE');
  const play = () =>
    server.post(`/api/v1/episodes/${episode_id}/turns`, { turn: 1, messages: [say('When?')] });
  const turn = play();
  for (let round = 0; round < 5; round++) {
    assert.equal((await server.get('/health')).status, 200);
    assert.equal((await server.get(`/api/v1/episodes/${episode_id}`)).body.turn_count, 0);
  }
  const { monotonic } = systemClock;
  const later = context.mock.method(systemClock, 'monotonic', () => monotonic() + 3_600_000);
  const { status, headers } = await turn;
  assert.deepEqual([status, Number(headers.get('retry-after')) > 0], [503, true]);
  later.mock.restore();
  foreign.exec('COMMIT');
  foreign.close();
  assert.equal((await play()).status, 200);
  await server.close();
  await store[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

test('a key without the right to explain gets no reward of a test split by asking for evaluations', async () => {
  const server = await testServer({ open: false });
  const [, collection] = bundledCatalog.collections;
  const scenario_slug = collection!.splits['test']![0]!;
  const body = { collection_slug: collection!.slug, scenario_slug, messages: [say('Hello.')] };
  const { collection_slug } = body;
  const { key } = await createKey(server.store, {}, 0);
  const { key: trusted } = await createKey(server.store, { explain: true }, 0);
  const evaluated = await server.post('/api/v1/evaluate', body, bearer(key));
  assert.deepEqual([evaluated.status, evaluated.body.data.code], [403, 'forbidden']);
  assert.match(evaluated.body.message, /graded once, at the end of an episode/);
  const response = { messages: body.messages };
  const both = { collection_slug, scenario_slug, response_a: response, response_b: response };
  assert.equal((await server.post('/api/v1/compare', both, bearer(key))).status, 403);
  const batch = await server.post('/api/v1/batch/evaluate', { items: [{ id: 'a', ...body }] }, bearer(key));
  assert.deepEqual([batch.body.results[0].code, batch.body.results[0].reward], ['forbidden', undefined]);
  assert.equal((await server.post('/api/v1/evaluate', body, bearer(trusted))).status, 200);
  await server.close();
});

test('a key may have one task evaluated only so often, whatever the seed', async () => {
  const server = await testServer({ open: false });
  const { key } = await createKey(server.store, { maxEvaluations: 2 }, 0);
  const evaluate = (variant: number, seed: number) =>
    server.post('/api/v1/evaluate', { ...lumbar, variant, seed, messages: [say('Hello.')] }, bearer(key));
  const answers = [await evaluate(0, 0), await evaluate(0, 1), await evaluate(0, 2), await evaluate(1, 0)];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 403, 200],
  );
  assert.match(answers[2]!.body.message, /evaluated as often as it may: 2 times/);
  await server.close();
});
