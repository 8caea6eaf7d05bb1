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
      return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
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
    /"localhost:8080" is not the address of a server\. Write/,
  );
  assert.throws(() => connect({}), /No address of a server was given: outside a page, connect\(\{ url \}\)/);
});

test('tells a key that cannot be sent as that, and not as a server that is away', async () => {
  const client = connect({ url: 'http://127.0.0.1:1', key: 'lab_secret\nx' });
  await assert.rejects(client.catalog(), (error: Error & { code?: string }) => {
    assert.equal(error.code, 'header_invalid');
    assert.doesNotMatch(`${error.stack} ${String(error.cause)}`, /secret/);
    return true;
  });
});

/** Answers with the beginning of a body; then the connection is lost. */
function cutAfter(text: string, init: ResponseInit = {}): Fetch {
  const pieces = [new TextEncoder().encode(text)];
  const body = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      pull(controller) {
        const piece = pieces.shift();
        if (piece) controller.enqueue(piece);
        else controller.error(new TypeError('terminated'));
      },
    });
  return answering(() => new Response(body(), init));
}

test('an answer that is none of a Whetstone server is told with its address and its words', async () => {
  for (const text of ['<h1>Welcome to nginx</h1>', '', 'null', '"ok"', '[]', '{"key_id":'])
    await assert.rejects(
      connect({ url: 'http://host:1', fetch: answering(() => new Response(text)) }).key(),
      {
        name: 'WhetstoneError',
        code: 'server_unreachable',
        message: `GET http://host:1/api/v1/key was answered with 200 and ${text === '' ? 'nothing' : JSON.stringify(text)}, which is not an answer of a Whetstone server. Check that address and port are right.`,
      },
    );
  for (const text of ['null', '"no"', '{"message":7,"data":[]}'])
    await assert.rejects(connect({ fetch: answering(() => new Response(text, { status: 502 })) }).key(), {
      code: 'server_refused',
      message: `GET /api/v1/key was refused with 502: ${text}`,
      details: { status: 502 },
    });
});

test('an answer that breaks off is told with its address, whatever it was', async () => {
  const url = 'http://host:1';
  const brokenOff = {
    name: 'WhetstoneError',
    code: 'server_unreachable',
    message: /broke off before its end/,
  };
  await assert.rejects(connect({ url, fetch: cutAfter('{"turn":') }).submitTurn('ep_1', { messages: [] }), {
    ...brokenOff,
    message:
      'The answer to POST http://host:1/api/v1/episodes/ep_1/turns broke off before its end. It may have been done: ask again with the same idempotency key, and nothing is done twice.',
  });
  await assert.rejects(connect({ url, fetch: cutAfter('{"mess', { status: 500 }) }).key(), brokenOff);
  const events: string[] = [];
  const text = 'event: turn\ndata: {"turn":1}\n\nevent: comp';
  const fetch = cutAfter(text, { headers: { 'content-type': 'text/event-stream' } });
  await assert.rejects(async () => {
    for await (const { event } of connect({ url, fetch }).events('ep_1')) events.push(event);
  }, brokenOff);
  assert.deepEqual(events, ['turn']);
});

test('events that are none of an episode are not an episode without events', async () => {
  const page = new Response('<h1>Sign in</h1>', { headers: { 'content-type': 'text/html' } });
  await assert.rejects(
    async () => {
      for await (const event of connect({ fetch: answering(() => page) }).events('ep_1'))
        assert.fail(event.event);
    },
    { code: 'server_unreachable', message: /answered with 200 and "text\/html"/ },
  );
});

test('whoever stops waiting for an answer hears their own reason', async () => {
  const stop = new AbortController();
  const body = new ReadableStream({
    pull(controller) {
      stop.abort(new Error('enough'));
      controller.error(stop.signal.reason);
    },
  });
  const client = connect({ fetch: answering(() => new Response(body)) });
  await assert.rejects(client.key({ signal: stop.signal }), { message: 'enough' });
});
