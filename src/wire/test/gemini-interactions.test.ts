import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonObject } from '../../base/json/value.ts';
import { readEvents } from '../recording.ts';
import { adapter } from '../gemini-interactions/adapter.ts';

// No stream of this API is recorded: these chunks have the shapes of the official SDK's types.
const chunks: readonly JsonObject[] = [
  {
    event_type: 'interaction.created',
    interaction: { id: 'v1_a', model: 'gemini-x', status: 'in_progress' },
  },
  { event_type: 'step.start', index: 0, step: { type: 'thought' } },
  {
    event_type: 'step.delta',
    index: 0,
    delta: { type: 'thought_summary', content: { type: 'text', text: 'Hm.' } },
  },
  { event_type: 'step.delta', index: 0, delta: { type: 'thought_signature', signature: 'c2ln' } },
  { event_type: 'step.stop', index: 0 },
  { event_type: 'step.start', index: 1, step: { type: 'model_output', content: [] } },
  { event_type: 'step.delta', index: 1, delta: { type: 'text', text: 'I will ' } },
  { event_type: 'step.delta', index: 1, delta: { type: 'text', text: 'look.' } },
  { event_type: 'step.stop', index: 1 },
  {
    event_type: 'step.start',
    index: 2,
    step: { type: 'function_call', id: 'f1', name: 'weather', arguments: {} },
  },
  { event_type: 'step.delta', index: 2, delta: { type: 'arguments_delta', arguments: '{"city":' } },
  { event_type: 'step.delta', index: 2, delta: { type: 'arguments_delta', arguments: '"Oslo"}' } },
  { event_type: 'step.stop', index: 2 },
  {
    event_type: 'interaction.completed',
    interaction: {
      id: 'v1_a',
      status: 'requires_action',
      usage: { total_input_tokens: 5, total_output_tokens: 7, total_thought_tokens: 2, total_tokens: 14 },
    },
  },
];

test('reads a stream: reasoning with its signature, words, and a call that is whole at its stop', () => {
  const events = readEvents(
    adapter,
    chunks.map((data) => ({ data })),
  );
  const last = events.at(-1);
  assert.ok(last?.type === 'finish' && last.reply.complete);
  const [thought, words, call] = last.reply.message.content;
  assert.deepEqual(thought, {
    type: 'reasoning',
    text: 'Hm.',
    providerData: { 'gemini-interactions': { signature: 'c2ln' } },
  });
  assert.ok(words?.type === 'text' && words.text === 'I will look.');
  assert.ok(call?.type === 'call' && call.invalid === undefined && call.arguments === '{"city":"Oslo"}');
  assert.equal(last.reply.finish.reason, 'calls');
  assert.deepEqual(adapter.printUsage(last.reply.usage!), { input: 5, output: 7 });
});

test('a stream that breaks off inside a call leaves that call cut', () => {
  const events = readEvents(
    adapter,
    chunks.slice(0, 12).map((data) => ({ data })),
  );
  const ends = events.flatMap((event) => (event.type === 'call-end' ? [event.call] : []));
  assert.equal(ends[0]?.invalid?.reason, 'truncated');
});

test('writes events as the stream that reads as the same events', () => {
  const events = readEvents(
    adapter,
    chunks.map((data) => ({ data })),
  );
  let state = adapter.writer.begin({ model: 'gemini-x', id: 'v1_a' });
  const written = events.flatMap((event) => {
    const [next, told] = adapter.writer.write(state, event);
    state = next;
    return told;
  });
  const again = readEvents(adapter, written);
  assert.deepEqual(
    again.filter((event) => event.type !== 'usage' && event.type !== 'finish'),
    events.filter((event) => event.type !== 'usage' && event.type !== 'finish'),
  );
});
