// The same agent with the AI SDK.
import { openai } from '@ai-sdk/openai';
import { isStepCount, parsePartialJson, streamText, tool } from 'ai';
import { z } from 'zod';

import { prices } from '../tools/prices.ts';

const weather = tool({
  description: 'Current weather of a city',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => `Rain in ${city}, 7 °C`,
});

const Item = z.object({ item: z.string(), amount: z.int().default(1) });
class Basket {
  #count = 0;
  add({ amount }: z.output<typeof Item>) {
    return (this.#count += amount);
  }
}
const basket = new Basket();
const addToBasket = tool({
  description: 'Puts an item into the basket and gives the number of items in it',
  inputSchema: Item,
  execute: (input) => basket.add(input),
});

// A signature is not read: its types and its comment are said once more.
const priceTool = tool({
  description: 'Prices of some items on one day.',
  inputSchema: z.object({
    items: z.array(z.object({ id: z.string(), count: z.int().min(1).optional() })),
    date: z.string().describe('ISO date'),
    currency: z.enum(['EUR', 'USD']).optional(),
  }),
  execute: ({ items, date, currency }) => prices(items as { id: string }[], date, currency),
});

const result = streamText({
  model: openai('gpt-5'),
  tools: { weather, add_to_basket: addToBasket, prices: priceTool },
  stopWhen: isStepCount(20),
  prompt: process.argv[2] ?? 'What should I take along to Oslo?',
  onToolExecutionStart: ({ toolCall }) => console.log(`▶ ${toolCall.toolName}`),
});
const open = new Map<string, { readonly name: string; text: string }>();
for await (const part of result.fullStream) {
  if (part.type === 'text-delta') process.stdout.write(part.text);
  if (part.type === 'tool-input-start') open.set(part.id, { name: part.toolName, text: '' });
  if (part.type === 'tool-input-delta') {
    const call = open.get(part.id)!;
    call.text += part.delta;
    console.log(`  ${call.name}`, JSON.stringify((await parsePartialJson(call.text)).value));
  }
  if (part.type === 'tool-call') console.log(`… ${part.toolName}`);
  if (part.type === 'tool-result') console.log(`✓ ${part.toolName}`, part.output);
}
