import assert from 'node:assert/strict';
import { test } from 'node:test';

import { mockModel } from '../../../wire/mock/model.ts';
import type { RunOptions } from './options.ts';
import { run } from '../run.ts';

const wrong: Readonly<Record<string, readonly unknown[]>> = {
  signal: [{}, 5],
  toolChoice: ['foo', { nam: 'x' }, { allowed: ['x'] }],
  prompt: [5, null, ['x'], [{ type: 'txt' }]],
  system: [5],
  temperature: ['hot', Number.NaN, -1],
  topP: ['x'],
  seed: ['x', 0.5],
  stop: [5, 'x'],
  maxOutputTokens: ['9', 0, 1.5],
  reasoning: ['high'],
  limits: [5],
  atLimit: ['x'],
  runId: ['', 5],
  journal: [{}],
  approve: [true],
  approvalRules: [{}],
  approvals: [{}],
  answers: [5],
  approvalKey: ['', 5],
  prices: [
    5,
    { x: { input: 'a' } },
    { x: { input: 1 } },
    { x: { input: 1, output: -1 } },
    { x: { input: 1, output: 2, longer: { input: 1, output: 2 } } },
    { x: null },
  ],
  clock: [{}],
  output: [5],
  injected: [5],
  on: [5],
  replyRetries: ['x', -1],
  repair: ['x'],
  coerce: [1],
  editable: ['amount'],
  parallelCalls: ['x'],
  providerOptions: [5],
};

for (const [name, values] of Object.entries(wrong))
  test(`a run refuses a ${name} that means nothing, and says what it is and what is expected (run_option_invalid)`, () => {
    for (const value of values) {
      const options = { model: mockModel(['Hi.']), prompt: 'Go.', [name]: value } as unknown as RunOptions;
      assert.throws(
        () => run(options),
        (error: { code?: unknown; message: string }) =>
          error.code === 'run_option_invalid' && error.message.includes(name),
      );
    }
  });

test('a run that has ended says that its events are gone, in place of having none (run_events_gone)', async () => {
  const ended = run({ model: mockModel(['Hi.']), prompt: 'Go.' });
  await ended;
  await assert.rejects(
    async () => {
      for await (const event of ended) assert.fail(event.type);
    },
    { code: 'run_events_gone' },
  );
  const heard = run({ model: mockModel(['Hi.']), prompt: 'Go.' });
  const types: string[] = [];
  for await (const { type } of heard) types.push(type);
  assert.deepEqual([types[0], types.at(-1), (await heard).text], ['run-start', 'finish', 'Hi.']);
});
