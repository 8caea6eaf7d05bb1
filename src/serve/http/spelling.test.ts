import assert from 'node:assert/strict';
import { test } from 'node:test';

import { slipOf } from '../../base/schema/check/nearest-names.ts';
import { lumbar, say, testServer } from '../server/testing/test-server.ts';

const server = await testServer();
const messages = [say('Hello')];
const { episode_id } = (await server.post('/api/v1/episodes', lumbar)).body;
const turns = `/api/v1/episodes/${episode_id}/turns`;
const quality_weights = { rubrics: 1 };

test('a field that can only be a slip of one that is missing is refused with the one that was meant', async () => {
  const cases: readonly (readonly [path: string, body: object, at: string, meant: string])[] = [
    ['/api/v1/episodes', { ...lumbar, scor_turns: true }, 'scor_turns', 'score_turns'],
    ['/api/v1/episodes', { ...lumbar, config: { max_turn: 1 } }, 'config.max_turn', 'max_turns'],
    ['/api/v1/episodes', { ...lumbar, maxTurns: 1, Group: 'g' }, 'Group', 'group'],
    [turns, { messages, reward_confg: { quality_weights } }, 'reward_confg', 'reward_config'],
    [turns, { messages, rewardConfig: { quality_weights } }, 'rewardConfig', 'reward_config'],
    [
      turns,
      { messages, reward_config: { quality_weights, skip_safty_gate: true } },
      'reward_config.skip_safty_gate',
      'skip_safety_gate',
    ],
    [turns, { messages: [{ content: '', toolcalls: [] }] }, 'messages[0].toolcalls', 'tool_calls'],
    [
      turns,
      { messages: [...messages, { content: '', tool_calls: [{ name: 'x', inputs: {} }] }] },
      'messages[1].tool_calls[0].inputs',
      'input',
    ],
    [turns, { message: messages }, 'message', 'messages'],
    [
      '/api/v1/evaluate',
      { ...lumbar, messages, normalisation_key: 'k' },
      'normalisation_key',
      'normalization_key',
    ],
    [
      '/api/v1/compare',
      { ...lumbar, response_a: { messages }, responseB: { messages } },
      'responseB',
      'response_b',
    ],
  ];
  for (const [path, body, at, meant] of cases) {
    const answer = await server.post(path, body);
    assert.equal(answer.status, 400, answer.text);
    assert.equal(answer.body.data.code, 'invalid_request');
    assert.equal(answer.body.message, `${at} is not a field here. Did you mean "${meant}"?`);
  }
  const items = [
    { id: 'a', ...lumbar, idempotencykey: 'k' },
    { id: 'b', ...lumbar },
  ];
  const batch = await server.post('/api/v1/batch/episodes', { items });
  assert.equal(
    batch.body.results[0].message,
    'items[0].idempotencykey is not a field here. Did you mean "idempotency_key"?',
  );
  assert.equal(batch.body.results[1].status, 'success');
  const list = await server.get('/api/v1/episodes?colection=case-management');
  assert.deepEqual(
    [list.status, list.body.message],
    [400, 'colection is not a field here. Did you mean "collection"?'],
  );
});

test('the doors for trainers refuse such a field in their own words', async () => {
  const session = { 'x-session-id': 'spelt' };
  const place = { split: 'train', index: 0 };
  const created = await server.post('/ors/create', { ...place, taskspec: {} }, session);
  assert.deepEqual(
    [created.status, created.body.detail],
    [422, 'taskspec is not a field here. Did you mean "task_spec"?'],
  );
  const call = { name: 'say', inputs: { message: 'When?' } };
  await server.post('/ors/create', place, session);
  const called = await server.post('/ors/case-management/call', call, session);
  assert.deepEqual(
    [called.status, called.body.detail],
    [422, 'inputs is not a field here. Did you mean "input"?'],
  );
  for (const [path, body, at] of [
    ['reset', { senario: 'lumbar-strain' }, 'senario'],
    ['step', { episode_id: 'e', requestId: 'r', action: { message: '' } }, 'requestId'],
  ] as const) {
    const answer = await server.post(`/openenv/${path}`, body);
    assert.equal(answer.status, 422);
    assert.match(answer.body.detail, new RegExp(`^${at} is not a field here`));
  }
});

test('whatever else a client sends is its own', async () => {
  const own = {
    user: 'u1',
    metadata: { turn: 1 },
    tags: [],
    step: 3,
    trace_id: 't',
    reward_confg: null,
    '': 1,
  };
  const message = { ...messages[0], name: 'm', refusal: 'no', annotations: [], tool_call_id: 'c1', id: 'x' };
  const created = await server.post('/api/v1/episodes', {
    ...lumbar,
    ...own,
    config: { max_turns: 3, max_turn: 2, temperature: 1 },
  });
  assert.equal(created.status, 200, created.text);
  const path = `/api/v1/episodes/${created.body.episode_id}/turns`;
  assert.equal((await server.post(path, { ...own, messages: [message] })).status, 200);
  const input = { inputs: 1, nam: 'x', content: 1 };
  const calls = [say('Hello', { name: 'claim_status', input })];
  assert.equal((await server.post(path, { messages: calls })).status, 200);
  assert.equal((await server.get('/api/v1/episodes?api_key=x&utm=1')).status, 200);
});

test('knows a slip by its letters, or by few edits for its length', () => {
  const known = ['id', 'seed', 'group', 'reward_config'];
  for (const [name, meant] of [
    ['ID', 'id'],
    ['ids', undefined],
    ['sed', 'seed'],
    ['speed', 'seed'],
    ['send', 'seed'],
    ['spend', undefined],
    ['grups', undefined],
    ['groups', 'group'],
    ['reward-config', 'reward_config'],
    ['rewardcfg', undefined],
    ['reward_cnfgi', undefined],
    ['rewrd_confg', 'reward_config'],
  ] as const)
    assert.equal(slipOf(name, known), meant, name);
});
