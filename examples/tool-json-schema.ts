import { failCall, toolOutput, run, tool } from 'whetstone';
import { mockModel } from 'whetstone/mock';

const orders = new Map([['A-17', { total: 40, currency: 'EUR', internalNote: 'slow payer' }]]);

const findOrder = tool({
  name: 'find_order',
  description: 'Finds an order by its number',
  // Plain JSON Schema is checked like any other: what does not fit goes back to the model, field by field.
  input: {
    type: 'object',
    properties: { number: { type: 'string', pattern: '^[A-Z]-\\d+$' } },
    required: ['number'],
    additionalProperties: false,
  },
  run: ({ number }) => {
    const order = orders.get(String(number));
    if (order === undefined) return failCall(`There is no order ${String(number)}.`);
    // The model reads the text; the artifact stays with the program.
    return toolOutput(`${order.total} ${order.currency}`, { artifact: order });
  },
});

const model = mockModel([
  { calls: [{ name: 'find_order', arguments: { number: 17 } }] },
  { calls: [{ name: 'find_order', arguments: { number: 'A-17' } }] },
  'Your order A-17 is 40 EUR.',
]);

const { text, calls } = await run({ model, tools: [findOrder], prompt: 'How much was order 17?' });
for (const { result } of calls) console.log(result.content, result.artifact ?? '');
console.log(text);
