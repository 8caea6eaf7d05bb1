// Exchanges as HUD's own client holds them (hud-evals/hud-python, hud/clients/client.py at 21d69b992bee): one answer a
// line with the id of its request, lines of 64 KiB at most, and MCP through a forwarder of its own, a tunnel a connection.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

import { buildTask } from '../../../grade/scenario/build-task.ts';
import { findScenario } from '../../../grade/scenario/load/catalog.ts';
import { createKey } from '../../http/keys.ts';
import { bundledCatalog, testServer, type Answer } from '../../server/testing/test-server.ts';

const gold = buildTask(findScenario(bundledCatalog, 'case-management', 'lumbar-strain')).gold;
const id = 'case-management/lumbar-strain';
const server = await testServer({ hud: 0 });
const sockets: { destroy(): void }[] = [];
after(() => {
  for (const socket of sockets) socket.destroy();
});

type Frame = Answer['body'];

/** A client as theirs: it writes a line and waits for the one that answers. */
class HudClient {
  readonly socket: Socket;
  readonly #lines: AsyncIterator<string>;
  #id = 0;

  private constructor(socket: Socket) {
    this.socket = socket;
    this.#lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  }

  static async connect(port = server.hudPort ?? 0): Promise<HudClient> {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
    return new HudClient(socket);
  }

  async ask(method: string, params: unknown = {}): Promise<Frame> {
    this.#id += 1;
    this.socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: this.#id, method, params })}\n`);
    const frame = await this.read();
    assert.equal(frame.id, this.#id);
    return frame;
  }

  async call(method: string, params: unknown = {}): Promise<Frame> {
    const { result, error } = await this.ask(method, params);
    assert.equal(error, undefined);
    return result;
  }

  async read(): Promise<Frame> {
    const { value } = (await this.#lines.next()) as { value: string | undefined };
    assert.ok(value !== undefined && Buffer.byteLength(value) < 65_536);
    return JSON.parse(value);
  }

  async leave(): Promise<void> {
    this.socket.end();
    await once(this.socket, 'close');
  }
}

/** A port whose connections go through a tunnel each, as the client opens one for each capability. */
async function forwarder(): Promise<number> {
  const join = async (local: Socket): Promise<void> => {
    const up = connect(server.hudPort ?? 0, '127.0.0.1');
    sockets.push(local, up);
    const params = { capability: 'tools' };
    up.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tunnel.open', params })}\n`);
    const [opened] = (await once(up, 'data')) as [Buffer];
    assert.deepEqual(JSON.parse(opened.toString()).result, params);
    local.pipe(up).pipe(local);
    for (const socket of [local, up]) socket.on('error', () => socket.destroy());
  };
  const listening = createServer((local) => void join(local));
  listening.listen(0, '127.0.0.1');
  sockets.push({ destroy: () => listening.close() });
  await once(listening, 'listening');
  return (listening.address() as AddressInfo).port;
}

test('an agent plays over MCP through tunnels, and its client is told the parts of the score', async () => {
  const client = await HudClient.connect();
  const { session_id: session, env, bindings } = await client.call('hello');
  assert.equal(env.name, 'whetstone');
  const [binding] = bindings;
  assert.deepEqual(
    [binding.name, binding.protocol, binding.url, binding.params],
    ['tools', 'mcp/2025-11-25', `${server.url}/hud/${session}/mcp`, { transport: 'streamable-http' }],
  );
  const { tasks } = await client.call('tasks.list');
  assert.ok(tasks.some((task: Frame) => task.id === id && task.args.properties.variant.type === 'integer'));
  const url = new URL(binding.url);
  url.port = String(await forwarder());
  const agent = new Client({ name: 'agent', version: '1' });
  // Their types differ only in what `exactOptionalPropertyTypes` makes of an optional field.
  await agent.connect(new StreamableHTTPClientTransport(url) as Transport);
  assert.deepEqual((await agent.listTools()).tools, []);
  const { prompt } = await client.call('tasks.start', { id, args: { variant: 0, group: 'g' } });
  assert.match(prompt, /\w{4}/);
  assert.ok((await agent.listTools()).tools.some(({ name }) => name === 'medical_assessment'));
  const wrong = await agent.callTool({ name: 'nope', arguments: {} });
  assert.equal(wrong.isError, true);
  for (const { say, calls = [] } of gold)
    for (const call of [...(say === undefined ? [] : [{ name: 'say', input: { message: say } }]), ...calls])
      await agent.callTool({ name: call.name, arguments: call.input as Record<string, unknown> });
  const grade = await client.call('tasks.grade', { answer: 'That is all.' });
  assert.deepEqual([grade.done, grade.isError], [true, false]);
  const sum = grade.subscores.reduce((total: number, part: Frame) => total + part.weight * part.value, 0);
  assert.ok(Math.abs(sum - grade.score) < 0.01 && grade.score > 0.9, `${grade.score}`);
  const stored = (await server.get(`/api/v1/episodes/${grade.info.episode_id}`)).body;
  assert.deepEqual([stored.status, stored.group, stored.grade.reward], ['complete', 'g', grade.score]);
  assert.equal((await client.ask('tasks.grade', {})).error.message, 'no task in progress');
  await agent.close();
  assert.deepEqual(await client.call('bye'), { goodbye: true });
  await once(client.socket, 'close');
});

test('a task outlives its connection, for who knows the session and for the same address', async () => {
  const first = await HudClient.connect();
  const { session_id: session } = await first.call('hello');
  await first.call('tasks.start', { id });
  const other = await HudClient.connect();
  assert.equal((await other.ask('hello', { session_id: session })).error.code, -32600);
  await first.leave();
  assert.equal((await other.call('hello', { session_id: session })).session_id, session);
  assert.equal((await other.call('hello', { session_id: session })).session_id, session);
  await other.leave();
  const grader = await HudClient.connect();
  await grader.call('hello');
  assert.equal((await grader.call('tasks.grade', { answer: '' })).score, 0);
  for (const _ of [1, 2]) {
    const starter = await HudClient.connect();
    await starter.call('hello');
    await starter.call('tasks.start', { id });
    await starter.leave();
  }
  const { error } = await grader.ask('tasks.grade', { answer: '' });
  assert.equal(error.code, -32600);
  const ids = [...error.message.matchAll(/sess_\w{20}/g)].map(([one]) => one);
  assert.equal(ids.length, 2);
  for (const one of ids) {
    await grader.call('hello', { session_id: one });
    assert.deepEqual(await grader.call('tasks.cancel'), { cancelled: true });
  }
  assert.equal((await grader.ask('tasks.grade', {})).error.message, 'no task in progress');
});

test('a session goes on at another server before the same store', async () => {
  const again = await testServer({ hud: 0, store: server.store });
  const client = await HudClient.connect();
  const { session_id: session } = await client.call('hello');
  await client.call('tasks.start', { id });
  const other = await HudClient.connect(again.hudPort);
  await other.call('hello', { session_id: session });
  const { info } = await other.call('tasks.grade', { answer: '' });
  assert.equal((await client.call('tasks.grade', { answer: '' })).info.episode_id, info.episode_id);
});

test('what is wrong is told by its code, and a second line that is not JSON ends the connection', async () => {
  const client = await HudClient.connect();
  for (const [method, params, code] of [
    ['hello', { session_id: 1 }, -32602],
    ['hello', { session_id: 'sess_nope' }, -32600],
    ['tasks.start', { id: 1 }, -32602],
    ['tasks.start', { id: 'case-management/nope' }, -32602],
    ['tasks.start', { id, args: [] }, -32602],
    ['tasks.start', { id, args: { variants: 1 } }, -32000],
    ['tasks.start', { id, args: { variant: 1e9 } }, -32000],
    ['tasks.evaluate', {}, -32601],
    ['tunnel.open', { capability: 'tools' }, -32601],
  ] as const)
    assert.equal((await client.ask(method, params)).error.code, code, method);
  client.socket.write('{"method":"hello"}\n[]\n');
  assert.equal((await client.read()).error.code, -32700);
  client.socket.write('nonsense\n');
  assert.equal((await client.read()).error.code, -32700);
  await once(client.socket, 'close');
  const tunnel = await HudClient.connect();
  assert.equal((await tunnel.ask('tunnel.open', { capability: 'ssh' })).error.code, -32602);
  const long = await HudClient.connect();
  long.socket.on('error', () => undefined);
  long.socket.write('x'.repeat(2 ** 20 + 1));
  assert.equal((await long.read()).error.code, -32700);
});

test('an answer of a megabyte is taken, and nobody who has no session finds tools', async () => {
  const client = await HudClient.connect();
  await client.call('hello');
  await client.call('tasks.start', { id });
  assert.equal((await client.call('tasks.grade', { answer: 'x'.repeat(1_000_000) })).done, true);
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  assert.equal((await server.post('/hud/sess_nope/mcp', list)).status, 404);
  const other = await testServer();
  assert.equal((await other.post('/hud/sess_nope/mcp', list)).body.data.code, 'not_found');
});

test('where keys are needed it listens on this machine alone, and shows nobody reasons', async () => {
  const keyed = await testServer({ hud: 0, open: false });
  await createKey(keyed.store, {}, 0);
  const client = await HudClient.connect(keyed.hudPort);
  const { bindings } = await client.call('hello');
  await client.call('tasks.start', { id });
  const path = new URL(bindings[0].url).pathname;
  const listed = await keyed.post(path, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  assert.ok(listed.body.result.tools.length > 2);
  const { info } = await client.call('tasks.grade', { answer: '' });
  const record = await keyed.store.readEpisode(info.episode_id);
  assert.equal(JSON.parse(record?.options ?? '').explain, false);
});
