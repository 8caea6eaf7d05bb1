import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import { WebSocket } from 'ws';

import { findScenario } from '../../../grade/scenario/load/catalog.ts';
import type { Voice } from '../../../grade/episode/voice/voice.ts';
import { buildTask } from '../../../grade/scenario/build-task.ts';
import { createKey } from '../../http/keys.ts';
import { bundledCatalog, testServer, type TestServer } from '../../server/testing/test-server.ts';

const server = await testServer();
const task = buildTask(findScenario(bundledCatalog, 'case-management', 'lumbar-strain'));

/** One connection that waits for each answer, as the protocol's own client does. */
class Socket {
  readonly #socket: WebSocket;
  readonly #answers: unknown[] = [];
  #wake: (() => void) | undefined;
  readonly closed: Promise<number>;

  constructor(url: string) {
    this.#socket = new WebSocket(url.replace(/^http/, 'ws'));
    this.#socket.on('message', (data: Buffer) => {
      this.#answers.push(JSON.parse(data.toString()));
      this.#wake?.();
    });
    this.closed = new Promise((resolve) => this.#socket.on('close', resolve));
  }

  async send(text: string): Promise<void> {
    if (this.#socket.readyState === WebSocket.CONNECTING)
      await new Promise((resolve, reject) => {
        this.#socket.once('open', resolve);
        this.#socket.once('error', reject);
      });
    this.#socket.send(text);
  }

  // Tests look into answers freely; a wrong guess fails them.
  // eslint-disable-next-line typescript/no-explicit-any
  async next(): Promise<any> {
    while (this.#answers.length === 0)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.#answers.shift();
  }

  async ask(message: unknown) {
    await this.send(typeof message === 'string' ? message : JSON.stringify(message));
    return this.next();
  }

  close(): void {
    this.#socket.close();
  }
}

function connect(on: TestServer, path: string): Socket {
  return new Socket(`${on.url}${path}`);
}

const named = { collection: 'case-management', scenario: 'lumbar-strain' };

/** The gold path, said and done in the same steps as it is written. */
async function playGold(socket: Socket): Promise<readonly (number | null)[]> {
  await socket.ask({ type: 'reset', data: named });
  const rewards: (number | null)[] = [];
  for (const { say = '', calls = [] } of task.gold) {
    const tool_calls = calls.map(({ name, input }) => ({ name, arguments: input }));
    const { type, data } = await socket.ask({ type: 'step', data: { message: say, tool_calls } });
    assert.equal(type, 'observation');
    rewards.push(data.reward);
  }
  return rewards;
}

for (const [root, on] of [
  ['/openenv', server],
  ['', await testServer({ protocol: 'openenv' })],
] as const) {
  test(`health, metadata, schemas and state stand under "${root}/"`, async () => {
    assert.deepEqual((await on.get(`${root}/health`)).body, { status: 'healthy' });
    assert.deepEqual(Object.keys((await on.get(`${root}/metadata`)).body), [
      'name',
      'description',
      'readme_content',
      'version',
      'author',
      'documentation_url',
    ]);
    const schema = (await on.get(`${root}/schema`)).body;
    assert.deepEqual(Object.keys(schema), ['action', 'observation', 'state']);
    assert.deepEqual(schema.action.required, ['message']);
    assert.deepEqual((await on.get(`${root}/state`)).body, { episode_id: null, step_count: 0 });
    const socket = connect(on, `${root}/ws`);
    assert.equal((await socket.ask({ type: 'reset', data: {} })).type, 'observation');
    socket.close();
  });
}

test('a connection resets, steps, tells its state, and earns the grade once at the end', async () => {
  const socket = connect(server, '/openenv/ws');
  const rewards = await playGold(socket);
  assert.equal(rewards.at(-1), 1);
  assert.ok(rewards.slice(0, -1).every((reward) => reward === null));
  const { data } = await socket.ask({ type: 'state' });
  assert.deepEqual([data.step_count, data.done, data.scenario], [task.gold.length, true, 'lumbar-strain']);
  const late = await socket.ask({ type: 'step', data: { message: 'Wait' } });
  assert.deepEqual([late.type, late.data.code], ['error', 'EXECUTION_ERROR']);
  socket.close();
});

test('reward, done and metadata stand beside the observation', async () => {
  const socket = connect(server, '/openenv/ws');
  const { data } = await socket.ask({ type: 'reset', data: { ...named, seed: 3 } });
  assert.deepEqual(Object.keys(data), ['observation', 'reward', 'done', 'metadata']);
  assert.deepEqual(Object.keys(data.observation), ['message', 'tools', 'episode_id']);
  assert.deepEqual([data.reward, data.done], [null, false]);
  // `MCPToolClient` reads an observation with tools as a list of them, and drops its message.
  assert.equal(data.metadata.message, data.observation.message);
  socket.close();
});

test('a reset takes the seed, and with it alone another task of the split', async () => {
  const socket = connect(server, '/openenv/ws');
  const variants: number[] = [];
  for (const seed of [0, 1, 1]) {
    await socket.ask({ type: 'reset', data: { seed } });
    variants.push((await socket.ask({ type: 'state' })).data.variant);
  }
  assert.notEqual(variants[0], variants[1]);
  assert.equal(variants[1], variants[2]);
  socket.close();
});

test('answers come one a message and in order, however fast they are sent', async () => {
  const socket = connect(server, '/openenv/ws');
  await socket.ask({ type: 'reset', data: named });
  for (const message of ['Where?', 'When?', 'How?'])
    await socket.send(JSON.stringify({ type: 'step', data: { message } }));
  await socket.send(JSON.stringify({ type: 'state' }));
  const answers = [await socket.next(), await socket.next(), await socket.next(), await socket.next()];
  assert.deepEqual(
    answers.map(({ type, data }) => data.metadata?.turn ?? type),
    [1, 2, 3, 'state'],
  );
  socket.close();
});

test('what is wrong with a message is said with its code, and the connection goes on', async () => {
  const socket = connect(server, '/openenv/ws');
  for (const [message, code] of [
    ['no json', 'INVALID_JSON'],
    [`{"type":"reset","data":${'['.repeat(64)}${']'.repeat(64)}}`, 'INVALID_JSON'],
    [{ type: 'dance' }, 'UNKNOWN_TYPE'],
    [[], 'VALIDATION_ERROR'],
    [{ type: 'step', data: {} }, 'VALIDATION_ERROR'],
    [{ type: 'step', data: { message: 5 } }, 'VALIDATION_ERROR'],
    [{ type: 'reset', data: [] }, 'VALIDATION_ERROR'],
    [{ type: 'reset', data: 'case-management' }, 'VALIDATION_ERROR'],
    [{ type: 'reset', data: { seed: -1 } }, 'VALIDATION_ERROR'],
    [{ type: 'reset', data: { scenario: 'nope' } }, 'VALIDATION_ERROR'],
  ] as const) {
    const { type, data } = await socket.ask(message);
    assert.deepEqual([type, data.code], ['error', code], JSON.stringify(message));
    assert.ok(data.message.length > 0);
  }
  assert.equal((await socket.ask({ type: 'reset', data: named })).type, 'observation');
  await socket.send('{"type":"close"}');
  assert.equal(typeof (await socket.closed), 'number');
});

test('tools are listed before a reset, and called by name in a step', async () => {
  const socket = connect(server, '/openenv/ws');
  const { data } = await socket.ask({ type: 'step', data: { type: 'list_tools' } });
  assert.deepEqual(
    data.observation.tools.map(({ name }: { name: string }) => name),
    ['say', 'medical_assessment', 'claim_status', 'finish'],
  );
  await socket.ask({ type: 'reset', data: named });
  const call = async (tool_name: string, input: object) =>
    (await socket.ask({ type: 'step', data: { type: 'call_tool', tool_name, arguments: input } })).data;
  const said = await call('say', { message: 'When did it happen?' });
  assert.equal(said.observation.tool_name, 'say');
  assert.equal(said.observation.error, null);
  assert.ok(said.observation.result.length > 0);
  const unknown = await call('sya', {});
  assert.deepEqual(
    [unknown.observation.error.error_type, unknown.observation.result],
    ['tool_not_found', null],
  );
  assert.equal((await call('say', {})).observation.error.error_type, 'invalid_args');
  const finished = await call('finish', {});
  assert.deepEqual([finished.done, typeof finished.reward], [true, 'number']);
  socket.close();
});

test('what a model writes into an action ends no rollout: it is played as far as it can be read, or told', async () => {
  const socket = connect(server, '/openenv/ws');
  await socket.ask({ type: 'reset', data: named });
  const step = async (data: object) => {
    const answer = await socket.ask({ type: 'step', data });
    assert.equal(answer.type, 'observation', JSON.stringify(answer.data));
    return answer.data;
  };
  const call = (args: unknown) => ({ type: 'call_tool', tool_name: 'medical_assessment', arguments: args });
  let turn = 0;
  for (const action of [
    { message: 'When?', tool_call: { name: 'medical_assessment', arguments: {} } },
    { message: 'Where?', Messages: [], toolcalls: 'none', argument: 5 },
    { message: 'How?', tool_calls: [{ name: 'medical_assessment', argument: {} }] },
    call('{"value": "approved"}'),
    call('approved'),
    call(['approved']),
    { ...call(null), argument: {} },
  ]) {
    const played = await step(action);
    assert.equal(played.metadata.turn, ++turn, JSON.stringify(action));
  }
  for (const [action, problem] of [
    [
      { message: 'Why?', tool_calls: [{ name: 'say', arguments: {} }] },
      'say needs a message that is a string.',
    ],
    [{ message: 'x'.repeat(10_001) }, 'message is longer than 10000 characters.'],
  ] as const) {
    const { observation, reward, done } = await step(action);
    assert.deepEqual(observation, {
      message: problem,
      error: { error_type: 'invalid_args', message: problem },
    });
    assert.deepEqual([reward, done], [null, false]);
  }
  assert.equal((await socket.ask({ type: 'state' })).data.step_count, turn);
  socket.close();
});

test('arguments as text that nest deeper or have more members than a body may stay text, and are shown', async () => {
  const own = await testServer();
  const { episode_id } = (await own.post('/openenv/reset', named)).body.observation;
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  const wide = `[${'1,'.repeat(10_000)}1]`;
  const tool_calls = [deep, wide].map((args) => ({ name: 'claim_status', arguments: args }));
  const taken = await own.post('/openenv/step', { episode_id, action: { message: '', tool_calls } });
  assert.equal(taken.status, 200, taken.text);
  const [listed] = (await own.get('/api/v1/episodes')).body.episodes;
  const shown = await own.get(`/api/v1/episodes/${listed.episode_id}`);
  assert.equal(shown.status, 200, shown.text.slice(0, 200));
  assert.deepEqual(
    shown.body.turns[0].messages[0].tool_calls.map(({ input }: { input: unknown }) => input),
    [deep, wide],
  );
});

test('over HTTP the state is kept by the id that reset answered with, on any server', async () => {
  const { body } = await server.post('/openenv/reset', named);
  const { episode_id } = body.observation;
  const other = await testServer({ store: server.store });
  const step = (on: TestServer, message: string, more: object = {}) =>
    on.post('/openenv/step', { episode_id, action: { message }, ...more });
  assert.equal((await step(server, 'Where?')).body.metadata.turn, 1);
  const second = await step(other, 'When?', { request_id: 'r2' });
  assert.equal(second.body.metadata.turn, 2);
  assert.deepEqual((await step(server, 'When?', { request_id: 'r2' })).body, second.body);
  assert.equal((await other.get(`/openenv/state?episode_id=${episode_id}`)).body.step_count, 2);
  assert.equal((await server.post('/openenv/step', { action: { message: 'x' } })).status, 422);
  assert.equal((await server.post('/openenv/step', { episode_id, action: {} })).status, 422);
  for (const timeout_s of [0, -1, '5']) assert.equal((await step(server, 'x', { timeout_s })).status, 422);
  assert.equal((await step(server, 'Why?', { timeout_s: 0.5 })).body.metadata.turn, 3);
  const finish = { action: { type: 'call_tool', tool_name: 'finish' }, request_id: 'r4' };
  const ended = await step(server, '', finish);
  assert.equal(ended.body.done, true);
  assert.deepEqual((await step(other, '', finish)).body, ended.body);
  assert.equal((await step(other, '', { ...finish, request_id: undefined })).status, 409);
});

test('an episode that a client resets or closes is over, and leaves room for another', async () => {
  const closed = await testServer({ open: false });
  const { key } = await createKey(closed.store, { maxEpisodes: 1 }, 0);
  const socket = connect(closed, `/openenv/ws?api_key=${key}`);
  const state = async (id: string) =>
    (await closed.get(`/openenv/state?episode_id=${id}`, { authorization: `Bearer ${key}` })).body;
  const ids: string[] = [];
  for (const variant of [1, 2]) {
    const { data } = await socket.ask({ type: 'reset', data: { ...named, variant } });
    ids.push(data.observation.episode_id);
    await socket.ask({ type: 'step', data: { message: 'When did it happen?' } });
    const wrong = await socket.ask({ type: 'reset', data: { ...named, scenario: 'nope' } });
    assert.equal(wrong.data.code, 'VALIDATION_ERROR');
    assert.equal((await state(data.observation.episode_id)).done, false);
  }
  await socket.send('{"type":"close"}');
  await socket.closed;
  for (const id of ids) {
    const { done, terminal_reason, grade } = await state(id);
    assert.deepEqual([done, terminal_reason, grade.reward > 0], [true, 'client_terminated', true]);
  }
});

test('a reset that is refused leaves the episode that is played as it is', async () => {
  const other = connect(server, '/openenv/ws');
  await other.ask({ type: 'reset', data: { ...named, episode_id: 'played-elsewhere' } });
  await other.ask({ type: 'step', data: { message: 'Where?' } });
  other.close();
  await server.post('/openenv/reset', { ...named, episode_id: 'begun-otherwise' });
  const socket = connect(server, '/openenv/ws');
  await socket.ask({ type: 'reset', data: named });
  for (const wrong of [
    { group: 5 },
    { seed: 'x' },
    { episode_id: 'played-elsewhere' },
    { episode_id: 'begun-otherwise', variant: 3 },
  ]) {
    const { type, data } = await socket.ask({ type: 'reset', data: { ...named, ...wrong } });
    assert.deepEqual([type, data.code], ['error', 'VALIDATION_ERROR'], JSON.stringify(wrong));
    assert.equal((await socket.ask({ type: 'state' })).data.done, false, JSON.stringify(wrong));
  }
  const { data } = await socket.ask({ type: 'reset', data: { ...named, episode_id: 'begun-otherwise' } });
  assert.equal(data.observation.episode_id, 'begun-otherwise');
  socket.close();
});

test('over HTTP an id that no reset answered with is not found, and one that is taken is told as that', async () => {
  const step = { episode_id: 'nobody-knows', action: { message: 'Where?' } };
  const unknown = await server.post('/openenv/step', step);
  assert.deepEqual([unknown.status, unknown.body.detail], [404, 'Episode not found: nobody-knows']);
  const reset = { ...named, episode_id: 'mine' };
  for (const again of [reset, reset]) assert.equal((await server.post('/openenv/reset', again)).status, 200);
  const other = await server.post('/openenv/reset', { ...reset, variant: 7 });
  assert.equal(other.status, 422);
  assert.match(other.body.detail, /^episode_id names an episode that was begun differently\. Leave it out/);
});

test('a client that lost its connection comes back with its id', async () => {
  const first = connect(server, '/openenv/ws');
  const { data } = await first.ask({ type: 'reset', data: named });
  await first.ask({ type: 'step', data: { message: 'Where?' } });
  first.close();
  const again = connect(server, `/openenv/ws?session_id=${data.observation.episode_id}`);
  assert.equal((await again.ask({ type: 'step', data: { message: 'When?' } })).data.metadata.turn, 2);
  again.close();
});

test('MCP lists and calls tools over HTTP and sockets, with the session that it made', async () => {
  const rpc = async (method: string, params: object = {}) =>
    (await server.post('/openenv/mcp', { jsonrpc: '2.0', id: 1, method, params })).body;
  const { session_id } = (await rpc('openenv/session/create')).result;
  const { tools } = (await rpc('tools/list', { session_id })).result;
  assert.deepEqual(Object.keys(tools[0]), ['name', 'description', 'inputSchema']);
  const said = await rpc('tools/call', { session_id, name: 'say', arguments: { message: 'When?' } });
  assert.equal(said.result.isError, false);
  assert.equal(said.result.data, said.result.content[0].text);
  assert.equal((await rpc('tools/call', { session_id, name: 'nope' })).result.isError, true);
  const socket = connect(server, `/openenv/ws?session_id=${session_id}`);
  assert.equal((await socket.ask({ type: 'state' })).data.step_count, 1);
  const inside = await socket.ask({ type: 'mcp', data: { jsonrpc: '2.0', id: 7, method: 'tools/list' } });
  assert.deepEqual([inside.type, inside.data.id], ['mcp', 7]);
  socket.close();
  assert.deepEqual((await rpc('openenv/session/close', { session_id })).result, { closed: true });
  assert.equal((await rpc('dance')).error.code, -32601);
  const nameless = await rpc('tools/call', { session_id, arguments: {} });
  assert.deepEqual(nameless.error, { code: -32602, message: 'name must be a string, not missing.' });
  const unasked = { jsonrpc: '2.0', method: 'dance' };
  assert.equal((await server.post('/openenv/mcp', unasked)).status, 202);
  assert.equal((await server.send('POST', '/openenv/mcp', '{')).body.error.code, -32700);
  assert.equal((await server.post('/openenv/mcp', { id: 1 })).body.error.code, -32600);
  const raw = connect(server, '/openenv/mcp');
  assert.equal((await raw.ask({ jsonrpc: '2.0', id: 2, method: 'tools/list' })).result.tools.length, 4);
  raw.close();
});

/** A session as `MCPToolClient` has it: tools over HTTP, resets and steps over a socket, and both play the same. */
async function sharedSession(on: TestServer = server) {
  const rpc = async (method: string, params: object = {}) =>
    (await on.post('/openenv/mcp', { jsonrpc: '2.0', id: 1, method, params })).body;
  const { session_id } = (await rpc('openenv/session/create')).result;
  const socket = connect(on, `/openenv/ws?session_id=${session_id}`);
  const reset = async (data: object) => (await socket.ask({ type: 'reset', data })).data;
  const ask = (name: string, message: string) =>
    rpc('tools/call', { session_id, name, arguments: { message } });
  const tools = async () =>
    (await rpc('tools/list', { session_id })).result.tools.map(({ name }: { name: string }) => name);
  return { session_id, socket, rpc, reset, ask, tools };
}

test('each reset of a session is what its tools over HTTP play, on any server', async () => {
  const { session_id, socket, rpc, reset, ask, tools } = await sharedSession();
  const ids = new Set<string>();
  for (const collection of [
    'case-management',
    'customer-support',
    'finance-compliance',
    'customer-support',
  ]) {
    const { observation } = await reset({ collection, split: 'train', index: 0 });
    ids.add(observation.episode_id);
    assert.deepEqual(
      await tools(),
      observation.tools.map(({ name }: { name: string }) => name),
    );
    assert.equal((await ask('say', 'What happened?')).result.structuredContent.metadata.turn, 1);
    const { data } = await socket.ask({ type: 'state' });
    assert.deepEqual(
      [data.episode_id, data.collection, data.step_count],
      [observation.episode_id, collection, 1],
    );
  }
  assert.equal(ids.size, 4);
  // Another server has heard nothing of it but what is in the store.
  const other = await testServer({ store: server.store });
  const again = connect(other, `/openenv/ws?session_id=${session_id}`);
  const { data } = await again.ask({ type: 'state' });
  assert.deepEqual([data.episode_id, data.step_count], [[...ids].at(-1), 1]);
  again.close();
  assert.deepEqual((await rpc('openenv/session/close', { session_id })).result, { closed: true });
  assert.equal((await socket.ask({ type: 'state' })).data.done, true);
  socket.close();
});

test('a session whose reset chose an id is played by its tools over HTTP, and found by that id as well', async () => {
  const { session_id, socket, reset, ask } = await sharedSession();
  const chosen = { collection: 'customer-support', split: 'train', index: 0, episode_id: 'chosen' };
  assert.equal((await reset(chosen)).metadata.episode_id, 'chosen');
  // Its answer was lost, and it connects and asks again.
  const again = connect(server, `/openenv/ws?session_id=${session_id}`);
  const { data } = await again.ask({ type: 'reset', data: chosen });
  assert.deepEqual([data.metadata.episode_id, data.done], ['chosen', false]);
  again.close();
  assert.equal((await ask('say', 'What happened?')).result.structuredContent.metadata.turn, 1);
  assert.equal((await socket.ask({ type: 'step', data: { message: 'And then?' } })).data.metadata.turn, 2);
  const step = { episode_id: 'chosen', action: { message: 'When?' } };
  assert.equal((await server.post('/openenv/step', step)).body.metadata.turn, 3);
  const elsewhere = await sharedSession();
  assert.match((await elsewhere.reset(chosen)).message, /^episode_id names an episode of another session/);
  for (const each of [elsewhere.socket, socket]) each.close();
});

test('sockets that name an empty session have one each', async () => {
  const [one, two] = [connect(server, '/openenv/ws?session_id='), connect(server, '/openenv/ws?session_id=')];
  await one.ask({ type: 'step', data: { message: 'When?' } });
  assert.equal((await two.ask({ type: 'step', data: { message: 'When?' } })).data.metadata.turn, 1);
  for (const each of [one, two]) each.close();
});

test('a closed server takes the key as a header or in the address of a socket', async () => {
  const closed = await testServer({ open: false });
  assert.equal((await closed.post('/openenv/reset', {})).status, 401);
  const socket = connect(closed, '/openenv/ws?api_key=wrong');
  await assert.rejects(socket.ask({ type: 'state' }), /401/);
});

test('a closed server takes the key in the address of the server, which is all that its own clients can be told', async () => {
  const closed = await testServer({ open: false });
  const { key } = await createKey(closed.store, {}, 0);
  for (const credentials of [`key:${key}`, `${key}:`]) {
    const socket = new Socket(`${closed.url.replace('//', `//${credentials}@`)}/openenv/ws`);
    assert.equal((await socket.ask({ type: 'reset', data: named })).type, 'observation');
    socket.close();
    const headers = { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
    assert.equal((await closed.post('/openenv/reset', named, headers)).status, 200);
    const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    assert.ok((await closed.post('/openenv/mcp', rpc, headers)).body.result.tools.length > 0);
  }
  const wrong = { authorization: `Basic ${Buffer.from('key:lab_wrong').toString('base64')}` };
  assert.equal((await closed.post('/openenv/reset', named, wrong)).status, 401);
});

/** An episode on a server with little room, whose person answers when the test says so. */
async function slowEpisode(t: TestContext) {
  const answer = Promise.withResolvers<void>();
  t.after(() => answer.resolve());
  const voice: Voice = { speak: () => answer.promise.then(() => undefined) };
  const other = await testServer({ maxHeldBytes: 150_000, voice });
  const socket = connect(other, '/openenv/ws');
  await socket.ask({ type: 'reset', data: named });
  const step = (message: string) => socket.send(JSON.stringify({ type: 'step', data: { message } }));
  return { other, socket, step, answer: () => answer.resolve() };
}

test('a client that sends on without waiting is answered in order, and read no further ahead than fits', async (t) => {
  const { other, socket, step, answer } = await slowEpisode(t);
  // The person takes its time, and the client does not wait for it.
  await step('When did it happen?');
  const sent = Array.from({ length: 1500 }, (_, index) => index);
  for (const index of sent)
    await socket.send(JSON.stringify({ type: `unknown ${index}`, pad: 'x'.repeat(200) }));
  for (let looks = 0; looks < 20; looks += 1) {
    const { text } = await other.get('/metrics');
    assert.ok(Number(/^whet_held_bytes (\d+)$/m.exec(text)?.[1]) < 100_000);
  }
  answer();
  assert.equal((await socket.next()).data.done, false);
  for (const index of sent)
    assert.equal((await socket.next()).data.message, `There is no message of the type "unknown ${index}".`);
  await step('x'.repeat(150_000));
  assert.equal(await socket.closed, 1013);
});

test('a socket that is closed for want of room has the answers of what it asked before', async (t) => {
  const { other, socket, step, answer } = await slowEpisode(t);
  await step('When did it happen?');
  await step('x'.repeat(150_000));
  await socket.send(JSON.stringify({ type: 'state' }));
  // The messages above are read before this is answered: they came first, to the same process.
  await other.get('/health');
  answer();
  assert.equal((await socket.next()).data.done, false);
  assert.equal(await socket.closed, 1013);
});

test('a socket more than fit is told so and closed, and nothing that it sent is done', async () => {
  const on = await testServer({ maxConnections: 1 });
  const first = connect(on, '/openenv/ws');
  assert.equal((await first.ask({ type: 'state' })).type, 'state');
  const more = connect(on, '/openenv/ws');
  const { type, data } = await more.ask({ type: 'reset', data: named });
  assert.deepEqual(
    [type, data.code, data.active_sessions, data.max_sessions],
    ['error', 'CAPACITY_REACHED', 1, 1],
  );
  await more.closed;
  assert.deepEqual((await on.get('/api/v1/episodes')).body.episodes, []);
  first.close();
  await first.closed;
  let next = connect(on, '/openenv/ws');
  // The server hears of it when it does.
  while ((await next.ask({ type: 'state' })).type === 'error') next = connect(on, '/openenv/ws');
  next.close();
});
