import assert from 'node:assert/strict';
import { test } from 'node:test';

import { call, scriptedModel } from '../../../test/scripted-model.ts';
import { costOf } from './price.ts';
import { priceOf, pricesAsOf } from './published-prices.ts';
import { run } from './run.ts';

test('knows what common models cost, under each name that their makers serve them by', () => {
  assert.deepEqual(priceOf('anthropic/claude-opus-4-8'), {
    input: 5,
    output: 25,
    cachedRead: 0.5,
    cachedWrite: 6.25,
  });
  for (const [name, as] of [
    ['anthropic/claude-haiku-4-5-20251001', 'anthropic/claude-haiku-4-5'],
    ['openai-responses/gpt-5.4', 'openai/gpt-5.4'],
    ['openai/gpt-4o-2024-08-06', 'openai/gpt-4o'],
    ['gemini/gemini-2.5-pro', 'google/gemini-2.5-pro'],
    ['gemini-interactions/gemini-2.5-pro', 'google/gemini-2.5-pro'],
  ] as const) {
    assert.ok(priceOf(name), name);
    assert.deepEqual(priceOf(name), priceOf(as));
  }
  assert.match(pricesAsOf, /^\d{4}-\d{2}-\d{2}$/);
});

test('makes no price up: not for another host, a model that only begins like a known one, or no model at all', () => {
  for (const name of [
    ...['openrouter/openai/gpt-5', 'bedrock/anthropic.claude-opus-4-8', 'azure/gpt-5', 'openai/gpt-5-pro'],
    ...[
      'openai/gpt-5.4-2',
      'anthropic/claude-opus-9',
      'gpt-5',
      '',
      'openai/',
      '__proto__/constructor',
      'toString',
    ],
  ])
    assert.equal(priceOf(name), undefined, name);
});

test('a price of the program goes before a published one, and what is cached or long has its own', () => {
  const own = { 'openai/gpt-5': { input: 1, output: 1 } };
  assert.deepEqual(priceOf('openai/gpt-5', own), own['openai/gpt-5']);
  const usage = { input: 200_000, output: 1_000_000, total: 1_200_000, cachedRead: 100_000 };
  const price = priceOf('google/gemini-2.5-pro');
  assert.equal(costOf(usage, price), 0.1 * 1.25 + 0.1 * 0.125 + 10);
  assert.equal(costOf({ ...usage, input: 200_001, cachedRead: 200_001 }, price), (0.25 * 200_001) / 1e6 + 15);
  assert.equal(costOf(usage, priceOf('openai/gpt-5', { 'openai/gpt-5': { input: 0, output: 0 } })), 0);
});

test('a run of a common model tells its cost, and keeps to a limit on it', async () => {
  const usage = { input: 1_000_000, output: 0, total: 1_000_000 };
  const scripted = scriptedModel([call('1', 'look')], [call('2', 'look')], ['Done.']);
  const model = {
    ...scripted,
    name: 'openai/gpt-5',
    async *stream(...asked: Parameters<typeof scripted.stream>) {
      for await (const event of scripted.stream(...asked))
        yield event.type === 'finish' ? { ...event, reply: { ...event.reply, usage } } : event;
    },
  };
  const outcome = await run({ model, prompt: 'Look.', limits: { cost: 2 } });
  assert.deepEqual([outcome.stop, outcome.steps, outcome.usage.cost], ['cost-limit', 2, 2.5]);
});
