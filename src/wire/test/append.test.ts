import assert from 'node:assert/strict';
import { test } from 'node:test';

import { seededRandom } from '../../base/host/random.ts';
import type { JsonObject } from '../../base/json/value.ts';
import type { Message } from '../../base/message/message.ts';
import type { ToolSpec } from '../../base/message/model.ts';
import { recordings } from '../../../test/recordings.ts';
import { rounds, seed } from '../../../test/rounds.ts';
import { bodyText } from '../request/body-text.ts';
import { adapterOf } from '../catalog.ts';
import { modelErrorIn, post } from '../transport/http.ts';

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
  'vertex-anthropic': 'messages',
  'bedrock-invoke-anthropic': 'messages',
  'openai-chat': 'messages',
  'openai-responses': 'input',
  gemini: 'contents',
  'vertex-gemini': 'contents',
  'gemini-interactions': 'input',
  'bedrock-converse': 'messages',
  'bedrock-invoke-nova': 'messages',
  mistral: 'messages',
  cohere: 'messages',
  ollama: 'messages',
};

/** The same body, of messages that nobody has seen before. */
function freshText(api: string, messages: readonly Message[]): string {
  return JSON.stringify(
    adapterOf(api).writeRequest({ messages: structuredClone(messages), tools }, { model: 'm' }).body,
  );
}

function textOf(api: string, messages: readonly Message[]): string {
  return bodyText(adapterOf(api).writeRequest({ messages, tools }, { model: 'm' }).body);
}

for (const [api, place] of Object.entries(places)) {
  test(`a turn more only appends to the body for ${api}, and is written as if all were new`, () => {
    const adapter = adapterOf(api);
    let history: readonly Message[] = [];
    let before = '';
    for (let index = 0; index < 20; index++) {
      history = [...history, ...turn(index, api)];
      const { body } = adapter.writeRequest({ messages: history, tools }, { model: 'm' });
      const written = JSON.stringify(body[place]).slice(0, -1);
      assert.ok(written.startsWith(before), `turn ${index}`);
      assert.equal(bodyText(body), freshText(api, history), `turn ${index}`);
      before = written;
    }
  });

  test(`what was written of 200 turns for ${api} is not written again`, () => {
    const adapter = adapterOf(api);
    const history = Array.from({ length: 200 }, (_, index) => turn(index, api)).flat();
    const first = adapter.writeRequest({ messages: history, tools }, { model: 'm' }).body;
    const old = [...(first[place] as readonly JsonObject[])];
    const longer = [...history, ...turn(200, api)];
    const second = adapter.writeRequest({ messages: longer, tools }, { model: 'm' }).body;
    const all = second[place] as readonly JsonObject[];
    assert.equal(old.length, 800);
    for (const [index, item] of old.entries()) assert.equal(item, all[index]);
    // The earlier request stays what it was, also once the conversation has gone on.
    assert.deepEqual(first[place], old);
    assert.equal(bodyText(first), freshText(api, history));
    assert.equal(bodyText(second), freshText(api, longer));
  });
}

test('branches of one conversation, and repairs of it, are each written as if they were the only one', () => {
  const call = (id: string): Message => ({
    role: 'assistant',
    from: { api: 'anthropic', model: 'm' },
    content: [
      { type: 'call', id, name: 'look', arguments: '{}', kind: 'function', requiresLocalExecution: true },
    ],
  });
  const result = (callId: string): Message => ({
    role: 'tool',
    results: [{ callId, name: 'look', content: [{ type: 'text', text: 'seen' }] }],
  });
  const system: Message = { role: 'system', content: 'Be brief.' };
  const pieces: readonly Message[] = [
    system,
    ...turn(0, 'anthropic'),
    ...turn(1, 'mistral'),
    call('same id!'),
    result('same id!'),
    call('same id?'),
    result('same id?'),
    result('nobody'),
    { role: 'user', content: 'and' },
    { role: 'user', content: [{ type: 'text', text: 'more' }] },
    { ...system },
  ];
  const random = seededRandom(seed('branches of a conversation'));
  const pick = (length: number): number => Math.floor(random() * length);
  for (const api of Object.keys(places)) {
    const branches: (readonly Message[])[] = [[]];
    for (let round = 0; round < rounds(60); round++) {
      const from = branches[pick(branches.length)]!;
      const kept = random() < 0.2 ? from.slice(0, pick(from.length + 1)) : from;
      const more = Array.from({ length: 1 + pick(3) }, () => pieces[pick(pieces.length)]!);
      const branch = [...kept, ...more];
      branches.push(branch);
      assert.equal(textOf(api, branch), freshText(api, branch), `${api}: ${JSON.stringify(branch)}`);
    }
  }
});

test('recorded conversations are written step by step as they are written at once, by every API', () => {
  const random = seededRandom(seed('recorded conversations'));
  for (const [file, own] of [
    ['anthropic', 'anthropic'],
    ['openai-responses', 'openai-responses'],
    ['gemini', 'gemini'],
    ['bedrock-converse', 'bedrock-converse'],
    ['openai-chat', 'openai-chat'],
    ['cohere', 'cohere'],
  ] as const)
    for (const record of recordings(file)) {
      if (record['request'] === null || Number(record['status']) >= 400) continue;
      const { request } = adapterOf(own).readRequest(record['request'] as JsonObject);
      const other = Object.keys(places)[Math.floor(random() * Object.keys(places).length)]!;
      for (const api of [own, other])
        for (let length = 1; length <= request.messages.length; length++) {
          const messages = request.messages.slice(0, length);
          assert.equal(textOf(api, messages), freshText(api, messages), `${String(record['id'])} for ${api}`);
        }
    }
});

test('the text of a body is what `JSON.stringify` makes of it', () => {
  for (const body of [
    {},
    {
      a: undefined,
      b: null,
      c: [1, undefined, { d: undefined }],
      e: { f: undefined, g: [] },
      'h"': '\u2028',
    },
    { first: undefined, second: 1 },
  ])
    assert.equal(bodyText(body as unknown as JsonObject), JSON.stringify(body));
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
