import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';

import { systemClock } from '../../base/host/clock.ts';
import { sendEvents, type ServerEvent } from './event-stream.ts';
import { lumbar, say, testServer } from '../server/testing/test-server.ts';

/** One request and its answer, as the server has them. */
async function exchange(context: TestContext) {
  const server = createServer().listen(0, '127.0.0.1');
  context.after(() => server.close());
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [, outgoing] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  return { client, outgoing };
}

async function send(outgoing: ServerResponse): Promise<{ begun: boolean; abandoned: boolean }> {
  let begun = false;
  async function* events(): AsyncGenerator<ServerEvent> {
    begun = true;
    yield { data: 'one' };
  }
  const abandon = new AbortController();
  await sendEvents(outgoing, events(), { clock: systemClock, pingMs: 10_000, abandon });
  return { begun, abandoned: abandon.signal.aborted };
}

test('for a client that has left before its first event nothing is begun, and nothing goes on', async (context) => {
  const { client, outgoing } = await exchange(context);
  client.destroy();
  await once(outgoing, 'close');
  assert.deepEqual(await send(outgoing), { begun: false, abandoned: true });
});

test('whoever asks for the head of a stream gets it, and no event, and nothing is printed', async (context) => {
  const printed = context.mock.method(console, 'error', () => undefined);
  const server = await testServer();
  const path = `/api/v1/episodes/${(await server.post('/api/v1/episodes', lumbar)).body.episode_id}`;
  await server.post(`${path}/turns`, { messages: [say('Where?')] });
  await server.post(`${path}/turns`, { messages: [say('When?')] });
  const { status, headers } = await server.send('HEAD', `${path}/events`);
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/event-stream; charset=utf-8']);
  assert.equal((await server.get(path)).body.turn_count, 2);
  assert.equal(printed.mock.callCount(), 0);
});

test('no more streams are followed at once than fit, and one that ends makes room', async () => {
  const server = await testServer({ maxConnections: 2 });
  const path = `/api/v1/episodes/${(await server.post('/api/v1/episodes', lumbar)).body.episode_id}`;
  const first = await fetch(`${server.url}${path}/events`);
  const stop = new AbortController();
  await fetch(`${server.url}${path}/events`, { signal: stop.signal });
  const { status, headers, body } = await server.get(`${path}/events`);
  assert.deepEqual([status, headers.get('retry-after'), body.data.code], [429, '1', 'busy']);
  assert.equal(body.message, 'No more connections can be held. Ask again in a moment.');
  assert.equal((await server.get(path)).status, 200);
  stop.abort();
  // The server hears of it when it does.
  let next: Response;
  do next = await fetch(`${server.url}${path}/events`);
  while (next.status === 429);
  assert.equal(next.status, 200);
  await server.send('DELETE', path);
  for (const stream of [first, next]) assert.match(await stream.text(), /^event: complete$/m);
  for (const method of ['HEAD', 'HEAD', 'HEAD', 'GET', 'GET', 'GET'])
    assert.equal((await server.send(method, `${path}/events`)).status, 200);
});

test('the first event goes out with the headers, and the last one with the end', async (context) => {
  const { client, outgoing } = await exchange(context);
  const { socket } = outgoing;
  let writes = 0;
  // Each of these is one write to the system.
  for (const name of ['_write', '_writev'] as const) {
    const write = socket![name]!.bind(socket) as (...rest: unknown[]) => void;
    socket![name] = ((...rest: unknown[]) => {
      writes += 1;
      write(...rest);
    }) as never;
  }
  async function* events(): AsyncGenerator<ServerEvent> {
    yield { event: 'task_id', data: 'one' };
    assert.equal(writes, 1);
    // What takes its time.
    await new Promise((resolve) => setImmediate(resolve));
    yield { event: 'end', data: 'two', last: true };
  }
  let heard = '';
  client.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  await sendEvents(outgoing, events(), { clock: systemClock, pingMs: 10_000 });
  await once(outgoing, 'close');
  assert.equal(writes, 2);
  while (!heard.endsWith('0\r\n\r\n')) await once(client, 'data');
  assert.match(heard, /event: task_id\ndata: one\n\n.*event: end\ndata: two\n\n/s);
  client.destroy();
});
