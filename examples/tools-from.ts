import { runCall, toolsFrom } from 'whetstone';

// Nothing but signatures: names, descriptions and schemas come from the types and the comments.
const tools = await toolsFrom(import.meta.resolve('./tools/prices.ts'));

for (const input of [
  { items: [{ id: 'tea', count: 2 }], date: '2026-11-21' },
  { items: [{ id: 'tea', count: 0.5 }] },
]) {
  const { result } = await runCall(
    {
      type: 'call',
      id: 'a',
      name: 'prices',
      arguments: input,
      kind: 'function',
      requiresLocalExecution: true,
    },
    tools,
  );
  console.log(result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'));
}
