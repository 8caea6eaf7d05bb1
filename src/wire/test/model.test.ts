import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

import type { Clock } from '../../base/host/clock.ts';
import type { Model, ModelEvent, ModelRequest, Reply } from '../../base/message/model.ts';
import { modelNamed, openai } from '../index.ts';
import type { ModelOptions } from '../index.ts';
import { mock } from '../mock/server.ts';
import type { Mock } from '../mock/server.ts';
import type { MockFault, MockReply, MockScript } from '../mock/script.ts';

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

const calling = {
  text: 'I will look.',
  calls: [{ name: 'weather', arguments: { city: 'Oslo' } }],
} as const satisfies MockReply;

/** Waits of less than a minute pass at once; longer ones never. */
const patient: Clock = {
  now: () => 0,
  monotonic: () => 0,
  after(ms, callback) {
    const soon = ms < 60_000 ? setImmediate(callback) : undefined;
    return () => clearImmediate(soon);
  },
};

/** What the mock can do wrong, by each API that it speaks. What it cannot is in faults.test.ts. */
const clients: Readonly<Record<string, (url: string, options?: ModelOptions) => Model>> = {
  anthropic: (url, options) => modelNamed('anthropic/m', { baseUrl: url, ...options }),
  'openai-chat': (url, options) => modelNamed('openai/m', { baseUrl: `${url}/v1`, ...options }),
  'openai-responses': (url, options) =>
    modelNamed('openai-responses/m', { baseUrl: `${url}/v1`, ...options }),
  gemini: (url, options) => modelNamed('google/m', { baseUrl: `${url}/v1beta`, ...options }),
};

for (const [api, make] of Object.entries(clients)) {
  const asked = async (script: MockScript, options?: ModelOptions): Promise<Heard> => {
    await using provider = await mock(script);
    const events: ModelEvent[] = [];
    for await (const event of make(provider.url, { clock: patient, ...options }).stream(question))
      events.push(event);
    const last = events.at(-1);
    assert.ok(last?.type === 'finish');
    return { events, reply: last.reply, provider };
  };

  test(`${api}: the same reply comes streamed and whole, and byte by byte`, async () => {
    await using provider = await mock([calling]);
    const whole = await make(provider.url).generate(question);
    const streamed = await asked([calling]);
    const singly = await asked([{ ...calling, fault: { oneBytePerChunk: true, pauseMs: 1 } }]);
    for (const reply of [whole, streamed.reply, singly.reply]) {
      const [text, call] = reply.message.content;
      assert.ok(text?.type === 'text' && text.text === 'I will look.');
      assert.ok(call?.type === 'call');
      assert.deepEqual([call.name, call.id.startsWith('call_'), call.invalid], ['weather', true, undefined]);
      assert.deepEqual([reply.complete, reply.error], [true, undefined]);
    }
    assert.deepEqual(
      [provider, streamed.provider].map((each) => each.asked[0]?.stream),
      [false, true],
    );
    const [first] = provider.asked[0]!.request.messages;
    assert.match(JSON.stringify(first), /"user".*Rain in Oslo\?/);
  });

  test(`${api}: a scripted refusal is asked again after the wait that it asks for`, async () => {
    const { events, reply, provider } = await asked([
      { fault: { status: 429, retryAfter: 7, message: 'Slowly.' } },
      { fault: { status: 529 } },
      calling,
    ]);
    const retries = events.flatMap((event) =>
      event.type === 'retry' ? [[event.error.kind, event.error.retryAfterMs, event.error.message]] : [],
    );
    assert.deepEqual(retries, [
      ['rate_limit', 7000, 'Slowly.'],
      ['overloaded', undefined, 'A scripted fault.'],
    ]);
    assert.deepEqual([reply.complete, provider.asked.length], [true, 3]);
  });

  test(`${api}: a body that is cut after any number of bytes runs nothing that was open`, async () => {
    const longest = 4_000;
    for (let cutAfter = 1; cutAfter < longest; cutAfter += 67) {
      const { reply, events } = await asked([{ ...calling, fault: { cutAfter }, times: 9 }]);
      if (reply.complete) break;
      assert.equal(reply.error?.kind, 'network');
      assert.equal(events.filter(({ type }) => type === 'finish').length, 1);
      const released = events.flatMap((event) =>
        event.type === 'call-end' && event.call.invalid === undefined ? [event.call.id] : [],
      );
      for (const part of reply.message.content)
        if (part.type === 'call' && !released.includes(part.id))
          assert.equal(part.invalid?.reason, 'truncated', `cut after ${cutAfter}`);
      assert.ok(cutAfter + 67 < longest, 'the reply is longer than this test thinks');
    }
  });

  test(`${api}: a call is not run after "length" or with broken arguments`, async () => {
    const outcome = async (fault: MockFault): Promise<readonly unknown[]> => {
      const { reply } = await asked([{ ...calling, fault }]);
      const call = reply.message.content.find((part) => part.type === 'call');
      return [reply.finish.reason, call?.invalid?.reason];
    };
    const [reason, length] = await outcome({ lengthInCall: true });
    // Gemini sends calls whole: one that is cut does not come at all.
    assert.deepEqual([reason, length], ['length', api === 'gemini' ? undefined : 'truncated']);
    const [, broken] = await outcome({ brokenArguments: true });
    assert.equal(broken, api === 'gemini' ? undefined : 'not-json');
  });

  test(`${api}: a server that never answers, or stops inside a reply, is given up in time`, async () => {
    for (const [reply, what] of [
      [{ fault: { hang: true } }, /answer to the request did not come within 61000 ms/],
      [
        { text: 'begun', calls: [{ name: 'weather', pauseMs: 60_000 }] },
        /next bytes .* did not come within 62000 ms/,
      ],
    ] as const) {
      const running = new Map<number, () => void>();
      const clock: Clock = {
        ...patient,
        after: (ms, callback) => {
          running.set(ms, callback);
          return () => running.delete(ms);
        },
      };
      await using provider = await mock([reply]);
      const model = make(provider.url, {
        clock,
        timeouts: { connect: 61_000, betweenChunks: 62_000 },
        retry: { retries: 0 },
      });
      let ended: Reply | undefined;
      const reading = (async () => {
        for await (const event of model.stream(question)) if (event.type === 'finish') ended = event.reply;
      })();
      const wait = 'fault' in reply ? 61_000 : 62_000;
      while (provider.asked.length === 0 || !running.has(wait)) await new Promise(setImmediate);
      running.get(wait)!();
      await reading;
      assert.equal(ended?.error?.kind, 'timeout');
      assert.match(ended.error.message, what);
      assert.equal(running.size, 0);
    }
  });
}

interface Heard {
  readonly events: readonly ModelEvent[];
  readonly reply: Reply;
  readonly provider: Mock;
}

test('never tells the key, also when a server repeats it', async () => {
  const key = 'sk-very-"secret\\key';
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
