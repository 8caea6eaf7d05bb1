// An agent with three kinds of tools, watched live in a terminal.
import { type Output, run, Tool, tool, toolsFrom } from 'whetstone';
import { openai } from 'whetstone/wire';
import { z } from 'zod';

const weather = tool({
  name: 'weather',
  description: 'Current weather of a city',
  input: z.object({ city: z.string() }),
  run: ({ city }) => `Rain in ${city}, 7 °C`,
});

const Item = z.object({ item: z.string(), amount: z.int().default(1) });
class Basket extends Tool<typeof Item, number> {
  name = 'add_to_basket';
  description = 'Puts an item into the basket and gives the number of items in it';
  input = Item;
  #count = 0;
  run({ amount }: Output<typeof Item>) {
    return (this.#count += amount);
  }
}

const going = run({
  model: openai('gpt-5'),
  tools: [weather, new Basket(), await toolsFrom(import.meta.resolve('../tools/prices.ts'))],
  prompt: process.argv[2] ?? 'What should I take along to Oslo?',
});
for await (const event of going) {
  if (event.type === 'text') process.stdout.write(event.text);
  if (event.type === 'call-delta') console.log(`  ${event.name}`, JSON.stringify(event.arguments));
  if (event.type === 'call-end') console.log(`… ${event.call.name}`);
  if (event.type === 'tool-start') console.log(`▶ ${event.name}`);
  if (event.type === 'result') console.log(`✓ ${event.record.call.name}`, event.record.value);
}
