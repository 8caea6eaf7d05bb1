import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync, cpSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { WebSocket } from 'ws';

import { textOf } from '../../base/message/message.ts';
import { modelJudge } from '../../grade/episode/judge/judge.ts';
import { modelVoice } from '../../grade/episode/voice/model-voice.ts';
import { answerOf, judgedCatalog } from '../../grade/episode/testing/changed-catalog.ts';
import { loadCatalog, type Catalog } from '../../grade/scenario/load/catalog.ts';
import { buildTask } from '../../grade/scenario/build-task.ts';
import type { Task } from '../../grade/scenario/task.ts';
import { judgedCriteria } from '../../grade/score/verdict.ts';
import { PostgresStore } from '../../grade/store/postgres/postgres-store.ts';
import { startPostgres } from '../../grade/store/testing/postgres-server.ts';
import { modelNamed } from '../../wire/index.ts';
import { mock } from '../../wire/mock/index.ts';
import { createKey } from '../http/keys.ts';
import { lumbar, say, testServer, type Answer, type TestServer } from './testing/test-server.ts';

const bundled = fileURLToPath(new URL('../../../scenarios/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'whet-secrets-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** What may never leave the server: criteria, what is expected, what the person has not told, and the canary. */
function secretsOf(task: Task): readonly string[] {
  const { criteria } = task;
  const open = JSON.stringify([task.briefing, task.tools, task.description, task.name]);
  return [
    ...task.facts.flatMap(({ is, says }) => [is, says]),
    ...[...criteria.success, ...criteria.failure, ...criteria.best_practices, ...criteria.rubrics].map(
      ({ text }) => text,
    ),
    ...criteria.scope.map(({ text }) => text),
    ...judgedCriteria(task).map(({ judge }) => judge.prompt),
    ...criteria.rubrics.flatMap(({ levels }) => levels.map(({ description }) => description)),
    ...task.expected.flatMap(({ exemplar }) => (exemplar === undefined ? [] : [JSON.stringify(exemplar)])),
    ...task.gold.flatMap(({ say: words }) => words ?? []),
  ].filter((text) => text.length > 12 && !open.includes(JSON.stringify(text).slice(1, -1)));
}

/** A server with what is secret about it besides its scenarios. */
interface Guarded {
  readonly server: TestServer;
  readonly catalog: Catalog;
  readonly secrets: readonly string[];
  /** Takes its database away. */
  readonly breakStore?: () => Promise<void>;
}

test('no answer, error or header of any protocol tells what a scenario hides, nor a key', async () => {
  const catalog = loadCatalog(bundled);
  const server = await testServer({ open: false, catalog });
  await walk({ server, catalog, secrets: [server.file] });
});

test('nor does one on Postgres whose person and judge are models that tell all they can, also when it breaks', async () => {
  const catalog = judgedCatalog();
  const facts = catalog.collections.flatMap(({ scenarios }) =>
    scenarios.flatMap((scenario) => buildTask(scenario).facts.flatMap(({ is, says }) => [is, says])),
  );
  const opinion = 'An opinion of the judge, which quotes what it was asked.';
  let asked = 0;
  await using provider = await mock(({ request }) => {
    asked += 1;
    const question = textOf(request.messages.at(-1)!);
    if (!question.includes('\nThe point')) return facts.join(' ');
    return JSON.stringify({
      ...(JSON.parse(answerOf(question)) as object),
      reason: `${opinion} ${question}`,
    });
  });
  const options = { baseUrl: `${provider.url}/v1`, apiKey: 'key-of-the-provider' };
  const postgres = await startPostgres();
  after(() => postgres.remove());
  const url = await postgres.database('guarded');
  const store = await PostgresStore.open(url);
  after(() => store[Symbol.asyncDispose]());
  const server = await testServer({
    ...{ open: false, catalog, store },
    voice: modelVoice(modelNamed('openai/the-person', options)),
    judge: modelJudge(modelNamed('openai/the-judge', options)),
  });
  const secrets = [
    opinion,
    options.apiKey,
    provider.url,
    'the-person',
    'the-judge',
    url,
    store.place,
    'guarded',
  ];
  await walk({ server, catalog, secrets, breakStore: () => postgres.kill() });
  assert.ok(asked > 10);
});

/** Asks every endpoint of every protocol, rightly and wrongly, and looks for secrets in whatever comes back. */
async function walk({ server, catalog, secrets, breakStore }: Guarded): Promise<void> {
  const { key, record } = await createKey(server.store, { name: 'trainer' }, 0);
  const auth = { authorization: `Bearer ${key}` };
  const seen: string[] = [];
  const keep = (answer: Answer): Answer => {
    seen.push(answer.text, JSON.stringify([...answer.headers]));
    return answer;
  };
  const get = async (path: string) => keep(await server.get(path, auth));
  const post = async (path: string, body: unknown, more = {}) =>
    keep(await server.post(path, body, { ...auth, ...more }));

  // A client that learns nothing: it asks for nothing that the person knows, and tries every door.
  const quiet = [
    say('Mmh.'),
    say('', { name: 'claim_status', input: { value: 'denied' } }, { name: 'nope', input: 1 }),
  ];
  await get('/health');
  await get('/ready');
  await get('/metrics');
  await get('/api/v1/key');
  await get('/api/v1/catalog');
  await get('/api/v1/openapi.json');
  for (const variant of [0, 1]) await get(`/api/v1/catalog/case-management/lumbar-strain?variant=${variant}`);
  const { episode_id } = (await post('/api/v1/episodes', { ...lumbar, score_turns: true })).body;
  for (const message of quiet) await post(`/api/v1/episodes/${episode_id}/turns`, { messages: [message] });
  for (const path of [
    `/api/v1/episodes/${episode_id}`,
    '/api/v1/episodes',
    `/api/v1/episodes/${episode_id}/events`,
  ])
    await get(path);
  const config = { quality_weights: { rubrics: 1, success_metrics: 1 } };
  await post('/api/v1/evaluate', { ...lumbar, messages: quiet, reward_config: config });
  await post('/api/v1/compare', {
    ...lumbar,
    response_a: { messages: quiet },
    response_b: { messages: quiet },
  });
  await post('/api/v1/batch/evaluate', {
    items: [
      { id: 'a', ...lumbar, messages: quiet },
      { id: 'b', ...lumbar },
    ],
  });
  await post('/api/v1/batch/episodes', { items: [{ id: 'a', ...lumbar }] });
  await post('/api/v1/batch/turns', { items: [{ id: 'a', episode_id, messages: quiet }] });
  for (const body of [
    {},
    [],
    { collection_slug: 'x' },
    { ...lumbar, scenario_slug: 'x' },
    { ...lumbar, variant: 1e9 },
  ])
    await post('/api/v1/episodes', body);
  keep(await server.send('DELETE', `/api/v1/episodes/${episode_id}`, undefined, auth));
  keep(await server.send('PUT', '/api/v1/episodes', '{', auth));

  const session = { 'x-session-id': 's' };
  for (const path of ['/ors/list_environments', '/ors/case-management/tools', '/ors/case-management/splits'])
    await get(path);
  await post('/ors/case-management/tasks', { split: 'train' });
  await post('/ors/create', { split: 'train', index: 0 }, session);
  for (const [name, input] of [
    ['say', { message: 'Mmh.' }],
    ['nope', {}],
    ['claim_status', { value: 'denied' }],
    ['finish', {}],
  ])
    await post('/ors/case-management/call', { name, input }, session);
  keep(await server.get('/ors/case-management/task_tools', { ...auth, ...session }));
  keep(await server.get('/ors/case-management/prompt', { ...auth, ...session }));

  for (const path of ['/openenv/metadata', '/openenv/schema', '/openenv/state']) await get(path);
  const reset = await post('/openenv/reset', {});
  const step = { episode_id: reset.body.observation.episode_id };
  await post('/openenv/step', { ...step, action: { message: 'Mmh.', tool_calls: [{ name: 'nope' }] } });
  await post('/openenv/step', { ...step, action: {} });
  await post('/openenv/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  seen.push(await overSocket(`${server.url}/openenv/ws?api_key=${key}`));

  if (breakStore !== undefined) {
    await breakStore();
    const paths = [
      '/api/v1/key',
      `/api/v1/episodes/${episode_id}`,
      '/ors/list_environments',
      '/openenv/state',
    ];
    for (const path of paths) assert.equal((await get(path)).status, 503, path);
    await post('/openenv/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    for (const path of ['/ready', '/metrics']) await get(path);
  }

  const all = seen.join('\n');
  const hidden = catalog.collections.flatMap(({ scenarios }) =>
    scenarios.flatMap((scenario) =>
      [...secretsOf(buildTask(scenario)), scenario.canary].filter((text) => text !== ''),
    ),
  );
  assert.ok(hidden.length > 20);
  for (const secret of [...hidden, ...secrets]) {
    const written = JSON.stringify(secret).slice(1, -1);
    assert.equal(all.includes(secret) || all.includes(written), false, `It tells: ${secret}`);
  }
  assert.equal(all.includes(key), false);
  assert.equal(all.includes(record.hash), false);
  assert.equal(all.includes(folder), false);
  assert.doesNotMatch(all, / {4}at .*\.ts:/);
}

function overSocket(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace(/^http/, 'ws'));
    const heard: string[] = [];
    const messages = [
      '{',
      '{"type":"reset","data":{}}',
      '{"type":"step","data":{"message":"Mmh."}}',
      '{"type":"step","data":{}}',
      '{"type":"state"}',
      '{"type":"mcp","data":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}',
    ];
    socket.on('open', () => messages.forEach((message) => socket.send(message)));
    socket.on('message', (data: Buffer) => {
      heard.push(data.toString());
      if (heard.length === messages.length) socket.close();
    });
    socket.on('close', () => resolve(heard.join('\n')));
    socket.on('error', reject);
  });
}

test('a test split tells no grade on the way, and one at the end', async () => {
  cpSync(join(bundled, 'case-management'), join(folder, 'case-management'), { recursive: true });
  const file = join(folder, 'case-management/collection.yaml');
  const head = readFileSync(file, 'utf8').replace(/\nsplits:[\s\S]*$/, '\n');
  writeFileSync(file, `${head}\nsplits:\n  test: [lumbar-strain]\n`);
  mkdirSync(join(folder, 'case-management'), { recursive: true });
  const server = await testServer({ open: false, catalog: loadCatalog(folder), rewardMode: 'running' });
  const { key } = await createKey(server.store, {}, 0);
  const auth = { authorization: `Bearer ${key}` };
  const { body } = await server.post(
    '/api/v1/episodes',
    { ...lumbar, score_turns: true, config: { max_turns: 2 } },
    auth,
  );
  const turn = (words: string) =>
    server.post(`/api/v1/episodes/${body.episode_id}/turns`, { messages: [say(words)] }, auth);
  const first = (await turn('When did it happen?')).body;
  assert.deepEqual([first.reward, 'scores' in first, 'success' in first], [0, false, false]);
  const last = (await turn('How did it happen?')).body;
  assert.equal(last.episode_complete, true);
  assert.ok(last.reward > 0);
});

test('a broken scenario is refused without a word of what is in it, or where', async () => {
  const shelf = join(folder, 'broken');
  cpSync(join(bundled, 'case-management'), shelf, { recursive: true });
  const file = join(shelf, 'lumbar-strain/scenario.yaml');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('after: [place, reported, examined]', 'after: [plac]'),
  );
  const server = await testServer({ open: true, catalog: loadCatalog(folder) });
  const asked = { collection_slug: 'broken', scenario_slug: 'lumbar-strain' };
  const refused = await server.post('/api/v1/episodes', asked);
  assert.equal(refused.status, 404);
  assert.match(refused.text, /cannot be played: it has a fault/);
  assert.doesNotMatch(refused.text, /plac"|scenario\.yaml|\/broken\//);
});
