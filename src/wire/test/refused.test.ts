import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonObject } from '../../base/json/value.ts';
import type { DocumentPart, ImagePart } from '../../base/message/part.ts';
import { recordings } from '../../../test/recordings.ts';
import { adapterOf } from '../catalog.ts';
import { objectOf, objectsOf, textOf } from '../json-fields.ts';

/** Why a recorded request was refused, and how it shows in a body that it would be refused again. */
interface Refusal {
  readonly file: string;
  /** A part of the record's id. */
  readonly record: string;
  readonly api: string;
  readonly says: RegExp;
  /** `shape`: nobody takes such a body. `model`: this model does not. `world`: nothing of the body is wrong. */
  readonly cause: 'shape' | 'model' | 'world';
  readonly offends: (body: JsonObject) => boolean;
}

const refusals: readonly Refusal[] = [
  {
    file: 'openai-chat',
    record: '-audio-openai_chat]',
    api: 'openai-chat',
    says: /expected to be either text or image_url/,
    cause: 'model',
    offends: (body) => objectsOf(body['messages']).flatMap(contentOf).some(isOfType('input_audio')),
  },
  {
    file: 'openai-responses',
    record: 'direct-url_force_download-audio-openai_responses]',
    api: 'openai-responses',
    says: /unsupported MIME type 'audio\/mpeg'/,
    cause: 'shape',
    offends: (body) =>
      objectsOf(body['input'])
        .flatMap((item) => objectsOf(item['output']))
        .some(({ file_data }) => /^data:audio/.test(textOf(file_data) ?? '')),
  },
  {
    file: 'openai-responses-compat',
    record: 'test_deepseek_responses_rejects_interleaved_function_calls',
    api: 'openai-responses',
    says: /No tool output found/,
    cause: 'shape',
    offends(body) {
      const kinds = objectsOf(body['input']).map((item) => item['type'] ?? item['role']);
      return /function_call,assistant,.*function_call_output/.test(kinds.join());
    },
  },
  {
    file: 'bedrock-converse',
    record: 'direct-uploaded_file-document-bedrock_nova]',
    api: 'bedrock-converse',
    says: /extraneous key \[toolResult\]/,
    cause: 'model',
    offends: (body) =>
      objectsOf(body['messages'])
        .flatMap(contentOf)
        .flatMap((block) => objectsOf(objectOf(block['toolResult'])['content']))
        .some((block) => block['document'] !== undefined),
  },
  {
    file: 'bedrock-converse',
    record: '-uploaded_file-document-bedrock_claude]',
    api: 'bedrock-converse',
    says: /document\.source\.type: Field required/,
    cause: 'model',
    offends: namesBucket,
  },
  {
    file: 'bedrock-converse',
    record: '-uploaded_file-image-bedrock_claude]',
    api: 'bedrock-converse',
    says: /doesn't support the s3Uri field/,
    cause: 'model',
    offends: namesBucket,
  },
  {
    file: 'vertex-gemini',
    record: '[',
    api: 'vertex-gemini',
    says: /Cannot fetch content from the provided URL/,
    cause: 'world',
    offends: () => false,
  },
];

function namesBucket(body: JsonObject): boolean {
  return JSON.stringify(body).includes('s3Location');
}

function contentOf(message: JsonObject): readonly JsonObject[] {
  return objectsOf(message['content']);
}

function isOfType(type: string): (part: JsonObject) => boolean {
  return (part) => part['type'] === type;
}

const files = [
  'anthropic',
  'bedrock-converse',
  'bedrock-invoke-anthropic',
  'bedrock-invoke-nova',
  'cohere',
  'gemini',
  'gemini-interactions',
  'mistral',
  'ollama',
  'openai-chat',
  'openai-chat-compat',
  'openai-responses',
  'openai-responses-compat',
  'vertex-gemini',
];

test('every recorded refusal is known, and no request of ours has the shape that was refused', () => {
  for (const file of files)
    for (const record of recordings(file)) {
      if (Number(record['status']) < 400) continue;
      const id = String(record['id']);
      const refusal = refusals.find((each) => each.file === file && id.includes(each.record));
      assert.ok(refusal !== undefined, `${id} is a refusal that nobody has looked at`);
      assert.match(String(objectOf(record['expected'])['error']), refusal.says, id);
      const refused = objectOf(record['request']);
      assert.equal(refusal.offends(refused), refusal.cause !== 'world', `${id}: the test sees what offends`);
      const adapter = adapterOf(refusal.api);
      const { request, model } = adapter.readRequest(refused);
      for (const name of [model, textOf(record['model']) ?? model]) {
        const { body, reports } = adapter.writeRequest(request, { model: name });
        assert.equal(refusal.offends(body), false, `${id} for "${name}"`);
        const isReordered = /deepseek/.test(id) || refusal.cause === 'world';
        if (!isReordered && /claude|mini/.test(name)) assert.equal(reports.length, 1, id);
      }
    }
});

function file(mediaType: string, data = 'aGk='): DocumentPart {
  return { type: 'document', source: { kind: 'base64', mediaType, data }, title: 'a' };
}

function sent(api: string, part: DocumentPart | ImagePart, model = 'm') {
  const result = { callId: 'c12345678', name: 'get', content: [part] };
  const { body, reports } = adapterOf(api).writeRequest(
    {
      messages: [
        { role: 'user', content: [part] },
        {
          role: 'assistant',
          content: [
            {
              type: 'call',
              id: 'c12345678',
              name: 'get',
              arguments: {},
              kind: 'function',
              requiresLocalExecution: true,
            },
          ],
        },
        { role: 'tool', results: [result] },
      ],
    },
    { model },
  );
  return { text: JSON.stringify(body), reports };
}

test('a file of a kind that an API refuses is told in words, wherever it stands, and reported', () => {
  for (const api of ['anthropic', 'openai-chat', 'openai-responses', 'bedrock-converse', 'mistral']) {
    const { text, reports } = sent(api, file('audio/mpeg'));
    assert.doesNotMatch(text, /aGk=/, api);
    assert.match(text, /\[a, document of the type audio\/mpeg: not shown\]/, api);
    assert.equal(reports.length, 2, api);
    assert.match(reports[0]!.message, /takes no document of the type audio\/mpeg/);
  }
  const bitmap: ImagePart = {
    type: 'image',
    source: { kind: 'base64', mediaType: 'image/bmp', data: 'Qk0=' },
  };
  for (const api of ['anthropic', 'openai-chat', 'openai-responses', 'bedrock-converse'])
    assert.equal(sent(api, bitmap).reports.length, 2, api);
  for (const api of ['gemini', 'gemini-interactions']) {
    const { text, reports } = sent(api, file('audio/mpeg'));
    assert.match(text, /aGk=/, api);
    assert.equal(reports.length, 0, api);
  }
});

test('a file that is text goes as text where files of its kind are refused', () => {
  const json = file('application/json', 'eyJhIjoxfQ==');
  const asText = { anthropic: /\{\\"a\\":1\}/, 'bedrock-converse': /"txt",.*"bytes":"eyJhIjoxfQ=="/ };
  for (const [api, shown] of Object.entries(asText)) {
    const { text, reports } = sent(api, json);
    assert.match(text, shown, api);
    assert.equal(reports.length, 0, api);
  }
  assert.match(sent('anthropic', file('text/csv')).text, /"media_type":"text\/plain","data":"hi"/);
});

test('Nova is given the documents of a result behind it, Claude inside', () => {
  const pdf = file('application/pdf');
  assert.match(
    sent('bedrock-converse', pdf, 'us.amazon.nova-2-lite-v1:0').text,
    /\[a document follows\].*From the result of get.*"document"/,
  );
  assert.match(
    sent('bedrock-converse', pdf, 'us.anthropic.claude-sonnet-4-5').text,
    /"toolResult":\{[^}]*"content":\[\{"document"/,
  );
});

test('Mistral is given documents under its own name for them', () => {
  assert.match(
    sent('mistral', file('application/pdf')).text,
    /"document_url":"data:application\/pdf;base64,aGk="/,
  );
  const { text } = sent('mistral', {
    type: 'document',
    source: { kind: 'url', url: 'https://example.com/a.pdf' },
  });
  assert.match(text, /"document_url":"https:\/\/example.com\/a.pdf"/);
});

test('words between calls are said before them, but for those that the API itself said there', () => {
  const call = (id: string) =>
    ({
      type: 'call',
      id,
      name: 'f',
      arguments: '{}',
      kind: 'function',
      requiresLocalExecution: true,
    }) as const;
  const order = (item: JsonObject | undefined): unknown => {
    const words = {
      type: 'text' as const,
      text: 'and',
      ...(item && { providerData: { 'openai-responses': { item } } }),
    };
    const { body } = adapterOf('openai-responses').writeRequest(
      {
        messages: [
          {
            role: 'assistant',
            from: { api: 'openai-responses', model: 'm' },
            content: [call('a'), words, call('b')],
          },
        ],
      },
      { model: 'm' },
    );
    return objectsOf(body['input'])
      .slice(0, 3)
      .map(({ type, role, call_id }) => call_id ?? type ?? role);
  };
  assert.deepEqual(order(undefined), ['assistant', 'a', 'b']);
  assert.deepEqual(order({ type: 'message', id: 'msg_1', role: 'assistant' }), ['a', 'message', 'b']);
});
