import assert from 'node:assert/strict';
import { test } from 'node:test';

import { userMessage } from '../../base/message/message.ts';
import type { ModelEvent, ModelRequest } from '../../base/message/model.ts';
import { mockModel } from './model.ts';
import type { MockScript } from './script.ts';

const ask = (text: string): ModelRequest => ({ messages: [userMessage(text)] });

async function eventsOf(script: MockScript, signal?: AbortSignal): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of mockModel(script).stream(ask('hello'), signal ? { signal } : {}))
    events.push(event);
  return events;
}

test('answers with the replies of its script in order, and remembers what was asked', async () => {
  const model = mockModel(['one', { calls: [{ name: 'weather', arguments: { city: 'Oslo' } }] }]);
  const first = await model.generate(ask('a'));
  assert.deepEqual(first.message.content, [{ type: 'text', text: 'one' }]);
  assert.equal(first.finish.reason, 'stop');
  assert.equal(model.unconsumed.length, 1);
  const second = await model.generate(ask('b'));
  assert.equal(second.finish.reason, 'calls');
  assert.equal(second.complete, true);
  const [call] = second.message.content;
  assert.ok(call?.type === 'call');
  assert.deepEqual([call.name, call.arguments, call.invalid], ['weather', '{"city":"Oslo"}', undefined]);
  assert.deepEqual(
    model.asked.map(({ request }) => request.messages[0]?.role === 'user' && request.messages[0].content),
    ['a', 'b'],
  );
  assert.equal(model.unconsumed.length, 0);
});

test('says which request its script has no reply for (mock_exhausted)', async () => {
  const reply = await mockModel([]).generate(ask('more?'));
  assert.equal(reply.complete, false);
  assert.equal(reply.error?.kind, 'invalid_request');
  assert.match(reply.error?.message ?? '', /no reply for request 1: "more\?"/);
});

test('takes a reply only when its condition holds, and branches where a reply says so', async () => {
  const model = mockModel([
    { when: { contains: 'refund' }, text: 'refund it is', then: ['bye'] },
    { when: { contains: 'hello' }, text: 'hi', times: Infinity },
  ]);
  const say = async (text: string) => (await model.generate(ask(text))).message.content[0];
  assert.deepEqual(await say('Hello there'), { type: 'text', text: 'hi' });
  assert.deepEqual(await say('hello again'), { type: 'text', text: 'hi' });
  assert.deepEqual(await say('my REFUND'), { type: 'text', text: 'refund it is' });
  assert.deepEqual(await say('anything'), { type: 'text', text: 'bye' });
});

test('answers with a function of what was asked', async () => {
  const model = mockModel(({ request, index }) => `${index}: ${request.messages.length}`);
  assert.deepEqual((await model.generate(ask('a'))).message.content, [{ type: 'text', text: '0: 1' }]);
});

test('tells that a call is whole when the next one begins, and of the last when the reply ends', async () => {
  const events = await eventsOf([{ calls: [{ name: 'a' }, { name: 'b' }] }]);
  const order = events.flatMap((event) =>
    event.type === 'call-start'
      ? [`start ${event.name}`]
      : event.type === 'call-end'
        ? [`end ${event.call.name}`]
        : [],
  );
  assert.deepEqual(order, ['start a', 'end a', 'start b', 'end b']);
  assert.equal(events.at(-1)?.type, 'finish');
});

test('marks calls that its faults cut or spoil', async () => {
  const calls = [{ name: 'pay', arguments: { amount: 100, to: 'someone far away' } }];
  const invalidity = async (fault: object) => {
    const reply = await mockModel([{ calls, fault }]).generate(ask('x'));
    const [call] = reply.message.content;
    assert.ok(call?.type === 'call');
    return [call.invalid?.reason, reply.finish.reason, reply.complete, reply.error?.kind];
  };
  assert.deepEqual(await invalidity({ lengthInCall: true }), ['truncated', 'length', true, undefined]);
  assert.deepEqual(await invalidity({ brokenArguments: true }), ['not-json', 'calls', true, undefined]);
  assert.deepEqual(await invalidity({ cutAfter: 5 }), ['truncated', 'error', false, 'network']);
});

test('ends with an error of the right kind where the script says a status', async () => {
  const reply = await mockModel([{ fault: { status: 429, retryAfter: 2 } }]).generate(ask('x'));
  assert.deepEqual(
    [reply.error?.kind, reply.error?.retryAfterMs, reply.complete],
    ['rate_limit', 2000, false],
  );
});

test('ends at once when it is aborted, with what had come', async () => {
  const controller = new AbortController();
  const events: ModelEvent[] = [];
  const model = mockModel([{ text: 'It is far too long to be read', calls: [{ name: 'a' }] }]);
  for await (const event of model.stream(ask('x'), { signal: controller.signal })) {
    events.push(event);
    if (event.type === 'text') controller.abort();
  }
  const last = events.at(-1);
  assert.ok(last?.type === 'finish');
  assert.deepEqual(
    [last.reply.error?.kind, last.reply.complete, last.reply.message.content],
    ['aborted', false, [{ type: 'text', text: 'It is far too lo' }]],
  );
  const hanging = new AbortController();
  const waiting = eventsOf([{ fault: { hang: true } }], hanging.signal);
  hanging.abort();
  assert.equal((await waiting).at(-1)?.type, 'finish');
});
