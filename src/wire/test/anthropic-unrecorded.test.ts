import assert from 'node:assert/strict';
import { test } from 'node:test';

import type Anthropic from '@anthropic-ai/sdk';

import type { JsonObject } from '../../base/json/value.ts';
import type { Message } from '../../base/message/message.ts';
import { decodeRecord, readEvents } from '../recording.ts';
import type { DecodedReply } from '../recording.ts';
import { adapter } from '../anthropic/adapter.ts';

// What the recordings do not hold, in the words of the official types.

type Block = Anthropic.Beta.BetaContentBlock;
type Event = Anthropic.Beta.BetaRawMessageStreamEvent;
type Delta = Anthropic.Beta.BetaRawContentBlockDelta;

const usage = { input_tokens: 5, output_tokens: 7 } as Anthropic.Beta.BetaUsage;

function message(content: readonly Block[], more: object = {}): Anthropic.Beta.BetaMessage {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-test',
    container: null,
    content: [...content],
    context_management: null,
    diagnostics: null,
    stop_details: null,
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage,
    ...more,
  };
}

/** Blocks as they begin, what their deltas add, and the end. */
function eventsOf(
  blocks: readonly (readonly [Block, ...Delta[]])[],
  end: Partial<Anthropic.Beta.BetaRawMessageDeltaEvent.Delta> = {},
): readonly Event[] {
  return [
    { type: 'message_start', message: message([], { stop_reason: null }) },
    ...blocks.flatMap(([content_block, ...deltas], index): Event[] => [
      { type: 'content_block_start', index, content_block },
      ...deltas.map((delta): Event => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      context_management: { applied_edits: [] },
      delta: { stop_reason: 'end_turn', stop_sequence: null, container: null, stop_details: null, ...end },
      usage: { output_tokens: 7 } as Anthropic.Beta.BetaMessageDeltaUsage,
    },
    { type: 'message_stop' },
  ];
}

function decoded(events: readonly object[]): DecodedReply {
  const told = events.map((data) => ({ event: (data as Event).type, data: data as JsonObject }));
  return decodeRecord({ id: 's', api: 'anthropic', status: 200, events: told });
}

function callsOf(reply: DecodedReply): unknown {
  return reply.calls.map(({ id, name, arguments: given, server }) => [id, name, given, server]);
}

function serverCall(name: Anthropic.Beta.BetaServerToolUseBlock['name'], input: object = {}): Block {
  return { type: 'server_tool_use', id: `srvtoolu_${name}`, name, input: input as Record<string, unknown> };
}

const answered = { caller: { type: 'direct' as const } };

/** Every tool that the API runs, with its answer. */
const hosted: readonly Block[] = [
  serverCall('web_search', { query: 'cats' }),
  {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_web_search',
    content: { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' },
    ...answered,
  },
  serverCall('web_fetch', { url: 'https://example.com' }),
  {
    type: 'web_fetch_tool_result',
    tool_use_id: 'srvtoolu_web_fetch',
    content: { type: 'web_fetch_tool_result_error', error_code: 'url_not_allowed' },
    ...answered,
  },
  serverCall('code_execution', { code: 'print(1)' }),
  {
    type: 'code_execution_tool_result',
    tool_use_id: 'srvtoolu_code_execution',
    content: { type: 'code_execution_result', stdout: '1', stderr: '', return_code: 0, content: [] },
  },
  serverCall('bash_code_execution', { command: 'ls' }),
  {
    type: 'bash_code_execution_tool_result',
    tool_use_id: 'srvtoolu_bash_code_execution',
    content: { type: 'bash_code_execution_tool_result_error', error_code: 'unavailable' },
  },
  serverCall('text_editor_code_execution', { command: 'view', path: 'a' }),
  {
    type: 'text_editor_code_execution_tool_result',
    tool_use_id: 'srvtoolu_text_editor_code_execution',
    content: {
      type: 'text_editor_code_execution_tool_result_error',
      error_code: 'file_not_found',
      error_message: 'no',
    },
  },
  serverCall('tool_search_tool_bm25', { query: 'cats' }),
  {
    type: 'tool_search_tool_result',
    tool_use_id: 'srvtoolu_tool_search_tool_bm25',
    content: {
      type: 'tool_search_tool_search_result',
      tool_references: [{ type: 'tool_reference', tool_name: 'cat' }],
    },
  },
  { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'ask', server_name: 'wiki', input: { q: 'cats' } },
  { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', is_error: true, content: 'no' },
];

const expectedHosted = [
  ['srvtoolu_web_search', 'web_search', { query: 'cats' }, true],
  ['srvtoolu_web_fetch', 'web_fetch', { url: 'https://example.com' }, true],
  ['srvtoolu_code_execution', 'code_execution', { code: 'print(1)' }, true],
  ['srvtoolu_bash_code_execution', 'bash_code_execution', { command: 'ls' }, true],
  ['srvtoolu_text_editor_code_execution', 'text_editor_code_execution', { command: 'view', path: 'a' }, true],
  ['srvtoolu_tool_search_tool_bm25', 'tool_search_tool_bm25', { query: 'cats' }, true],
  ['mcptoolu_1', 'ask', { q: 'cats' }, true],
];

/** Blocks that are neither words nor calls. */
const silent: readonly Block[] = [
  { type: 'redacted_thinking', data: 'EmwK' },
  { type: 'container_upload', file_id: 'file_1' },
  { type: 'compaction', content: 'what was', encrypted_content: 'gAAA' },
];

test('reads every tool that the API runs as a call of the server, streamed and not', () => {
  const body = message(hosted) as unknown as JsonObject;
  const whole = decodeRecord({ id: 'w', api: 'anthropic', status: 200, response: body });
  assert.deepEqual(callsOf(whole), expectedHosted);
  assert.deepEqual(callsOf(decoded(eventsOf(hosted.map((block) => [block])))), expectedHosted);
  const pieces = hosted.map((block): readonly [Block, ...Delta[]] => {
    if (!('input' in block)) return [block];
    const text = JSON.stringify(block.input);
    const delta = (partial_json: string): Delta => ({ type: 'input_json_delta', partial_json });
    return [{ ...block, input: {} }, delta(''), delta(text.slice(0, 4)), delta(text.slice(4))];
  });
  assert.deepEqual(callsOf(decoded(eventsOf(pieces))), expectedHosted);
});

test('whatever the API said goes back as it came, from a stream too', () => {
  const blocks = [...silent, ...hosted];
  const whole = adapter.readReply(message(blocks) as unknown as JsonObject).message;
  const events = eventsOf([
    [silent[0]!],
    [silent[1]!],
    [
      { type: 'compaction', content: null, encrypted_content: null },
      { type: 'compaction_delta', content: 'what was', encrypted_content: 'gAAA' },
    ],
    ...hosted.map((block) => [block] as const),
  ]);
  const chunks = events.map((data) => ({ data: data as unknown as JsonObject }));
  const last = readEvents(adapter, chunks).at(-1);
  assert.ok(last?.type === 'finish');
  for (const said of [whole, last.reply.message]) {
    const { body } = adapter.writeRequest(
      { messages: [{ role: 'user', content: 'hi' }, said, { role: 'user', content: 'on' }] },
      { model: 'm' },
    );
    const { content } = (body['messages'] as readonly JsonObject[])[1]!;
    assert.deepEqual(content, blocks);
  }
});

test('keeps thinking, its signature and citations beside the words', () => {
  const citation: Anthropic.Beta.BetaCitationCharLocation = {
    type: 'char_location',
    cited_text: 'Cats',
    document_index: 0,
    document_title: null,
    start_char_index: 0,
    end_char_index: 4,
    file_id: null,
  };
  const events = eventsOf([
    [
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'Hm', estimated_tokens: null } as Delta,
      { type: 'signature_delta', signature: 'EqQB' },
    ],
    // Thinking of which nothing is shown.
    [
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'signature_delta', signature: 'Ab' },
    ],
    [
      { type: 'text', text: '', citations: [] },
      { type: 'citations_delta', citation },
      { type: 'text_delta', text: 'Cats.' },
    ],
  ]);
  assert.equal(decoded(events).text, 'Cats.');
  const chunks = events.map((data) => ({ data: data as unknown as JsonObject }));
  const last = readEvents(adapter, chunks).at(-1);
  assert.ok(last?.type === 'finish');
  const { body } = adapter.writeRequest({ messages: [last.reply.message] }, { model: 'm' });
  assert.deepEqual((body['messages'] as readonly JsonObject[]).at(-1)!['content'], [
    { type: 'thinking', thinking: 'Hm', signature: 'EqQB' },
    { type: 'thinking', thinking: '', signature: 'Ab' },
    { type: 'text', text: 'Cats.', citations: [citation] },
  ]);
});

test('every reason to stop is told as the API says it', () => {
  const call: Block = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} };
  const begun: readonly (readonly [Block, ...Delta[]])[] = [
    [call, { type: 'input_json_delta', partial_json: '{"a":' }],
  ];
  for (const stop_reason of ['max_tokens', 'model_context_window_exceeded', 'refusal'] as const) {
    const reply = decoded(eventsOf(begun, { stop_reason }));
    assert.deepEqual(
      [reply.finish, reply.truncated, reply.error, callsOf(reply)],
      [stop_reason, false, null, [['toolu_1', 'f', null, false]]],
    );
  }
  for (const stop_reason of ['pause_turn', 'compaction', 'stop_sequence'] as const)
    assert.equal(decoded(eventsOf([[serverCall('web_search', {})]], { stop_reason })).finish, stop_reason);
});

test('what a stream says of its end is kept with the reply', () => {
  const chunks = eventsOf([], {
    container: { id: 'container_1', expires_at: 'soon', skills: null },
    stop_reason: 'end_turn',
  }).map((data) => ({ data: data as unknown as JsonObject }));
  const last = readEvents(adapter, chunks).at(-1);
  assert.ok(last?.type === 'finish');
  assert.deepEqual(last.reply.providerData?.['container'], {
    id: 'container_1',
    expires_at: 'soon',
    skills: null,
  });
  assert.deepEqual(last.reply.providerData?.['context_management'], { applied_edits: [] });
});

test('an error in a stream ends it, whatever had begun', () => {
  const [start, ...rest] = eventsOf([
    [
      { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} },
      { type: 'input_json_delta', partial_json: '{}' },
    ],
  ]);
  const error = {
    type: 'error',
    error: { type: 'overloaded_error', message: 'Overloaded' },
    request_id: null,
  };
  const reply = decoded([start!, ...rest.slice(0, 3), error]);
  assert.deepEqual(
    [reply.error, reply.truncated, reply.calls, reply.cut?.length],
    ['Overloaded', false, [], 1],
  );
});

test('a tool of the API that failed says so, whenever its result comes', () => {
  const failed = { type: 'tool_search_tool_result_error', error_code: 'invalid_tool_input' };
  const content = [
    { type: 'tool_search_tool_result', tool_use_id: 'srvtoolu_1', content: failed },
    { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_2', content: [] },
  ];
  const { message } = adapter.readReply({ id: 'm', content, stop_reason: 'end_turn' });
  const errors = message.content.map((part) => part.type === 'hosted-result' && part.isError);
  assert.deepEqual(errors, [true, undefined]);
  // They were asked for beside a call of ours, and came behind its result.
  const asked = [
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'tool_search', input: {} },
    { type: 'server_tool_use', id: 'srvtoolu_2', name: 'web_search', input: {} },
    { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
  ];
  const { message: asking } = adapter.readReply({ id: 'm', content: asked, stop_reason: 'tool_use' });
  const sent = (...messages: readonly Message[]): readonly JsonObject[] =>
    adapter.writeRequest({ messages: [{ role: 'user', content: 'Hi' }, ...messages] }, { model: 'm' }).body[
      'messages'
    ] as readonly JsonObject[];
  const results = [{ callId: 'toolu_1', name: 'look', content: [{ type: 'text' as const, text: 'Seen.' }] }];
  const whole = sent(asking, { role: 'tool', results }, message);
  assert.deepEqual([whole[1]!['content'], whole[3]!['content']], [asked, content]);
  // In a history that was cut shorter nobody knows what they answer, and alone they are refused.
  const [, alone] = sent(message);
  const types = (alone!['content'] as readonly JsonObject[]).map(({ type }) => type);
  assert.deepEqual(types, ['text', 'text']);
});

test('a call of the API that broke off before its answer goes back only where the API goes on with it', () => {
  const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'rain' } };
  const { message } = adapter.readReply({ id: 'm', content: [search], stop_reason: 'pause_turn' });
  const ask: Message = { role: 'user', content: 'Rain?' };
  const bodyOf = (messages: readonly Message[]) =>
    adapter.writeRequest({ messages }, { model: 'm' }).body['messages'] as readonly JsonObject[];
  assert.deepEqual(bodyOf([ask, message])[1]!['content'], [search]);
  const told = { type: 'text', text: '[web_search was called: {"query":"rain"}. No answer came.]' };
  assert.deepEqual(bodyOf([ask, message, ask])[1]!['content'], [told]);
});
