import assert from 'node:assert/strict';
import { test } from 'node:test';

import { seededRandom } from '../../../base/host/random.ts';
import { findScenario } from '../../../grade/scenario/load/catalog.ts';
import { buildTask } from '../../../grade/scenario/build-task.ts';
import { seed } from '../../../../test/rounds.ts';
import { bundledCatalog, testServer, type TestServer } from '../../server/testing/test-server.ts';
import { piecesOf } from './pieces.ts';

interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** Reads a stream as the protocol's own client does: white space at the start of a data line is lost. */
function eventsOf(text: string): readonly ServerEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '' && !block.startsWith(':'))
    .map((block) => {
      const fields = Object.fromEntries(
        block.split('\n').map((line) => {
          const at = line.indexOf(':');
          return [line.slice(0, at), line.slice(at + 1).trimStart()];
        }),
      );
      return { event: fields['event'] ?? '', data: fields['data'] ?? '' };
    });
}

interface CallResult {
  readonly ok: boolean;
  readonly error?: string;
  readonly output?: {
    readonly blocks: readonly { readonly type: string; readonly text: string; readonly detail: null }[];
    readonly metadata: { readonly turn: number };
    readonly reward: number | null;
    readonly finished: boolean;
  };
}

class Client {
  readonly #server: TestServer;
  readonly #root: string;
  readonly #headers: Record<string, string> = {};

  constructor(server: TestServer, root: string, session?: string) {
    this.#server = server;
    this.#root = root;
    if (session !== undefined) this.#headers['x-session-id'] = session;
  }

  get(path: string) {
    return this.#server.get(`${this.#root}${path}`, this.#headers);
  }

  post(path: string, body: unknown = {}) {
    return this.#server.post(`${this.#root}${path}`, body, this.#headers);
  }

  async open(create: object = { split: 'train', index: 0 }): Promise<string> {
    const events = eventsOf((await this.post('/create_session')).text);
    assert.deepEqual(
      events.map(({ event }) => event),
      ['task_id', 'end'],
    );
    const sid = events[0]?.data ?? '';
    this.#headers['x-session-id'] = sid;
    const created = await this.post('/create', create);
    assert.deepEqual([created.status, created.body], [200, { sid }], created.text);
    return sid;
  }

  async stream(name: string, input: unknown, taskId?: string): Promise<readonly ServerEvent[]> {
    const body = { name, input, ...(taskId !== undefined && { task_id: taskId }) };
    return eventsOf((await this.post('/case-management/call', body)).text);
  }

  async call(name: string, input: unknown, taskId?: string): Promise<CallResult> {
    const [first, ...rest] = await this.stream(name, input, taskId);
    assert.equal(first?.event, 'task_id');
    assert.equal(rest.at(-1)?.event, 'end', JSON.stringify(rest));
    return JSON.parse(rest.map(({ data }) => data).join('')) as CallResult;
  }
}

const server = await testServer();
const task = buildTask(findScenario(bundledCatalog, 'case-management', 'lumbar-strain'));

/** The gold path as a client of this protocol plays it: one call a turn, words first. */
async function playGold(client: Client): Promise<readonly (number | null)[]> {
  const rewards: (number | null)[] = [];
  for (const { say, calls = [] } of task.gold) {
    const steps =
      calls.length > 0 ? calls.map((call) => [call.name, call.input]) : [['say', { message: say }]];
    for (const [name, input] of steps) {
      const { ok, output } = await client.call(String(name), input);
      assert.equal(ok, true);
      rewards.push(output?.reward ?? null);
    }
  }
  return rewards;
}

const atRoot = await testServer({ protocol: 'ors' });

for (const [on, root] of [
  [server, '/ors'],
  [atRoot, ''],
] as const) {
  test(`environments, splits and tasks are listed as the protocol says, under "${root}/"`, async () => {
    const client = new Client(on, root);
    assert.deepEqual((await client.get('/health')).body, { status: 'ok' });
    assert.deepEqual(Object.keys((await client.get('/version')).body), ['version', 'build_sha']);
    assert.ok((await client.get('/list_environments')).body.includes('case-management'));
    const env = '/case-management';
    const splits = (await client.get(`${env}/splits`)).body;
    assert.deepEqual(splits[0], { name: 'train', type: 'train' });
    const { num_tasks } = (await client.post(`${env}/num_tasks`, { split: 'train' })).body;
    const all = (await client.post(`${env}/tasks`, { split: 'train' })).body;
    assert.deepEqual([all.tasks.length, all.env_name], [num_tasks, 'case-management']);
    // The package `openreward` reads `env_name` of each of these, and fails without it.
    const second = (await client.post(`${env}/task`, { split: 'train', index: 1 })).body;
    assert.deepEqual(second, { task: all.tasks[1], env_name: 'case-management' });
    const some = (await client.post(`${env}/task_range`, { split: 'train', stop: 1 })).body;
    assert.deepEqual(some, { tasks: all.tasks.slice(0, 1), env_name: 'case-management' });
    assert.deepEqual((await client.get('/Case-Management/splits')).body, splits);
    const range = async (body: object) =>
      (await client.post(`${env}/task_range`, { split: 'train', ...body })).body.tasks;
    assert.deepEqual(await range({ start: 1, stop: 3 }), all.tasks.slice(1, 3));
    assert.deepEqual(await range({ start: -2 }), all.tasks.slice(-2));
    assert.equal((await range({})).length, num_tasks);
    for (const bad of [
      { split: 'nope', index: 0 },
      { split: 'train', index: num_tasks },
    ])
      assert.equal((await client.post(`${env}/task`, bad)).status, 400);
    assert.equal((await client.post('/nowhere/task', { split: 'train', index: 0 })).status, 404);
    assert.equal((await on.get('/api/v1/catalog')).status, 200);
    assert.equal((await on.get('/metrics')).status, 200);
    const envelope = await client.post(`${env}/num_tasks`, {});
    assert.deepEqual([envelope.status, typeof envelope.body.detail], [422, 'string']);
  });
}

test('tools have a name, a description and a plain schema, and nothing else', async () => {
  const client = new Client(server, '/ors');
  await client.open();
  const { tools } = (await client.get('/case-management/task_tools')).body;
  assert.deepEqual((await client.get('/case-management/tools')).body.tools, tools);
  for (const tool of tools) {
    assert.deepEqual(Object.keys(tool), ['name', 'description', 'input_schema']);
    assert.match(tool.name, /^[A-Za-z_]\w*$/);
    assert.equal(tool.input_schema.type, 'object');
    assert.doesNotMatch(JSON.stringify(tool.input_schema), /"\$ref"|"anyOf"|"title"/);
  }
  assert.deepEqual(
    tools.map(({ name }: { name: string }) => name),
    ['say', 'medical_assessment', 'claim_status', 'finish'],
  );
  const decision = tools.find(({ name }: { name: string }) => name === 'claim_status');
  assert.match(decision.description, /approved, denied, pending_info/);
});

test('the prompt is the opening, and say is answered by the person', async () => {
  const client = new Client(server, '/ors');
  await client.open();
  const prompt = (await client.get('/case-management/prompt')).body;
  assert.deepEqual(prompt, [{ type: 'text', text: task.opening.content, detail: null }]);
  const { ok, output } = await client.call('say', { message: 'When did it happen?' });
  assert.equal(ok, true);
  assert.deepEqual(Object.keys(output ?? {}), ['blocks', 'metadata', 'reward', 'finished']);
  assert.deepEqual([output?.reward, output?.finished], [null, false]);
  assert.ok((output?.blocks[0]?.text.length ?? 0) > 0);
});

test('the pictures of an opening come before its words, as REST gives them too', async () => {
  const meters = buildTask(findScenario(bundledCatalog, 'housing', 'meter-photos'), 2);
  const { images = [], content } = meters.opening;
  assert.equal(images.length, 3);
  const client = new Client(server, '/ors');
  await client.open({
    env_name: 'housing',
    task_spec: { collection: 'housing', scenario: 'meter-photos', variant: 2 },
  });
  assert.deepEqual((await client.get('/housing/prompt')).body, [
    ...images.map(({ data }) => ({ type: 'image', data, mimeType: 'image/png', detail: null })),
    { type: 'text', text: content, detail: null },
  ]);
  const created = await server.post('/api/v1/episodes', {
    collection_slug: 'housing',
    scenario_slug: 'meter-photos',
    variant: 2,
  });
  assert.deepEqual(created.body.initial_observation, meters.opening);
});

test('the reward is null until the end and then the stored grade, once', async () => {
  const client = new Client(server, '/ors');
  await client.open();
  const rewards = await playGold(client);
  assert.equal(rewards.at(-1), 1);
  assert.ok(rewards.slice(0, -1).every((reward) => reward === null));
  const late = await client.call('say', { message: 'Wait' });
  assert.equal(late.ok, false);
  assert.match(late.error ?? '', /finished/);
});

test('finish ends the task and grades it as it stands', async () => {
  const client = new Client(server, '/ors');
  await client.open();
  await client.call('say', { message: 'When did it happen, and how?' });
  const { output } = await client.call('finish', {});
  assert.equal(output?.finished, true);
  assert.ok(typeof output?.reward === 'number' && output.reward > 0 && output.reward < 0.5);
  assert.equal((await client.call('finish', {})).ok, false);
});

test('with delta the rewards add up to the grade, with running the last one is it', async () => {
  for (const rewardMode of ['delta', 'running'] as const) {
    const other = await testServer({ rewardMode });
    const client = new Client(other, '/ors');
    await client.open();
    const rewards = (await playGold(client)).filter((reward) => reward !== null);
    const told = rewardMode === 'delta' ? rewards.reduce((sum, reward) => sum + reward, 0) : rewards.at(-1);
    assert.ok(Math.abs((told ?? 0) - 1) < 1e-12);
    assert.ok(rewards.length > 2);
  }
});

test('a call that is asked for again by its task id gives the same result and runs nothing', async () => {
  const client = new Client(server, '/ors');
  const sid = await client.open();
  const [first, ...rest] = await client.stream('say', { message: 'Where did it happen?' });
  const again = await client.stream('say', { message: 'Where did it happen?' }, first?.data);
  assert.deepEqual(again, [first, ...rest]);
  const other = await testServer({ store: server.store });
  const elsewhere = new Client(other, '/ors', sid);
  assert.deepEqual(await elsewhere.stream('say', {}, first?.data), [first, ...rest]);
  const stranger = new Client(server, '/ors');
  await stranger.open();
  assert.match((await stranger.stream('say', {}, first?.data))[1]?.data ?? '', /Unknown task_id/);
  const unknown = await client.stream('say', { message: 'x' }, 'task_unknown');
  assert.deepEqual(
    unknown.map(({ event }) => event),
    ['task_id', 'error'],
  );
  assert.match(unknown[1]?.data ?? '', /Unknown task_id/);
});

test('finish that is asked for again by its task id is answered alike, also by a server that did not run it', async () => {
  for (const rewardMode of ['final', 'delta'] as const) {
    const one = await testServer({ rewardMode });
    const client = new Client(one, '/ors');
    const sid = await client.open();
    await client.call('say', { message: 'When did it happen, and how?' });
    const first = await client.stream('finish', {});
    const elsewhere = new Client(await testServer({ rewardMode, store: one.store }), '/ors', sid);
    assert.deepEqual(await elsewhere.stream('finish', {}, first[0]?.data), first);
    // A call of its own stays refused, and another tool is nothing that ended the task.
    assert.equal((await elsewhere.call('finish', {})).ok, false);
    assert.equal((await elsewhere.stream('say', { message: 'x' }, 'task_other'))[1]?.event, 'error');
  }
});

test('calls sent side by side run one after another', async () => {
  const client = new Client(server, '/ors');
  await client.open();
  const results = await Promise.all(
    ['Where?', 'When?', 'How?'].map((message) => client.call('say', { message })),
  );
  assert.deepEqual(results.map(({ output }) => output?.metadata.turn).toSorted(), [1, 2, 3]);
});

test('what a model calls wrongly is told to it and costs no turn', async () => {
  const client = new Client(server, '/ors');
  await client.open();
  assert.match((await client.call('sya', {})).error ?? '', /There is no tool "sya"\. Known: say/);
  assert.match((await client.call('say', {})).error ?? '', /needs a message/);
  const { output } = await client.call('say', { message: 'Hello' });
  assert.deepEqual(output?.metadata, { turn: 1 });
});

test('null for what may be left out means that it was left out', async () => {
  const client = new Client(server, '/ors');
  const sid = await client.open();
  await client.call('medical_assessment', { condition: 'x', severity: 'mild', work_restrictions: null });
  const { body } = await server.get('/api/v1/episodes');
  const detail = (await server.get(`/api/v1/episodes/${body.episodes[0].episode_id}`)).body;
  assert.deepEqual(detail.turns[0].messages[0].tool_calls, [
    { name: 'medical_assessment', input: { condition: 'x', severity: 'mild' } },
  ]);
  assert.ok(sid);
});

test('create takes a task or a place, once; the same again is answered alike, another is a 400', async () => {
  const client = new Client(server, '/ors');
  const { task: spec } = (await client.post('/case-management/task', { split: 'train', index: 5 })).body;
  const sid = await client.open({ env_name: 'case-management', task_spec: spec });
  const again = await client.post('/create', { env_name: 'case-management', task_spec: spec });
  assert.deepEqual([again.status, again.body], [200, { sid }]);
  const other = await client.post('/create', { split: 'train', index: 0 });
  assert.deepEqual([other.status, typeof other.body.detail], [400, 'string']);
  const both = await client.post('/create', { task_spec: spec, split: 'train', index: 0 });
  assert.equal(both.status, 400);
  const bare = new Client(server, '/ors');
  assert.equal((await bare.post('/create', { split: 'train', index: 0 })).status, 400);
});

test('a session may be made from a place that is counted from the end, as a task may be asked for', async () => {
  const client = new Client(server, '/ors');
  const { task: last } = (await client.post('/case-management/task', { split: 'train', index: -1 })).body;
  await client.open({ split: 'train', index: -1 });
  const { body } = await server.get('/api/v1/episodes?limit=1');
  const [{ scenario_slug, variant }] = body.episodes;
  assert.deepEqual([scenario_slug, variant], [last.scenario, last.variant]);
  for (const index of [last.index + 1, -last.index - 2]) {
    const { status, body: refusal } = await new Client(server, '/ors', `at ${index}`).post('/create', {
      split: 'train',
      index,
    });
    assert.equal(status, 400);
    assert.match(refusal.detail, /^The split "train" of "case-management" has no task/);
  }
});

test('a group that is not a label is a 422 that names it, like every field that is wrong', async () => {
  const client = new Client(server, '/ors');
  const { task: spec } = (await client.post('/case-management/task', { split: 'train', index: 5 })).body;
  await client.open({ task_spec: { ...spec, group: 'g1' } });
  for (const group of [7, '', 'a\nb', 'x'.repeat(201)]) {
    const other = new Client(server, '/ors');
    await other.open();
    const { status, body } = await other.post('/create', { task_spec: { ...spec, group } });
    assert.equal(status, 422);
    assert.match(body.detail, /^group must be/);
  }
});

test('a session lives by pings, ends by delete as often as it is sent, and is then graded', async () => {
  const client = new Client(server, '/ors');
  const sid = await client.open();
  assert.deepEqual((await client.post('/ping')).body, { status: 'ok' });
  for (const path of ['/delete', '/delete', '/delete_session'])
    assert.deepEqual((await client.post(path)).body, { sid });
  const { body } = await server.get('/api/v1/episodes?status=complete');
  assert.equal(body.episodes[0].terminal_reason, 'client_terminated');
  const stranger = new Client(server, '/ors');
  assert.equal((await stranger.post('/ping')).status, 400);
  assert.equal((await server.post('/ors/ping', {}, { 'x-session-id': 'unknown' })).status, 404);
});

test('a path without an environment goes to the first one', async () => {
  const response = await fetch(`${server.url}/ors/splits`, { redirect: 'manual' });
  assert.equal(response.status, 308);
  assert.match(response.headers.get('location') ?? '', /^\/ors\/[a-z-]+\/splits$/);
});

test('a path without an environment goes to the one that X-Deployment names, as openreward does it', async () => {
  for (const [name, scenario] of [
    ['customer-support', 'damaged-item'],
    ['local/Customer-Support', 'damaged-item'],
    ['env', 'lumbar-strain'],
  ] as const) {
    const headers = { 'x-deployment': name, 'x-session-id': `deployed ${name}` };
    const { body } = await atRoot.post('/task', { split: 'train', index: 0 }, headers);
    assert.equal(body.task.scenario, scenario);
    assert.equal((await atRoot.post('/create', { split: 'train', index: 0 }, headers)).status, 200);
    const offers = (await atRoot.get('/tools', headers)).body;
    assert.deepEqual((await atRoot.get('/task_tools', headers)).body, offers);
    assert.deepEqual((await atRoot.get(`/${body.env_name}/tools`)).body, offers);
  }
});

test('keys come as X-API-Key or as a bearer, and without one there is a 401 with a detail', async () => {
  const closed = await testServer({ open: false });
  const { status, body } = await closed.get('/ors/list_environments');
  assert.deepEqual([status, body.detail], [401, 'Invalid or missing API key']);
});

test('no piece of a result begins or ends with white space or inside a character, and all together are it', () => {
  const random = seededRandom(seed('pieces'));
  const alphabet = ['a', ' ', '\u2028', '\u0085', '👋', '\u3000', '"', '\\', '\n', ' '.repeat(90)];
  for (let round = 0; round < 200; round += 1) {
    let text = '';
    while (text.length < random() * 20_000) text += alphabet[Math.floor(random() * alphabet.length)];
    const value = { text };
    const pieces = piecesOf(JSON.stringify(value));
    for (const piece of pieces) {
      assert.ok(piece.length <= 4096);
      assert.equal(piece.trim(), piece);
      assert.ok(piece.isWellFormed());
      assert.doesNotMatch(piece, /[\u0085\u2028\u2029\n]/);
    }
    assert.deepEqual(JSON.parse(pieces.join('')), value);
  }
});

test('a session that nobody made is a 404 that names it as the client does', async () => {
  const client = new Client(server, '/ors', 'run-7');
  for (const answer of [
    await client.post('/ping'),
    await client.get('/case-management/prompt'),
    await client.post('/case-management/call', { name: 'say', input: { message: 'When?' } }),
  ])
    assert.deepEqual(
      [answer.status, answer.body.detail],
      [404, 'There is no session "run-7": make it with /create.'],
    );
});

test('an env_name that is not a string is refused in the words of the protocol', async () => {
  for (const env_name of [7, {}, ['case-management'], true]) {
    const body = { env_name, split: 'train', index: 0 };
    const answer = await server.post('/ors/create', body, { 'x-session-id': 'named' });
    assert.deepEqual([answer.status, answer.body.detail], [422, 'env_name must be a string.']);
  }
});

test('a task id that would break the lines of a stream is refused before it begins', async () => {
  const session = { 'x-session-id': 'lines' };
  await server.post('/ors/create', { split: 'train', index: 0 }, session);
  for (const task_id of ['a\nevent: end', '\0', '\ud800']) {
    const call = { name: 'say', input: { message: 'When?' }, task_id };
    const { status, body } = await server.post('/ors/case-management/call', call, session);
    assert.deepEqual([status, body.detail], [422, 'task_id must be a string that this server gave.']);
  }
});
