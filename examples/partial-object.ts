import { run, tool } from 'whetstone';
import { mockModel } from 'whetstone/mock';
import { z } from 'zod';

const publish = tool({
  name: 'publish_recipe',
  description: 'Publishes a recipe',
  input: z.object({ title: z.string(), ingredients: z.array(z.string()), steps: z.array(z.string()) }),
  returnDirect: true,
  run: ({ title }) => `Published “${title}”.`,
});

const recipe = {
  title: 'Pancakes',
  ingredients: ['flour', 'milk', 'eggs', 'a little salt'],
  steps: ['Mix it all.', 'Wait half an hour.', 'Fry them thin.'],
};
const model = mockModel([{ calls: [{ name: 'publish_recipe', arguments: recipe }], chunk: 24 }]);

// A page would draw this: the recipe as far as the model has written it, after every piece.
const live = run({ model, tools: [publish], prompt: 'Publish pancakes.' });
for await (const event of live) {
  if (event.type !== 'call-delta') continue;
  const { title = '', ingredients = [], steps = [] } = (event.arguments ?? {}) as Partial<typeof recipe>;
  console.log(`${title.padEnd(9)} ${ingredients.join(', ').padEnd(34)} ${steps.join(' ')}`);
}
console.log((await live).text);
