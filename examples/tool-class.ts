import { type Context, type Output, run, Tool } from 'whetstone';
import { mockModel } from 'whetstone/mock';
import { z } from 'zod';

const Input = z.object({ item: z.string(), amount: z.int().default(1) });

// A tool with state: it starts before its first call, and stops when the run that used it ends.
class Basket extends Tool<typeof Input, number> {
  name = 'add_to_basket';
  description = 'Puts an item into the basket and gives the number of items in it';
  input = Input;
  #items = new Map<string, number>();

  start() {
    console.log('(the shop opens)');
  }
  stop() {
    console.log('(the shop closes)', Object.fromEntries(this.#items));
  }
  run({ item, amount }: Output<typeof Input>, _context: Context) {
    this.#items.set(item, (this.#items.get(item) ?? 0) + amount);
    return [...this.#items.values()].reduce((sum, each) => sum + each, 0);
  }
  noteOnRequest({ item, amount }: Output<typeof Input>) {
    return { label: `${amount} × ${item}` };
  }
}

const model = mockModel([
  { calls: [{ name: 'add_to_basket', arguments: { item: 'apple', amount: 3 } }] },
  { calls: [{ name: 'add_to_basket', arguments: { item: 'pear' } }] },
  'There are four items in your basket.',
]);

for await (const event of run({ model, tools: [new Basket()], prompt: 'Three apples and a pear, please.' })) {
  if (event.type === 'note') console.log('●', event.note);
  if (event.type === 'finish') console.log(event.outcome.text);
}
