import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

import type { JsonObject } from '../../../base/json/value.ts';
import { mcpTools } from '../client/mcp-tools.ts';
import { ask } from '../testing/call.ts';
import type { McpAuthorization } from './setting.ts';

interface Seen extends AsyncDisposable {
  readonly url: string;
  readonly paths: string[];
  readonly tokenRequests: URLSearchParams[];
  /** Tokens that were given out before are good no longer. */
  revoke(): void;
  /** A browser, and a person who says yes. */
  readonly open: NonNullable<McpAuthorization['open']>;
}

/** An MCP server and its authorization server in one; `wrong` changes what the browser brings back. */
async function guarded({
  wrong = {},
  metadata = {},
}: { wrong?: Record<string, string>; metadata?: JsonObject } = {}): Promise<Seen> {
  const paths: string[] = [];
  const tokenRequests: URLSearchParams[] = [];
  let good = '';
  let given = 0;
  let url = '';
  const answer = (path: string, body: string, headers: IncomingMessage['headers']): [number, JsonObject] => {
    if (path.startsWith('/.well-known/oauth-protected-resource'))
      return [200, { resource: `${url}/mcp`, authorization_servers: [url], scopes_supported: ['tools'] }];
    if (path.startsWith('/.well-known/oauth-authorization-server'))
      return [
        200,
        {
          issuer: url,
          authorization_endpoint: `${url}/authorize`,
          token_endpoint: `${url}/token`,
          registration_endpoint: `${url}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
          authorization_response_iss_parameter_supported: true,
          ...metadata,
        },
      ];
    if (path === '/register') return [201, { ...(JSON.parse(body) as JsonObject), client_id: 'registered' }];
    if (path === '/token') {
      tokenRequests.push(new URLSearchParams(body));
      good = `token-${(given += 1)}`;
      return [200, { access_token: good, token_type: 'Bearer', refresh_token: 'refresh' }];
    }
    if (path !== '/mcp') return [404, {}];
    if (good === '' || headers.authorization !== `Bearer ${good}`) return [401, {}];
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    const results: Record<string, JsonObject> = {
      'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
      'tools/list': { tools: [{ name: 'do', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'done' }] },
    };
    return [200, { jsonrpc: '2.0', id, result: { resultType: 'complete', ...results[method] } }];
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { pathname } = new URL(request.url!, url);
    paths.push(pathname);
    const [status, said] = answer(pathname, body, request.headers);
    const challenge = `Bearer resource_metadata="${url}/.well-known/oauth-protected-resource"`;
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(status === 401 && { 'www-authenticate': challenge }),
    });
    response.end(JSON.stringify(said));
  };
  const http = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
  await once(http, 'listening');
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    url: `${url}/mcp`,
    paths,
    tokenRequests,
    revoke: () => (good = 'none'),
    open: (page) => {
      const back = new URL(page.searchParams.get('redirect_uri')!);
      const state = page.searchParams.get('state')!;
      for (const [name, value] of Object.entries({ code: 'a-code', state, iss: url, ...wrong }))
        back.searchParams.set(name, value);
      return back;
    },
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

test('a server that wants it is authorized with a person once, and a token that is over is refreshed without one', async () => {
  await using server = await guarded();
  let kept: JsonObject | undefined;
  let opened = 0;
  const auth: McpAuthorization = {
    open: (page) => {
      opened += 1;
      return server.open(page);
    },
    store: { load: () => kept, save: (credentials) => void (kept = credentials) },
  };
  {
    await using mcp = await mcpTools({ it: { url: server.url, auth } });
    assert.equal(await ask(mcp, 'it_do'), 'done');
    const [first] = server.tokenRequests;
    assert.equal(first?.get('code'), 'a-code');
    assert.equal(first?.get('resource'), server.url);
    assert.match(String(first?.get('code_verifier')), /^[\w.~-]{43,}$/);
    server.revoke();
    assert.equal(await ask(mcp, 'it_do'), 'done');
    assert.equal(server.tokenRequests[1]?.get('grant_type'), 'refresh_token');
  }
  await using again = await mcpTools({ it: { url: server.url, auth } });
  assert.equal(await ask(again, 'it_do'), 'done');
  assert.equal(server.tokenRequests.length, 2, 'what was kept is good in another process');
  assert.deepEqual([opened, server.paths.filter((path) => path === '/register').length], [1, 1]);
});

test('a program without a person authorizes itself with its secret', async () => {
  await using server = await guarded();
  await using mcp = await mcpTools({
    it: { url: server.url, auth: { clientId: 'me', clientSecret: 'secret' } },
  });
  assert.equal(await ask(mcp, 'it_do'), 'done');
  assert.equal(server.tokenRequests[0]?.get('grant_type'), 'client_credentials');
  assert.ok(!server.paths.includes('/register'));
});

test('an answer of the browser that was not asked for gives no token (mcp_unauthorized)', async () => {
  for (const [wrong, said] of [
    [{ state: 'made up' }, /`state` of another request/],
    [{ iss: 'https://evil.example' }, /came back from https:\/\/evil\.example/],
    [{ error: 'access_denied' }, /refused: access_denied/],
  ] as const) {
    await using server = await guarded({ wrong });
    const calling = mcpTools({ it: { url: server.url, auth: { open: server.open } } });
    await assert.rejects(calling, { code: 'mcp_unauthorized', message: said });
    assert.equal(server.tokenRequests.length, 0);
  }
});

test('metadata that speaks for another server is refused', async () => {
  await using server = await guarded({ metadata: { issuer: 'https://evil.example' } });
  const calling = mcpTools({ it: { url: server.url, auth: { open: server.open } } });
  await assert.rejects(calling, {
    code: 'mcp_unauthorized',
    message: /is that of "https:\/\/evil\.example"/,
  });
  assert.ok(!server.paths.includes('/register'));
});

test('without `auth`, the error says what to give', async () => {
  await using server = await guarded();
  await assert.rejects(mcpTools({ it: { url: server.url } }), {
    code: 'mcp_unauthorized',
    message: /Give it `auth`/,
  });
  await assert.rejects(mcpTools({ it: { url: server.url, auth: {} } }), { code: 'mcp_server_invalid' });
});
