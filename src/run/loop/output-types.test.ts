import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type } from 'arktype';
import { z } from 'zod';

import { scriptedModel } from '../../../test/scripted-model.ts';
import type { JsonValue } from '../../base/json/value.ts';
import type { RunOptions } from './option/options.ts';
import { run } from './run.ts';

const city = z.object({ city: z.string(), days: z.number().transform((days) => new Date(days)) });
const asked = (): Pick<RunOptions, 'model' | 'prompt'> => ({
  model: scriptedModel(['{"city": "Oslo", "days": 2}']),
  prompt: 'Which city?',
});

test('the output of a run has the type that its schema gives back', async () => {
  const { output } = await run({ ...asked(), output: city });
  const days: Date | undefined = output?.days;
  assert.equal(days?.getTime(), 2);
  // @ts-expect-error The schema has no such member.
  assert.equal(output?.town, undefined);
  const ofRequest = await run({ ...asked(), output: { schema: type({ city: 'string' }), retries: 1 } });
  const name: string | undefined = ofRequest.output?.city;
  assert.equal(name, 'Oslo');
});

test('without a schema of a library the output of a run is JSON', async () => {
  const plain = await run({
    ...asked(),
    output: { type: 'object', properties: { city: { type: 'string' } } },
  });
  const value: JsonValue | undefined = plain.output;
  // @ts-expect-error It may be anything that JSON has.
  assert.equal(plain.output?.city, 'Oslo');
  assert.deepEqual(value, { city: 'Oslo', days: 2 });
  const none = await run(asked());
  const nothing: JsonValue | undefined = none.output;
  assert.equal(nothing, undefined);
  const later: RunOptions = { ...asked(), output: city };
  const unknown: JsonValue | undefined = (await run(later)).output;
  assert.ok(unknown);
});
