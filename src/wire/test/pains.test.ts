import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonObject } from '../../base/json/value.ts';
import type { Call } from '../../base/message/call.ts';
import type { ModelEvent } from '../../base/message/model.ts';
import { adapterOf } from '../catalog.ts';
import { readEvents } from '../recording.ts';

function eventsOf(api: string, chunks: readonly JsonObject[]): readonly ModelEvent[] {
  return readEvents(
    adapterOf(api),
    chunks.map((data) => ({ data })),
  );
}

function callsOf(events: readonly ModelEvent[]): readonly Call[] {
  const last = events.at(-1);
  assert.ok(last?.type === 'finish');
  const calls = last.reply.message.content.filter((part) => part.type === 'call');
  assert.deepEqual(
    events.flatMap((event) => (event.type === 'call-end' ? [event.call.id] : [])),
    calls.map((call) => call.id),
  );
  return calls;
}

/** The pieces of calls in a Chat Completions stream, each in a chunk, and an end that says that they are whole. */
function chat(...pieces: readonly JsonObject[]): readonly JsonObject[] {
  const chunk = (delta: JsonObject, finish_reason: string | null): JsonObject => ({
    id: 'c',
    choices: [{ index: 0, delta, finish_reason }],
  });
  return [...pieces.map((piece) => chunk({ tool_calls: [piece] }, null)), chunk({}, 'tool_calls')];
}

const said = (calls: readonly Call[]) =>
  calls.map(({ id, name, arguments: text, invalid }) => [id, name, text, invalid?.reason]);

const twoCalls = [
  ['a', 'one', '{"x":1}', undefined],
  ['b', 'two', '{"y":2}', undefined],
];

test('pain 3: parallel calls without an index, or all with the same one, stay two calls (vercel/ai#18382)', () => {
  for (const place of [{}, { index: 0 }]) {
    const pieces = chat(
      { ...place, id: 'a', function: { name: 'one', arguments: '{"x"' } },
      { ...place, function: { arguments: ':1}' } },
      { ...place, id: 'b', function: { name: 'two', arguments: '{"y"' } },
      { ...place, function: { arguments: ':2}' } },
    );
    assert.deepEqual(said(callsOf(eventsOf('openai-chat', pieces))), twoCalls);
  }
});

test('pain 3: deltas of two calls that take turns go to the call of their index (vercel/ai#18382)', () => {
  const pieces = chat(
    { index: 1, id: 'b', function: { name: 'two', arguments: '{"y"' } },
    { index: 0, id: 'a', function: { name: 'one', arguments: '{"x"' } },
    { index: 1, function: { arguments: ':2}' } },
    { index: 0, function: { arguments: ':1}' } },
  );
  assert.deepEqual(said(callsOf(eventsOf('openai-chat', pieces))).toSorted(), twoCalls);
});

test('pain 3: Mistral may send the arguments of a call by and by (vercel/ai#19181)', () => {
  const pieces = chat(
    { index: 0, id: 'a', function: { name: 'one', arguments: '{"x"' } },
    { index: 0, id: 'a', function: { name: 'one', arguments: ':1}' } },
  );
  assert.deepEqual(said(callsOf(eventsOf('mistral', pieces))), [['a', 'one', '{"x":1}', undefined]]);
});

test('pain 3, pain 4: arguments that come before the name of their call are kept (vercel/ai#14760, cloudflare/ai#572)', () => {
  const pieces = chat(
    { index: 0, id: 'a', function: { arguments: '{"x"' } },
    { index: 0, function: { arguments: ':' } },
    { index: 0, function: { name: 'one', arguments: '1}' } },
  );
  assert.deepEqual(said(callsOf(eventsOf('openai-chat', pieces))), [['a', 'one', '{"x":1}', undefined]]);
});

test('pain 4: a last chunk without choices takes no call away, and its usage is read (TanStack/ai#371)', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
  const events = eventsOf('openai-chat', [
    ...chat({ index: 0, id: 'a', function: { name: 'one', arguments: '{}' } }),
    { id: 'c', choices: [], usage },
  ]);
  assert.equal(callsOf(events).length, 1);
  const last = events.at(-1);
  assert.ok(last?.type === 'finish');
  assert.deepEqual([last.reply.finish.reason, last.reply.usage?.total], ['calls', 7]);
});

test('pain 5: pieces without index and id are one call, and one without arguments is not a broken one (langchainjs#11311, #8394)', () => {
  const pieces = chat({ id: 'a', function: { name: 'one', arguments: '' } }, { function: { arguments: '' } });
  const [call, ...others] = callsOf(eventsOf('openai-chat', pieces));
  assert.deepEqual([call?.name, call?.invalid, others], ['one', undefined, []]);
});

test('pain 6: streamed arguments of the Responses API are read, and told as they come (langchainjs#8049)', () => {
  const item = { type: 'function_call', id: 'fc', call_id: 'a', name: 'one' };
  const events = eventsOf('openai-responses', [
    { type: 'response.created', response: { id: 'r', model: 'm', status: 'in_progress' } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '' } },
    { type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'fc', delta: '{"x"' },
    { type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'fc', delta: ':1}' },
    { type: 'response.function_call_arguments.done', output_index: 0, item_id: 'fc', arguments: '{"x":1}' },
    {
      type: 'response.output_item.done',
      output_index: 0,
      item: { ...item, arguments: '{"x":1}', status: 'completed' },
    },
    { type: 'response.completed', response: { id: 'r', model: 'm', status: 'completed' } },
  ]);
  assert.deepEqual(said(callsOf(events)), [['a', 'one', '{"x":1}', undefined]]);
  const told = events.flatMap((event) => (event.type === 'call-delta' ? [event.text] : []));
  assert.equal(told.join(''), '{"x":1}');
});

/** A stream of Anthropic: each block begins, is filled and ends by its index. */
function anthropic(...events: readonly JsonObject[]): readonly JsonObject[] {
  return [
    { type: 'message_start', message: { id: 'm', model: 'c', role: 'assistant', content: [], usage: {} } },
    ...events,
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ];
}
const begin = (index: number, content_block: JsonObject): JsonObject => ({
  type: 'content_block_start',
  index,
  content_block,
});
const fill = (index: number, delta: JsonObject): JsonObject => ({
  type: 'content_block_delta',
  index,
  delta,
});
const stop = (index: number): JsonObject => ({ type: 'content_block_stop', index });

test('pain 6: a streamed web search of Anthropic is not a broken call of ours (langchainjs#9911)', () => {
  const events = eventsOf(
    'anthropic',
    anthropic(
      begin(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
      fill(0, { type: 'input_json_delta', partial_json: '{"query":' }),
      fill(0, { type: 'input_json_delta', partial_json: '"rain"}' }),
      stop(0),
      begin(1, { type: 'web_search_tool_result', tool_use_id: 's', content: [] }),
      stop(1),
      begin(2, { type: 'tool_use', id: 'a', name: 'one', input: {} }),
      fill(2, { type: 'input_json_delta', partial_json: '{"x":1}' }),
      stop(2),
    ),
  );
  const [search, call] = callsOf(events);
  assert.deepEqual(
    [search?.requiresLocalExecution, search?.arguments, search?.invalid],
    [false, '{"query":"rain"}', undefined],
  );
  assert.deepEqual([call?.requiresLocalExecution, call?.arguments], [true, '{"x":1}']);
  const last = events.at(-1);
  assert.ok(last?.type === 'finish');
  assert.ok(last.reply.message.content.some((part) => part.type === 'hosted-result'));
});

test('pain 7: text between the pieces of a call gets into no arguments, and a call ends once (TanStack/ai#1020, #696)', () => {
  const events = eventsOf(
    'anthropic',
    anthropic(
      begin(0, { type: 'tool_use', id: 'a', name: 'one', input: {} }),
      begin(1, { type: 'text', text: '' }),
      fill(0, { type: 'input_json_delta', partial_json: '{"x"' }),
      fill(1, { type: 'text_delta', text: '{"no":' }),
      fill(0, { type: 'input_json_delta', partial_json: ':1}' }),
      stop(0),
      fill(1, { type: 'text_delta', text: '"json"}' }),
      stop(1),
    ),
  );
  assert.deepEqual(said(callsOf(events)), [['a', 'one', '{"x":1}', undefined]]);
  const text = events.flatMap((event) => (event.type === 'text' ? [event.text] : []));
  assert.equal(text.join(''), '{"no":"json"}');
});
