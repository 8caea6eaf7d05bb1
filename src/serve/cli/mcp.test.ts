import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import {
  Client as NewerClient,
  StreamableHTTPClientTransport as NewerTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { mcpTools } from '../../run/mcp/client/mcp-tools.ts';
import { ask } from '../../run/mcp/testing/call.ts';

const whet = fileURLToPath(new URL('../../../bin/whet.js', import.meta.url));
const room = mkdtempSync(join(tmpdir(), 'whet-cli-mcp-'));
after(() => rmSync(room, { recursive: true }));
writeFileSync(
  join(room, 'tools.ts'),
  `import { tool } from 'whetstone';
console.log('printed while loading');
export const weather = tool({
  name: 'weather', description: 'Weather of a city',
  input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  run: ({ city }) => (console.log('printed in a call'), \`Rain in \${city}\`),
});
export const pay = tool({ name: 'pay', description: 'Pays', approval: 'always', run: () => 'paid' });
`,
);

const whetMcp = (...given: string[]) =>
  spawnSync(process.execPath, [whet, 'mcp', ...given], { cwd: room, encoding: 'utf8', input: '' });

test('whet mcp serves a module to the official client over stdio, and a person who is not there says no', async (context) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [whet, 'mcp', 'tools.ts'],
    cwd: room,
    stderr: 'ignore',
  });
  const client = new Client({ name: 'judge', version: '1' });
  context.after(() => client.close());
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['pay', 'weather'],
  );
  const call = async (name: string, args: Record<string, unknown>): Promise<string> =>
    JSON.stringify(await client.callTool({ name, arguments: args }));
  assert.match(await call('weather', { city: 'Oslo' }), /"Rain in Oslo"/);
  assert.match(await call('weather', {}), /city: expected a string.*"isError":true/);
  assert.match(await call('pay', {}), /did not allow.*Nobody is at a terminal.*"isError":true/);
});

test('whet mcp --http says where it is, is called by ours and by the official clients, and ends with Ctrl-C', async () => {
  const child = spawn(
    process.execPath,
    [whet, 'mcp', 'tools.ts', '--http', '--port', '0', '--yes', '--name', 'mine'],
    { cwd: room, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  for await (const chunk of child.stderr) {
    said += String(chunk);
    if (said.includes('/mcp')) break;
  }
  const url = /2 tools at (http:\S+)/.exec(said)?.[1];
  assert.ok(url !== undefined, said);
  {
    await using mcp = await mcpTools({ own: { url } });
    assert.equal(await ask(mcp, 'own_weather', { city: 'Oslo' }), 'Rain in Oslo');
    assert.equal(await ask(mcp, 'own_pay'), 'paid');
  }
  const older = new Client({ name: 'judge', version: '1' });
  await older.connect(new StreamableHTTPClientTransport(new URL(url)) as never);
  const newer = new NewerClient({ name: 'judge', version: '2' }, { versionNegotiation: { mode: 'auto' } });
  await newer.connect(new NewerTransport(new URL(url)));
  assert.equal(newer.getNegotiatedProtocolVersion(), '2026-07-28');
  for (const client of [older, newer]) {
    const answer = await client.callTool({ name: 'weather', arguments: { city: 'Bergen' } });
    assert.deepEqual(answer.content, [{ type: 'text', text: 'Rain in Bergen' }]);
  }
  await newer.close();
  const taken = whetMcp('tools.ts', '--http', '--port', new URL(url).port);
  assert.notEqual(taken.status, 0);
  assert.match(taken.stderr, /Port \d+ is taken on 127\.0\.0\.1\. Choose another/);
  const ended = once(child, 'exit');
  child.kill('SIGINT'); // One client is still there: it is not waited for.
  assert.deepEqual((await ended).slice(0, 1), [0]);
});

test('whet mcp says what is wrong with how it was called', () => {
  const port = whetMcp('tools.ts', '--port', '8');
  assert.equal(port.status, 2);
  assert.match(port.stderr, /--port is for --http/);
  const far = whetMcp('tools.ts', '--http', '--port', '99999');
  assert.equal(far.status, 2);
  assert.match(far.stderr, /whole number from 0 to 65535/);
  const none = whetMcp('nowhere.ts');
  assert.equal(none.status, 2);
  assert.match(none.stderr, /nothing at nowhere\.ts/);
  assert.equal(none.stdout, '');
});
