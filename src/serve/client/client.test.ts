import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Fetch } from '../../base/host/fetch.ts';
import { connect } from './client.ts';

function answering(answer: (url: string, init: RequestInit) => Response): Fetch {
  return async (input, init) => answer(String(input), init ?? {});
}

test('sends the key, the body and the idempotency key, and reads the answer', async () => {
  const seen: unknown[] = [];
  const client = connect({
    url: 'http://host:1/',
    key: 'lab_k',
    fetch: answering((url, init) => {
      seen.push(url, init.method, init.headers, init.body);
      return Response.json({ turn: 1, request_id: 'req_1' });
    }),
  });
  const answer = await client.submitTurn('ep/1', { messages: [] }, { idempotencyKey: 'again' });
  assert.equal(answer.turn, 1);
  assert.deepEqual(seen, [
    'http://host:1/api/v1/episodes/ep%2F1/turns',
    'POST',
    { authorization: 'Bearer lab_k', 'content-type': 'application/json', 'idempotency-key': 'again' },
    '{"messages":[]}',
  ]);
});

test('a refusal is thrown as server_refused with what the server said', async () => {
  const client = connect({
    fetch: answering(() =>
      Response.json(
        { message: 'Rate limit exceeded', data: { request_id: 'req_2', code: 'rate_limited' } },
        { status: 429, headers: { 'retry-after': '7' } },
      ),
    ),
  });
  await assert.rejects(client.catalog(), {
    code: 'server_refused',
    message: 'GET /api/v1/catalog was refused with 429: Rate limit exceeded',
    details: { status: 429, request_id: 'req_2', code: 'rate_limited', retry_after: 7 },
  });
});

test('words of a proxy become the message of the refusal', async () => {
  const client = connect({ fetch: answering(() => new Response('<h1>Bad gateway</h1>', { status: 502 })) });
  await assert.rejects(client.health(), { message: /502: <h1>Bad gateway/ });
});

test('no answer at all is thrown as server_unreachable with its cause', async () => {
  const client = connect({
    url: 'http://host:1',
    fetch: async () => {
      throw new TypeError('fetch failed');
    },
  });
  await assert.rejects(client.key(), {
    code: 'server_unreachable',
    message: /http:\/\/host:1\/api\/v1\/key/,
  });
});

test('follows the events of an episode from a turn on', async () => {
  const text =
    ': hello\n\nid: 2\nevent: turn\ndata: {"turn":2}\n\nevent: complete\ndata: {"status":"complete"}\n\n';
  const client = connect({
    fetch: answering((_url, init) => {
      assert.deepEqual(init.headers, { accept: 'text/event-stream', 'last-event-id': '1' });
      return new Response(text);
    }),
  });
  const events: string[] = [];
  for await (const event of client.events('ep_1', { after: 1 })) events.push(event.event);
  assert.deepEqual(events, ['turn', 'complete']);
});

test('an address is taken with or without that of the API, and refused when it is none', async () => {
  const asked: string[] = [];
  const fetch: Fetch = async (url) => {
    asked.push(String(url));
    return Response.json({});
  };
  await connect({ url: 'http://host:1/lab/', fetch }).key();
  await connect({ url: 'http://host:1/lab/api/v1/', fetch }).key();
  assert.deepEqual(asked, ['http://host:1/lab/api/v1/key', 'http://host:1/lab/api/v1/key']);
  assert.throws(
    () => connect({ url: 'localhost:8080' }),
    /"localhost:8080" is no address of a server\. Write/,
  );
});
