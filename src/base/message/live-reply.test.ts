import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveReply } from './live-reply.ts';
import type { Call } from './call.ts';
import { assistantMessage } from './message.ts';
import type { ModelEvent, Reply } from './model.ts';

const weather: Call = {
  type: 'call',
  id: 'call_1',
  name: 'weather',
  arguments: '{"city":"Oslo"}',
  kind: 'function',
  requiresLocalExecution: true,
};
const head = { id: 'call_1', name: 'weather', kind: 'function', requiresLocalExecution: true } as const;

const opening: readonly ModelEvent[] = [
  { type: 'start', id: 'reply_1', model: 'm' },
  { type: 'reasoning', slot: 0, text: 'Hm' },
  { type: 'text', slot: 1, text: 'Let me ' },
  { type: 'call-start', slot: 2, ...head },
  { type: 'call-delta', slot: 2, text: '{"city":"O' },
  { type: 'text', slot: 1, text: 'look.' },
];

test('a reply can be read while it arrives', () => {
  const live = new LiveReply();
  for (const event of opening) live.take(event);
  assert.equal(live.text, 'Let me look.');
  assert.deepEqual(live.argumentsAt(2), { city: 'O' });
  assert.equal(live.argumentsAt(0), undefined);
  assert.equal(live.argumentsAt(9), undefined);
  live.take({ type: 'call-delta', slot: 2, text: 'slo"}' });
  assert.deepEqual(live.argumentsAt(2), { city: 'Oslo' });
  live.take({ type: 'call-end', slot: 2, call: weather });
  assert.deepEqual(live.argumentsAt(2), { city: 'Oslo' });
  assert.deepEqual(
    live.parts.map((part) => part.type),
    ['reasoning', 'text', 'call'],
  );
});

test('what is given out does not grow', () => {
  const live = new LiveReply();
  for (const event of opening) live.take(event);
  const parts = live.parts;
  const before = structuredClone(parts);
  live.take({ type: 'text', slot: 1, text: ' More.' });
  assert.deepEqual(parts, before);
});

test('a stream that broke off leaves what had come, with its open call marked as cut off and without half a thought', () => {
  const live = new LiveReply();
  const usage = { input: 3, output: 2, total: 5 };
  const error = { kind: 'network', message: 'reset' } as const;
  for (const event of opening) live.take(event);
  live.take({ type: 'usage', usage });
  live.take({ type: 'error', error });
  const reply = live.end();
  assert.equal(reply.complete, false);
  assert.deepEqual([reply.id, reply.usage, reply.error], ['reply_1', usage, error]);
  const [text, call] = reply.message.content;
  assert.deepEqual(text, { type: 'text', text: 'Let me look.' });
  assert.equal(call?.type === 'call' && call.invalid?.reason, 'truncated');
  assert.equal(call?.type === 'call' && call.arguments, '{"city":"O');
});

test('a call that its provider had completed before the break is whole', () => {
  const live = new LiveReply();
  for (const event of opening) live.take(event);
  live.take({ type: 'call-end', slot: 2, call: weather });
  assert.equal(live.end().message.content[1], weather);
});

test('a retry begins anew', () => {
  const live = new LiveReply();
  for (const event of opening) live.take(event);
  live.take({ type: 'retry', attempt: 2, waitMs: 0, error: { kind: 'network', message: 'reset' } });
  assert.deepEqual(live.parts, []);
});

test('the reply of the last event is the reply', () => {
  const reply: Reply = { message: assistantMessage('Hi'), finish: { reason: 'stop' }, complete: true };
  const live = new LiveReply();
  live.take({ type: 'finish', reply });
  assert.equal(live.end(), reply);
});

test('what can be kept is given out once, and again where it has grown', () => {
  const live = new LiveReply();
  for (const event of opening) live.take(event);
  assert.deepEqual(live.takeFresh(), [{ slot: 1, part: { type: 'text', text: 'Let me look.' } }]);
  assert.deepEqual(live.takeFresh(), []);
  live.take({ type: 'call-end', slot: 2, call: weather });
  live.take({ type: 'text', slot: 1, text: ' Now.' });
  assert.deepEqual(live.takeFresh(), [
    { slot: 1, part: { type: 'text', text: 'Let me look. Now.' } },
    { slot: 2, part: weather },
  ]);
});
