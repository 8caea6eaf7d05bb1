import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { GenerateContentResponse, Part } from '@google/genai';

import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { decodeRecord } from '../recording.ts';
import type { DecodedReply } from '../recording.ts';
import { adapter } from '../gemini/adapter.ts';

// What the recordings do not hold, in the words of the official types.

type Chunk = Pick<
  GenerateContentResponse,
  'candidates' | 'promptFeedback' | 'usageMetadata' | 'modelVersion'
>;

const usageMetadata = {
  promptTokenCount: 5,
  candidatesTokenCount: 7,
  thoughtsTokenCount: 2,
  toolUsePromptTokenCount: 3,
  totalTokenCount: 17,
};

function chunk(parts: readonly Part[], more: object = {}): Chunk {
  return { candidates: [{ content: { role: 'model', parts: [...parts] }, index: 0, ...more }] };
}

function decoded(chunks: readonly object[]): DecodedReply {
  const events = chunks.map((data) => ({ event: null, data: data as unknown as JsonValue }));
  return decodeRecord({ id: 's', api: 'gemini', status: 200, events });
}

function callsOf(reply: DecodedReply): unknown {
  return reply.calls.map(({ id, name, arguments: given, server }) => [id, name, given, server]);
}

test('reads what the API runs itself, and hands it back part by part', () => {
  const parts = [
    { executableCode: { language: 'PYTHON', code: 'print(1)', id: 'e1' }, thoughtSignature: 'AAAA' },
    { codeExecutionResult: { outcome: 'OUTCOME_FAILED', output: 'no', id: 'e1' } },
    { toolCall: { id: 't1', toolType: 'URL_CONTEXT', args: { urls: ['https://example.com'] } } },
    { toolResponse: { id: 't1', toolType: 'URL_CONTEXT', response: { ok: true } } },
    { text: 'Done', thoughtSignature: 'BBBB' },
    { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
    { fileData: { mimeType: 'image/png', fileUri: 'gs://a/b.png' } },
  ] as unknown as Part[];
  const expected = [
    ['e1', 'code_execution', { language: 'PYTHON', code: 'print(1)', id: 'e1' }, true],
    ['t1', 'URL_CONTEXT', { urls: ['https://example.com'] }, true],
  ];
  const whole = chunk(parts, { finishReason: 'STOP', urlContextMetadata: { urlMetadata: [] } });
  for (const chunks of [[whole], parts.map((part) => chunk([part]))])
    assert.deepEqual(callsOf(decoded(chunks)), expected);
  const reply = decoded([whole]);
  assert.deepEqual([reply.text, reply.finish, reply.truncated], ['Done', 'STOP', false]);
  const { message } = adapter.readReply(whole as unknown as JsonObject);
  const { body } = adapter.writeRequest(
    { messages: [{ role: 'user', content: 'hi' }, message] },
    { model: 'm' },
  );
  assert.deepEqual((body['contents'] as readonly JsonObject[])[1]!['parts'], parts);
});

test('arguments that Vertex streams, with a call after them and without an end', () => {
  const reply = decoded([
    chunk([{ functionCall: { id: 'c1', name: 'write', willContinue: true }, thoughtSignature: 'AAAA' }]),
    chunk([
      {
        functionCall: {
          partialArgs: [{ jsonPath: '$.a.b[0]', stringValue: 'x ', willContinue: true }],
          willContinue: true,
        },
      },
    ]),
    chunk([
      {
        functionCall: {
          partialArgs: [
            { jsonPath: '$.a.b[0]', stringValue: '"y"' },
            { jsonPath: '$.n', numberValue: 1.5 },
            { jsonPath: '$.t', boolValue: true },
            { jsonPath: '$.z', nullValue: 'NULL_VALUE' },
          ],
          willContinue: true,
        },
      },
    ]),
    chunk([{ functionCall: { id: 'c2', name: 'read', args: {} } }]),
    chunk([{ functionCall: { name: 'last' } }], { finishReason: 'STOP' }),
  ]);
  assert.deepEqual(callsOf(reply), [
    ['c1', 'write', { a: { b: ['x "y"'] }, n: 1.5, t: true, z: null }, false],
    ['c2', 'read', {}, false],
    [null, 'last', {}, false],
  ]);
});

test('of several candidates the first is the reply, in whatever order they come', () => {
  const second = { candidates: [{ index: 1, content: { role: 'model', parts: [{ text: 'no' }] } }] };
  const first = chunk([{ text: 'yes' }], { finishReason: 'STOP' });
  const both = { candidates: [...second.candidates, ...first.candidates!], usageMetadata };
  for (const chunks of [[second, first, second], [both]]) assert.equal(decoded(chunks).text, 'yes');
  assert.deepEqual(decoded([both]).usage, { input: 5, output: 7 });
});

test('every reason to stop is told as the API says it', () => {
  for (const finishReason of [
    'MAX_TOKENS',
    'MALFORMED_FUNCTION_CALL',
    'TOO_MANY_TOOL_CALLS',
    'MALFORMED_RESPONSE',
    'MODEL_ARMOR',
    'NO_IMAGE',
    'NEVER_HEARD_OF',
  ]) {
    const reply = decoded([{ candidates: [{ finishReason, index: 0 }], usageMetadata }]);
    assert.deepEqual([reply.finish, reply.truncated, reply.error], [finishReason, false, null]);
  }
  const blocked = decoded([{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata }]);
  assert.deepEqual([blocked.finish, blocked.truncated, blocked.text], ['PROHIBITED_CONTENT', false, '']);
  // An answer that came whole is whole, also where the service gives no reason; a stream is not.
  const unsaid = chunk([{ text: 'Hi' }]) as unknown as JsonObject;
  const whole = decodeRecord({ id: 'w', api: 'gemini', status: 200, response: unsaid });
  assert.deepEqual([whole.text, whole.finish, whole.truncated], ['Hi', null, false]);
  assert.equal(decoded([unsaid]).truncated, true);
  // As protobuf numbers them; a call after which the length was used up has been cut.
  const cut = chunk([{ functionCall: { name: 'f', args: {} } }], { finishReason: 2 });
  const reply = adapter.readReply(cut as unknown as JsonObject);
  assert.equal(reply.finish.reason, 'length');
  assert.equal(decoded([cut]).finish, 2);
});

test('an error in a stream ends it, alone or in a list', () => {
  const error = { error: { code: 503, message: 'Overloaded.', status: 'UNAVAILABLE' } };
  for (const data of [error, [error]]) {
    const reply = decoded([chunk([{ functionCall: { name: 'f', willContinue: true } }]), data]);
    assert.deepEqual(
      [reply.error, reply.truncated, reply.calls, reply.cut?.length],
      ['Overloaded.', false, [], 1],
    );
  }
});

test('a stream that came as one list, with or without the framing of events', () => {
  const chunks = [chunk([{ text: 'Ca' }]), chunk([{ text: 'ts' }], { finishReason: 'STOP' })];
  const list = JSON.stringify(chunks, undefined, 1);
  for (const raw of [list, `data: ${JSON.stringify(chunks)}\n\n`]) {
    const reply = decodeRecord({ id: 's', api: 'gemini', status: 200, raw });
    assert.deepEqual([reply.text, reply.finish, reply.truncated], ['Cats', 'STOP', false]);
  }
  const response = chunks as unknown as JsonValue;
  assert.equal(decodeRecord({ id: 's', api: 'gemini', status: 200, response }).text, 'Cats');
});
