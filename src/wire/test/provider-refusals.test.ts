import assert from 'node:assert/strict';
import { test } from 'node:test';

import { refusalsOf } from '../../../test/known-refusals.ts';
import type { Message } from '../../base/message/message.ts';
import { adapterOf, apiNames } from '../catalog.ts';
import { bodyText, wellFormed } from '../request/body-text.ts';

const from = (api: string) => ({ api, provider: api, model: 'm' });

const histories: Readonly<Record<string, (api: string) => readonly Message[]>> = {
  'arguments that were cut off': (api) => [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', from: from(api), content: [signed(api, call('a', '{"t": "un'))] },
    { role: 'tool', results: [result('a')] },
    { role: 'user', content: 'Again.' },
  ],
  'arguments that are not an object': (api) => [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', from: from(api), content: [signed(api, call('a', '[1]')), call('b', 'null')] },
    { role: 'tool', results: [result('a'), result('b')] },
  ],
  'ids that every reply begins anew': (api) => [
    { role: 'user', content: 'Go.' },
    ...[1, 2, 3].flatMap((): readonly Message[] => [
      {
        role: 'assistant',
        from: from(api),
        content: [signed(api, call('call_0', '{}')), call('call_1', '{}')],
      },
      { role: 'tool', results: [result('call_0'), result('call_1')] },
    ]),
  ],
  'two calls with one id, in every reply': (api) => [
    { role: 'user', content: 'Go.' },
    ...[1, 2].flatMap((): readonly Message[] => [
      {
        role: 'assistant',
        from: from(api),
        content: [signed(api, call('call_0', '{}')), call('call_0', '{"a":1}')],
      },
      { role: 'tool', results: [result('call_0'), result('call_0')] },
    ]),
  ],
  'blank words beside a call': (api) => [
    { role: 'user', content: 'Go.' },
    {
      role: 'assistant',
      from: from(api),
      content: [{ type: 'text', text: ' \n' }, signed(api, call('a', '{}'))],
    },
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
  'a call of the provider’s own that broke off': (api) => [
    { role: 'user', content: 'Go.' },
    {
      role: 'assistant',
      from: from(api),
      content: [
        { type: 'text', text: 'I search.' },
        {
          ...call('ws_1', '{"query":"ra'),
          requiresLocalExecution: false,
          invalid: { reason: 'truncated', message: 'It broke off.' },
        },
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
      assert.deepEqual(refusalsOf(api, bodyText(body)), []);
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

/** Gemini's own calls come with what it wants back. */
function signed<Part extends object>(api: string, part: Part): Part {
  return /gemini$/.test(api) ? { ...part, providerData: { gemini: { thoughtSignature: 'x' } } } : part;
}

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
