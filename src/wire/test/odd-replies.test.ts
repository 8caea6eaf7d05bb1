import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonObject } from '../../base/json/value.ts';
import type { ModelError, ModelRequest, Reply } from '../../base/message/model.ts';
import type { ResultPart } from '../../base/message/part.ts';
import { adapterOf } from '../catalog.ts';
import { decodeBytes, readEvents } from '../recording.ts';
import { readError } from '../reply/error.ts';
import { retryWait } from '../transport/retry.ts';

// What no recording holds and no type forbids, or what gateways make of it: nothing of it may be lost.

function streamed(api: string, events: readonly JsonObject[]): Reply {
  const chunks = events.map(({ event, ...data }) => ({
    ...(typeof event === 'string' && { event }),
    data: data as JsonObject,
  }));
  const last = readEvents(adapterOf(api), chunks).at(-1);
  assert.equal(last?.type, 'finish');
  return (last as { readonly reply: Reply }).reply;
}

function whole(api: string, body: JsonObject): Reply {
  return adapterOf(api).readReply(body);
}

function textOf({ message }: Reply): string {
  return message.content.map((part) => (part.type === 'text' ? part.text : `<${part.type}>`)).join('');
}

function chatChunk(
  delta: JsonObject,
  finish_reason: string | null = null,
  more: JsonObject = {},
): JsonObject {
  return { id: 'c', model: 'm', choices: [{ index: 0, delta, finish_reason, ...more }] };
}

test('a reason to end that comes with each piece, or before the last, loses no words', () => {
  const chat = streamed('openai-chat', [
    chatChunk({ content: 'a' }, 'stop'),
    chatChunk({ content: 'b' }, 'stop'),
  ]);
  assert.deepEqual([textOf(chat), chat.complete], ['ab', true]);
  const gemini = streamed(
    'gemini',
    ['a', 'b'].map((text) => ({ candidates: [{ content: { parts: [{ text }] }, finishReason: 'STOP' }] })),
  );
  assert.deepEqual([textOf(gemini), gemini.complete], ['ab', true]);
});

test('Gemini: a reason of null is none', () => {
  const part = (functionCall: JsonObject, finishReason: string | null): JsonObject => ({
    candidates: [{ content: { parts: [{ functionCall }] }, finishReason }],
  });
  const partialArgs = [{ jsonPath: '$.x', numberValue: 1 }];
  const reply = streamed('gemini', [
    part({ name: 'f', willContinue: true }, null),
    part({ partialArgs, willContinue: true }, null),
    part({}, 'STOP'),
  ]);
  const [call] = reply.message.content;
  assert.deepEqual(call?.type === 'call' && call.arguments, { x: 1 });
});

test('Gemini: pieces of arguments that are null, or a block reason, are none', () => {
  const functionCall = { name: 'f', args: { x: 1 }, partialArgs: null, willContinue: null };
  const candidates = [{ content: { parts: [{ functionCall }] }, finishReason: 'STOP' }];
  const [call] = whole('gemini', { candidates }).message.content;
  assert.deepEqual(call?.type === 'call' && call.arguments, { x: 1 });
  const unblocked = streamed('gemini', [
    { candidates: [{ content: { parts: [{ text: 'a' }] } }], promptFeedback: { blockReason: null } },
  ]);
  assert.equal(unblocked.complete, false);
});

test('Anthropic: counters that are null at the end stay as they began', () => {
  const reply = streamed('anthropic', [
    {
      type: 'message_start',
      message: { id: 'm', usage: { input_tokens: 20, cache_read_input_tokens: 5, output_tokens: 1 } },
    },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: null, cache_read_input_tokens: null, output_tokens: 9 },
    },
  ]);
  const { input, output, cachedRead } = reply.usage!;
  assert.deepEqual([input, output, cachedRead], [25, 9, 5]);
});

test('Anthropic: a block that nobody has heard of keeps the input that came in pieces', () => {
  const block = { type: 'skill_use', id: 's', name: 'z' };
  const more = (partial_json: string): JsonObject => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'input_json_delta', partial_json },
  });
  const reply = streamed('anthropic', [
    { type: 'message_start', message: { id: 'm' } },
    { type: 'content_block_start', index: 0, content_block: { ...block, input: {} } },
    more('{"a"'),
    more(':1}'),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
  ]);
  const raw = { ...block, input: { a: 1 } };
  assert.deepEqual(reply.message.content, [{ type: 'other', api: 'anthropic', raw }]);
});

test('Responses: a status that is left out is told by the event, or by the response itself', () => {
  const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' };
  const ended = (type: string, more: JsonObject = {}): Reply =>
    streamed('openai-responses', [
      { type: 'response.output_item.done', output_index: 0, item: call },
      { type, response: { id: 'r', output: [], ...more } },
    ]);
  const incomplete_details = { reason: 'max_output_tokens' };
  const cases = [
    [ended('response.completed'), 'stop', true],
    [ended('response.incomplete', { incomplete_details }), 'length', true],
    [ended('response.failed', { error: { message: 'No.' } }), 'error', false],
    [whole('openai-responses', { id: 'r', output: [call] }), 'stop', true],
    [whole('openai-responses', { id: 'r', output: [call], incomplete_details }), 'length', true],
    [whole('openai-responses', { id: 'r', output: [], error: { message: 'No.' } }), 'error', false],
  ] as const;
  for (const [reply, reason, complete] of cases)
    assert.deepEqual([reply.finish, reply.complete], [{ reason }, complete]);
});

test('Responses: words of which no piece came, beside others or alone', () => {
  const part = (content_index: number, more: JsonObject): JsonObject => ({
    output_index: 0,
    content_index,
    ...more,
  });
  const content = [
    { type: 'output_text', text: 'One.' },
    { type: 'refusal', refusal: 'No.' },
  ];
  const end = { type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } };
  const streams = [
    [
      part(0, { type: 'response.output_text.delta', delta: 'One.' }),
      part(0, { type: 'response.output_text.done', text: 'One.' }),
      { type: 'response.output_item.done', output_index: 0, item: { type: 'message', content } },
    ],
    [
      part(0, { type: 'response.output_text.done', text: 'One.' }),
      part(1, { type: 'response.refusal.done', refusal: 'No.' }),
    ],
  ];
  for (const events of streams) {
    const words = streamed('openai-responses', [...events, end]).message.content;
    const said = words.map(
      (each) => (each.type === 'text' || each.type === 'refusal') && [each.type, each.text],
    );
    assert.deepEqual(said, [
      ['text', 'One.'],
      ['refusal', 'No.'],
    ]);
  }
});

test('a sign of life that is not JSON ends no stream', () => {
  const bytes = new TextEncoder().encode(
    `event: ping\ndata: ping\n\ndata: ${JSON.stringify(chatChunk({ content: 'a' }, 'stop'))}\n\n`,
  );
  const adapter = adapterOf('openai-chat');
  const last = readEvents(adapter, decodeBytes(adapter, [bytes])).at(-1);
  assert.deepEqual(last?.type === 'finish' && [last.reply.complete, last.reply.error], [true, undefined]);
});

test('Cohere: an error of null is none', () => {
  const reply = streamed('cohere', [
    { type: 'message-start', id: 'a' },
    { type: 'message-end', delta: { finish_reason: 'COMPLETE', error: null } },
  ]);
  assert.deepEqual([reply.error, reply.complete], [undefined, true]);
});

test('Chat: a refusal among the parts of the content, and parts that only the host knows', () => {
  const content = [
    { type: 'text', text: 'See ' },
    { type: 'reference', reference_ids: [1] },
    { type: 'refusal', refusal: 'No.' },
  ];
  const body = { id: 'a', choices: [{ index: 0, message: { content }, finish_reason: 'stop' }] };
  const deltas = content.map((part) => chatChunk({ content: [part] }));
  const expected = [
    { type: 'text', text: 'See ' },
    { type: 'other', api: 'mistral', raw: content[1] },
    { type: 'refusal', text: 'No.' },
  ];
  assert.deepEqual(whole('mistral', body).message.content, expected);
  assert.deepEqual(streamed('mistral', [...deltas, chatChunk({}, 'stop')]).message.content, expected);
});

test('Chat: pictures that are streamed are kept as those of a whole message', () => {
  const images = ['AAAA', 'BBBB'].map((data) => ({
    type: 'image_url',
    image_url: { url: `data:image/png;base64,${data}` },
  }));
  const choices = [{ index: 0, message: { content: 'See.', images }, finish_reason: 'stop' }];
  const pieces = images.map((image) => chatChunk({ images: [image] }));
  const reply = streamed('openai-chat', [chatChunk({ content: 'See.' }), ...pieces, chatChunk({}, 'stop')]);
  assert.deepEqual(reply.providerData, { message: { images } });
  assert.deepEqual(reply.providerData, whole('openai-chat', { id: 'c', choices }).providerData);
});

test('Chat: a spoken answer that streams is put together as one', () => {
  const pieces = [
    { id: 'audio_1', transcript: 'Good ' },
    // Each piece is encoded by itself.
    { data: btoa('a') },
    { transcript: 'day.' },
    { data: btoa('bc') },
    { expires_at: 9 },
  ];
  const audio = { id: 'audio_1', expires_at: 9, data: btoa('abc'), transcript: 'Good day.' };
  const chunks = pieces.map((piece) => chatChunk({ audio: piece }));
  const reply = streamed('openai-chat', [...chunks, chatChunk({}, 'stop')]);
  assert.deepEqual(reply.providerData, { message: { audio } });
});

test('Chat: counters that are in the choice, and an old call whose arguments are an object', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
  const reply = streamed('openai-chat', [chatChunk({ content: 'a' }), chatChunk({}, 'stop', { usage })]);
  assert.deepEqual([reply.usage?.input, reply.usage?.output], [3, 4]);
  const message = { content: null, function_call: { name: 'f', arguments: { a: 1 } } };
  const [call] = whole('openai-chat', { choices: [{ message, finish_reason: 'stop' }] }).message.content;
  assert.deepEqual(call?.type === 'call' && call.arguments, { a: 1 });
});

test('Interactions: what a step began with, counters of any event, and an end that is an update', () => {
  const step = { type: 'model_output', content: [{ type: 'text', text: 'He', annotations: [{ a: 1 }] }] };
  const total_usage = { total_input_tokens: 3, total_output_tokens: 4, total_tokens: 7 };
  const begun = [
    { event_type: 'interaction.created', interaction: { id: 'i', status: 'in_progress' } },
    { event_type: 'interaction.status_update', interaction_id: 'i', status: 'in_progress' },
    { event_type: 'step.start', index: 0, step },
    {
      event_type: 'step.delta',
      index: 0,
      delta: { type: 'text', text: 'llo' },
      metadata: { total_usage },
    },
    { event_type: 'step.stop', index: 0 },
  ];
  const ends = [
    { event_type: 'interaction.completed', interaction: { id: 'i', status: 'completed' } },
    { event_type: 'interaction.status_update', interaction_id: 'i', status: 'completed' },
  ];
  for (const end of ends) {
    const reply = streamed('gemini-interactions', [...begun, end]);
    const providerData = { 'gemini-interactions': { annotations: [{ a: 1 }] } };
    assert.deepEqual(reply.message.content, [{ type: 'text', text: 'Hello', providerData }]);
    assert.deepEqual([reply.complete, reply.usage?.input, reply.usage?.output], [true, 3, 4]);
  }
});

test('Converse: a picture that is streamed is the block that comes whole, and a trace is kept', () => {
  const picture = { format: 'png', source: { bytes: 'iVBORw0KGgo=' } };
  const delta = (bytes: string): JsonObject => ({
    event: 'contentBlockDelta',
    contentBlockIndex: 0,
    delta: { image: { source: { bytes } } },
  });
  const usage = { inputTokens: 1, outputTokens: 2 };
  const trace = { guardrail: { actionReason: 'none' } };
  const pieces = streamed('bedrock-converse', [
    { event: 'contentBlockStart', contentBlockIndex: 0, start: { image: { format: 'png' } } },
    delta('iVBORw0K'),
    delta('Ggo='),
    { event: 'contentBlockStop', contentBlockIndex: 0 },
    { event: 'messageStop', stopReason: 'end_turn' },
    { event: 'metadata', usage, trace },
  ]);
  const output = { message: { role: 'assistant', content: [{ image: picture }] } };
  assert.deepEqual(pieces, whole('bedrock-converse', { output, stopReason: 'end_turn', usage, trace }));
});

test('a failed result without words is still an error that the API takes', () => {
  const call = { type: 'call', id: 't', name: 'f', arguments: {}, kind: 'function' } as const;
  const picture = { kind: 'base64', data: 'AAAA', mediaType: 'image/png' } as const;
  const sent = (api: string, content: readonly ResultPart[]): string => {
    const request: ModelRequest = {
      tools: [{ name: 'f', kind: 'function', description: 'F.', input: { type: 'object', properties: {} } }],
      messages: [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: [{ ...call, requiresLocalExecution: true }] },
        { role: 'tool', results: [{ callId: 't', name: 'f', content, isError: true }] },
      ],
    };
    return JSON.stringify(adapterOf(api).writeRequest(request, { model: 'm' }).body);
  };
  const image = { type: 'image', source: picture } as const;
  for (const content of [[], [{ type: 'text', text: '' } as const], [image]])
    assert.match(sent('anthropic', content), /"content":\[{"type":"text","text":"The tool failed."}\]/);
  assert.match(sent('bedrock-converse', []), /"content":\[{"text":"The tool failed."}\],"status":"error"/);
  assert.match(sent('openai-responses', [image]), /The tool failed\..*"input_image"/);
});

test('an error under a status of success has its own kind, and may pass as under its own status', () => {
  const cases: readonly (readonly [JsonObject, ModelError['kind'], boolean])[] = [
    [{ error: { code: 429, message: 'Slow down.' } }, 'rate_limit', true],
    [{ error: { code: 503, message: 'No provider.' } }, 'overloaded', true],
    [{ type: 'error', error: { type: 'overloaded_error', message: 'Busy.' } }, 'overloaded', true],
    [{ error: { code: 'context_length_exceeded', message: 'Too long.' } }, 'context_too_long', false],
    [{ error: { code: 401, message: 'Who?' } }, 'authentication', false],
  ];
  for (const [body, kind, passes] of cases)
    for (const status of [200, undefined]) {
      const error = readError(status, body);
      assert.deepEqual([error.kind, retryWait(error, 1) !== undefined], [kind, passes], error.message);
    }
});

test('Chat: a call without a name in a whole message is one of its own, and spoils no other', () => {
  const call = (id: string, name: string): JsonObject => ({
    id,
    type: 'function',
    function: { name, arguments: '{"x":1}' },
  });
  const tool_calls = [call('a', 'look'), call('b', ''), call('c', 'look')];
  const { message } = adapterOf('openai-chat').readReply({
    id: 'r',
    choices: [{ index: 0, message: { role: 'assistant', tool_calls }, finish_reason: 'tool_calls' }],
  });
  assert.deepEqual(
    message.content.map((part) => part.type === 'call' && [part.id, part.name, part.arguments, part.invalid]),
    [
      ['a', 'look', '{"x":1}', undefined],
      ['b', '', '{"x":1}', undefined],
      ['c', 'look', '{"x":1}', undefined],
    ],
  );
});
