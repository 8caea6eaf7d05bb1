// Exchanges as NeMo Gym's own agents hold them (NVIDIA-NeMo/Gym at 07d6b0d07b22): simple_agent, its Gymnasium agent,
// `gym eval reverify` and the metrics of its collector.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { findScenario } from '../../../grade/scenario/load/catalog.ts';
import { buildTask } from '../../../grade/scenario/build-task.ts';
import {
  bundledCatalog,
  testServer,
  type Answer,
  type TestServer,
} from '../../server/testing/test-server.ts';

const metadata = { collection: 'case-management', scenario: 'lumbar-strain', variant: 0 };
const row = {
  responses_create_params: { input: 'Begin.' },
  verifier_metadata: metadata,
  _ng_task_index: 3,
  own: [1],
};
const task = buildTask(findScenario(bundledCatalog, 'case-management', 'lumbar-strain'));

interface Call {
  readonly name: string;
  readonly input: unknown;
}

const gold: readonly Call[] = task.gold.flatMap(({ say, calls = [] }) => [
  ...(say === undefined ? [] : [{ name: 'say', input: { message: say } }]),
  ...calls.map(({ name, input }) => ({ name, input })),
]);

function responseOf(calls: readonly Call[], words?: string) {
  const written = calls.map(({ name, input }, index) => ({
    ...{ type: 'function_call', call_id: `call_${index}`, name, arguments: JSON.stringify(input) },
  }));
  const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: words }] };
  return { id: 'resp', object: 'response', output: words === undefined ? written : [message, ...written] };
}

/** An agent as theirs: it sends the cookies of the last answer, and no others. */
class Agent {
  readonly #server: TestServer;
  readonly #root: string;
  cookie: string | undefined;

  constructor(server: TestServer, root = '/nemo-gym') {
    this.#server = server;
    this.#root = root;
  }

  async post(path: string, body: unknown): Promise<Answer> {
    const headers = this.cookie === undefined ? {} : { cookie: this.cookie };
    const answer = await this.#server.post(`${this.#root}${path}`, body, headers);
    this.cookie = answer.headers.get('set-cookie')?.split(';')[0];
    return answer;
  }
}

async function playAll(agent: Agent, calls: readonly Call[]): Promise<Answer> {
  assert.equal((await agent.post('/seed_session', row)).status, 200);
  for (const { name, input } of calls) await agent.post(`/${name}`, input);
  return agent.post('/verify', { ...row, response: responseOf(calls) });
}

test('a rollout of the simple agent ends with the reward of its episode, and everything of the row', async () => {
  const server = await testServer();
  const agent = new Agent(server);
  const { status, body } = await playAll(agent, gold);
  assert.equal(status, 200);
  const { reward, reward_components: components, episode_id: id, response, own, success } = body;
  assert.equal(success, 1);
  assert.ok(Math.abs(components.success + components.progress - reward) < 1e-5);
  assert.deepEqual(
    [response, own, body.responses_create_params],
    [responseOf(gold), [1], row.responses_create_params],
  );
  const stored = (await server.get(`/api/v1/episodes/${id}`)).body;
  assert.equal(stored.status, 'complete');
  const again = await agent.post('/verify', { ...row, response: responseOf(gold) });
  assert.deepEqual(again.body, body);
});

test('what is verified without its session gives the number that was stored', async () => {
  const server = await testServer();
  const wrong = [
    { name: 'nope', input: {} },
    { name: 'say', input: [1, 2] },
    { name: 'medical_assessment', input: 'x' },
    { name: 'claim_status', input: { value: 'denied' } },
  ];
  const said = task.gold[0]?.say ?? '';
  const echo = async (): Promise<Call[]> => {
    const agent = new Agent(server);
    await agent.post('/seed_session', row);
    const { text } = await agent.post('/say', { message: said });
    return [gold[0] as Call, { name: 'say', input: { message: text } }, ...gold.slice(1)];
  };
  const finish = { name: 'finish', input: {} };
  const rollouts = [gold, [], gold.slice(0, 2), [...wrong, ...gold], wrong, await echo(), [finish, ...gold]];
  for (const calls of rollouts) {
    const { body: live } = await playAll(new Agent(server), calls);
    const stored = calls.map(({ name, input }) => ({ name: `mcp__whetstone__${name}`, input }));
    const { body: again } = await new Agent(server).post('/verify', { ...row, response: responseOf(stored) });
    assert.equal(again.reward, live.reward);
    assert.deepEqual(again.reward_components, live.reward_components);
    assert.equal(again.response.output[0]?.name, stored[0]?.name);
  }
  assert.equal((await server.get('/nemo-gym/reverify_mode')).text, '"stateless"');
});

test('a refusal is text that costs no turn, and sets the cookie again', async () => {
  const server = await testServer();
  const agent = new Agent(server, '/nemo-gym/ng-rollout/run-1.a');
  await agent.post('/seed_session', row);
  const { cookie } = agent;
  assert.match(cookie ?? '', /^whet=[\w.~-]+$/);
  for (const [path, body] of [
    ['/nope', {}],
    ['/say', [1, 2]],
    ['/say', undefined],
  ] as const) {
    const { status, headers } = await agent.post(path, body);
    assert.equal(status, 400);
    assert.match(headers.get('content-type') ?? '', /^text\/plain/);
    assert.equal(agent.cookie, cookie);
  }
  const { body } = await agent.post('/verify', { ...row, response: responseOf([]) });
  assert.equal((await server.get(`/api/v1/episodes/${body.episode_id}`)).body.turns.length, 0);
});

test('only a row that names no task, or another than the session plays, is refused', async () => {
  const server = await testServer();
  const agent = new Agent(server);
  assert.equal((await agent.post('/seed_session', { responses_create_params: {} })).status, 422);
  const unknown = { ...row, verifier_metadata: { ...metadata, scenario: 'nope' } };
  assert.equal((await agent.post('/seed_session', unknown)).status, 404);
  assert.equal((await agent.post('/say', { message: 'Hello' })).status, 404);
  await agent.post('/seed_session', row);
  const other = { ...row, verifier_metadata: { ...metadata, variant: 1 }, response: responseOf([]) };
  assert.equal((await agent.post('/verify', other)).status, 422);
});

test('the rewards of the Gymnasium agent add up to the stored grade, wherever it stops', async () => {
  const server = await testServer();
  for (const steps of [1, 3, task.gold.length]) {
    const agent = new Agent(server);
    const { body: first } = await agent.post('/reset', row);
    assert.equal(first.info.supports_step_idempotency, true);
    let sum = 0;
    for (const [index, { say = '', calls = [] }] of task.gold.slice(0, steps).entries()) {
      const body = {
        ...row,
        response: responseOf(calls, say),
        _ng_step_request_id: index.toString(16).padStart(32, '0'),
      };
      const { body: answer } = await agent.post('/step', body);
      assert.deepEqual((await agent.post('/step', body)).body, answer);
      sum += answer.reward;
      if (answer.terminated) break;
      assert.equal(answer.info.tool_outputs.length, calls.length);
    }
    assert.equal((await agent.post('/close', {})).status, 200);
    assert.equal((await agent.post('/close', {})).status, 200);
    const { body: graded } = await agent.post('/verify', { ...row, response: responseOf([]) });
    assert.ok(Math.abs(sum - graded.reward) < 1e-12, `${sum} for ${graded.reward}`);
  }
});

test('plays over MCP by the token that the session was seeded with', async () => {
  const server = await testServer();
  const agent = new Agent(server);
  const { mcp } = (await agent.post('/seed_session', row)).body;
  const rpc = async (method: string, params: unknown, headers: Record<string, string>) =>
    (await server.post(`/nemo-gym${mcp.url_path}`, { jsonrpc: '2.0', id: 1, method, params }, headers)).body
      .result;
  assert.ok((await rpc('initialize', {}, {})).capabilities.tools);
  const { tools } = await rpc('tools/list', {}, mcp.headers);
  assert.ok(tools.some(({ name }: { name: string }) => name === 'medical_assessment'));
  const hello = { name: 'say', arguments: { message: task.gold[0]?.say } };
  assert.equal((await rpc('tools/call', hello, mcp.headers)).isError, false);
  assert.equal((await rpc('tools/call', { name: 'nope' }, mcp.headers)).isError, true);
  assert.equal((await rpc('tools/call', hello, {})).isError, true);
  assert.equal((await rpc('tools/call', hello, { 'X-NeMo-Gym-Session-Token': 'ng_forged' })).isError, true);
});

test('gives the statistics that their collector would compute', async () => {
  const server = await testServer();
  const agent = new Agent(server);
  const one = {
    reward: 1,
    success: true,
    _ng_task_index: 0,
    _ng_rollout_index: 0,
    response: { usage: { total_tokens: 10 } },
  };
  const other = { ...one, reward: 0, success: false, _ng_rollout_index: 1 };
  const { body } = await agent.post('/aggregate_metrics', { verify_responses: [one, other] });
  assert.deepEqual(body.key_metrics, { 'mean/reward': 0.5, 'mean/success': 0.5, 'mean/total_tokens': 10 });
  assert.equal(body.agent_metrics['std/reward'], Math.SQRT1_2);
  const [group] = body.group_level_metrics;
  assert.deepEqual([group.num_rollouts, group.rollout_infos[1].rollout_id], [2, '0:1']);
  const single = (await agent.post('/aggregate_metrics', { verify_responses: [one] })).body;
  assert.equal(single.agent_metrics['std/reward'], 0);
  const none = { group_level_metrics: [], agent_metrics: {}, key_metrics: {} };
  assert.deepEqual((await agent.post('/aggregate_metrics', { verify_responses: [] })).body, none);
});

test('a row of the dataset seeds a session at the root', async () => {
  const server = await testServer({ protocol: 'nemo-gym' });
  for (const style of ['tools', 'gymnasium']) {
    const { text } = await server.get(`/dataset?split=train&limit=3&style=${style}`);
    const rows = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(rows.length, 3);
    const [first] = rows;
    const names = first.responses_create_params.tools.map(({ name }: { name: string }) => name);
    assert.equal(names.includes('say'), style === 'tools');
    assert.equal((await new Agent(server, '').post('/seed_session', first)).status, 200);
  }
  assert.ok((await server.get('/')).status < 500);
});
