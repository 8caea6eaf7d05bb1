import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { Message } from '../../base/message/message.ts';
import { adapterOf, apiNames } from '../catalog.ts';
import { bodyText, wellFormed } from '../request/body-text.ts';

/** What providers are known to refuse, each by its own words; not by any rule of this house. */
const refusals: Readonly<Record<string, (body: JsonObject) => readonly string[]>> = {
  anthropic: (body) =>
    messagesIn(body).flatMap(({ content }) =>
      blocksIn(content).flatMap((block) => [
        ...(block['type'] === 'text' && String(block['text']).trim() === ''
          ? ['messages: text content blocks must contain non-whitespace text']
          : []),
        ...(block['type'] === 'thinking' && block['signature'] === ''
          ? ['messages: thinking.signature: Field required']
          : []),
      ]),
    ),
  'openai-responses': (body) => {
    const items = Array.isArray(body['input']) ? (body['input'] as readonly JsonObject[]) : [];
    return items.flatMap((item, index) =>
      item['type'] === 'reasoning' && (items[index + 1] === undefined || items[index + 1]!['role'] === 'user')
        ? ["Item of type 'reasoning' was provided without its required following item."]
        : [],
    );
  },
};

/** What every host that parses arguments refuses. */
function everybody(body: JsonObject): readonly string[] {
  const found: string[] = [];
  const ids: string[] = [];
  const walk = (value: JsonValue): void => {
    if (Array.isArray(value)) (value as readonly JsonValue[]).forEach(walk);
    if (!isJsonObject(value)) return;
    const { arguments: given } = value;
    if (typeof given === 'string' && !isObjectText(given)) found.push(`arguments are no object: ${given}`);
    const isCall =
      value['type'] === 'tool_use' || value['type'] === 'function' || value['type'] === 'function_call';
    const id = value['call_id'] ?? value['id'];
    if (isCall && typeof id === 'string') ids.push(id);
    Object.values(value).forEach((one) => walk(one as JsonValue));
  };
  walk(body['messages'] ?? body['input'] ?? body['contents'] ?? null);
  if (new Set(ids).size < ids.length) found.push('`tool_use` ids must be unique');
  return found;
}

const from = (api: string) => ({ api, provider: api, model: 'm' });

const histories: Readonly<Record<string, (api: string) => readonly Message[]>> = {
  'arguments that were cut off': (api) => [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', from: from(api), content: [call('a', '{"t": "un')] },
    { role: 'tool', results: [result('a')] },
    { role: 'user', content: 'Again.' },
  ],
  'arguments that are no object': (api) => [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', from: from(api), content: [call('a', '[1]'), call('b', 'null')] },
    { role: 'tool', results: [result('a'), result('b')] },
  ],
  'ids that every reply begins anew': (api) => [
    { role: 'user', content: 'Go.' },
    ...[1, 2, 3].flatMap((): readonly Message[] => [
      { role: 'assistant', from: from(api), content: [call('call_0', '{}'), call('call_1', '{}')] },
      { role: 'tool', results: [result('call_0'), result('call_1')] },
    ]),
  ],
  'blank words beside a call': (api) => [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', from: from(api), content: [{ type: 'text', text: ' \n' }, call('a', '{}')] },
    { role: 'tool', results: [result('a')] },
  ],
  'thinking whose signature never came': (api) => [
    { role: 'user', content: 'Go.' },
    {
      role: 'assistant',
      from: from(api),
      content: [
        { type: 'reasoning', text: 'Let me', providerData: { [api]: { signature: '' } } },
        { type: 'text', text: 'Yes.' },
      ],
    },
    { role: 'user', content: 'Go on.' },
  ],
  'reasoning behind which the reply was stopped': (api) => [
    { role: 'user', content: 'Go.' },
    {
      role: 'assistant',
      from: from(api),
      content: [
        {
          type: 'reasoning',
          text: '',
          providerData: {
            [api]: { item: { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' } },
          },
        },
      ],
    },
    { role: 'user', content: 'Go on.' },
  ],
};

for (const api of apiNames)
  for (const [name, history] of Object.entries(histories))
    test(`${api} refuses nothing of a history with ${name}`, () => {
      const { body } = adapterOf(api).writeRequest(
        { messages: history(api) },
        { model: 'claude-sonnet-4-5', stream: true },
      );
      const sent = JSON.parse(bodyText(body)) as JsonObject;
      assert.deepEqual([...(refusals[api]?.(sent) ?? []), ...everybody(sent)], []);
    });

test('half a character never leaves: it becomes the sign for what cannot be shown', () => {
  const text = 'a\ud83d b\udc00 c\\ud83d \\\ud83d 🎉';
  const sent = JSON.parse(wellFormed(bodyText({ text, deep: [{ text }] }))) as { text: string };
  assert.equal(sent.text, text.toWellFormed());
  assert.ok(!wellFormed(JSON.stringify({ text })).includes('\\\\\\ufffd') || sent.text.includes('\\\ufffd'));
});

test('an answer is not cut by us: a model is given the most that it takes', () => {
  const most = (model: string) =>
    adapterOf('anthropic').writeRequest(
      { messages: [{ role: 'user', content: 'Go.' }] },
      { model, stream: true },
    ).body['max_tokens'];
  assert.deepEqual(
    [
      'claude-3-haiku-20240307',
      'claude-3-5-sonnet-latest',
      'claude-opus-4-20250514',
      'claude-sonnet-4-5',
    ].map(most),
    [4096, 8192, 32_000, 64_000],
  );
});

function call(id: string, text: string) {
  return {
    type: 'call',
    kind: 'function',
    id,
    name: 'note',
    arguments: text,
    requiresLocalExecution: true,
  } as const;
}

function result(callId: string) {
  return { callId, name: 'note', content: [{ type: 'text', text: 'Done.' }] } as const;
}

function messagesIn(body: JsonObject): readonly JsonObject[] {
  return Array.isArray(body['messages']) ? (body['messages'] as readonly JsonObject[]) : [];
}

function blocksIn(content: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(content) ? (content as readonly JsonObject[]) : [];
}

function isObjectText(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text) as JsonValue);
  } catch {
    return false;
  }
}
