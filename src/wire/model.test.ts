import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

import type { Clock } from '../base/host/clock.ts';
import type { Model, ModelEvent, ModelRequest } from '../base/message/model.ts';
import { anthropic, modelNamed, openai } from './index.ts';
import type { ModelOptions } from './index.ts';
import { mock } from './mock/server.ts';
import type { MockFault, MockReply } from './mock/script.ts';

const question: ModelRequest = {
  messages: [{ role: 'user', content: 'Rain in Oslo?' }],
  tools: [
    {
      kind: 'function',
      name: 'weather',
      input: { type: 'object', properties: { city: { type: 'string' } } },
    },
  ],
};

const calling: MockReply = {
  text: 'I will look.',
  calls: [{ name: 'weather', arguments: { city: 'Oslo' } }],
};

/** A clock that jumps to whatever is waited for, and knows what still waits. */
function patientClock(): Clock & { readonly waits: number[]; readonly open: () => number } {
  const waits: number[] = [];
  let open = 0;
  return {
    now: () => 0,
    monotonic: () => 0,
    after(ms, callback) {
      let done = false;
      open++;
      const finish = (): void => {
        if (!done) open--;
        done = true;
      };
      if (ms < 60_000) {
        waits.push(ms);
        setImmediate(() => {
          if (done) return;
          finish();
          callback();
        });
      }
      return finish;
    },
    waits,
    open: () => open,
  };
}

const clients: readonly {
  readonly api: string;
  readonly make: (url: string, options?: ModelOptions) => Model;
}[] = [
  { api: 'anthropic', make: (url, options) => anthropic('claude-test', { baseUrl: url, ...options }) },
  { api: 'openai-chat', make: (url, options) => openai('gpt-test', { baseUrl: `${url}/v1`, ...options }) },
];

async function eventsOf(model: Model, signal?: AbortSignal): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(question, signal ? { signal } : {})) events.push(event);
  return events;
}

for (const { api, make } of clients) {
  test(`${api}: the same reply comes streamed and whole`, async () => {
    await using provider = await mock([calling, calling]);
    const model = make(provider.url);
    const whole = await model.generate(question);
    const last = (await eventsOf(model)).at(-1);
    assert.ok(last?.type === 'finish');
    for (const reply of [whole, last.reply]) {
      const [text, call] = reply.message.content;
      assert.deepEqual(text, { type: 'text', text: 'I will look.' });
      assert.ok(call?.type === 'call');
      assert.deepEqual([call.name, call.id.startsWith('call_'), call.invalid], ['weather', true, undefined]);
      assert.deepEqual([reply.finish.reason, reply.complete, reply.error], ['calls', true, undefined]);
    }
    assert.deepEqual(
      provider.asked.map(({ stream }) => stream),
      [false, true],
    );
    assert.deepEqual(provider.asked[1]!.request.messages, [{ role: 'user', content: 'Rain in Oslo?' }]);
  });

  test(`${api}: asks again after a refusal that may pass, waits as it was told, and says so`, async () => {
    const clock = patientClock();
    await using provider = await mock([
      { fault: { status: 429, retryAfter: 7 } },
      { fault: { status: 529 } },
      calling,
    ]);
    const events = await eventsOf(make(provider.url, { clock, retry: { random: () => 1 } }));
    const retries = events.flatMap((event) =>
      event.type === 'retry' ? [[event.attempt, event.waitMs, event.error.kind]] : [],
    );
    assert.deepEqual(retries, [
      [1, 7000, 'rate_limit'],
      [2, 1000, 'overloaded'],
    ]);
    assert.deepEqual(clock.waits, [7000, 1000]);
    const last = events.at(-1);
    assert.ok(last?.type === 'finish' && last.reply.complete);
    assert.equal(clock.open(), 0);
  });

  test(`${api}: a refusal that lasts is the end, after as many attempts as were allowed and no more`, async () => {
    for (const [status, kind, asked] of [
      [500, 'server', 3],
      [401, 'authentication', 1],
      [400, 'invalid_request', 1],
    ] as const) {
      await using provider = await mock([{ fault: { status, message: 'No.' }, times: 9 }]);
      const reply = await make(provider.url, { clock: patientClock() }).generate(question);
      assert.deepEqual([reply.error?.kind, reply.error?.message, reply.error?.status], [kind, 'No.', status]);
      assert.deepEqual([reply.complete, provider.asked.length], [false, asked]);
    }
  });

  test(`${api}: a connection that breaks inside a reply ends it with an error, and its open call is cut`, async () => {
    const whole = await bytesOf(make, calling);
    for (let cutAfter = 1; cutAfter < whole; cutAfter += Math.ceil(whole / 25)) {
      await using provider = await mock([{ ...(calling as object), fault: { cutAfter }, times: 9 }]);
      const events = await eventsOf(make(provider.url, { clock: patientClock(), retry: { retries: 1 } }));
      const last = events.at(-1);
      assert.ok(last?.type === 'finish');
      assert.equal(events.filter(({ type }) => type === 'finish').length, 1);
      if (last.reply.complete) continue;
      assert.equal(last.reply.error?.kind, 'network');
      assert.equal(events.filter(({ type }) => type === 'error').length, 1);
      for (const part of last.reply.message.content)
        if (part.type === 'call') assert.equal(part.invalid?.reason, 'truncated', `cut after ${cutAfter}`);
    }
  });

  test(`${api}: a call is not run after "length" or with broken arguments`, async () => {
    const outcome = async (fault: MockFault) => {
      await using provider = await mock([{ ...(calling as object), fault }]);
      const last = (await eventsOf(make(provider.url))).at(-1);
      assert.ok(last?.type === 'finish');
      const call = last.reply.message.content.find((part) => part.type === 'call');
      return [last.reply.finish.reason, call?.invalid?.reason];
    };
    assert.deepEqual(await outcome({ lengthInCall: true }), ['length', 'truncated']);
    assert.deepEqual(await outcome({ brokenArguments: true }), ['calls', 'not-json']);
  });

  test(`${api}: an abort ends the socket at once, before, at and after the first event`, async () => {
    for (const moment of ['before', 'waiting', 'inside'] as const) {
      const reply = moment === 'waiting' ? { fault: { hang: true } } : { ...(calling as object), chunk: 1 };
      await using provider = await mock([reply]);
      const controller = new AbortController();
      const clock = patientClock();
      const model = make(provider.url, { clock });
      if (moment === 'before') controller.abort();
      const events: ModelEvent[] = [];
      const reading = (async () => {
        for await (const event of model.stream(question, { signal: controller.signal })) {
          events.push(event);
          if (event.type === 'text') controller.abort();
        }
      })();
      if (moment === 'waiting') {
        while (provider.asked.length === 0) await new Promise(setImmediate);
        controller.abort();
      }
      await reading;
      const last = events.at(-1);
      assert.ok(last?.type === 'finish');
      assert.deepEqual([last.reply.error?.kind, last.reply.complete], ['aborted', false], moment);
      assert.equal(clock.open(), 0);
    }
  });

  test(`${api}: leaving the loop ends the connection and every timer`, async () => {
    const clock = patientClock();
    await using provider = await mock([{ text: 'a long story '.repeat(50), chunk: 1 }]);
    for await (const event of make(provider.url, { clock }).stream(question))
      if (event.type === 'text') break;
    assert.equal(clock.open(), 0);
  });

  test(`${api}: a reply that does not come in time is given up`, async () => {
    await using provider = await mock([
      { fault: { hang: true } },
      { text: 'begun', calls: [{ name: 'weather', pauseMs: 60_000 }] },
    ]);
    const model = make(provider.url, { timeouts: { connect: 40, betweenChunks: 40 }, retry: { retries: 0 } });
    for (const what of [/answer to the request did not come within 40 ms/, /next bytes .* within 40 ms/]) {
      const last = (await eventsOf(model)).at(-1);
      assert.ok(last?.type === 'finish');
      assert.equal(last.reply.error?.kind, 'timeout');
      assert.match(last.reply.error?.message ?? '', what);
    }
    assert.equal(provider.asked.length, 2);
  });
}

test('tells a page of a proxy, a redirect and a dead address from a reply', async () => {
  const answers: Record<string, RequestListener> = {
    page: (_request, response) =>
      response.writeHead(502, { 'content-type': 'text/html' }).end('<html><title>Bad Gateway</title>'),
    fine: (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Log in</title>'),
    moved: (_request, response) => response.writeHead(307, { location: 'http://elsewhere.example/' }).end(),
  };
  const said: Record<string, string> = {};
  for (const [name, listener] of Object.entries(answers)) {
    await using server = await serve(listener);
    const model = openai('m', { baseUrl: server.url, retry: { retries: 0 } });
    for (const reply of [await model.generate(question), await streamedReply(model)]) {
      assert.equal(reply.complete, false);
      said[name] = `${reply.error?.kind}: ${reply.error?.message}`;
    }
  }
  assert.match(said['page']!, /server: The server answered 502 and sent an HTML page \(Bad Gateway\)/);
  assert.match(said['fine']!, /server: .*HTML page \(Log in\)/);
  assert.match(said['moved']!, /invalid_request: The server answered 307 and points to another address/);
  const dead = await openai('m', { baseUrl: 'http://127.0.0.1:9', retry: { retries: 0 } }).generate(question);
  assert.equal(dead.error?.kind, 'network');
  assert.match(dead.error?.message ?? '', /connection to http:\/\/127\.0\.0\.1:9 failed/);
});

test('reads a whole reply of a server that was asked for a stream', async () => {
  const body = { id: 'x', choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }] };
  await using server = await serve((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
  );
  const events = await eventsOf(openai('m', { baseUrl: server.url }));
  assert.deepEqual(
    events.map(({ type }) => type),
    ['start', 'text', 'part', 'finish'],
  );
});

test('never tells the key, also when a server repeats it', async () => {
  const key = 'sk-very-secret-key';
  await using server = await serve((request, response) =>
    response
      .writeHead(401, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { message: `Incorrect API key: ${request.headers.authorization}` } })),
  );
  const model = openai('m', { baseUrl: server.url, apiKey: key });
  const reply = await model.generate(question);
  assert.equal(reply.error?.message, 'Incorrect API key: Bearer [key]');
  assert.doesNotMatch(JSON.stringify([reply, model]), /secret/);
});

test('names the variable of a key that is missing (environment_missing), and a model nobody serves (model_unplaced)', () => {
  assert.throws(() => modelNamed('xai/grok', { baseUrl: '' }), {
    code: 'environment_missing',
    message: /XAI_API_KEY/,
  });
  assert.throws(() => modelNamed('gpt-5'), { code: 'model_unplaced', message: /openai\/gpt-5/ });
  assert.throws(() => modelNamed('nobody/gpt-5'), { code: 'model_unplaced' });
});

async function streamedReply(model: Model) {
  const last = (await eventsOf(model)).at(-1);
  assert.ok(last?.type === 'finish');
  return last.reply;
}

async function bytesOf(
  make: (url: string, options?: ModelOptions) => Model,
  reply: MockReply,
): Promise<number> {
  await using provider = await mock([reply]);
  let length = 0;
  const counting: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const bytes = new Uint8Array(await response.arrayBuffer());
    length = bytes.length;
    return new Response(bytes, response);
  };
  await eventsOf(make(provider.url, { fetch: counting as NonNullable<ModelOptions['fetch']> }));
  return length;
}

async function serve(listener: RequestListener): Promise<AsyncDisposable & { readonly url: string }> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
