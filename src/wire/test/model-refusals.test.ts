import assert from 'node:assert/strict';
import { test } from 'node:test';

import { faultsOf } from '../../../test/wire-rules.ts';
import type { JsonObject } from '../../base/json/value.ts';
import type { Message } from '../../base/message/message.ts';
import type { ModelRequest, ToolChoice, ToolSpec } from '../../base/message/model.ts';
import { adapterOf } from '../catalog.ts';
import { objectOf, objectsOf } from '../json-fields.ts';

// What an API takes of one model and refuses of another, by the names of the models.

const input = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools: readonly ToolSpec[] = ['weather', 'map'].map((name) => ({ kind: 'function', name, input }));
const user: Message = { role: 'user', content: 'Rain in Oslo?' };
const forced: readonly ToolChoice[] = [
  'required',
  { name: 'weather' },
  { allowed: ['weather'], mode: 'required' },
];

const claudes = [
  ...['claude-opus-5-5', 'claude-sonnet-5-5-20260915', 'claude-fable-5-1', 'claude-opus-6'].map(
    (model) => [model, true] as const,
  ),
  ...['claude-opus-5', 'claude-opus-5-20260723', 'claude-fable-5', 'claude-sonnet-4-6'].map(
    (model) => [model, false] as const,
  ),
  ['claude-3-5-sonnet-20241022', false] as const,
];

for (const [api, named, choiceIn] of [
  ['anthropic', (model: string) => model, (body: JsonObject) => body['tool_choice']],
  ['vertex-anthropic', (model: string) => `${model}@default`, (body: JsonObject) => body['tool_choice']],
  ['bedrock-converse', (model: string) => `us.anthropic.${model}-v1:0`, toolChoiceOf],
] as const)
  test(`${api} is asked for a call only where the model can be, and else shown all tools as before`, () => {
    for (const [model, refuses] of claudes)
      for (const toolChoice of [...forced, { allowed: ['weather'], mode: 'auto' } as const]) {
        const { body, reports } = adapterOf(api).writeRequest(
          { messages: [user], tools, toolChoice },
          { model: named(model) },
        );
        const choice = objectOf(choiceIn(body) as JsonObject);
        const isForced = /tool|any/.test(String(choice['type'] ?? Object.keys(choice)[0]));
        const asks = !(typeof toolChoice === 'object' && 'mode' in toolChoice && toolChoice.mode === 'auto');
        assert.equal(isForced, asks && !refuses, `${model} ${JSON.stringify(choice)}`);
        assert.equal(
          reports.some(({ field }) => field === 'toolChoice'),
          refuses,
          model,
        );
        const isOne = typeof toolChoice === 'object' && 'allowed' in toolChoice && !refuses;
        const shown = JSON.stringify(body['tools'] ?? body['toolConfig']);
        assert.equal(shown.includes('map'), !isOne, `${model} ${JSON.stringify(toolChoice)}`);
      }
  });

function toolChoiceOf(body: JsonObject): unknown {
  return objectOf(body['toolConfig'])['toolChoice'];
}

test('the type of a call that Bedrock gives Claude’s calls does not go back; that of a call it runs does', () => {
  const adapter = adapterOf('bedrock-converse');
  const use = (type: string): JsonObject => ({ toolUseId: type, name: 'weather', input: {}, type });
  const content = [{ toolUse: use('server_tool_use') }, { toolUse: use('tool_use') }];
  const { message } = adapter.readReply({
    output: { message: { role: 'assistant', content } },
    stopReason: 'tool_use',
  });
  const results = [{ callId: 'tool_use', name: 'weather', content: [] }];
  const { body } = adapter.writeRequest(
    { messages: [user, message, { role: 'tool', results }] },
    { model: 'us.anthropic.claude-sonnet-4-6' },
  );
  const { type: _type, ...plain } = use('tool_use');
  assert.deepEqual(faultsOf('bedrock-converse', body), []);
  assert.deepEqual(objectsOf(body['messages'])[1]?.['content'], [content[0], { toolUse: plain }]);
});

const call = { type: 'call', name: 'look', arguments: {}, requiresLocalExecution: true } as const;
const png = { kind: 'base64', data: 'iVBORw0KGgo=', mediaType: 'image/png' } as const;

test('pictures are in a result for Gemini 3, and behind all results for models before it', () => {
  const messages: readonly Message[] = [
    user,
    {
      role: 'assistant',
      content: ['a', 'b'].map((id) => ({ ...call, id, kind: 'function' })),
      from: { api: 'gemini', model: 'm' },
    },
    {
      role: 'tool',
      results: ['a', 'b'].map((callId) => ({
        callId,
        name: 'look',
        content: [
          { type: 'text', text: 'seen' },
          { type: 'image', source: png },
        ],
      })),
    },
  ];
  const inlineData = { mimeType: 'image/png', data: png.data };
  for (const api of ['gemini', 'vertex-gemini'])
    for (const model of [
      'gemini-2.5-flash',
      'gemini-2.0-flash-001',
      'gemini-3.1-pro',
      'gemini-flash-latest',
    ]) {
      const { body } = adapterOf(api).writeRequest({ messages }, { model });
      const parts = objectsOf(objectsOf(body['contents']).at(-1)?.['parts']);
      const response = { output: 'seen' };
      const answer = (id: string): JsonObject => ({ id, name: 'look', response });
      const early = model.startsWith('gemini-2');
      const whole = (id: string): JsonObject => ({
        functionResponse: { ...answer(id), ...(early ? {} : { parts: [{ inlineData }] }) },
      });
      const behind = ['a', 'b'].flatMap((id) => [
        { text: `From the result of look (${id}):` },
        { inlineData },
      ]);
      assert.deepEqual(parts, [whole('a'), whole('b'), ...(early ? behind : [])], `${api} ${model}`);
    }
});

test('a screenshot is in its result for every model of Gemini’s that uses a computer', () => {
  const messages: readonly Message[] = [
    user,
    {
      role: 'assistant',
      content: [{ ...call, id: 'a', kind: 'computer', name: 'open_web_browser' }],
      from: { api: 'gemini', model: 'm' },
    },
    {
      role: 'tool',
      results: [{ callId: 'a', name: 'open_web_browser', content: [{ type: 'image', source: png }] }],
    },
  ];
  const hosted: ToolSpec = { kind: 'hosted', name: 'computer', api: 'gemini', entry: { computerUse: {} } };
  const { body } = adapterOf('gemini').writeRequest(
    { messages, tools: [hosted] },
    { model: 'gemini-2.5-computer-use-preview' },
  );
  const parts = objectsOf(objectsOf(body['contents']).at(-1)?.['parts']);
  assert.equal(parts.length, 1);
  assert.equal(objectsOf(objectOf(parts[0]?.['functionResponse'])['parts']).length, 1);
});

test('the shape of an answer is told to Gemini in a way that it takes beside tools', () => {
  const output = { name: 'answer', schema: input };
  const ask = (model: string, more: Partial<ModelRequest>): readonly [JsonObject, string, number] => {
    const { body, reports } = adapterOf('gemini').writeRequest(
      { messages: [user], output, ...more },
      { model },
    );
    const config = objectOf(body['generationConfig']);
    assert.equal('responseMimeType' in config, 'responseJsonSchema' in config);
    return [config, JSON.stringify(body['systemInstruction'] ?? ''), reports.length];
  };
  const whole = { responseMimeType: 'application/json', responseJsonSchema: input };
  assert.deepEqual(ask('gemini-3.1-pro', { tools }), [whole, '""', 0]);
  assert.deepEqual(ask('gemini-2.5-pro', {}), [whole, '""', 0]);
  for (const toolChoice of forced)
    assert.deepEqual(ask('gemini-3.1-pro', { tools, toolChoice }), [{}, '""', 1], JSON.stringify(toolChoice));
  for (const toolChoice of [undefined, 'none', ...forced] as const) {
    const choice = toolChoice === undefined ? {} : { toolChoice };
    const [config, told, reports] = ask('gemini-2.5-pro', { tools, ...choice });
    assert.deepEqual([config, reports], [{}, 1]);
    assert.ok(JSON.parse(told).parts.at(-1).text.includes(JSON.stringify(input)));
  }
});
