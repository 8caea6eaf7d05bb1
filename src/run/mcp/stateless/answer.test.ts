import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';

import type { JsonObject } from '../../../base/json/value.ts';
import { tool } from '../../tool/define-tool.ts';
import { toolbox } from '../../tool/toolbox.ts';
import { serveMcp } from '../server/serve-mcp.ts';
import type { McpServing } from '../server/serve-mcp.ts';
import { encodeHeader } from './headers.ts';
import { clientOf, mcpClient } from '../server/mcp-client.ts';

let paid = 0;
const ended = Promise.withResolvers<unknown>();
const box = toolbox(
  tool({
    name: 'weather',
    description: 'Weather of a city',
    input: {
      type: 'object',
      properties: { city: { type: 'string', 'x-mcp-header': 'City' } },
      required: ['city'],
    },
    run: ({ city }) => `Rain in ${String(city)}`,
  }),
  tool({
    name: 'count',
    description: 'Counts',
    async *run() {
      yield { progress: 1, total: 2 };
      await Promise.resolve();
      return 'two';
    },
  }),
  tool({
    name: 'hang',
    description: 'Waits for its signal',
    async *run(_input, { signal }) {
      yield 'begun';
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      ended.resolve(signal.reason);
    },
  }),
  tool({
    name: 'pay',
    description: 'Pays',
    input: { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'] },
    approval: 'always',
    run: ({ sum }) => `paid ${String(sum)}, for the ${(paid += 1)}. time`,
  }),
);

/** What was asked of whom, each time that the tool began. */
let begun = 0;
const order = tool({
  name: 'order',
  description: 'Orders a shirt',
  concurrency: 'one-at-a-time',
  run: async (_input, context) => {
    begun += 1;
    const form = (message: string, type: string) => ({
      message,
      schema: { type: 'object', properties: { it: { type } }, required: ['it'] },
    });
    const client = mcpClient(context)!;
    const [size, count] = await Promise.all([
      client.elicit('size', form('Which size?', 'string')),
      client.elicit('count', form('How many?', 'integer')),
    ]);
    const gift = await client.elicit('gift', form('Is it a gift?', 'boolean'));
    return JSON.stringify(
      [size, count, gift].map((each) => each.action === 'accept' && each.content?.['it']),
    );
  },
});

let serving: McpServing;
before(
  async () => (serving = await serveMcp([box, order], { transport: 'http', instructions: 'Ask nicely.' })),
);
after(() => serving.close());

interface Answered {
  readonly status: number;
  readonly body: {
    readonly id: unknown;
    readonly error?: { readonly code: number; readonly data?: JsonObject };
    readonly result?: JsonObject & { readonly content?: readonly { readonly text: string }[] };
  };
}

async function ask(
  method: string,
  params: JsonObject = {},
  { headers = {}, capabilities = {} }: { headers?: Record<string, string>; capabilities?: JsonObject } = {},
): Promise<Answered> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const name = params['name'];
  const response = await fetch(String(serving.url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': encodeHeader(name) }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: { _meta, ...params } }),
  });
  return { status: response.status, body: (await response.json()) as Answered['body'] };
}

test('the official client of the newer protocol is served beside that of the older one, at one address', async () => {
  for (const mode of ['auto', { pin: '2026-07-28' }, 'legacy'] as const) {
    const client = new Client({ name: 'judge', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(String(serving.url))));
    assert.equal(
      client.getNegotiatedProtocolVersion(),
      mode === 'legacy' ? '2025-11-25' : '2026-07-28',
      JSON.stringify(mode),
    );
    assert.equal(client.getInstructions(), 'Ask nicely.');
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      [...box.names, 'order'],
    );
    const answer = await client.callTool({ name: 'weather', arguments: { city: 'Tromsø' } });
    assert.deepEqual(answer.content, [{ type: 'text', text: 'Rain in Tromsø' }]);
    const heard: number[] = [];
    await client.callTool({ name: 'count' }, { onprogress: ({ progress }) => void heard.push(progress) });
    assert.deepEqual(heard, [1]);
    await client.close();
  }
});

test('a person at the client is asked for an approval, in both protocols, and decides for this call', async () => {
  for (const mode of ['auto', 'legacy'] as const) {
    const asked: string[] = [];
    const allow = [true, false];
    const client = new Client(
      { name: 'judge', version: '1' },
      { versionNegotiation: { mode }, capabilities: { elicitation: {} } },
    );
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { allow: allow.shift() ?? false } };
    });
    await client.connect(new StreamableHTTPClientTransport(new URL(String(serving.url))));
    const yes = await client.callTool({ name: 'pay', arguments: { sum: 5 } });
    assert.match(JSON.stringify(yes.content), /paid 5/);
    const no = await client.callTool({ name: 'pay', arguments: { sum: 6 } });
    assert.match(JSON.stringify(no.content), /The person said no/);
    assert.match(String(asked[0]), /May "pay" run\?\n\{\n {2}"sum": 5\n\}/);
    await client.close();
  }
  assert.equal(paid, 2);
});

test('the seal of a question holds for one call with its arguments, and once', async () => {
  const form = { capabilities: { elicitation: {} } };
  const pay = (more: JsonObject): Promise<Answered> => ask('tools/call', { name: 'pay', ...more }, form);
  const question = await pay({ arguments: { sum: 7 } });
  assert.equal(question.body.result?.['resultType'], 'input_required');
  const requestState = String(question.body.result?.['requestState']);
  const [key = ''] = Object.keys(question.body.result?.['inputRequests'] as JsonObject);
  const inputResponses = { [key]: { action: 'accept', content: { allow: true } } };
  const [sealed = '', sign] = requestState.split('.');
  const opened = JSON.parse(Buffer.from(sealed, 'base64url').toString()) as JsonObject;
  const later = Buffer.from(JSON.stringify({ ...opened, until: 9e15 })).toString('base64url');
  const before = paid;
  for (const wrong of [
    { arguments: { sum: 8 }, requestState },
    { arguments: { sum: 7 }, requestState: `${requestState}x` },
    { arguments: { sum: 7 }, requestState: 'made up' },
    { arguments: { sum: 7 }, requestState: `${later}.${sign}` },
  ])
    assert.equal((await pay({ ...wrong, inputResponses })).body.error?.code, -32602, JSON.stringify(wrong));
  assert.equal(paid, before);
  const again = await pay({ arguments: { sum: 7 }, requestState });
  assert.equal(again.body.result?.['resultType'], 'input_required', 'without an answer it is asked anew');
  const done = await pay({ arguments: { sum: 7 }, requestState, inputResponses });
  assert.match(String(done.body.result?.content?.[0]?.text), /paid 7/);
  assert.equal((await pay({ arguments: { sum: 7 }, requestState, inputResponses })).body.error?.code, -32602);
  assert.equal(paid, before + 1);
});

test('what a tool asks goes out together, is answered by the call sent again, and must fit the question', async () => {
  const form = { capabilities: { elicitation: {} } };
  const call = async (more: JsonObject = {}): Promise<JsonObject> =>
    (await ask('tools/call', { name: 'order', ...more }, form)).body.result!;
  const asked = ({ inputRequests }: JsonObject): readonly string[] =>
    Object.keys(inputRequests as JsonObject);
  const accept = (it: string | number | boolean): JsonObject => ({ action: 'accept', content: { it } });
  await call(); // A question that nobody answers does not hold up the calls that wait in line behind it.
  const first = await call();
  assert.deepEqual(asked(first), ['size', 'count']);
  const { requestState } = first;
  const wrong = { size: accept('M'), count: accept('many'), gift: accept(true) };
  const second = await call({ requestState: requestState!, inputResponses: wrong });
  assert.deepEqual(asked(second), ['count'], 'what does not fit is asked again');
  const third = await call({ requestState: second['requestState']!, inputResponses: { count: accept(2) } });
  assert.deepEqual(asked(third), ['gift'], 'what was not asked was not answered either');
  const last = { requestState: third['requestState']!, inputResponses: { gift: { action: 'decline' } } };
  const done = await call(last);
  assert.match(JSON.stringify(done['content']), /\[\\"M\\",2,false\]/);
  assert.equal(begun, 5);
  assert.equal((await ask('tools/call', { name: 'order', ...last }, form)).body.error?.code, -32602);
  const unasked = await ask('tools/call', { name: 'order' });
  assert.deepEqual([unasked.status, unasked.body.error?.code], [400, -32021]);
  assert.deepEqual(unasked.body.error?.data, { requiredCapabilities: { elicitation: {} } });
});

test('in a session, the same questions go out while the call waits', async () => {
  const client = new Client(
    { name: 'judge', version: '1' },
    { versionNegotiation: { mode: 'legacy' }, capabilities: { elicitation: {} } },
  );
  const answers: Readonly<Record<string, string | number>> = {
    'Which size?': 'L',
    'How many?': 1,
    'Is it a gift?': 'no',
  };
  client.setRequestHandler('elicitation/create', ({ params }) => ({
    action: 'accept',
    content: { it: answers[params.message]! },
  }));
  await client.connect(new StreamableHTTPClientTransport(new URL(String(serving.url))));
  const before = begun;
  const answer = await client.callTool({ name: 'order' });
  assert.match(JSON.stringify(answer.content), /answer to \\"gift\\" does not fit the question/);
  assert.equal(begun, before + 1);
  await client.close();
  const mute = new Client({ name: 'judge', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
  await mute.connect(new StreamableHTTPClientTransport(new URL(String(serving.url))));
  assert.match(JSON.stringify(await mute.callTool({ name: 'order' })), /did not declare.*elicitation/);
  await mute.close();
  assert.equal(mcpClient({ injected: {} }), undefined);
  const nobody = clientOf({ elicitation: {} }, () => Promise.resolve({}));
  await assert.rejects(nobody.ask('where', 'roots/list'), { code: 'mcp_cannot_ask' });
});

test('a client that cannot ask is told no, and runs nothing', async () => {
  const { body } = await ask('tools/call', { name: 'pay', arguments: { sum: 1 } });
  assert.match(String(body.result?.content?.[0]?.text), /Nobody is at a terminal/);
});

test('headers that do not say what the body says are refused, with the id of the request', async () => {
  const call = { name: 'weather', arguments: { city: 'Oslo' } };
  const city = (value: string) => ({ headers: { 'mcp-param-city': value } });
  assert.equal((await ask('tools/call', call, city('Oslo'))).status, 200);
  assert.equal((await ask('tools/call', call, city('=?base64?T3Nsbw==?='))).status, 200);
  for (const options of [
    { headers: { 'mcp-method': 'TOOLS/CALL' } },
    { headers: { 'mcp-name': 'other', ...city('Oslo').headers } },
    { headers: { 'mcp-protocol-version': '2025-11-25', ...city('Oslo').headers } },
    {},
    city('Bergen'),
    city('=?base64?T3Nsbw?='),
  ]) {
    const { status, body } = await ask('tools/call', call, options);
    assert.deepEqual([status, body.error?.code, body.id], [400, -32020, 7], JSON.stringify(options));
  }
});

test('what is missing, unknown or no longer there has its code and status', async () => {
  const noMeta = await ask('server/discover', { _meta: {} });
  assert.deepEqual([noMeta.status, noMeta.body.error?.code], [400, -32602]);
  for (const method of ['ping', 'initialize', 'logging/setLevel', 'no/such']) {
    const { status, body } = await ask(method);
    assert.deepEqual([status, body.error?.code], [404, -32601], method);
  }
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
  const newer = await ask('tools/list', { _meta }, { headers: { 'mcp-protocol-version': '2099-01-01' } });
  assert.deepEqual([newer.status, newer.body.error?.code], [400, -32022]);
  assert.equal(newer.body.error?.data?.['requested'], '2099-01-01');
  const list = await ask('tools/list', { cursor: 'nowhere' });
  assert.deepEqual([list.status, list.body.error?.code], [200, -32602]);
});

test('a body that is too large, or not JSON, is refused before anything runs', async () => {
  const post = (body: string): Promise<Response> =>
    fetch(String(serving.url), { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  assert.equal((await post('{')).status, 400);
  const sent = post(`"${'x'.repeat(10_000_000)}"`).then(
    ({ status }) => status,
    () => 413, // The connection is closed in the middle of what is sent.
  );
  assert.equal(await sent, 413);
});

test('who closes the stream cancels the call', async () => {
  const client = new Client({ name: 'judge', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(String(serving.url))));
  const leaving = new AbortController();
  const calling = client.callTool(
    { name: 'hang' },
    { signal: leaving.signal, onprogress: () => leaving.abort('enough') },
  );
  await assert.rejects(calling);
  assert.match(String(await ended.promise), /closed the stream/);
  await client.close();
});

test('over one pipe, a client may ask in the newer way, and the older handshake still works', async () => {
  const [theirs, ours] = InMemoryTransport.createLinkedPair();
  await using _piped = await serveMcp(box, { transport: ours });
  const client = new Client({ name: 'judge', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(theirs as never);
  assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
  const answer = await client.callTool({ name: 'weather', arguments: { city: 'Oslo' } });
  assert.deepEqual(answer.content, [{ type: 'text', text: 'Rain in Oslo' }]);
  await client.close();
});
