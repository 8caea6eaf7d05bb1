import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';

import type { JsonObject } from '../../base/json/value.ts';
import type { UserPart } from '../../base/message/part.ts';
import { encodeAwsEventStream } from '../transport/aws-event-stream.ts';
import { adapter } from '../bedrock-converse/adapter.ts';
import { decodeRecord, readEvents } from '../recording.ts';
import type { DecodedReply } from '../recording.ts';

// What the recordings do not hold, in the shapes that the service's own model of the API gives.

type Named = readonly [event: string, data: JsonObject];

const start: Named = ['messageStart', { role: 'assistant' }];
const metadata: Named = [
  'metadata',
  { usage: { inputTokens: 5, outputTokens: 7, totalTokens: 12 }, metrics: { latencyMs: 1 } },
];

function stop(stopReason = 'end_turn'): Named {
  return ['messageStop', { stopReason }];
}

function block(contentBlockIndex: number, begin: JsonObject | undefined, ...deltas: JsonObject[]): Named[] {
  return [
    ...(begin === undefined ? [] : [['contentBlockStart', { contentBlockIndex, start: begin }] as const]),
    ...deltas.map((delta): Named => ['contentBlockDelta', { contentBlockIndex, delta }]),
    ['contentBlockStop', { contentBlockIndex }],
  ];
}

/** By name and object, as bytes, and inside InvokeModel's chunks: the same reply. */
function decoded(events: readonly Named[]): DecodedReply {
  const told = events.map(([event, data]) => ({ event, data }));
  const named = decodeRecord({ id: 's', api: 'bedrock-converse', status: 200, events: told });
  const bytes = Buffer.concat(told.map((event) => encodeAwsEventStream(event)));
  const rawBase64 = bytes.toString('base64');
  assert.deepEqual(decodeRecord({ id: 's', api: 'bedrock-converse', status: 200, rawBase64 }), named);
  return named;
}

function callsOf(reply: DecodedReply): unknown {
  return reply.calls.map(({ id, name, arguments: given, server }) => [id, name, given, server]);
}

function contentOf(events: readonly Named[]): unknown {
  const last = readEvents(
    adapter,
    events.map(([event, data]) => ({ event, data })),
  ).at(-1);
  assert.ok(last?.type === 'finish');
  const { body } = adapter.writeRequest(
    { messages: [{ role: 'user', content: 'hi' }, last.reply.message] },
    { model: 'm' },
  );
  return (body['messages'] as readonly JsonObject[])[1]!['content'];
}

/** A frame with any headers; `encodeAwsEventStream` writes events only. */
function frame(headers: Readonly<Record<string, string>>, payload: string): Buffer {
  const head = Buffer.concat(
    Object.entries(headers).map(([name, value]) =>
      Buffer.concat([
        Buffer.from([name.length]),
        Buffer.from(name),
        Buffer.from([7, value.length >> 8, value.length & 255]),
        Buffer.from(value),
      ]),
    ),
  );
  const body = Buffer.from(payload);
  const message = Buffer.alloc(16 + head.length + body.length);
  message.writeUInt32BE(message.length, 0);
  message.writeUInt32BE(head.length, 4);
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8);
  head.copy(message, 12);
  body.copy(message, 12 + head.length);
  message.writeUInt32BE(crc32(message.subarray(0, message.length - 4)), message.length - 4);
  return message;
}

test('a tool that the service runs streams its call and its result, and both go back', () => {
  const events = [
    start,
    ...block(
      0,
      { toolUse: { toolUseId: 's1', name: 'nova_grounding', type: 'server_tool_use' } },
      { toolUse: { input: '{"q":' } },
      { toolUse: { input: '"cats"}' } },
    ),
    ...block(
      1,
      { toolResult: { toolUseId: 's1', type: 'nova_grounding_result', status: 'success' } },
      { toolResult: [{ json: { a: 1 } }] },
      { toolResult: [{ text: 'more' }] },
    ),
    ...block(
      2,
      undefined,
      { citation: { title: 'Cats', source: 'cats.txt' } },
      { text: 'Ca' },
      { text: 'ts.' },
    ),
    stop(),
    metadata,
  ];
  const reply = decoded(events);
  assert.deepEqual(callsOf(reply), [['s1', 'nova_grounding', { q: 'cats' }, true]]);
  assert.deepEqual(
    [reply.text, reply.finish, reply.usage, reply.truncated],
    ['Cats.', 'end_turn', { input: 5, output: 7 }, false],
  );
  assert.deepEqual(contentOf(events), [
    {
      toolUse: { toolUseId: 's1', name: 'nova_grounding', input: { q: 'cats' }, type: 'server_tool_use' },
    },
    {
      toolResult: {
        toolUseId: 's1',
        content: [{ json: { a: 1 } }, { text: 'more' }],
        status: 'success',
        type: 'nova_grounding_result',
      },
    },
    {
      citationsContent: {
        content: [{ text: 'Cats.' }],
        citations: [{ title: 'Cats', source: 'cats.txt' }],
      },
    },
  ]);
});

test('a citation in a stream is for the words of its own block, as in a reply that comes whole', () => {
  const citation = { title: 'Cats', source: 'cats.txt' };
  const events = [
    start,
    ...block(0, undefined, { text: 'It' }),
    ...block(1, undefined, { text: ' says ' }),
    ...block(2, undefined, { citation }, { text: 'cats' }, { text: ' sleep' }),
    ...block(3, undefined, { text: '. ' }),
    ...block(4, undefined, { citation }, { text: 'They eat' }),
    ...block(5, undefined, { citation }, { citation }, { text: ' mice' }),
    ...block(6, undefined, { text: '.' }),
    ...block(7, undefined, { text: ' All day' }, { citation }),
    ...block(8, undefined, { text: ' Long' }),
    ...block(9, undefined, { citation }),
    stop(),
  ];
  const cited = (text: string, ...citations: JsonObject[]): JsonObject => ({
    citationsContent: { content: [{ text }], citations },
  });
  assert.equal(decoded(events).text, 'It says cats sleep. They eat mice. All day Long');
  assert.deepEqual(contentOf(events), [
    { text: 'It says ' },
    cited('cats sleep', citation),
    { text: '. ' },
    cited('They eat', citation),
    cited(' mice', citation, citation),
    cited('. All day', citation),
    cited(' Long', citation),
  ]);
});

test('each document of a request has a name of its own, bytes, and words beside it', () => {
  const document = (text: string, title?: string): UserPart => ({
    type: 'document',
    source: { kind: 'text', text },
    ...(title !== undefined && { title }),
  });
  const long = 'x'.repeat(300);
  const { body } = adapter.writeRequest(
    {
      messages: [
        { role: 'user', content: [document('für'), document('b')] },
        {
          role: 'assistant',
          content: [
            {
              type: 'call',
              id: 'c1',
              name: 'read',
              arguments: {},
              kind: 'function',
              requiresLocalExecution: true,
            },
          ],
        },
        {
          role: 'tool',
          results: [
            { callId: 'c1', name: 'read', content: [document('c', 'Document'), document('d', long)] },
          ],
        },
        { role: 'user', content: [document('e', long)] },
        { role: 'user', content: 'Compare them.' },
      ],
      tools: [{ kind: 'function', name: 'read', input: { type: 'object' } }],
    },
    { model: 'm' },
  );
  const written = (text: string, name: string): JsonObject => ({
    document: { format: 'txt', name, source: { bytes: Buffer.from(text).toString('base64') } },
  });
  const [asked, , answered] = body['messages'] as readonly JsonObject[];
  assert.deepEqual(asked!['content'], [
    { text: '[a document follows]' },
    written('für', 'document'),
    written('b', 'document-2'),
  ]);
  assert.deepEqual(answered!['content'], [
    {
      toolResult: {
        toolUseId: 'c1',
        content: [written('c', 'Document-3'), written('d', 'x'.repeat(200))],
      },
    },
    written('e', `${'x'.repeat(198)}-2`),
    { text: 'Compare them.' },
  ]);
});

test('reasoning goes back with its signature or as it was hidden', () => {
  const events = [
    start,
    ...block(
      0,
      undefined,
      { reasoningContent: { text: 'H' } },
      { reasoningContent: { text: 'm' } },
      { reasoningContent: { signature: 'EqQB' } },
    ),
    ...block(1, undefined, { reasoningContent: { redactedContent: 'AAAA' } }),
    ...block(2, undefined, { text: 'Cats.' }),
    // Some models say what was used before they say why they ended.
    metadata,
    stop(),
  ];
  assert.equal(decoded(events).text, 'Cats.');
  assert.deepEqual(contentOf(events), [
    { reasoningContent: { reasoningText: { text: 'Hm', signature: 'EqQB' } } },
    { reasoningContent: { redactedContent: 'AAAA' } },
    { text: 'Cats.' },
  ]);
});

test('every reason to stop is told as the service says it', () => {
  const call = block(0, { toolUse: { toolUseId: 't1', name: 'f' } }, { toolUse: { input: '{"a":' } });
  for (const reason of ['max_tokens', 'guardrail_intervened', 'malformed_tool_use', 'content_filtered'])
    assert.deepEqual(
      [decoded([start, ...call, stop(reason)]).finish, callsOf(decoded([start, ...call, stop(reason)]))],
      [reason, [['t1', 'f', null, false]]],
    );
  const empty = block(0, { toolUse: { toolUseId: 't1', name: 'f' } });
  assert.deepEqual(callsOf(decoded([start, ...empty, stop('tool_use')])), [['t1', 'f', {}, false]]);
});

test('an exception in a stream ends it, under each envelope', () => {
  const call = block(0, { toolUse: { toolUseId: 't1', name: 'f' } }, { toolUse: { input: '{}' } });
  for (const name of [
    'throttlingException',
    'modelStreamErrorException',
    'internalServerException',
    'validationException',
    'serviceUnavailableException',
  ]) {
    const error = { message: 'Too many.' };
    const reply = decoded([start, ...call, [name, error]]);
    assert.deepEqual([reply.error, reply.truncated, reply.calls], ['Too many.', false, []]);
    const exception = frame(
      { ':exception-type': name, ':content-type': 'application/json', ':message-type': 'exception' },
      JSON.stringify(error),
    );
    for (const api of ['bedrock-converse', 'bedrock-invoke-anthropic', 'bedrock-invoke-nova']) {
      const rawBase64 = exception.toString('base64');
      const bare = decodeRecord({ id: 's', api, status: 200, rawBase64 });
      assert.deepEqual([bare.error, bare.truncated], ['Too many.', false], api);
    }
  }
  const broken = frame(
    { ':error-code': 'InternalFailure', ':error-message': 'It broke.', ':message-type': 'error' },
    '',
  );
  for (const api of ['bedrock-converse', 'bedrock-invoke-anthropic', 'bedrock-invoke-nova']) {
    const rawBase64 = broken.toString('base64');
    assert.equal(decodeRecord({ id: 's', api, status: 200, rawBase64 }).error, 'It broke.', api);
  }
});
