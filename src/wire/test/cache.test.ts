import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonObject } from '../../base/json/value.ts';
import type { ModelRequest } from '../../base/message/model.ts';
import { adapterOf, apiNames } from '../catalog.ts';

const request: ModelRequest = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Look.' },
    {
      role: 'assistant',
      content: [
        {
          type: 'call',
          id: 'a',
          name: 'look',
          arguments: {},
          kind: 'function',
          requiresLocalExecution: true,
        },
      ],
    },
    { role: 'tool', results: [{ callId: 'a', name: 'look', content: [{ type: 'text', text: 'Seen.' }] }] },
  ],
  tools: [{ kind: 'function', name: 'look', input: { type: 'object', properties: {} } }],
};
const bodyFor = (api: string, model: string, more: Partial<ModelRequest> = {}): JsonObject =>
  JSON.parse(
    JSON.stringify(adapterOf(api).writeRequest({ ...request, ...more }, { model }).body),
  ) as JsonObject;
const marks = (body: JsonObject): number =>
  JSON.stringify(body).split(/"cache_control"|"cachePoint"/).length - 1;

test('marks the words of the system and the last messages of the user for Anthropic’s cache, four at most', () => {
  for (const api of ['anthropic', 'vertex-anthropic', 'bedrock-invoke-anthropic']) {
    const body = bodyFor(api, 'claude-sonnet-4-5', { cache: 'auto' });
    const mark = { cache_control: { type: 'ephemeral' } };
    assert.deepEqual(body['system'], [{ type: 'text', text: 'Be brief.', ...mark }]);
    const [asked, , answered] = body['messages'] as readonly JsonObject[];
    assert.deepEqual(asked!['content'], [{ type: 'text', text: 'Look.', ...mark }]);
    assert.deepEqual(
      (answered!['content'] as readonly JsonObject[])[0]!['cache_control'],
      mark.cache_control,
    );
    assert.equal(marks(body), 3);
  }
  const bare = bodyFor('anthropic', 'claude-sonnet-4-5', {
    cache: 'auto',
    messages: request.messages.slice(1),
  });
  assert.ok('cache_control' in (bare['tools'] as readonly JsonObject[])[0]!);
});

test('marks for Bedrock’s cache where the model takes marks, and for nobody who was not asked or has none', () => {
  const body = bodyFor('bedrock-converse', 'anthropic.claude-sonnet-4-5-v1:0', { cache: 'auto' });
  const point = { cachePoint: { type: 'default' } };
  assert.deepEqual(body['system'], [{ text: 'Be brief.' }, point]);
  assert.deepEqual(
    ((body['messages'] as readonly JsonObject[]).at(-1)!['content'] as readonly JsonObject[]).at(-1),
    point,
  );
  assert.equal(marks(bodyFor('bedrock-converse', 'meta.llama4', { cache: 'auto' })), 0);
  for (const api of apiNames) assert.equal(marks(bodyFor(api, 'claude-sonnet-4-5')), 0);
  for (const api of apiNames.filter((name) => !/anthropic|bedrock/.test(name)))
    assert.equal(marks(bodyFor(api, 'm', { cache: 'auto' })), 0);
});
