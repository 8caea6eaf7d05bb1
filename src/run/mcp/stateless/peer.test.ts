import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

import type { JsonObject } from '../../../base/json/value.ts';
import { tool } from '../../tool/define-tool.ts';
import { mcpTools } from '../client/mcp-tools.ts';
import type { McpOptions, McpTools } from '../client/mcp-tools.ts';
import { serveMcp } from '../server/serve-mcp.ts';
import { ask, call } from '../testing/call.ts';

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params: JsonObject & { readonly _meta: JsonObject };
  readonly headers: IncomingMessage['headers'];
}

type Act = (asked: Asked, response: ServerResponse) => JsonObject | string | undefined;

const object = { type: 'object' };
const listed = { tools: [{ name: 'do', inputSchema: object }], ttlMs: 0, cacheScope: 'private' };

interface ByHand extends AsyncDisposable {
  readonly mcp: McpTools;
  readonly asked: readonly Asked[];
}

/** A server that answers by hand: a result, a whole body, or (with nothing) by itself. */
async function byHand(act: Act, options: McpOptions = {}): Promise<ByHand> {
  const all: Asked[] = [];
  const http = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const asked = { ...(JSON.parse(body || '{}') as Asked), headers: request.headers };
    all.push(asked);
    const { id, method } = asked;
    const acted = act(asked, response);
    if (response.headersSent) return;
    const standard =
      method === 'server/discover'
        ? { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
        : method === 'tools/list'
          ? listed
          : undefined;
    const result = acted ?? standard;
    if (result === undefined) return;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      typeof result === 'string'
        ? result
        : JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } }),
    );
  };
  await once(http, 'listening');
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const mcp = await mcpTools({ it: { url } }, options);
  const close = async (): Promise<void> => {
    await mcp.close();
    http.closeAllConnections();
    http.close();
  };
  return { mcp, asked: all, [Symbol.asyncDispose]: close };
}

test('every request says who asks, in its body and its headers, and arguments go as headers where they are wanted', async () => {
  const region = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
  const wrong = { type: 'object', properties: { a: { type: 'number', 'x-mcp-header': 'A' } } };
  const tools = [
    { name: 'do', inputSchema: region },
    { name: 'wrong', inputSchema: wrong },
  ];
  await using server = await byHand(({ method }) =>
    method === 'tools/list'
      ? { tools }
      : method === 'tools/call'
        ? { content: [{ type: 'text', text: 'done' }] }
        : undefined,
  );
  assert.equal(await ask(server.mcp, 'it_do', { region: 'Tromsø' }), 'done');
  const { method, headers, params } = server.asked.at(-1)!;
  assert.equal(method, 'tools/call');
  assert.equal(headers['mcp-method'], 'tools/call');
  assert.equal(headers['mcp-name'], 'do');
  assert.equal(headers['mcp-protocol-version'], '2026-07-28');
  assert.equal(headers['mcp-param-region'], '=?base64?VHJvbXPDuA==?=');
  assert.equal(params._meta['io.modelcontextprotocol/protocolVersion'], '2026-07-28');
  assert.deepEqual(params._meta['io.modelcontextprotocol/clientCapabilities'], {});
  assert.deepEqual(server.mcp.tools.names, ['it_do']);
  assert.match(String(server.mcp.problems[0]?.message), /"wrong".*not on a string, an integer or a boolean/);
});

test('a question of the server goes to the person, and the call goes on with the answer', async () => {
  const heard: string[] = [];
  const question = {
    mode: 'form',
    message: 'Sure?',
    requestedSchema: { type: 'object', properties: { note: { type: 'string', default: 'none' } } },
  };
  await using server = await byHand(
    ({ method, params }) => {
      if (method !== 'tools/call') return undefined;
      if (params['inputResponses'] !== undefined)
        return {
          content: [
            { type: 'text', text: JSON.stringify([params['inputResponses'], params['requestState']]) },
          ],
        };
      return {
        resultType: 'input_required',
        inputRequests: { sure: { method: 'elicitation/create', params: question } },
        requestState: 'opaque',
      };
    },
    {
      elicit: ({ server, message }) => {
        heard.push(`${server}: ${message}`);
        return { action: 'accept', content: {} };
      },
    },
  );
  assert.equal(
    await ask(server.mcp, 'it_do'),
    '[{"sure":{"action":"accept","content":{"note":"none"}}},"opaque"]',
  );
  assert.deepEqual(heard, ['it: Sure?']);
});

test('what is asked for and cannot be given, and what is asked without end, is a failure that says so', async () => {
  const sampling = {
    resultType: 'input_required',
    inputRequests: { a: { method: 'sampling/createMessage', params: {} } },
  };
  await using asking = await byHand(({ method }) => (method === 'tools/call' ? sampling : undefined));
  assert.match(await ask(asking.mcp, 'it_do'), /asks for "sampling\/createMessage"/);
  const again = { resultType: 'input_required', requestState: 'x' };
  await using endless = await byHand(({ method }) => (method === 'tools/call' ? again : undefined));
  assert.match(await ask(endless.mcp, 'it_do'), /asked more than 10 times/);
});

test('hostile answers cost their call and no more', async () => {
  const hostile: Record<string, Act> = {
    'answered request 99': () => '{"jsonrpc":"2.0","id":99,"result":{"content":[]}}',
    'larger than 1000000 bytes': () =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(10_000_000) } }),
    'no MCP message': () => '<html>',
    'neither a result nor an error': ({ id }) => JSON.stringify({ jsonrpc: '2.0', id, result: 'yes' }),
    'went away while': ({ id }, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: {"jsonrpc":"2.0","id":${id + 1},"result":{"content":[]}}\n\ndata: {\n\n`);
      return undefined;
    },
    'with status 500': (_asked, response) => void response.writeHead(500).end(),
  };
  let act: Act = () => undefined;
  await using server = await byHand(
    (asked, response) => (asked.method === 'tools/call' ? act(asked, response) : undefined),
    {
      maxMessageBytes: 1_000_000,
    },
  );
  for (const [said, each] of Object.entries(hostile)) {
    act = each;
    const { result } = await call(server.mcp, 'it_do');
    assert.equal(result.isError, true, said);
    assert.match(JSON.stringify(result.content), new RegExp(said));
  }
});

test('a list that never ends, or comes in circles, ends here', async () => {
  await using endless = await byHand(({ id, method }) =>
    method === 'tools/list' ? { ...listed, nextCursor: `c${id}` } : undefined,
  );
  assert.deepEqual(endless.mcp.tools.names, ['it_do']);
  assert.ok(endless.mcp.problems.some(({ code }) => code === 'cursor_repeats'));
});

test('a server that only knows sessions is spoken to in sessions, and one that is pinned is not', async () => {
  const odd = {
    command: process.execPath,
    args: [fileURLToPath(new URL('../testing/odd-server.ts', import.meta.url))],
  };
  await using mcp = await mcpTools({ odd: { ...odd, only: ['process_id'], protocol: 'auto' } });
  assert.match(await ask(mcp, 'odd_process_id'), /^\d+$/);
  await assert.rejects(mcpTools({ odd: { ...odd, protocol: '2026-07-28' } }), { code: 'mcp_unreachable' });
  await assert.rejects(mcpTools({ odd: { ...odd, protocol: '2024' as never } }), {
    code: 'mcp_server_invalid',
  });
});

test('a server that is started here is spoken to in the newer protocol where the setting says so', async () => {
  const program = `
    import { serveMcp } from ${JSON.stringify(new URL('../server/serve-mcp.ts', import.meta.url).href)};
    const serving = await serveMcp({ name: 'hang', description: 'Hangs', async *run(_input, { signal }) {
      yield 'begun'; await new Promise((resolve) => signal.addEventListener('abort', resolve)); console.log(String(signal.reason)); } });
    await serving.done;`;
  const server = {
    command: process.execPath,
    args: ['--input-type=module', '--eval', program],
    protocol: '2026-07-28',
  } as const;
  await using mcp = await mcpTools({ own: server }, { timeout: 200 });
  assert.match(await ask(mcp, 'own_hang'), /gave no sign of life for 200 ms/);
  assert.match(await ask(mcp, 'own_none'), /no tool "own_none"/);
});

test('an approval at our server is asked of the person at our client', async () => {
  const pay = tool({ name: 'pay', description: 'Pays', approval: 'always', run: () => 'paid' });
  await using serving = await serveMcp(pay, { transport: 'http' });
  for (const protocol of ['2026-07-28', '2025-11-25'] as const) {
    const allow = [true, false];
    await using mcp = await mcpTools(
      { own: { url: String(serving.url), protocol } },
      { elicit: () => ({ action: 'accept', content: { allow: allow.shift()! } }) },
    );
    assert.equal(await ask(mcp, 'own_pay'), 'paid');
    assert.match(await ask(mcp, 'own_pay'), /The person said no/);
  }
});
