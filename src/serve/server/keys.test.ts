import assert from 'node:assert/strict';
import { test } from 'node:test';

import { WebSocket } from 'ws';

import type { Clock } from '../../base/host/clock.ts';
import { createKey, type NewKey } from '../http/keys.ts';
import { startServer } from './server.ts';
import { bundledCatalog, lumbar, say, testServer, type Answer } from './testing/test-server.ts';

/** A clock that stands until a test moves it. */
let time = 1_800_000_000_000;
const clock: Clock = {
  now: () => time,
  monotonic: () => time,
  after: (ms, ring) => {
    if (ms <= 1000) rings.add(ring);
    return () => rings.delete(ring);
  },
};
const rings = new Set<() => void>();
const server = await testServer({ open: false, clock });

async function newKey(
  wanted: NewKey = {},
): Promise<{ readonly id: string; readonly auth: Record<string, string> }> {
  const { key, record } = await createKey(server.store, wanted, time);
  return { id: record.id, auth: { authorization: `Bearer ${key}` } };
}

async function open(auth: Record<string, string>): Promise<string> {
  return (await server.post('/api/v1/episodes', { ...lumbar, score_turns: true }, auth)).body.episode_id;
}

const turn = (episode: string, auth: Record<string, string>): Promise<Answer> =>
  server.post(`/api/v1/episodes/${episode}/turns`, { messages: [say('When did it happen?')] }, auth);

test('without a key, with a wrong one, or with half a header there is a 401 and no rate header', async () => {
  const { auth } = await newKey({ rateLimit: 5 });
  for (const headers of [
    {},
    { authorization: 'Bearer lab_wrong' },
    { authorization: 'Bearer' },
    { authorization: `Basic ${auth['authorization']}` },
    { authorization: `${auth['authorization']}x` },
    { authorization: `Bearer ${'x'.repeat(5000)}` },
  ]) {
    const { status, body, headers: answered } = await server.get('/api/v1/key', headers);
    assert.deepEqual(
      [status, body.message, body.data.code],
      [401, 'Invalid or missing API key', 'unauthorized'],
    );
    assert.equal(answered.has('x-ratelimit-limit'), false);
    assert.ok(answered.has('x-request-id'));
  }
});

test('a key says who it is, and is shown by its id only', async () => {
  const { id, auth } = await newKey({
    name: 'trainer',
    expiresAt: time + 1000,
    rateLimit: 9,
    collections: ['case-management'],
  });
  const { body } = await server.get('/api/v1/key', auth);
  assert.deepEqual(
    { ...body, request_id: '' },
    {
      key_id: id,
      name: 'trainer',
      expires_at: new Date(time + 1000).toISOString(),
      rate_limits: [{ limit: 9, remaining: 8, reset: Math.ceil((time + 60_000) / 1000) }],
      explain: false,
      collections: ['case-management'],
      request_id: '',
    },
  );
  for (const record of await server.store.keys.list())
    assert.equal(JSON.stringify(record).includes(auth['authorization']?.slice(7) ?? '!'), false);
});

test('a revoked key is refused at once, and an expired one', async () => {
  const revoked = await newKey();
  assert.equal((await server.get('/api/v1/catalog', revoked.auth)).status, 200);
  await server.store.keys.revoke(revoked.id, time);
  assert.equal((await server.get('/api/v1/catalog', revoked.auth)).status, 401);
  const expiring = await newKey({ expiresAt: time + 10 });
  assert.equal((await server.get('/api/v1/catalog', expiring.auth)).status, 200);
  time += 10;
  assert.equal((await server.get('/api/v1/catalog', expiring.auth)).status, 401);
});

test('messages of a socket count like requests; when its key is revoked it ends with the next one', async () => {
  const { id, auth } = await newKey({ rateLimit: 2 });
  const address = `${server.url.replace('http', 'ws')}/openenv/ws`;
  const socket = new WebSocket(address, { headers: auth });
  const answers: string[] = [];
  const ask = (message: object): Promise<unknown> => {
    socket.send(JSON.stringify(message));
    return new Promise((resolve) => {
      socket.once('message', (data: Buffer) => resolve(answers.push(data.toString())));
      socket.once('close', resolve);
    });
  };
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  await ask({ type: 'reset', data: {} });
  assert.match(answers[0] ?? '', /^\{"type":"observation"/);
  await ask({ type: 'step', data: { message: 'When?' } });
  const over = JSON.parse(answers[1] ?? '');
  assert.deepEqual(
    [over.type, over.data.code, over.data.message],
    ['error', 'EXECUTION_ERROR', 'Rate limit exceeded'],
  );
  assert.ok(over.data.retry_after >= 1);
  await ask({ type: 'mcp', data: { jsonrpc: '2.0', id: 7, method: 'tools/list' } });
  const second = new WebSocket(address, { headers: auth });
  assert.match(String(await new Promise((resolve) => second.once('error', resolve))), /429/);
  await server.store.keys.revoke(id, time);
  assert.equal(await ask({ type: 'step', data: { message: 'When?' } }), 1008);
  assert.equal(answers.length, 3);
});

test('over the MCP socket a message over the limit is told so by its id', async () => {
  const { auth } = await newKey({ rateLimit: 1 });
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/openenv/mcp`, { headers: auth });
  const heard = new Promise((resolve) =>
    socket.once('message', (data: Buffer) => resolve(JSON.parse(data.toString()))),
  );
  socket.once('open', () => socket.send('{"jsonrpc":"2.0","id":7,"method":"tools/list"}'));
  const { id, error } = (await heard) as { id: number; error: { message: string; data: object } };
  assert.deepEqual([id, error.message, Object.keys(error.data)], [7, 'Rate limit exceeded', ['retry_after']]);
  socket.close();
});

test('a stream of events gives no turn to a key that was revoked', async () => {
  const { id, auth } = await newKey();
  const episode = await open(auth);
  const { body } = await fetch(`${server.url}/api/v1/episodes/${episode}/events`, { headers: auth });
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  await turn(episode, auth);
  assert.match((await reader.read()).value ?? '', /^id: 1\nevent: turn\n/);
  await server.store.keys.revoke(id, time);
  await server.engine.end({ id, explain: false }, episode, 'client_terminated');
  assert.deepEqual(await reader.read(), { done: true, value: undefined });
});

test('a stream in which nothing happens ends within a second of its key', async () => {
  const { id, auth } = await newKey();
  const { body } = await fetch(`${server.url}/api/v1/episodes/${await open(auth)}/events`, { headers: auth });
  await server.store.keys.revoke(id, time);
  const ended = body!.getReader().read();
  while (rings.size === 0) await server.get('/health');
  for (const ring of rings) ring();
  assert.deepEqual(await ended, { done: true, value: undefined });
});

test('the rate limit counts down, refuses with 429, and comes back after its minute', async () => {
  const { auth } = await newKey({ rateLimit: 2 });
  const seen: (readonly unknown[])[] = [];
  for (let count = 0; count < 3; count += 1) {
    const { status, headers } = await server.get('/api/v1/catalog', auth);
    seen.push([status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]);
  }
  assert.deepEqual(seen, [
    [200, '2', '1'],
    [200, '2', '0'],
    [429, '2', '0'],
  ]);
  const refused = await server.get('/api/v1/catalog', auth);
  assert.deepEqual([refused.body.message, refused.body.data.code], ['Rate limit exceeded', 'rate_limited']);
  assert.equal(refused.headers.get('x-ratelimit-reset'), String(Math.ceil((time + 60_000) / 1000)));
  assert.ok(Number(refused.headers.get('retry-after')) >= 60);
  time += 60_000;
  assert.equal((await server.get('/api/v1/catalog', auth)).status, 200);
});

test('what fails its validation counts like everything else: nobody may ask for nothing without end', async () => {
  const { auth } = await newKey({ rateLimit: 3 });
  const invalid = await server.post('/api/v1/episodes', {}, auth);
  assert.deepEqual([invalid.status, invalid.headers.get('x-ratelimit-remaining')], [400, '2']);
  const unknown = await server.get('/api/v1/episodes/ep_none', auth);
  assert.deepEqual([unknown.status, unknown.headers.get('x-ratelimit-remaining')], [404, '1']);
});

test('one key sees nothing of another: not its episodes, its turns, its events or its list', async () => {
  const [one, other] = [await newKey(), await newKey({ explain: true })];
  const episode = await open(one.auth);
  for (const answer of [
    await server.get(`/api/v1/episodes/${episode}`, other.auth),
    await turn(episode, other.auth),
    await server.get(`/api/v1/episodes/${episode}/events`, other.auth),
    await server.send('DELETE', `/api/v1/episodes/${episode}`, undefined, other.auth),
  ])
    assert.deepEqual([answer.status, answer.body.message], [404, `Episode not found: ${episode}`]);
  assert.deepEqual((await server.get('/api/v1/episodes', other.auth)).body.episodes, []);
  assert.equal((await server.get('/api/v1/episodes', one.auth)).body.episodes.length, 1);
});

test('reasons, facts and notes go only to keys that may explain', async () => {
  const [blind, seeing] = [await newKey(), await newKey({ explain: true })];
  for (const [{ auth }, may] of [
    [blind, false],
    [seeing, true],
  ] as const) {
    const episode = await open(auth);
    const { body } = await turn(episode, auth);
    assert.equal('score_breakdown' in body, may);
    assert.ok('scores' in body);
    const detail = (await server.get(`/api/v1/episodes/${episode}`, auth)).body;
    assert.equal('explain' in detail, may);
    const evaluated = await server.post('/api/v1/evaluate', { ...lumbar, messages: [say('Hello')] }, auth);
    assert.equal('score_breakdown' in evaluated.body, may);
  }
});

test('a closed gate names the criterion and quotes the words, to keys that may explain and to no other', async () => {
  const headache = { collection_slug: 'healthcare-intake', scenario_slug: 'new-headache' };
  const messages = [say("Hello. It's surely nothing serious. Goodbye.")];
  const [blind, seeing] = [await newKey(), await newKey({ explain: true })];
  const told = await server.post('/api/v1/evaluate', { ...headache, messages }, seeing.auth);
  assert.equal(told.body.gate, 0);
  assert.equal(
    told.body.score_breakdown.gate,
    'Turn 1: "sends_away" closed the gate. Prohibited: Never tells a patient who calls about pain that it is nothing. What shows it: "It\'s surely nothing serious."',
  );
  const open = await server.post('/api/v1/evaluate', { ...headache, messages: [say('Hello')] }, seeing.auth);
  assert.equal('gate' in open.body.score_breakdown, false);
  const untold = await server.post('/api/v1/evaluate', { ...headache, messages }, blind.auth);
  assert.equal(untold.body.gate, 0);
  assert.doesNotMatch(JSON.stringify(untold.body), /sends_away|surely/);
});

test('a key limited to collections neither sees nor opens others', async () => {
  const { auth } = await newKey({ collections: ['elsewhere'] });
  assert.deepEqual((await server.get('/api/v1/catalog', auth)).body.collections, []);
  const { status, body } = await server.post('/api/v1/episodes', lumbar, auth);
  assert.deepEqual(
    [status, body.message, body.data.code],
    [403, 'No active subscription for collection', 'collection_forbidden'],
  );
  const batch = await server.post(
    '/api/v1/batch/evaluate',
    { items: [{ id: 'a', ...lumbar, messages: [say('x')] }] },
    auth,
  );
  assert.equal(batch.body.results[0].code, 'collection_forbidden');
});

test('a key has only so many episodes open at once', async () => {
  const { auth } = await newKey({ maxEpisodes: 1 });
  await open(auth);
  const { status, body, headers } = await server.post('/api/v1/episodes', lumbar, auth);
  assert.deepEqual([status, body.data.code], [429, 'busy']);
  assert.ok(headers.has('retry-after'));
});

test('requests that race for the last place get no more episodes than the key may have', async () => {
  const { auth } = await newKey({ maxEpisodes: 3 });
  const race = await Promise.all(
    Array.from({ length: 12 }, () => server.post('/api/v1/episodes', lumbar, auth)),
  );
  const statuses = race.map(({ status }) => status).toSorted();
  assert.deepEqual(statuses, [...Array(3).fill(200), ...Array(9).fill(429)]);
  // The same request, sent twice at once, is one episode and no reason to be refused.
  const { auth: lonely } = await newKey({ maxEpisodes: 1 });
  const headers = { ...lonely, 'idempotency-key': 'once' };
  const same = await Promise.all(
    Array.from({ length: 6 }, () => server.post('/api/v1/episodes', lumbar, headers)),
  );
  assert.equal(new Set(same.map(({ body }) => body.episode_id)).size, 1);
});

test('an idempotency key belongs to the API key that used it', async () => {
  const [one, other] = [await newKey(), await newKey()];
  const create = async (auth: Record<string, string>): Promise<string> =>
    (await server.post('/api/v1/episodes', lumbar, { ...auth, 'idempotency-key': 'same' })).body.episode_id;
  const first = await create(one.auth);
  assert.equal(await create(one.auth), first);
  assert.notEqual(await create(other.auth), first);
});

test('on another address without a key the server refuses to start, with keys_needed', async () => {
  const empty = await testServer();
  await assert.rejects(startServer({ store: empty.store, catalog: bundledCatalog, host: '0.0.0.0' }), {
    code: 'keys_needed',
  });
  assert.equal(empty.open, true);
});

test('once a key was made, a server on loopback needs one too, unless it is told otherwise', async () => {
  const catalog = bundledCatalog;
  await using closed = await startServer({ store: server.store, catalog });
  await using opened = await startServer({ store: server.store, catalog, open: true });
  assert.deepEqual([closed.open, opened.open], [false, true]);
  assert.equal((await fetch(`${closed.url}/api/v1/key`)).status, 401);
  assert.equal((await fetch(`${opened.url}/api/v1/key`)).status, 200);
});

test('the first key closes a server that runs open, its sockets and its streams; told to stay open, it stays', async () => {
  const own = await testServer({ clock });
  await using opened = await startServer({ store: own.store, catalog: bundledCatalog, clock, open: true });
  const { episode_id } = (await own.post('/api/v1/episodes', lumbar)).body;
  const { body } = await fetch(`${own.url}/api/v1/episodes/${episode_id}/events`);
  const socket = new WebSocket(`${own.url.replace('http', 'ws')}/openenv/ws`);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const { key } = await createKey(own.store, {}, time);
  const closed = async () => (await own.get('/api/v1/key')).status === 401;
  while (!(await closed())) for (const ring of [...rings]) ring();
  assert.equal((await own.get('/api/v1/key', { authorization: `Bearer ${key}` })).body.explain, false);
  const ended = new Promise((resolve) => socket.once('close', resolve));
  socket.send('{"type":"reset","data":{}}');
  assert.equal(await ended, 1008);
  const last = body!.getReader().read();
  for (const ring of [...rings]) ring();
  assert.deepEqual(await last, { done: true, value: undefined });
  assert.equal((await fetch(`${opened.url}/api/v1/key`)).status, 200);
});

test('an open server may have a rate limit as well', async () => {
  const limited = await testServer({ rateLimit: 1 });
  assert.equal((await limited.get('/api/v1/key')).status, 200);
  assert.equal((await limited.get('/api/v1/key')).status, 429);
});

test('a taken port is address_taken', async () => {
  await assert.rejects(startServer({ store: server.store, catalog: bundledCatalog, port: server.port }), {
    code: 'address_taken',
  });
});
