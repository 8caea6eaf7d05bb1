import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonObject } from '../base/json/value.ts';
import type { Message } from '../base/message/message.ts';
import type { ToolSpec } from '../base/message/model.ts';
import { adapterOf } from './catalog.ts';
import { modelErrorIn, post } from './http.ts';

const tools: readonly ToolSpec[] = [
  { kind: 'function', name: 'look', input: { type: 'object', properties: {} } },
];

/** Turns in which the model calls, is answered, and says something. */
function turn(index: number, api: string): readonly Message[] {
  const id = `call${String(index).padStart(5, '0')}`;
  const from = { api, model: 'm' };
  return [
    { role: 'user', content: `question ${index}` },
    {
      role: 'assistant',
      from,
      content: [
        { type: 'call', id, name: 'look', arguments: '{}', kind: 'function', requiresLocalExecution: true },
      ],
    },
    {
      role: 'tool',
      results: [{ callId: id, name: 'look', content: [{ type: 'text', text: `result ${index}` }] }],
    },
    { role: 'assistant', from, content: [{ type: 'text', text: `answer ${index}` }] },
  ];
}

/** Where each API keeps its history. */
const places: Readonly<Record<string, string>> = {
  anthropic: 'messages',
  'openai-chat': 'messages',
  'openai-responses': 'input',
  gemini: 'contents',
  'bedrock-converse': 'messages',
  mistral: 'messages',
  cohere: 'messages',
  ollama: 'messages',
};

for (const [api, place] of Object.entries(places))
  test(`a turn more only appends to the body for ${api}`, () => {
    const adapter = adapterOf(api);
    let history: readonly Message[] = [];
    let before = '';
    for (let index = 0; index < 20; index++) {
      history = [...history, ...turn(index, api)];
      const { body } = adapter.writeRequest({ messages: history, tools }, { model: 'm' });
      const written = JSON.stringify(body[place]).slice(0, -1);
      assert.ok(written.startsWith(before), `turn ${index}`);
      before = written;
    }
  });

for (const api of ['anthropic', 'openai-chat'])
  test(`what was written of 200 turns for ${api} is not written again`, () => {
    const adapter = adapterOf(api);
    const history = Array.from({ length: 200 }, (_, index) => turn(index, api)).flat();
    const first = adapter.writeRequest({ messages: history, tools }, { model: 'm' }).body;
    const longer = [...history, ...turn(200, api)];
    const second = adapter.writeRequest({ messages: longer, tools }, { model: 'm' }).body;
    const [old, all] = [
      first['messages'],
      second['messages'],
    ] as unknown as readonly (readonly JsonObject[])[];
    assert.equal(old!.length, 800);
    for (const [index, message] of old!.entries()) assert.equal(message, all![index]);
  });

test('a request that reaches nobody says where it went, without its query (request_failed)', async () => {
  const error = await post('http://127.0.0.1:9/path?key=secret', { headers: {}, body: '{}' }).catch(
    (thrown: unknown) => thrown,
  );
  assert.equal((error as { code?: string }).code, 'request_failed');
  assert.equal(modelErrorIn(error)?.kind, 'network');
  assert.match((error as Error).message, /http:\/\/127\.0\.0\.1:9 failed/);
  assert.doesNotMatch((error as Error).message, /secret/);
});
