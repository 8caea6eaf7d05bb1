import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

import { mcpTools } from './mcp-tools.ts';
import { ask } from '../testing/call.ts';

test('over HTTP, a list that the official server changes is read again', async () => {
  const server = new McpServer({ name: 'changing', version: '1' });
  const answer = { content: [{ type: 'text' as const, text: 'yes' }] };
  server.registerTool('first', { description: 'The first', inputSchema: { a: z.string() } }, () => answer);
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 'one' });
  await server.connect(transport as never);
  const listening = Promise.withResolvers<void>();
  const http = createServer((request, response) => {
    void transport.handleRequest(request, response);
    // Before the client has opened its stream, a notification would have nowhere to go.
    if (request.method === 'GET') listening.resolve();
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  try {
    const changed = Promise.withResolvers<void>();
    let begun = false;
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
    await using mcp = await mcpTools({ it: { url } }, { onChange: () => begun && changed.resolve() });
    assert.deepEqual(mcp.tools.names, ['it_first']);
    begun = true;
    await listening.promise;
    server.registerTool('second', { description: 'The second' }, () => answer);
    await changed.promise;
    assert.deepEqual(mcp.tools.names, ['it_first', 'it_second']);
    assert.equal(await ask(mcp, 'it_second'), 'yes');
  } finally {
    http.closeAllConnections();
    http.close();
  }
});
