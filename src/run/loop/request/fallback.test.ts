import assert from 'node:assert/strict';
import { test } from 'node:test';

import { call, scriptedModel } from '../../../../test/scripted-model.ts';
import type { Model, ModelError } from '../../../base/message/model.ts';
import { tool } from '../../tool/define-tool.ts';
import { fallback } from './fallback.ts';
import { run } from '../run.ts';

const look = tool({ name: 'look', description: 'Looks', run: () => 'seen' });

/** Fails, after so many words. */
function failing(
  name: string,
  kind: ModelError['kind'],
  words: readonly string[] = [],
): Model & { asked: number } {
  const error = { kind, message: `${name} is down` } as const;
  const reply = {
    message: { role: 'assistant', content: [] },
    finish: { reason: 'error' },
    complete: false,
    error,
  } as const;
  const model = {
    ...scriptedModel(),
    name,
    asked: 0,
    generate: () => Promise.resolve(reply),
    async *stream() {
      model.asked++;
      for (const text of words) yield { type: 'text', slot: 0, text } as const;
      yield { type: 'error', error } as const;
      yield { type: 'finish', reply } as const;
    },
  };
  return model;
}

test('asks the next model with the whole history, stays with it, and counts its price', async () => {
  const down = failing('a/down', 'overloaded');
  const up = { ...scriptedModel([call('1', 'look')], ['Done.']), name: 'b/up' };
  const model = fallback([down, up]);
  const retries: string[] = [];
  const outcome = await run({
    model,
    tools: [look],
    prompt: 'Go.',
    prices: { 'b/up': { input: 1, output: 1 } },
    on: (event) => void (event.type === 'retry' && retries.push(event.error.message)),
  });
  assert.deepEqual([outcome.text, outcome.stop, down.asked], ['Done.', 'done', 1]);
  assert.deepEqual(retries, ['a/down is down']);
  assert.equal(up.asked[1]?.messages.length, 3);
  const again = await run({
    model: fallback([down, { ...scriptedModel(['Hi.']), name: 'b/up' }], { sticky: false }),
    prompt: 'Go.',
  });
  assert.equal(again.text, 'Hi.');
  assert.equal(outcome.usage.steps.length, 2);
});

test('does not go on where the request is at fault, where a reply has begun, and past the last', async () => {
  const up = scriptedModel(['Yes.'], ['Yes.'], ['Yes.']);
  const asked = async (...models: Model[]): Promise<unknown> =>
    run({ model: fallback(models), prompt: 'Go.' }).then(
      ({ text }) => text,
      (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
    );
  assert.match(String(await asked(failing('a', 'invalid_request'), up)), /model_failed.*a is down/);
  assert.match(String(await asked(failing('a', 'overloaded', ['Half a']), up)), /model_failed.*a is down/);
  assert.match(
    String(await asked(failing('a', 'overloaded'), failing('b', 'timeout'))),
    /model_failed.*b is down/,
  );
  const on = (error: ModelError): boolean => error.message.includes('down');
  const outcome = await run({
    model: fallback([failing('a', 'invalid_request'), up], { on }),
    prompt: 'Go.',
  });
  assert.equal(outcome.text, 'Yes.');
  assert.throws(() => fallback([]), { code: 'run_option_invalid' });
});

test('spreads conversations over the models, and leaves each with its own', async () => {
  const models = ['a', 'b'].map((name) => ({
    ...scriptedModel([call('1', 'look')], ['Done.'], [call('1', 'look')], ['Done.']),
    name,
  }));
  const model = fallback(models, { spread: true });
  for (let round = 0; round < 4; round++) await run({ model, tools: [look], prompt: `Go ${round}.` });
  assert.deepEqual(
    models.map(({ asked }) => asked.map(({ messages }) => messages.length)),
    [
      [1, 3, 1, 3],
      [1, 3, 1, 3],
    ],
  );
});
