import assert from 'node:assert/strict';
import { test } from 'node:test';

import { z } from 'zod';

import { isWhetstoneError } from '../src/base/host/errors.ts';
import { checkHistory } from '../src/base/message/check-history.ts';
import type { Outcome } from '../src/run/loop/outcome.ts';
import { run } from '../src/run/loop/run.ts';
import { tool } from '../src/run/tool/define-tool.ts';
import { modelNamed } from '../src/wire/index.ts';
import { mock } from '../src/wire/mock/index.ts';
import type { MockScript } from '../src/wire/mock/index.ts';

let served = 0;
const weather = tool({
  name: 'weather',
  description: 'Current weather of a city',
  input: z.object({ city: z.string() }),
  run: ({ city }) => {
    served++;
    return `Rain in ${city}`;
  },
});

const calls = ['Oslo', 'Bergen'].map((city) => ({ name: 'weather', arguments: { city } }));

async function over(name: string, script: MockScript): Promise<Outcome> {
  served = 0;
  await using server = await mock(script);
  const baseUrl = name.startsWith('openai/')
    ? `${server.url}/v1`
    : name.startsWith('google/')
      ? `${server.url}/v1beta`
      : server.url;
  const model = modelNamed(name, { baseUrl, apiKey: 'none', retry: { retries: 0 } });
  // Awaited here: the server is gone when this returns.
  return await run({ model, tools: [weather], prompt: 'Rain?' });
}

for (const name of ['openai/gpt-test', 'anthropic/claude-test', 'google/gemini-test']) {
  test(`runs the calls of ${name} over HTTP, and ends with a whole history`, async () => {
    const outcome = await over(name, [{ text: 'I look.', calls }, 'It rains.']);
    assert.equal(outcome.text, 'It rains.');
    assert.equal(served, 2);
    assert.deepEqual(checkHistory(outcome.messages), []);
  });

  test(`runs no call of ${name} that a lost connection has cut`, async () => {
    const long = { name: 'weather', arguments: { city: 'x'.repeat(4000) } };
    await assert.rejects(over(name, [{ calls: [long], fault: { cutAfter: 2500 } }]), (error) => {
      assert.ok(isWhetstoneError(error) && error.code === 'model_failed');
      const outcome = error.details['outcome'] as Outcome;
      assert.equal(outcome.error?.kind, 'network');
      // Gemini sends a call in one piece: then nothing of it has arrived.
      const codes = outcome.calls.map((record) => record.result.errorCode);
      assert.deepEqual(codes, name.startsWith('google/') ? [] : ['truncated']);
      assert.deepEqual(checkHistory(outcome.messages), []);
      return true;
    });
    assert.equal(served, 0);
  });
}
