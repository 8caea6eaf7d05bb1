import assert from 'node:assert/strict';
import { test } from 'node:test';

import { tool } from '../../tool/define-tool.ts';
import { mcpTools } from '../client/mcp-tools.ts';
import { serveMcp } from '../server/serve-mcp.ts';
import type { ServeMcpOptions } from '../server/serve-mcp.ts';

const nothing = tool({ name: 'nothing', description: 'Does nothing', run: () => undefined });
const image = {
  type: 'image',
  source: { kind: 'base64', data: 'iVBORw0KGgo=', mediaType: 'image/png' },
} as const;
const offers: ServeMcpOptions = {
  transport: 'http',
  resources: [
    { uri: 'notes://today', name: 'Today', mimeType: 'text/plain', read: () => 'Rain.' },
    {
      uri: 'notes://picture',
      name: 'Picture',
      mimeType: 'image/png',
      read: () => Buffer.from('iVBORw0KGgo=', 'base64'),
    },
    {
      uri: 'notes://{year}/day.{day}',
      name: 'Any day',
      read: (_uri, { year, day }) => `${year}, day ${day}`,
    },
  ],
  prompts: [
    {
      name: 'greet',
      description: 'A greeting',
      arguments: [{ name: 'who', required: true }],
      get: ({ who }) => [
        { role: 'user', content: [{ type: 'text', text: `Greet ${who}.` }, image] },
        { role: 'assistant', content: `Hello, ${who}.` },
      ],
    },
  ],
};

for (const protocol of ['2026-07-28', '2025-11-25'] as const)
  test(`resources and prompts go both ways in the protocol of ${protocol}`, async () => {
    await using serving = await serveMcp(nothing, offers);
    await using mcp = await mcpTools({ own: { url: String(serving.url), protocol } });
    assert.deepEqual(await mcp.resources(), [
      { server: 'own', uri: 'notes://today', name: 'Today', mimeType: 'text/plain' },
      { server: 'own', uri: 'notes://picture', name: 'Picture', mimeType: 'image/png' },
    ]);
    const [today] = await mcp.readResource('own', 'notes://today');
    assert.deepEqual(today, { type: 'text', text: 'Resource notes://today (text/plain):\nRain.' });
    assert.deepEqual(await mcp.readResource('own', 'notes://picture'), [image]);
    assert.match(JSON.stringify(await mcp.readResource('own', 'notes://2026/day.a%20b')), /2026, day a b/);
    for (const none of ['notes://none', 'notes://2026/dayx1', 'notes://2026/day.%E0'])
      await assert.rejects(mcp.readResource('own', none), {
        code: 'mcp_refused',
        message: /There is no resource/,
      });
    const [prompt] = await mcp.prompts();
    assert.deepEqual(prompt?.arguments, [{ name: 'who', required: true }]);
    const messages = await mcp.getPrompt('own', 'greet', { who: 'Ada' });
    assert.deepEqual(messages, [
      { role: 'user', content: [{ type: 'text', text: 'Greet Ada.' }] },
      { role: 'user', content: [image] },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello, Ada.' }] },
    ]);
    await assert.rejects(mcp.getPrompt('own', 'greet'), { message: /needs a text for "who"/ });
    await assert.rejects(mcp.getPrompt('none', 'greet'), { message: /Known: own/ });
  });

test('a server that offers nothing of a kind is not asked for it', async () => {
  await using serving = await serveMcp(nothing, { transport: 'http' });
  await using mcp = await mcpTools({ own: { url: String(serving.url) } });
  assert.deepEqual([await mcp.resources(), await mcp.prompts()], [[], []]);
  await assert.rejects(mcp.readResource('own', 'a://b'), { code: 'mcp_refused' });
});
