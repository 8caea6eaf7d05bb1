import { fileURLToPath } from 'node:url';

import { commandTools, run } from 'whetstone';
import { mockModel } from 'whetstone/mock';

// Each folder in `commands` holds a spec.json and an executable called `run`, in any language.
const tools = await commandTools(fileURLToPath(new URL('commands', import.meta.url)));
console.log('tools:', ...tools.names);

const model = mockModel([
  { calls: [{ name: 'count_letters', arguments: { word: 'whetstone' } }] },
  '“whetstone” has nine letters.',
]);

const { text, calls } = await run({ model, tools, prompt: 'How many letters has “whetstone”?' });
console.log(calls[0]?.result.content);
console.log(text);
