import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';

import type { Voice } from '../../../grade/episode/voice/voice.ts';
import { BodyBudget } from './body-budget.ts';
import { lumbar, say, testServer, type TestServer } from '../../server/testing/test-server.ts';

const held = async (server: TestServer): Promise<string | undefined> =>
  /^whet_held_bytes (\d+)$/m.exec((await server.get('/metrics')).text)?.[1];

test('what is taken and given back adds up, and giving back twice gives once', () => {
  const bytes = new BodyBudget(10);
  const giveBack = bytes.take(6);
  assert.throws(() => bytes.take(5), { code: 'server_busy' });
  const other = bytes.take(4);
  giveBack();
  giveBack();
  assert.equal(bytes.held, 4);
  other();
  assert.equal(bytes.held, 0);
});

test('a body that is being read counts before it is there; what would not fit is told to come again', async () => {
  const server = await testServer({ maxHeldBytes: 3000 });
  const slow = connect(server.port, '127.0.0.1');
  let heard = '';
  slow.on('data', (chunk) => (heard += chunk.toString()));
  slow.write('POST /api/v1/episodes HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2900\r\n\r\n{');
  while ((await held(server)) !== '2900');
  const wide = { ...lumbar, group: 'g'.repeat(150) };
  const labs = await server.post('/api/v1/episodes', wide);
  assert.deepEqual([labs.status, labs.body.data.code, labs.headers.get('retry-after')], [429, 'busy', '1']);
  for (const [path, headers] of [
    ['/ors/create', { 'x-session-id': 's' }],
    ['/openenv/reset', {}],
    ['/openenv/mcp', {}],
  ] as const) {
    const refused = await server.post(path, wide, headers);
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1'], path);
  }
  // A body that does not say how long it is counts as much as it may have.
  const chunks = new ReadableStream({
    start: (stream) => {
      stream.enqueue(new TextEncoder().encode('{}'));
      stream.close();
    },
  });
  const init = { method: 'POST', body: chunks, duplex: 'half' } as RequestInit;
  assert.equal((await fetch(`${server.url}/api/v1/episodes`, init)).status, 429);
  const closed = new Promise((resolve) => slow.once('close', resolve));
  slow.end('x'.repeat(2899));
  await closed;
  assert.match(heard, /^HTTP\/1\.1 400 /);
  assert.equal((await server.post('/api/v1/episodes', wide)).status, 200);
  assert.equal(await held(server), '0');
});

test('a turn that waits counts until its answer is sent, and a client that has left no longer', async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const voice: Voice = {
    speak: async () => {
      asked.resolve();
      await answer.promise;
      return undefined;
    },
  };
  const server = await testServer({ maxHeldBytes: 1000, voice });
  const { episode_id } = (await server.post('/api/v1/episodes', lumbar)).body;
  const path = `/api/v1/episodes/${episode_id}/turns`;
  const waiting = server.post(path, { messages: [say(`When? ${'x'.repeat(800)}`)] });
  await asked.promise;
  assert.equal((await server.post('/api/v1/evaluate', { messages: [say('x'.repeat(200))] })).status, 429);
  answer.resolve();
  assert.equal((await waiting).status, 200);
  const leaving = connect(server.port, '127.0.0.1');
  leaving.write('POST /api/v1/episodes HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n{');
  while ((await held(server)) !== '900');
  leaving.destroy();
  while ((await held(server)) !== '0');
});
