import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { Agent, OpenAIChatCompletionsModel, setTracingDisabled } from '@openai/agents';
import { ToolLoopAgent } from 'ai';
import OpenAI from 'openai';

import { buildTask } from '../src/grade/scenario/build-task.ts';
import { findScenario } from '../src/grade/scenario/load/catalog.ts';
import { toAiSdk } from '../src/run/bridge/ai-sdk.ts';
import type { Heard } from '../src/run/bridge/operator/index.ts';
import { run } from '../src/run/loop/run.ts';
import { loadPlayers } from '../src/serve/terminal/load-players.ts';
import type { Trial } from '../src/serve/http/trial-player.ts';
import { bundledCatalog, testServer } from '../src/serve/server/testing/test-server.ts';
import { vllm } from '../src/wire/index.ts';
import { mock } from '../src/wire/mock/index.ts';

setTracingDisabled(true);
const task = { collection: 'case-management', scenario: 'lumbar-strain', group: 'step-1' };
const { gold } = buildTask(findScenario(bundledCatalog, task.collection, task.scenario));
/** What the trainer's model says: each turn's calls, then its words. */
const script = gold.flatMap(({ say, calls = [] }) => [
  ...(calls.length === 0
    ? []
    : [{ calls: calls.map(({ name, input }) => ({ name, arguments: input as never })) }]),
  { text: say ?? '' },
]);

const modelOf = ({ baseUrl, model = 'm', apiKey = 'none' }: Trial) => vllm(model, { baseUrl, apiKey });
/** Agents as their users have them; all that is new is where their model is. */
const players = {
  aiSdk: (trial: Trial) => new ToolLoopAgent({ model: toAiSdk(modelOf(trial)) }),
  openAIAgents: ({ baseUrl, apiKey = 'none', model = 'm' }: Trial) =>
    new Agent({
      name: 'Case manager',
      // Their package has a client of its own version, whose type has other private fields.
      model: new OpenAIChatCompletionsModel(new OpenAI({ baseURL: baseUrl, apiKey }) as never, model),
    }),
  ownLoop:
    (trial: Trial) =>
    ({ messages, tools }: Heard) =>
      run({ model: modelOf(trial), messages, tools }),
  waits:
    ({ signal }: Trial) =>
    () =>
      new Promise<string>((_, reject) => signal.addEventListener('abort', () => reject(new Error('left')))),
  noAgent: () => 1 as never,
};
const server = await testServer({ players });
const play = (body: object) => server.post('/api/v1/rollouts', { task, player: 'aiSdk', ...body });

for (const player of ['aiSdk', 'openAIAgents', 'ownLoop'])
  test(`${player}: an agent is played against the endpoint of the trainer, and its trajectory is told`, async () => {
    await using trainer = await mock(script);
    const { status, text, body } = await play({
      ...{ player, base_url: `${trainer.url}/v1`, model: 'policy', api_key: 'secret' },
    });
    assert.equal(status, 200, text);
    assert.deepEqual([body.reward, body.success, body.failure], [1, 1, undefined], text);
    assert.equal(trainer.unconsumed.length, 0);
    const { trajectory } = body;
    assert.deepEqual(
      [trajectory.schema_version, trajectory.agent.name, trajectory.agent.model_name],
      ['ATIF-v1.8', player, 'policy'],
    );
    const steps = trajectory.steps as readonly Record<string, never>[];
    assert.deepEqual(
      steps.map(({ step_id: id }) => id),
      steps.map((_, index) => index + 1),
    );
    const agentSteps = steps.filter(({ source }) => source === 'agent');
    assert.equal(agentSteps.length, script.length);
    const calls = agentSteps.flatMap((step) => (step['tool_calls'] ?? []) as { function_name: string }[]);
    assert.deepEqual(
      calls.map(({ function_name: name }) => name),
      ['medical_assessment', 'claim_status'],
    );
    // What the person said is between the agent's words.
    assert.deepEqual([steps[0]?.['source'], steps[1]?.['source']], ['system', 'user']);
    assert.equal(steps.filter(({ source }) => source === 'user').length >= gold.length, true);
    assert.equal(trajectory.extra.whetstone.reward, 1);
    const stored = (await server.get(`/api/v1/episodes/${body.episode_id}`)).body;
    assert.deepEqual([stored.status, stored.group, stored.grade.reward], ['complete', 'step-1', 1]);
    assert.equal(JSON.stringify([body, stored]).includes('secret'), false);
  });

test('a trial whose agent breaks, or whose time is up, has no reward that a trainer could learn from', async () => {
  await using trainer = await mock([{ text: 'When?' }]);
  const broken = (await play({ base_url: `${trainer.url}/v1` })).body;
  assert.deepEqual([broken.reward, broken.failure], [null, 'agent_error']);
  assert.ok(broken.error.length > 0 && broken.trajectory.steps.length > 2);
  const unfit = (await play({ player: 'noAgent', base_url: trainer.url })).body;
  assert.deepEqual([unfit.reward, unfit.failure], [null, 'agent_error']);
  assert.match(unfit.error, /operator\(\) takes an agent/);
  const rushed = await testServer({
    players,
    clock: {
      ...server.engine.clock,
      after: (ms, ring) => (ms === 5000 ? setImmediate(ring) : 0, () => undefined),
    },
  });
  const late = await rushed.post('/api/v1/rollouts', {
    ...{ task, player: 'waits', base_url: trainer.url, timeout_s: 5 },
  });
  assert.deepEqual([late.body.reward, late.body.failure], [null, 'timeout']);
  assert.equal((await rushed.get(`/api/v1/episodes/${late.body.episode_id}`)).body.status, 'complete');
});

test('a server that stops gives up the trials under way', async () => {
  const stopping = await testServer({ players });
  const asked = stopping.post('/api/v1/rollouts', { task, player: 'waits', base_url: 'http://localhost:1' });
  while ((await stopping.get('/api/v1/episodes')).body.episodes.length === 0);
  await stopping.close();
  assert.equal((await asked).body.failure, 'agent_error');
});

test('a trial asks this machine and the hosts that were allowed, and no others', async () => {
  const refused = async (base_url: string) => {
    const { status, body } = await play({ player: 'noAgent', base_url });
    return [status, body.data?.code];
  };
  for (const base_url of [
    'http://169.254.169.254/v1',
    'http://trainer:8000/v1',
    'https://127.0.0.1.evil.example',
  ])
    assert.deepEqual(await refused(base_url), [403, 'forbidden'], base_url);
  for (const base_url of ['file:///etc/passwd', 'nonsense', 'http://u:p@localhost/'])
    assert.deepEqual(await refused(base_url), [400, 'invalid_request'], base_url);
  const unknown = await play({ player: 'nobody', base_url: 'http://localhost' });
  assert.deepEqual([unknown.status, unknown.body.data.code], [404, 'not_found']);
  // `player_unknown` says also how to have some.
  const none = await testServer();
  const { message } = (
    await none.post('/api/v1/rollouts', { task, player: 'x', base_url: 'http://localhost' })
  ).body;
  assert.match(message, /has no players of its own/);
  const allowed = await testServer({ players, trainers: ['trainer:8000'] });
  const body = { task, player: 'noAgent', base_url: 'http://trainer:8000/v1' };
  assert.equal((await allowed.post('/api/v1/rollouts', body)).status, 200);
});

test('the functions that a module exports are players', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'whet-players-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'players.ts');
  writeFileSync(
    file,
    `import type { Trial } from 'whetstone/server';
     export function claims({ baseUrl }: Trial) { return () => baseUrl; }
     export const other = 1;`,
  );
  assert.deepEqual(Object.keys(await loadPlayers(file)), ['claims']);
  writeFileSync(join(folder, 'none.ts'), 'export const none = 1;');
  await assert.rejects(loadPlayers(join(folder, 'none.ts')), { code: 'usage' });
});
