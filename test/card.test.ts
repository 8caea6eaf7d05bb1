/** The smallest programs, as a user writes them: these shapes are kept. The types are checked with the rest. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type Context, type Output, run, tool, Tool } from 'whetstone';
import { mockModel } from 'whetstone/mock';
import { z } from 'zod';

const fetchWeather = async (city: string): Promise<{ city: string; rain: boolean }> => ({ city, rain: true });

test('a tool from a function, and a run', async () => {
  const weather = tool({
    name: 'weather',
    description: 'Current weather of a city',
    input: z.object({ city: z.string() }),
    run: async ({ city }) => fetchWeather(city),
  });
  const model = mockModel([{ calls: [{ name: 'weather', arguments: { city: 'Oslo' } }] }, 'Yes.']);

  const { text, calls, usage } = await run({ model, tools: [weather], prompt: 'Rain in Oslo?' });

  assert.equal(text, 'Yes.');
  assert.deepEqual(
    calls.map(({ input, success }) => [input, success]),
    [[{ city: 'Oslo' }, true]],
  );
  assert.ok(usage.total > 0);
});

const Input = z.object({ url: z.string() });

class Browser extends Tool<typeof Input, string> {
  name = 'open';
  description = 'Opens a page';
  input = Input;
  open = false;
  async start(): Promise<void> {
    this.open = true;
  }
  async stop(): Promise<void> {
    this.open = false;
  }
  async run(input: Output<typeof Input>, _context: Context): Promise<string> {
    return `${input.url}: ${this.open ? 'open' : 'shut'}`;
  }
  noteOnRequest(input: Output<typeof Input>): { label: string; detail: string } {
    return { label: 'Opening', detail: input.url };
  }
}

test('a tool from a class, which has state and notes for a person', async () => {
  const browser = new Browser();
  const model = mockModel([{ calls: [{ name: 'open', arguments: { url: 'a.example' } }] }, 'Done.']);

  const { calls } = await run({ model, tools: [browser], prompt: 'Open a.example' });

  assert.deepEqual(calls[0]?.result.content, [{ type: 'text', text: 'a.example: open' }]);
  assert.deepEqual(calls[0].notes[0], { label: 'Opening', detail: 'a.example' });
  assert.equal(browser.open, false, 'stopped after the run');
});
