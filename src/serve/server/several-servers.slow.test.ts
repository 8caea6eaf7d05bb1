import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { PostgresStore } from '../../grade/store/postgres/postgres-store.ts';
import { startPostgres } from '../../grade/store/testing/postgres-server.ts';
import { lumbar, say, testServer } from './testing/test-server.ts';

const postgres = await startPostgres();
const url = await postgres.database('several');
const stores = await Promise.all([PostgresStore.open(url), PostgresStore.open(url)]);
const servers = [await testServer({ store: stores[0] }), await testServer({ store: stores[1] })] as const;
after(async () => {
  for (const store of stores) await store[Symbol.asyncDispose]();
  await postgres.remove();
});
const bare = (text: string): string => text.replace(/,"request_id":"\w+"\}$/, '}');

test('before one Postgres any server answers any turn, and repeats what another one answered', async () => {
  const { episode_id } = (await servers[0].post('/api/v1/episodes', { ...lumbar, score_turns: true })).body;
  const path = `/api/v1/episodes/${episode_id}/turns`;
  for (let turn = 1; turn <= 6; turn += 1) {
    const body = { turn, messages: [say(`When did it happen? (${turn})`)] };
    const [one, other] = turn % 2 === 0 ? servers : [servers[1], servers[0]];
    const first = await one.post(path, body);
    assert.equal(first.body.turn, turn);
    assert.equal(bare((await other.post(path, body)).text), bare(first.text));
  }
  const seen = await Promise.all(servers.map((server) => server.get(`/api/v1/episodes/${episode_id}`)));
  assert.deepEqual(seen[0]?.body.turns, seen[1]?.body.turns);
});

test('servers that race for a turn: the same body is answered alike, another one is a conflict', async () => {
  const { episode_id } = (await servers[0].post('/api/v1/episodes', lumbar)).body;
  const path = `/api/v1/episodes/${episode_id}/turns`;
  const race = (words: readonly string[], turn: number) =>
    Promise.all(
      words.map((content, index) =>
        (servers[index % 2] ?? servers[0]).post(path, { turn, messages: [say(content)] }),
      ),
    );
  const same = await race(
    Array.from({ length: 8 }, () => 'Where?'),
    1,
  );
  assert.equal(new Set(same.map(({ text }) => bare(text))).size, 1);
  const different = await race(['Where?', 'When?', 'How?', 'Who?'], 2);
  assert.deepEqual(different.map(({ status }) => status).toSorted(), [200, 409, 409, 409]);
});

test('an episode that one server opened under a key, the other one finds', async () => {
  const headers = { 'idempotency-key': 'together' };
  const all = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      (servers[index % 2] ?? servers[0]).post('/api/v1/episodes', lumbar, headers),
    ),
  );
  assert.equal(new Set(all.map(({ body }) => body.episode_id)).size, 1);
});

test('events of an episode reach a client of another server', async () => {
  const { episode_id } = (await servers[0].post('/api/v1/episodes', lumbar)).body;
  const response = await fetch(`${servers[1].url}/api/v1/episodes/${episode_id}/events`);
  const text = response.text();
  await servers[0].post(`/api/v1/episodes/${episode_id}/turns`, { messages: [say('Where?')] });
  await servers[0].send('DELETE', `/api/v1/episodes/${episode_id}`);
  assert.deepEqual(
    [...(await text).matchAll(/^event: (\w+)$/gm)].map(([, name]) => name),
    ['turn', 'complete'],
  );
});

test('names that a database cannot hold, of sessions and requests of OpenEnv, are no fault of it', async () => {
  const [server] = servers;
  const params = { session_id: 'a\0b' };
  const listed = await server.post('/openenv/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list', params });
  assert.ok(listed.body.result.tools.length > 0, listed.text);
  const socket = new WebSocket(`${server.url.replace(/^http/, 'ws')}/openenv/ws`);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const answer = new Promise<MessageEvent>((resolve) => socket.addEventListener('message', resolve));
  socket.send(JSON.stringify({ type: 'step', data: { message: 'When?' }, request_id: 'a\0b' }));
  const { data } = JSON.parse(String((await answer).data));
  socket.close();
  assert.deepEqual(
    [data.code, data.message],
    ['VALIDATION_ERROR', 'request_id must not hold control characters.'],
  );
});
