import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isJsonObject } from '../base/json/value.ts';
import type { JsonObject } from '../base/json/value.ts';
import { localCallsOf } from '../base/message/message.ts';
import type { Message } from '../base/message/message.ts';
import type { ModelRequest } from '../base/message/model.ts';
import { faultsOf } from '../../test/wire-rules.ts';
import { recordings } from '../../test/recordings.ts';
import { adapterOf } from './catalog.ts';

import { objectOf } from './json-fields.ts';

const sources = [
  { file: 'anthropic', api: 'anthropic' },
  { file: 'openai-chat', api: 'openai-chat' },
  { file: 'openai-chat-compat', api: 'openai-chat-compat' },
  { file: 'openai-responses', api: 'openai-responses' },
  { file: 'gemini', api: 'gemini' },
  { file: 'bedrock-converse', api: 'bedrock-converse' },
  { file: 'mistral', api: 'mistral' },
  { file: 'cohere', api: 'cohere' },
  { file: 'ollama', api: 'ollama' },
];

const targets = [
  'anthropic',
  'openai-chat',
  'openai-responses',
  'gemini',
  'bedrock-converse',
  'mistral',
  'cohere',
  'ollama',
];

for (const target of targets)
  test(`the recorded histories of every provider are taken by ${target}`, () => {
    const faults = new Map<string, string>();
    let sent = 0;
    for (const { file, api } of sources)
      for (const record of recordings(file)) {
        const history = historyOf(record, api);
        if (history === undefined) continue;
        const { body } = adapterOf(target).writeRequest(history, { model: 'm', unfitTools: 'leave-out' });
        sent++;
        for (const fault of faultsOf(target, body)) faults.set(`${String(record['id'])}: ${fault}`, '');
      }
    assert.deepEqual([...faults.keys()].slice(0, 10), []);
    if (recordings('anthropic').length > 0) assert.ok(sent > 300, `${sent} histories were sent`);
  });

/** What was asked, what was answered, and a result for each call. */
function historyOf(record: JsonObject, api: string): ModelRequest | undefined {
  // A search for tools that the client runs is answered with tools, which no result here has.
  if (/openai_execution_client_round_trip/.test(String(record['id']))) return undefined;
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
