import assert from 'node:assert/strict';
import { request, type OutgoingHttpHeaders } from 'node:http';
import { test } from 'node:test';

import { createKey } from '../keys.ts';
import { lumbar, say, testServer } from '../../server/testing/test-server.ts';

/** fetch sets these headers itself; a bare request sends what it is told. */
function raw(port: number, headers: OutgoingHttpHeaders | readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/api/v1/key', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

test('an open server answers neither pages of other sites nor names that are not this machine', async () => {
  const server = await testServer();
  assert.equal(await raw(server.port, {}), 200);
  assert.equal(await raw(server.port, { host: `localhost:${server.port}` }), 200);
  assert.equal(await raw(server.port, { host: `LocalHost:${server.port}` }), 200);
  assert.equal(await raw(server.port, { host: 'evil.example' }), 403);
  assert.equal(await raw(server.port, { 'sec-fetch-site': 'cross-site' }), 403);
  assert.equal(await raw(server.port, { 'sec-fetch-site': 'same-origin' }), 200);
  assert.equal(await raw(server.port, { origin: 'https://evil.example' }), 403);
  assert.equal(await raw(server.port, { origin: 'null' }), 403);
  assert.equal(
    await raw(server.port, { origin: 'http://localhost:5173' }),
    403,
    'another port is another site',
  );
  const own = `localhost:${server.port}`;
  assert.equal(await raw(server.port, { host: own, origin: `http://${own}` }), 200);
  assert.equal(await raw(server.port, { 'x-forwarded-for': '10.0.0.1' }), 403, 'behind a proxy');
});

test('of two names for the host, or two keys, neither is believed', async () => {
  const open = await testServer();
  const own = `localhost:${open.port}`;
  assert.equal(await raw(open.port, ['Host', own, 'Host', 'evil.example']), 400);
  assert.equal(await raw(open.port, ['Host', own]), 200);
  const closed = await testServer({ open: false });
  const { key } = await createKey(closed.store, { name: 'a' }, 0);
  const authorization = ['Authorization', `Bearer ${key}`];
  assert.equal(await raw(closed.port, ['Host', own, ...authorization]), 200);
  assert.equal(await raw(closed.port, ['Host', own, ...authorization, 'Authorization', 'Bearer other']), 401);
});

test('more requests than may be in flight are told to come again', async () => {
  const server = await testServer({ maxInFlight: 0 });
  const { status, body, headers } = await server.get('/api/v1/key');
  assert.deepEqual([status, body.data.code, headers.get('retry-after')], [429, 'busy', '1']);
});

test('a call of the Open Reward Standard is in flight until it has run, also when its client has left', async (t) => {
  const answer = Promise.withResolvers<void>();
  t.after(() => answer.resolve());
  const voice = { speak: () => answer.promise.then(() => undefined) };
  const server = await testServer({ maxInFlight: 1, voice });
  const call = async (session: string, abandon?: AbortSignal) => {
    const headers = { 'x-session-id': session };
    await server.post('/ors/create', { split: 'train', index: 0 }, headers);
    const { body } = await fetch(`${server.url}/ors/case-management/call`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'say', input: { message: 'When did it happen?' } }),
      ...(abandon && { signal: abandon }),
    });
    return body!.pipeThrough(new TextDecoderStream()).getReader();
  };
  const left = new AbortController();
  const events = await call('ses_one', left.signal);
  assert.match((await events.read()).value ?? '', /^event: task_id/);
  assert.equal((await server.get('/ors/list_environments')).status, 429);
  left.abort();
  await assert.rejects(events.read());
  const { status, headers } = await server.get('/api/v1/key');
  assert.deepEqual([status, headers.get('retry-after')], [429, '1']);
  answer.resolve();
  while ((await server.get('/api/v1/key')).status === 429);
});

test('a stopping server finishes what is in flight and takes nothing new', async () => {
  const server = await testServer();
  const { body } = await server.post('/api/v1/episodes', lumbar);
  const path = `/api/v1/episodes/${body.episode_id}/turns`;
  const inFlight = Array.from({ length: 20 }, (_, index) =>
    server.post(path, { turn: 1, messages: [say(`Where? ${index === -1}`)] }),
  );
  const first = await Promise.race(inFlight);
  const closing = server.close();
  const answers = await Promise.allSettled(inFlight);
  await closing;
  assert.equal(first.status, 200);
  for (const answer of answers)
    if (answer.status === 'fulfilled') assert.ok([200, 503].includes(answer.value.status));
  assert.equal((await server.store.readEpisode(body.episode_id))?.turnCount, 1);
  await assert.rejects(server.get('/health'));
});

test('health, readiness and metrics are at the root', async () => {
  const server = await testServer();
  assert.equal((await server.get('/health')).body.status, 'ok');
  assert.deepEqual((await server.get('/ready')).body, { status: 'ready' });
  await server.get('/api/v1/catalog');
  const { text, headers } = await server.get('/metrics');
  assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  assert.match(text, /^whet_requests_total\{protocol="labs",operation="getCatalog",status="200"\} 1$/m);
  assert.match(text, /^whet_request_seconds_count\{protocol="labs",operation="getCatalog"\} 1$/m);
  assert.match(text, /^whet_groups_without_spread 0$/m);
});

test('every answer has an id, at whichever door', async () => {
  const server = await testServer();
  for (const path of [
    ...['/health', '/ready', '/metrics', '/none', '/api/v1/openapi.json', '/api/v1/none', '/api/v1/key'],
    ...['/ors/health', '/ors/version', '/ors/tools', '/openenv/health', '/openenv/schema', '/openenv/ws'],
  ]) {
    const { headers, body } = await server.get(path);
    assert.match(headers.get('x-request-id') ?? '', /^req_\w{20}$/, path);
    const said = body?.data?.request_id ?? body?.request_id;
    if (said !== undefined) assert.equal(said, headers.get('x-request-id'));
  }
});

test('what cannot be stored is a 503 that says nothing of where, and readiness tells', async () => {
  const server = await testServer();
  const { body } = await server.post('/api/v1/episodes', lumbar);
  await server.store[Symbol.asyncDispose]();
  const answer = await server.post(`/api/v1/episodes/${body.episode_id}/turns`, { messages: [say('x')] });
  assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1']);
  assert.equal(answer.text.includes('.db'), false);
  assert.equal((await server.get('/ready')).status, 503);
});

test('another method than a path takes is a 405 that names those, in the words of each protocol', async () => {
  const server = await testServer();
  for (const [method, path, allow] of [
    ['POST', '/health', 'GET, HEAD'],
    ['GET', '/ors/create', 'POST'],
    ['DELETE', '/ors/ping', 'POST'],
    ['GET', '/openenv/reset', 'POST'],
    ['PUT', '/openenv/mcp', 'GET, HEAD, POST'],
  ] as const) {
    const { status, headers, body } = await server.send(method, path);
    assert.deepEqual([status, headers.get('allow')], [405, allow], path);
    assert.deepEqual([body.data.code, body.detail], ['method_not_allowed', body.message]);
  }
  for (const [method, path, allow] of [
    ['POST', '/ors/case-management/tools', 'GET, HEAD'],
    ['GET', '/ors/case-management/call', 'POST'],
  ] as const) {
    const { status, headers, body } = await server.send(method, path);
    assert.deepEqual([status, headers.get('allow')], [405, allow], path);
    assert.equal(body.detail, `This path does not take ${method}; it takes ${allow}.`);
  }
  const { status, body } = await server.get('/ors/nothing/at/all');
  assert.deepEqual([status, body.detail], [404, 'There is nothing at /ors/nothing/at/all.']);
});
