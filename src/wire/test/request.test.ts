import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonObject } from '../../base/json/value.ts';
import { wordSchema } from '../../base/message/message-schema.ts';
import type { ModelRequest, ToolChoice, ToolSpec } from '../../base/message/model.ts';
import { checkValue, loadChecker } from '../../base/schema/check/check.ts';
import { normalRequest } from '../../../test/normal-request.ts';
import { recordings } from '../../../test/recordings.ts';
import { adapterOf } from '../catalog.ts';
import { objectOf, textOf } from '../json-fields.ts';
import { chatAdapter } from '../openai-chat/adapter.ts';
import { hosts } from '../openai-chat/hosts.ts';
import type { ChatHost } from '../openai-chat/hosts.ts';

await loadChecker();
const requestSchema = wordSchema('ModelRequest');

const recorded = [
  { file: 'anthropic', api: 'anthropic' },
  { file: 'openai-chat', api: 'openai-chat' },
  { file: 'openai-chat-compat', api: 'openai-chat-compat' },
  { file: 'mistral', api: 'mistral' },
  { file: 'openai-responses', api: 'openai-responses' },
  { file: 'openai-responses-compat', api: 'openai-responses' },
  { file: 'gemini', api: 'gemini' },
  { file: 'vertex-gemini', api: 'vertex-gemini' },
  { file: 'bedrock-converse', api: 'bedrock-converse' },
  { file: 'bedrock-invoke-anthropic', api: 'bedrock-invoke-anthropic' },
  { file: 'bedrock-invoke-nova', api: 'bedrock-invoke-nova' },
  { file: 'cohere', api: 'cohere' },
  { file: 'ollama', api: 'ollama' },
];

for (const { file, api } of recorded) {
  test(`reads each accepted request of ${file} and writes it with the same meaning`, () => {
    for (const record of recordings(file)) {
      if (record['request'] === null || Number(record['status']) >= 400 || isLooselyStrict(record)) continue;
      const adapter = adapterFor(api, textOf(record['host']));
      const body = objectOf(record['request']);
      const { request, model, stream } = adapter.readRequest(body);
      assert.deepEqual(
        checkValue(requestSchema, request),
        [],
        `${String(record['id'])}: not in our own words`,
      );
      const written = adapter.writeRequest(request, { model, stream });
      assert.deepEqual(normalRequest(api, written.body), normalRequest(api, body), String(record['id']));
    }
  });
}

/** Two requests ask for strictness and leave their schema open: ours close it, since strict means just that. */
function isLooselyStrict(record: JsonObject): boolean {
  return /test_openrouter_google_nested_schema/.test(String(record['id']));
}

/** What another host takes differs; the recordings name theirs. */
function adapterFor(api: string, host: string | undefined) {
  const known: ChatHost | undefined = Object.values(hosts).find(({ name }) => name === host);
  return api === 'openai-chat-compat' && known !== undefined ? chatAdapter(known) : adapterOf(api);
}

test('a choice of what the Responses API runs itself is said by its type, beside functions by name', () => {
  const adapter = adapterOf('openai-responses');
  const hosted = (name: string, entry: JsonObject): ToolSpec => ({
    kind: 'hosted',
    name,
    api: adapter.api,
    entry,
  });
  const tools: readonly ToolSpec[] = [
    hosted('web_search', { type: 'web_search', search_context_size: 'low' }),
    hosted('wiki', { type: 'mcp', server_label: 'wiki', server_url: 'https://example.com' }),
    { kind: 'function', name: 'look', input: { type: 'object' } },
  ];
  const said = (toolChoice: ToolChoice): unknown => {
    const request: ModelRequest = { messages: [{ role: 'user', content: 'Hi' }], tools, toolChoice };
    return adapter.writeRequest(request, { model: 'm' }).body['tool_choice'];
  };
  assert.deepEqual(said({ name: 'web_search' }), { type: 'web_search' });
  assert.deepEqual(said({ allowed: ['wiki', 'look'], mode: 'auto' }), {
    type: 'allowed_tools',
    mode: 'auto',
    tools: [
      { type: 'mcp', server_label: 'wiki' },
      { type: 'function', name: 'look' },
    ],
  });
});

test('the result of a function that declares its output to the Responses API is JSON', () => {
  const adapter = adapterOf('openai-responses');
  const call = { type: 'call', id: 'c1', name: 'look', arguments: {}, kind: 'function' } as const;
  const input = { type: 'object' };
  const sent = (text: string, options: JsonObject, isError?: boolean): unknown => {
    const result = { callId: 'c1', name: 'look', content: [{ type: 'text' as const, text }] };
    const request: ModelRequest = {
      messages: [
        { role: 'assistant', content: [{ ...call, requiresLocalExecution: true }] },
        { role: 'tool', results: [isError === undefined ? result : { ...result, isError }] },
      ],
      tools: [{ kind: 'function', name: 'look', input, providerOptions: { 'openai-responses': options } }],
    };
    const items = adapter.writeRequest(request, { model: 'm' }).body['input'] as readonly JsonObject[];
    return items.at(-1)!['output'];
  };
  const declared = { output_schema: { type: 'object' } };
  assert.equal(sent('{"rain": 3.0}', declared), '{"rain": 3.0}');
  assert.equal(sent('sunny', declared), '"sunny"');
  assert.equal(sent('no such city', declared, true), '{"error":"no such city"}');
  assert.equal(sent('sunny', {}), 'sunny');
});
