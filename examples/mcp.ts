import { run } from 'whetstone';
import { mcpTools } from 'whetstone/mcp';
import { mockModel } from 'whetstone/mock';

// Any MCP server may take its place: a program to start, or `{ url }` for one that is reached by HTTP.
// This one is `whet mcp`, which serves the functions of a module.
const whet = new URL('../bin/whet.js', import.meta.url).pathname;
const tools = new URL('tools/prices.ts', import.meta.url).pathname;

await using mcp = await mcpTools({
  shop: { command: process.execPath, args: [whet, 'mcp', tools] },
});
console.log('The server offers', mcp.tools.names.join(', '));
for (const { message } of mcp.problems) console.log('Left out:', message);

// Answers from a script, so that this needs no key; a real provider's model goes in the same place.
const model = mockModel([
  { calls: [{ name: 'shop_prices', arguments: { items: [{ id: 'tea' }], date: '2026-11-21' } }] },
  'Tea has a price today.',
]);
const { text, calls } = await run({ model, tools: mcp.tools, prompt: 'What does tea cost?' });
for (const { call, result } of calls) console.log(call.name, '→', result.content);
console.log(text);
