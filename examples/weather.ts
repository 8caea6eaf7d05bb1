import { run, tool } from 'whetstone';
import { mockModel } from 'whetstone/mock';
import { z } from 'zod';

const weather = tool({
  name: 'weather',
  description: 'Current weather of a city',
  input: z.object({ city: z.string() }),
  run: ({ city }) => `Rain in ${city}, 7 °C`,
});

// Answers from a script, so that this needs no key; a real provider's model goes in the same place.
const model = mockModel([
  { calls: [{ name: 'weather', arguments: { city: 'Oslo' } }] },
  'Yes, take an umbrella: it rains in Oslo.',
]);

const { text, calls } = await run({ model, tools: [weather], prompt: 'Rain in Oslo?' });
console.log(text);
for (const { call } of calls) console.log('It called', call.name, 'with', call.arguments);
