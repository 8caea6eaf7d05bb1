import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';

import { resultText } from '../../../base/message/result.ts';
import { tool } from '../../tool/define-tool.ts';
import { failCall } from '../../tool/failure.ts';
import { toolOutput } from '../../tool/output.ts';
import { toolbox } from '../../tool/toolbox.ts';
import type { ToolSource } from '../../tool/toolbox.ts';
import { mcpTools } from '../client/mcp-tools.ts';
import { serveMcp } from './serve-mcp.ts';
import type { McpServing, ServeMcpOptions } from './serve-mcp.ts';
import { ask, call } from '../testing/call.ts';

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
let running = 0;
let together = 0;
let started = 0;
const box = toolbox(
  tool({
    name: 'weather',
    description: 'Weather of a city',
    input: city,
    idempotent: true,
    run: ({ city: where }) => `Rain in ${String(where)}`,
    noteOnRequest: ({ city: where }) => ({ label: 'Asking', detail: String(where) }),
  }),
  tool({
    name: 'picture',
    description: 'A picture and its data',
    run: () =>
      toolOutput(
        [
          { type: 'text', text: 'Here:' },
          { type: 'image', source: { kind: 'base64', data: pixel, mediaType: 'image/png' } },
          { type: 'document', title: 'a.txt', source: { kind: 'text', text: 'words' } },
          { type: 'image', source: { kind: 'url', url: 'https://example.org/a.png' } },
        ],
        { artifact: { secret: 'stays here' } },
      ),
  }),
  tool({ name: 'refuse', description: 'Cannot do it', run: () => failCall('No such city.') }),
  tool({
    name: 'broken',
    description: 'Throws',
    run: () => {
      throw new Error('out of paper');
    },
  }),
  tool({ name: 'hang', description: 'Never answers', timeout: 40, run: () => new Promise(() => undefined) }),
  tool({
    name: 'count',
    description: 'Counts to three',
    async *run() {
      for (let progress = 1; progress <= 3; progress++) {
        yield { progress, total: 3, message: `at ${progress}` };
        await Promise.resolve();
      }
      return 'three';
    },
  }),
  tool({
    name: 'odd',
    description: 'Tells what JSON cannot write',
    *run() {
      const loop: Record<string, unknown> = {};
      loop['self'] = loop;
      yield { rows: 5n };
      yield loop;
      yield { progress: Infinity, total: NaN, message: 'still here' };
      return 'done';
    },
  }),
  tool({ name: 'pay', description: 'Pays', approval: 'always', run: () => 'paid' }),
  tool({
    name: 'note',
    description: 'Writes as it is given',
    text: 'any',
    run: (words) => words.toUpperCase(),
  }),
  tool({ name: 'elsewhere', description: 'Runs at the client', input: city }),
  tool({
    name: 'alone',
    description: 'One at a time',
    concurrency: 'one-at-a-time',
    run: async () => {
      running += 1;
      together = Math.max(together, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return 'done';
    },
    start: () => (started += 1),
    stop: () => (started -= 1),
  }),
);

/** The official client against what we serve. */
async function official(
  tools: ToolSource,
  options: ServeMcpOptions = {},
): Promise<{ readonly client: Client; readonly serving: McpServing }> {
  const [theirs, ours] = InMemoryTransport.createLinkedPair();
  const serving = await serveMcp(tools, { ...options, transport: ours });
  const client = new Client({ name: 'judge', version: '1' });
  await client.connect(theirs);
  return { client, serving };
}

type Answer = { readonly isError?: boolean; readonly content: readonly { readonly text?: string }[] };

let client: Client;
let serving: McpServing;
before(async () => ({ client, serving } = await official(box)));
after(() => serving.close());

const callTool = async (name: string, args: Record<string, unknown> = {}): Promise<Answer> =>
  (await client.callTool({ name, arguments: args })) as unknown as Answer;

test('the official client lists the tools that run here, with their schemas', async () => {
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['weather', 'picture', 'refuse', 'broken', 'hang', 'count', 'odd', 'pay', 'note', 'alone'],
  );
  assert.deepEqual(tools[0], {
    name: 'weather',
    description: 'Weather of a city',
    inputSchema: city,
    annotations: { idempotentHint: true },
  });
});

test('the list comes in pages, and a cursor that is none is refused', async () => {
  const paged = await official(box, { pageSize: 4 });
  const names: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await paged.client.listTools(cursor === undefined ? {} : { cursor });
    names.push(...page.tools.map(({ name }) => name));
    cursor = page.nextCursor;
    pages += 1;
  } while (cursor !== undefined);
  assert.equal(pages, 3);
  assert.deepEqual(names, paged.serving.tools.names);
  await assert.rejects(paged.client.listTools({ cursor: 'nowhere' }), { code: -32602 });
  await paged.serving.close();
});

test('a call answers with text, images, documents and links; an artifact stays here', async () => {
  assert.deepEqual((await callTool('weather', { city: 'Oslo' })).content, [
    { type: 'text', text: 'Rain in Oslo' },
  ]);
  const answer = await callTool('picture');
  assert.deepEqual(answer.content, [
    { type: 'text', text: 'Here:' },
    { type: 'image', data: pixel, mimeType: 'image/png' },
    { type: 'resource', resource: { uri: 'document:a.txt', text: 'words', mimeType: 'text/plain' } },
    { type: 'resource_link', uri: 'https://example.org/a.png', name: 'image 4' },
  ]);
  assert.doesNotMatch(JSON.stringify(answer), /stays here/);
});

test('what a model did wrong is an error result in words that it can act on', async () => {
  const wrong = await callTool('weather', { city: 3 });
  assert.equal(wrong.isError, true);
  assert.match(String(wrong.content[0]?.text), /city: expected a string/);
  const unknown = await callTool('wether');
  assert.equal(unknown.isError, true);
  assert.match(String(unknown.content[0]?.text), /Did you mean "weather"\?/);
  assert.match(
    String((await callTool('elsewhere', { city: 'Oslo' })).content[0]?.text),
    /no tool "elsewhere"/,
  );
});

test('failures, throws and passed deadlines are error results', async () => {
  for (const [name, said] of [
    ['refuse', /No such city/],
    ['broken', /out of paper/],
    ['hang', /did not answer within 40 ms/],
  ] as const) {
    const answer = await callTool(name);
    assert.equal(answer.isError, true, name);
    assert.match(String(answer.content[0]?.text), said);
  }
});

test('a call that needs a person is refused where there is none, and runs where one agrees', async () => {
  const refused = await callTool('pay');
  assert.equal(refused.isError, true);
  assert.match(String(refused.content[0]?.text), /Nobody is at a terminal/);
  const approving = await official(box, { approve: () => true });
  const paid = (await approving.client.callTool({ name: 'pay' })) as unknown as Answer;
  assert.equal(paid.content[0]?.text, 'paid');
  await approving.serving.close();
});

test('notes and progress come as progress, each number greater than the one before', async () => {
  const heard: { readonly progress: number; readonly message?: string | undefined }[] = [];
  const listen = { onprogress: (progress: (typeof heard)[number]) => void heard.push(progress) };
  await client.callTool({ name: 'count' }, undefined, listen);
  assert.deepEqual(heard.slice(0, 2), [
    { progress: 1, total: 3, message: 'at 1' },
    { progress: 2, total: 3, message: 'at 2' },
  ]);
  heard.length = 0;
  await client.callTool({ name: 'weather', arguments: { city: 'Oslo' } }, undefined, listen);
  assert.deepEqual(heard, [{ progress: 0, message: 'Asking: Oslo' }]);
});

test('progress that JSON cannot write does not fail the call', async () => {
  const heard: { readonly message?: string | undefined }[] = [];
  const listen = { onprogress: (progress: (typeof heard)[number]) => void heard.push(progress) };
  const answer = (await client.callTool({ name: 'odd' }, undefined, listen)) as unknown as Answer;
  assert.deepEqual(answer.content, [{ type: 'text', text: 'done' }]);
  assert.deepEqual(heard.slice(0, 2), [{ progress: 0, message: '{"rows":"5"}' }, { progress: 0.001 }]);
});

test('a client that cancels ends the call', async () => {
  const signals: AbortSignal[] = [];
  const waiting = Promise.withResolvers<void>();
  const slow = tool({
    name: 'slow',
    description: 'Waits for its signal',
    run: async (_input, { signal }) => {
      signals.push(signal);
      waiting.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  });
  const cancelling = await official(slow);
  const controller = new AbortController();
  const calling = cancelling.client.callTool({ name: 'slow' }, undefined, { signal: controller.signal });
  await waiting.promise;
  controller.abort('enough');
  await assert.rejects(calling);
  await cancelling.client.ping();
  assert.equal(signals[0]?.aborted, true);
  await cancelling.serving.close();
});

test('a tool that takes text gets what is in its one field', async () => {
  assert.equal((await callTool('note', { input: 'as it is' })).content[0]?.text, 'AS IT IS');
});

test('tools that run one at a time do so, start once, and stop when serving ends', async () => {
  const own = await official(box);
  await Promise.all([1, 2, 3].map(() => own.client.callTool({ name: 'alone' })));
  assert.equal(together, 1);
  assert.equal(started, 1);
  await own.serving.close();
  assert.equal(started, 0);
});

test('over streamable HTTP, several clients have a session each, and one that ended is unknown', async () => {
  await using http = await serveMcp(box, { transport: 'http' });
  const url = new URL(String(http.url));
  const clients = await Promise.all(
    [1, 2].map(async () => {
      const transport = new StreamableHTTPClientTransport(url);
      const each = new Client({ name: 'judge', version: '1' });
      await each.connect(transport as never);
      return { each, transport };
    }),
  );
  for (const { each } of clients) {
    const answer = (await each.callTool({
      name: 'weather',
      arguments: { city: 'Oslo' },
    })) as unknown as Answer;
    assert.equal(answer.content[0]?.text, 'Rain in Oslo');
  }
  const [first, second] = clients;
  const session = String(first?.transport.sessionId);
  await first?.transport.terminateSession();
  assert.equal((await second?.each.listTools())?.tools.length, 10);
  const again = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': session,
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  });
  assert.equal(again.status, 404);
  for (const { each } of clients) await each.close();
});

test('over HTTP, pages of other sites, other names and other paths are refused', async () => {
  await using http = await serveMcp(box, { transport: 'http' });
  const url = String(http.url);
  const send = (to: string, headers: Record<string, string>): Promise<Response> =>
    fetch(to, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{}' });
  assert.equal((await send(url, { origin: 'https://example.org' })).status, 403);
  assert.equal((await send(url.replace('/mcp', '/'), {})).status, 404);
  assert.equal((await send(url, { accept: 'application/json, text/event-stream' })).status, 400);
  const port = Number(new URL(url).port);
  await assert.rejects(serveMcp(box, { transport: 'http', port }), { code: 'address_taken' });
});

test('our client and our server tell each other everything: parts, failures, progress', async () => {
  await using http = await serveMcp(box, { transport: 'http' });
  await using mcp = await mcpTools({ own: { url: String(http.url) } });
  assert.equal(await ask(mcp, 'own_weather', { city: 'Oslo' }), 'Rain in Oslo');
  const { result } = await call(mcp, 'own_picture');
  assert.deepEqual(
    result.content.map(({ type }) => type),
    ['text', 'image', 'text', 'text'],
  );
  assert.equal((await call(mcp, 'own_refuse')).result.errorCode, 'failed');
  assert.match(resultText((await call(mcp, 'own_hang')).result), /did not answer within 40 ms/);
});

test('over stdio, what a tool prints does not disturb the protocol, and the end of input ends the process', () => {
  const program = `
    import { serveMcp } from ${JSON.stringify(new URL('serve-mcp.ts', import.meta.url).href)};
    const serving = await serveMcp(async () => (console.log('while loading'), [
      { name: 'loud', description: 'Prints', isAvailable: () => new Promise((yes) => setTimeout(yes, 20, true)), run: () => (console.log('in a call'), 'quiet') },
    ]));
    await serving.done;
    console.log('afterwards');`;
  const lines = [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'j', version: '1' } },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'loud', arguments: {} } },
  ];
  const child = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    input: lines.map((line) => `${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`).join(''),
    encoding: 'utf8',
    timeout: 20_000,
  });
  assert.equal(child.status, 0, child.stderr);
  assert.match(child.stderr, /while loading\nin a call/);
  const out = child.stdout.trim().split('\n');
  assert.equal(out.at(-1), 'afterwards', 'standard output is given back');
  const answers = out.slice(0, -1).map((line) => JSON.parse(line) as { id: number; result: Answer });
  assert.deepEqual(
    answers.map(({ id }) => id),
    [1, 2],
    'what was asked before the end is answered',
  );
  assert.equal(answers[1]?.result.content[0]?.text, 'quiet');
});
