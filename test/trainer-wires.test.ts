import assert from 'node:assert/strict';
import { test } from 'node:test';

import { WebSocket } from 'ws';

import type { JsonObject, JsonValue } from '../src/base/json/value.ts';
import { findScenario } from '../src/grade/scenario/load/catalog.ts';
import { buildTask } from '../src/grade/scenario/build-task.ts';
import { bundledCatalog, testServer } from '../src/serve/server/testing/test-server.ts';

/*
 * What the trainers' own clients send, request by request, and what they demand of each answer: derived from their
 * public source, at the commit that each test names, and replayed against a real server.
 */

const server = await testServer();
const { gold } = buildTask(findScenario(bundledCatalog, 'case-management', 'lumbar-strain'));
/** The gold path, one call after another, as trainers act: `say` first where there are words. */
const acts = gold.flatMap(({ say, calls = [] }) => [
  ...(say === undefined ? [] : [{ name: 'say', input: { message: say } as JsonObject }]),
  ...calls.map(({ name, input }) => ({ name, input: input as JsonObject })),
]);

type Headers = Readonly<Record<string, string>>;

/** `request_retryable` of ors-sdk: JSON in and out, and an answer that is none of 2xx is an error after three tries. */
async function ask(path: string, headers: Headers, body?: JsonValue) {
  const {
    status,
    text,
    body: answer,
  } = await (body === undefined
    ? server.get(`/ors${path}`, headers)
    : server.post(`/ors${path}`, body, headers));
  assert.ok(status >= 200 && status < 300, `${path}: ${status} ${text}`);
  return answer;
}

/** `resumable_sse` of ors-sdk: its reader of lines, which strips white space, and its rule of what ends a stream. */
async function stream(path: string, headers: Headers, body: JsonObject) {
  const { status, text } = await server.post(`/ors${path}`, body, {
    ...headers,
    accept: 'text/event-stream',
  });
  assert.equal(status, 200, text);
  let taskId = '';
  let result = '';
  let event = '';
  let data: string[] = [];
  for (const line of text.split('\n')) {
    if (line === '') {
      if (event === 'task_id') taskId = data.join('\n').trim();
      if (event === 'chunk' || event === 'end') result += data.join('\n');
      assert.notEqual(event, 'error', data.join('\n'));
      if (event === 'end') return { taskId, result: result === '' ? undefined : JSON.parse(result) };
      [event, data] = ['', []];
    } else if (!line.startsWith(':')) {
      const at = line.indexOf(':');
      assert.notEqual(at, -1, 'a line without a colon breaks the client');
      if (line.slice(0, at) === 'event') event = line.slice(at + 1).trim();
      if (line.slice(0, at) === 'data') data.push(line.slice(at + 1).trimStart());
    }
  }
  assert.fail('the stream ended without `end`');
}

/** A `ToolSpec` takes these names and no other. */
function mustBeSpecs(tools: readonly JsonObject[]): void {
  assert.ok(tools.length > 0);
  for (const tool of tools)
    assert.deepEqual(Object.keys(tool).toSorted(), ['description', 'input_schema', 'name']);
}

test('ors-sdk @34b9c21: tools, a session from a place, calls, a repeat, pings, and both deletes', async () => {
  const key = { 'user-agent': 'ors-sdk', 'x-api-key': 'whatever: this server is open' };
  // What is asked besides a session gets one of its own, which is never created.
  const besides = { ...key, 'x-session-id': (await stream('/create_session', key, {})).taskId };
  mustBeSpecs((await ask('/case-management/tools', besides)).tools);
  await ask('/delete_session', besides, null);

  const secrets = { 'x-secrets': Buffer.from('{"api_key":{"value":"theirs"}}').toString('base64') };
  const made = await stream('/create_session', { ...key, ...secrets }, {});
  assert.equal(made.result, undefined, 'the id comes by `task_id` alone');
  const session = { ...key, 'x-session-id': made.taskId };
  for (let sent = 0; sent < 2; sent++)
    assert.deepEqual(await ask('/create', { ...session, ...secrets }, { split: 'train', index: 0 }), {
      sid: made.taskId,
    });
  for (const block of await ask('/case-management/prompt', session)) {
    assert.equal(block.type, 'text');
    assert.equal(typeof block.text, 'string');
  }
  mustBeSpecs((await ask('/case-management/task_tools', session)).tools);
  const rewards: (number | null)[] = [];
  for (const { name, input } of acts) {
    const { taskId, result } = await stream('/case-management/call', session, { name, input });
    const again = await stream('/case-management/call', session, { name, input, task_id: taskId });
    assert.deepEqual(again.result, result);
    assert.equal(result.ok, true, result.error);
    assert.deepEqual(Object.keys(result.output).toSorted(), ['blocks', 'finished', 'metadata', 'reward']);
    rewards.push(result.output.reward);
    assert.equal(result.output.finished, result.output.reward !== null);
    if (!result.output.finished) await ask('/ping', session, null);
  }
  assert.deepEqual(rewards, [...acts.slice(1).map(() => null), 1]);
  for (const path of ['/delete', '/delete_session']) await ask(path, session, null);
});

test('TRL @0146f7e: tasks one by one, tools bound once, optionals sent as null, the last reward kept', async () => {
  // The package `openreward` leaves the collection out of its paths, and follows where it is sent.
  const deployed = { 'x-deployment': 'case-management' };
  const { num_tasks } = await ask('/num_tasks', deployed, { split: 'train' });
  assert.ok(num_tasks > 2);
  for (const index of [0, 1]) {
    const { task, env_name } = await ask('/task', deployed, { split: 'train', index });
    assert.equal(env_name, 'case-management');
    assert.equal(task.index, index);
  }
  const { tools } = await ask('/tools', deployed);
  const parameters = new Map<string, readonly string[]>();
  for (const { name, input_schema } of tools) {
    const { properties = {} } = input_schema;
    for (const word of [name, ...Object.keys(properties)]) assert.match(word, /^[A-Za-z_]\w*$/);
    for (const one of Object.values<JsonObject>(properties)) assert.equal(typeof one['type'], 'string');
    parameters.set(name, Object.keys(properties));
  }
  const session = { ...deployed, 'x-session-id': (await stream('/create_session', deployed, {})).taskId };
  await ask('/create', session, { split: 'train', index: 0 });
  await ask('/prompt', session);
  let kept = 0;
  for (const { name, input } of acts) {
    const sent = Object.fromEntries(parameters.get(name)!.map((one) => [one, input[one] ?? null]));
    const { result } = await stream('/case-management/call', session, { name, input: sent });
    kept = result.output?.reward ?? kept;
  }
  assert.equal(kept, 1);
  await ask('/delete', session, null);
});

/** `_send_and_receive` of OpenEnv's clients: one answer a message, and one of the type `error` is raised. */
async function connect(path: string) {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/openenv${path}`);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const send = async (message: JsonObject) => {
    const answer = new Promise<string>((resolve) =>
      socket.once('message', (data: Buffer) => resolve(data.toString())),
    );
    socket.send(JSON.stringify(message));
    const { type, data } = JSON.parse(await answer);
    assert.notEqual(type, 'error', JSON.stringify(data));
    return data;
  };
  const disconnect = async (): Promise<void> => {
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.send(JSON.stringify({ type: 'close' }));
    await closed;
  };
  return { send, disconnect };
}

test('OpenEnv @078ac64, GenericEnvClient: reset, steps, state, close', async () => {
  const { send, disconnect } = await connect('/ws');
  const begun = await send({
    type: 'reset',
    data: { collection: 'case-management', scenario: 'lumbar-strain' },
  });
  assert.deepEqual([typeof begun.observation.message, begun.reward, begun.done], ['string', null, false]);
  let last = begun;
  for (const { say = '', calls = [] } of gold) {
    assert.deepEqual([last.reward, last.done], [null, false]);
    const tool_calls = calls.map(({ name, input }) => ({ name, arguments: input }));
    last = await send({ type: 'step', data: { message: say, tool_calls } as JsonObject });
  }
  assert.deepEqual([last.reward, last.done, last.observation.grade.success], [1, true, 1]);
  assert.equal((await send({ type: 'state' })).step_count, gold.length);
  await disconnect();
});

test('OpenEnv @00173d4, MCPToolClient: a session over HTTP, its socket, tools by JSON-RPC', async () => {
  let id = 0;
  const rpc = async (method: string, params: JsonObject = {}) => {
    id += 1;
    const { status, body } = await server.post('/openenv/mcp', { jsonrpc: '2.0', method, params, id });
    assert.deepEqual([status, body.jsonrpc, body.id, body.error], [200, '2.0', id, undefined]);
    return body.result;
  };
  const { session_id } = await rpc('openenv/session/create');
  const { send, disconnect } = await connect(`/ws?session_id=${session_id}`);
  await send({ type: 'reset', data: { collection: 'case-management', scenario: 'lumbar-strain' } });
  const { tools } = await rpc('tools/list', { session_id });
  for (const tool of tools) assert.equal((tool.input_schema ?? tool.inputSchema).type, 'object');
  let last;
  for (const { name, input } of acts) last = await rpc('tools/call', { name, arguments: input, session_id });
  assert.deepEqual([last.structuredContent.reward, last.structuredContent.done], [1, true]);
  await disconnect();
  assert.deepEqual(await rpc('openenv/session/close', { session_id }), { closed: true });
});
