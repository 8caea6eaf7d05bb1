import assert from 'node:assert/strict';
import { test } from 'node:test';

import { faultsOf } from '../../../test/wire-rules.ts';
import { recordings } from '../../../test/recordings.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { localCallsOf } from '../../base/message/message.ts';
import type { Message } from '../../base/message/message.ts';
import type { ModelRequest } from '../../base/message/model.ts';
import { adapterOf, apiNames } from '../catalog.ts';
import { objectOf } from '../json-fields.ts';

/** Each file of recordings with the API that reads it. */
const sources: Readonly<Record<string, string>> = {
  anthropic: 'anthropic',
  'bedrock-converse': 'bedrock-converse',
  'bedrock-invoke-anthropic': 'bedrock-invoke-anthropic',
  'bedrock-invoke-nova': 'bedrock-invoke-nova',
  cohere: 'cohere',
  gemini: 'gemini',
  'gemini-interactions': 'gemini-interactions',
  mistral: 'mistral',
  ollama: 'ollama',
  'openai-chat': 'openai-chat',
  'openai-chat-compat': 'openai-chat-compat',
  'openai-responses': 'openai-responses',
  'openai-responses-compat': 'openai-responses',
  'vertex-gemini': 'vertex-gemini',
};

for (const target of apiNames)
  test(`the recorded histories of every provider are taken by ${target}`, () => {
    const faults: string[] = [];
    let sent = 0;
    for (const [file, api] of Object.entries(sources))
      for (const record of recordings(file)) {
        const history = historyOf(record, api);
        if (history === undefined) continue;
        const { body } = adapterOf(target).writeRequest(history, { model: 'm', unfitTools: 'leave-out' });
        sent++;
        for (const fault of faultsOf(target, body)) faults.push(`${String(record['id'])}: ${fault}`);
      }
    assert.deepEqual([faults.length, faults.slice(0, 10)], [0, []]);
    if (recordings('anthropic').length > 0) assert.ok(sent > 600, `${sent} histories were sent`);
  });

/** What was asked, what was answered, and a result for each call. */
function historyOf(record: JsonObject, api: string): ModelRequest | undefined {
  if (!isJsonObject(record['request']) || Number(record['status']) >= 400) return undefined;
  const adapter = adapterOf(api);
  const { request } = adapter.readRequest(objectOf(record['request']));
  const { toolChoice: _toolChoice, providerOptions: _providerOptions, ...rest } = request;
  const messages: Message[] = [...request.messages];
  if (isJsonObject(record['response'])) {
    const { message } = adapter.readReply(record['response']);
    messages.push(message);
    const results = localCallsOf(message).map(({ id, name }) => ({
      callId: id,
      name,
      content: [{ type: 'text' as const, text: 'done' }],
    }));
    if (results.length > 0) messages.push({ role: 'tool', results });
  }
  messages.push({ role: 'user', content: 'Thank you. What now?' });
  return { ...rest, messages };
}

test('a history that broke off is mended on its way to every API, and it is told', () => {
  const call = (id: string): Extract<Message, { role: 'assistant' }>['content'][number] => ({
    type: 'call',
    id,
    name: 'look',
    arguments: {},
    kind: 'function',
    requiresLocalExecution: true,
  });
  const answer = (callId: string): Extract<Message, { role: 'tool' }>['results'][number] => ({
    callId,
    name: 'look',
    content: [{ type: 'text', text: `saw ${callId}` }],
  });
  const request: ModelRequest = {
    messages: [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: [call('a'), call('b'), call('c')] },
      { role: 'tool', results: [answer('c'), answer('a'), answer('a'), answer('nobody')] },
      { role: 'user', content: 'And?' },
      { role: 'assistant', content: [call('d')] },
      { role: 'user', content: 'Well?' },
    ],
  };
  for (const api of apiNames) {
    const { body, reports } = adapterOf(api).writeRequest(request, { model: 'm' });
    assert.deepEqual(faultsOf(api, body), [], api);
    const sent = JSON.stringify(body);
    for (const said of ['saw a', 'saw c', 'No result of this call was recorded'])
      assert.ok(sent.includes(said));
    assert.ok(!sent.includes('saw nobody'), api);
    const told = reports.map(({ message }) => message).join('\n');
    for (const each of [/call b of "look" has no result/, /call d of "look" has no result/, /nobody/])
      assert.match(told, each, api);
  }
});

test('a search for tools that the client runs is answered with tools, and is a call like any other elsewhere', () => {
  const adapter = adapterOf('openai-responses');
  const call = {
    type: 'tool_search_call',
    id: 'ts_1',
    call_id: 'call_1',
    execution: 'client',
    status: 'completed',
    arguments: { goal: 'weather' },
  };
  const tools = [
    { type: 'function', name: 'weather', description: 'Weather', parameters: {}, strict: false },
  ];
  const { message } = adapter.readReply({ id: 'r', status: 'completed', output: [call] });
  const history = (text: string): ModelRequest => ({
    messages: [
      { role: 'user', content: 'Rain?' },
      message,
      {
        role: 'tool',
        results: [{ callId: 'call_1', name: 'tool_search', content: [{ type: 'text', text }] }],
      },
    ],
  });
  for (const [text, found] of [
    [JSON.stringify(tools), tools],
    [JSON.stringify({ tools }), tools],
    ['Nothing was found.', []],
  ] as const) {
    const { body } = adapter.writeRequest(history(text), { model: 'm' });
    const answer = {
      type: 'tool_search_output',
      call_id: 'call_1',
      execution: 'client',
      status: 'completed',
    };
    assert.deepEqual((body['input'] as readonly unknown[]).slice(1), [call, { ...answer, tools: found }]);
    for (const other of apiNames.filter((api) => api !== 'openai-responses')) {
      const sent = adapterOf(other).writeRequest(history(text), { model: 'm' }).body;
      assert.deepEqual(faultsOf(other, sent), [], other);
      assert.match(JSON.stringify(sent), /tool_search/, other);
    }
  }
});

test("references to tools, with which Anthropic's clients answer a search, are read elsewhere as names", () => {
  const body: JsonObject = {
    model: 'm',
    max_tokens: 9,
    messages: [
      { role: 'user', content: 'Rain?' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'toolu_1', name: 'find_tools', input: { query: 'weather' } }],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: [{ type: 'tool_reference', tool_name: 'weather' }],
          },
        ],
      },
    ],
  };
  const { request } = adapterOf('anthropic').readRequest(body);
  assert.deepEqual(adapterOf('anthropic').writeRequest(request, { model: 'm' }).body, body);
  for (const other of apiNames.filter((api) => !api.includes('anthropic'))) {
    const sent = adapterOf(other).writeRequest(request, { model: 'm' }).body;
    assert.deepEqual(faultsOf(other, sent), [], other);
    assert.match(JSON.stringify(sent), /\[tool: weather\]/, other);
  }
});

test('pictures in results reach every API, and so does what the model was told of them', () => {
  const data = 'iVBORw0KGgoAAAANSUhEUg==';
  const call = { type: 'call', id: 'c1', name: 'look', arguments: {}, kind: 'function' } as const;
  const request: ModelRequest = {
    messages: [
      { role: 'user', content: 'Look.' },
      {
        role: 'assistant',
        content: [{ ...call, requiresLocalExecution: true }],
        from: { api: 'somebody', model: 'm' },
      },
      {
        role: 'tool',
        results: [
          {
            callId: 'c1',
            name: 'look',
            content: [
              { type: 'text', text: 'a red square' },
              { type: 'image', source: { kind: 'base64', data, mediaType: 'image/png' } },
            ],
          },
        ],
      },
      { role: 'user', content: 'And?' },
    ],
  };
  for (const api of apiNames) {
    const { body } = adapterOf(api).writeRequest(request, { model: 'm' });
    assert.deepEqual(faultsOf(api, body), [], api);
    assert.match(JSON.stringify(body), /a red square/, api);
    assert.ok(JSON.stringify(body).includes(data), api);
  }
});

test('a picture that a model drew goes on to every API, and where it may not speak in pictures the user shows it', () => {
  const data = 'iVBORw0KGgoAAAANSUhEUg==';
  const reply = (parts: readonly JsonObject[]): Message =>
    adapterOf('gemini').readReply({
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
    }).message;
  const picture = { inlineData: { mimeType: 'image/png', data }, thoughtSignature: 'c2ln' };
  const functionCall = { id: 'c1', name: 'look', args: {} };
  const results = [{ callId: 'c1', name: 'look', content: [{ type: 'text' as const, text: 'done' }] }];
  const histories: Readonly<Record<string, readonly Message[]>> = {
    words: [reply([{ text: 'Here.' }, picture]), { role: 'user', content: 'Brighter.' }],
    nothing: [reply([picture]), { role: 'user', content: [{ type: 'text', text: 'Brighter.' }] }],
    'a call': [reply([picture, { functionCall, thoughtSignature: 'c2ln' }]), { role: 'tool', results }],
  };
  for (const api of apiNames)
    for (const [beside, more] of Object.entries(histories)) {
      const messages: readonly Message[] = [{ role: 'user', content: 'Draw.' }, ...more];
      const { body } = adapterOf(api).writeRequest({ messages }, { model: 'm' });
      const sent = JSON.stringify(body);
      assert.deepEqual(faultsOf(api, body), [], `${api}: ${beside}`);
      assert.equal(sent.split(data).length, 2, `${api}: ${beside}`);
      if (!api.includes('gemini')) assert.match(sent, /\[an image follows\].*From the answer before:/, api);
      assert.equal(sent.includes('c2ln'), /^(?:vertex-)?gemini$/.test(api), api);
    }
});

test('what one API made opaque is sent to no other', () => {
  const secret = 'b3BhcXVlLXN0YXRlLW9mLW9uZQ==';
  const opaque: Readonly<Record<string, JsonObject>> = {
    anthropic: { signature: secret },
    gemini: { thoughtSignature: secret },
    'gemini-interactions': { signature: secret },
    'openai-responses': { item: { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: secret } },
    'bedrock-converse': { signature: secret },
    mistral: { chunk: true, signature: secret },
    'openai-chat': { reasoning_details: [{ type: 'reasoning.encrypted', data: secret }] },
  };
  for (const [api, data] of Object.entries(opaque)) {
    const call = { type: 'call', id: 'c1', name: 'look', arguments: {}, kind: 'function' } as const;
    const request: ModelRequest = {
      messages: [
        { role: 'user', content: 'Look.' },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Hm.', providerData: { [api]: data } },
            { ...call, requiresLocalExecution: true, providerData: { [api]: { note: secret } } },
          ],
          from: { api, model: 'm' },
        },
      ],
    };
    for (const other of apiNames) {
      // Some names share one API: they speak it to different hosts.
      if (adapterOf(other).writeRequest === adapterOf(api).writeRequest || sharesApi(other, api)) continue;
      const { body } = adapterOf(other).writeRequest(request, { model: 'm' });
      assert.ok(!JSON.stringify(body).includes(secret), `${api} → ${other}`);
      assert.deepEqual(faultsOf(other, body), [], `${api} → ${other}`);
    }
  }
});

function sharesApi(one: string, other: string): boolean {
  const family = (api: string): string =>
    api
      .replace(/^(vertex-|bedrock-invoke-)/, '')
      .replace(/^nova$/, 'bedrock-converse')
      .replace(/-compat$/, '');
  return family(one) === family(other);
}
