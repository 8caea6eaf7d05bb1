import assert from 'node:assert/strict';
import { test } from 'node:test';

import type OpenAI from 'openai';

import type { JsonObject } from '../../base/json/value.ts';
import { adapterOf } from '../catalog.ts';
import { decodeRecord, readEvents } from '../recording.ts';
import type { DecodedReply } from '../recording.ts';
import { adapter } from '../openai-responses/adapter.ts';
import { expectedHosted, expectedLocal, hosted, local, silent } from './openai-responses-items.fixture.ts';

// What the recordings do not hold, in the words of the official types.

type Item = OpenAI.Responses.ResponseOutputItem;
type Event = OpenAI.Responses.ResponseStreamEvent;
type Unnumbered<T> = T extends unknown ? Omit<T, 'sequence_number'> : never;

const usage = {
  input_tokens: 5,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 12,
};

function response(output: readonly Item[], more: object = {}): OpenAI.Responses.Response {
  return {
    id: 'resp_1',
    access_programs: null,
    object: 'response',
    created_at: 1,
    status: 'completed',
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    model: 'gpt-test',
    output: [...output],
    output_text: '',
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    usage,
    ...more,
  };
}

function streamed(events: readonly Unnumbered<Event>[]): DecodedReply {
  const told = events.map((event, index) => ({
    event: event.type,
    data: { ...event, sequence_number: index } as unknown as JsonObject,
  }));
  return decodeRecord({ id: 's', api: 'openai-responses', status: 200, events: told });
}

/** The items one after another, each as it begins and as it is done. */
function streamOf(items: readonly Item[], end: Unnumbered<Event>[] = [ended(items)]): DecodedReply {
  const start = { ...response([]), status: 'in_progress' as const, usage: undefined! };
  return streamed([
    { type: 'response.created', response: start },
    { type: 'response.queued', response: { ...start, status: 'queued' } },
    { type: 'response.in_progress', response: start },
    ...items.flatMap((item, output_index): Unnumbered<Event>[] => [
      { type: 'response.output_item.added', output_index, item: begun(item) },
      { type: 'response.output_item.done', output_index, item },
    ]),
    ...end,
  ]);
}

function ended(items: readonly Item[]): Unnumbered<Event> {
  return { type: 'response.completed', response: response(items) };
}

/** An item that has just begun says little of itself. */
function begun(item: Item): Item {
  return { ...item, ...('status' in item && { status: 'in_progress' }) } as Item;
}

function callsOf(reply: DecodedReply): unknown {
  return reply.calls.map(({ id, name, arguments: given, server }) => [id, name, given, server]);
}

test('reads every item that the API runs itself, streamed and not, as a call of the server', () => {
  const body = response(hosted) as unknown as JsonObject;
  for (const reply of [
    decodeRecord({ id: 'w', api: 'openai-responses', status: 200, response: body }),
    streamOf(hosted),
  ]) {
    assert.deepEqual(callsOf(reply), expectedHosted);
    assert.deepEqual(
      [reply.finish, reply.usage, reply.truncated, reply.error],
      ['completed', { input: 5, output: 7 }, false, null],
    );
  }
});

test('reads every item that is ours to run as a call of ours, and takes its arguments from the item that is done', () => {
  const body = response(local) as unknown as JsonObject;
  for (const reply of [
    decodeRecord({ id: 'w', api: 'openai-responses', status: 200, response: body }),
    streamOf(local),
  ])
    assert.deepEqual(callsOf(reply), expectedLocal);
});

test('an item of a kind that nobody has heard of is a call of the server if it is named like one', () => {
  const items = [
    { type: 'maps_search_call', id: 'ms_1', status: 'completed', queries: ['here'] },
    { type: 'wisdom', id: 'w_1', text: 'no words' },
  ] as unknown as Item[];
  const reply = streamOf(items);
  assert.deepEqual(callsOf(reply), [['ms_1', 'maps_search', { queries: ['here'] }, true]]);
  assert.equal(reply.text, '');
});

test('what is neither words nor a call is not a call, and goes back as it came', () => {
  assert.deepEqual(callsOf(streamOf(silent)), []);
  const { message } = adapter.readReply(response([...silent, ...hosted, ...local]) as unknown as JsonObject);
  const results = expectedLocal.map(([callId, name]) => ({
    callId: String(callId),
    name: String(name),
    content: [{ type: 'text' as const, text: 'done' }],
  }));
  const { body } = adapter.writeRequest(
    { messages: [{ role: 'user', content: 'hi' }, message, { role: 'tool', results }] },
    { model: 'm' },
  );
  const input = body['input'] as readonly JsonObject[];
  const items = [...silent, ...hosted, ...local];
  assert.deepEqual(input.slice(1, 1 + items.length), items);
});

test('a refusal is not text, reasoning is neither, and annotations stay with their words', () => {
  const items: Item[] = [
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [],
      content: [{ type: 'reasoning_text', text: 'hm' }],
      encrypted_content: 'gAAA',
    },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [
        {
          type: 'output_text',
          text: 'Cats.',
          annotations: [
            { type: 'file_citation', file_id: 'f', filename: 'cats.txt', index: 1 },
            { type: 'file_path', file_id: 'f', index: 1 },
          ],
          logprobs: [],
        },
        { type: 'refusal', refusal: 'No more.' },
      ],
    },
  ];
  const body = response(items) as unknown as JsonObject;
  const whole = decodeRecord({ id: 'w', api: 'openai-responses', status: 200, response: body });
  assert.equal(whole.text, 'Cats.');
  assert.deepEqual(streamOf(items), { ...whole, id: 's' });
  const at = { item_id: 'msg_1', output_index: 1, content_index: 1 };
  const piecewise = streamed([
    { type: 'response.created', response: response([]) },
    { type: 'response.output_item.added', output_index: 0, item: begun(items[0]!) },
    {
      type: 'response.reasoning_text.delta',
      item_id: 'rs_1',
      output_index: 0,
      content_index: 0,
      delta: 'hm',
    },
    { type: 'response.output_item.done', output_index: 0, item: items[0]! },
    {
      type: 'response.output_text.delta',
      ...at,
      content_index: 0,
      delta: 'Cats.',
      logprobs: [],
    },
    { type: 'response.refusal.delta', ...at, delta: 'No ' },
    { type: 'response.refusal.delta', ...at, delta: 'more.' },
    { type: 'response.refusal.done', ...at, refusal: 'No more.' },
    { type: 'response.output_item.done', output_index: 1, item: items[1]! },
    ended(items),
  ]);
  assert.deepEqual(piecewise, { ...whole, id: 's' });
});

test('reasoning goes back without a status and with a summary, whatever it came with', () => {
  const read = readEvents(adapter, [
    {
      event: 'response.completed',
      data: {
        type: 'response.completed',
        response: response([], {
          output: [
            { type: 'reasoning', id: 'rs_1', status: 'completed', encrypted_content: 'gAAA' },
            {
              type: 'web_search_call',
              id: 'ws_1',
              status: 'completed',
              action: { type: 'search', query: 'q' },
            },
          ],
        }) as unknown as JsonObject,
      },
    },
  ]).at(-1);
  assert.ok(read?.type === 'finish');
  const { body } = adapter.writeRequest({ messages: [read.reply.message] }, { model: 'gpt-test' });
  assert.deepEqual(body['input'], [
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' },
    { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } },
  ]);
});

test('a response that fails, is cut, or breaks off says so', () => {
  const words: Item = { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{"a":' };
  const cut: Item = { ...words, status: 'incomplete' };
  const failed = streamOf(
    [],
    [
      {
        type: 'response.failed',
        response: response([], {
          status: 'failed',
          error: { code: 'server_error', message: 'It broke.' },
          usage: undefined!,
        }),
      },
    ],
  );
  assert.deepEqual(
    [failed.finish, failed.error, failed.truncated, failed.usage],
    ['failed', 'It broke.', false, null],
  );
  const error = streamOf(
    [],
    [{ type: 'error', code: 'rate_limit_exceeded', message: 'Slow down.', param: null }],
  );
  assert.deepEqual([error.error, error.truncated], ['Slow down.', false]);
  const length = streamOf(
    [cut],
    [
      {
        type: 'response.incomplete',
        response: response([cut], {
          status: 'incomplete',
          incomplete_details: { reason: 'max_output_tokens' },
        }),
      },
    ],
  );
  assert.deepEqual(
    [length.finish, length.truncated, length.error, callsOf(length)],
    ['incomplete', false, null, [['c', 'f', null, false]]],
  );
  const broken = streamOf([], []);
  assert.deepEqual([broken.finish, broken.truncated, broken.error], [null, true, null]);
});

test('a stream without `output_item.done` is read from the end of its arguments or of the response', () => {
  const call: Item = { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{"a":1}' };
  const added = {
    type: 'response.output_item.added' as const,
    output_index: 0,
    item: { ...call, arguments: '', status: 'in_progress' as const },
  };
  const done = {
    type: 'response.function_call_arguments.done' as const,
    item_id: 'fc_1',
    output_index: 0,
    name: 'f',
    arguments: '{"a":1}',
  };
  const expected = [['c', 'f', { a: 1 }, false]];
  assert.deepEqual(callsOf(streamed([added, done, ended([])])), expected);
  assert.deepEqual(callsOf(streamed([added, ended([call])])), expected);
  assert.deepEqual(callsOf(streamed([ended([call])])), expected);
  const words: Item = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'Hi', annotations: [], logprobs: [] }],
  };
  assert.equal(streamed([ended([words])]).text, 'Hi');
});

test('a response that is made in the background is not an error, and what is said of a response is kept', () => {
  const queued = { id: 'r', object: 'response', status: 'queued', output: [], error: null, usage: null };
  const reply = adapterOf('openai-responses').readReply(queued);
  assert.deepEqual([reply.complete, reply.finish, reply.id], [true, { reason: 'other', raw: 'queued' }, 'r']);
  const begun = { ...queued, status: 'in_progress', output: [{ type: 'message', content: 'So far' }] };
  assert.equal(adapterOf('openai-responses').readReply(begun).complete, false);
  const moderation = { input: { type: 'moderation_result', flagged: true } };
  const told = {
    ...queued,
    status: 'completed',
    moderation,
    service_tier: 'default',
    tools: [],
    content_filters: null,
  };
  assert.deepEqual(adapterOf('openai-responses').readReply(told).providerData, {
    moderation,
    service_tier: 'default',
  });
});
