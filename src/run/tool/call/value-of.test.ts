import assert from 'node:assert/strict';
import { test } from 'node:test';

import { z } from 'zod';

import { call } from '../../../../test/scripted-model.ts';
import { resultText } from '../../../base/message/result.ts';
import { tool } from '../define-tool.ts';
import { failCall } from '../failure.ts';
import { toolOutput } from '../output.ts';
import { runCall } from './run-call.ts';
import { valueOf } from './value-of.ts';

const price = tool({
  name: 'price',
  description: 'Looks up a price',
  input: z.object({ item: z.string() }),
  run: async ({ item }) => (item === 'nothing' ? failCall('No such item.') : { item, amount: 3 }),
});

test('a record holds what the tool answered, with its type', async () => {
  const record = await runCall(call('1', 'price', { item: 'pen' }), price);
  const value = valueOf(price, record);
  const amount: number | undefined = value?.amount;
  assert.equal(amount, 3);
  assert.equal(valueOf(price, await runCall(call('2', 'price', { item: 'nothing' }), price)), undefined);
  const other = tool({ name: 'other', description: 'Is another', run: () => 5 });
  assert.equal(valueOf(other, record), undefined);
  const kept = tool({
    name: 'kept',
    description: 'Keeps',
    run: () => toolOutput('3 rows', { artifact: [1, 2, 3] }),
  });
  assert.equal(valueOf(kept, await runCall(call('3', 'kept'), kept)), '3 rows');
});

test('what a tool answers is read by its output schema; what does not fit is a failure that names the place', async () => {
  const answering = (answer: unknown) => {
    const schema = z.object({ amount: z.number(), currency: z.string().default('EUR') });
    const it = tool({ name: 'it', description: 'Answers', output: schema, run: () => answer });
    return runCall(call('1', 'it'), it);
  };
  const good = await answering({ amount: 3, secret: 'x' });
  assert.deepEqual(
    [good.value, resultText(good.result)],
    [{ amount: 3, currency: 'EUR' }, '{"amount":3,"currency":"EUR"}'],
  );
  for (const answer of [{ amount: '3' }, undefined, 'three']) {
    const wrong = await answering(answer);
    assert.deepEqual([wrong.success, wrong.result.errorCode], [false, 'output_invalid']);
    assert.match(resultText(wrong.result), /does not fit its output schema/);
  }
  const promised = await answering(Promise.resolve(toolOutput({ amount: 1 }, { artifact: 'kept' })));
  assert.deepEqual([promised.value, promised.result.artifact], [{ amount: 1, currency: 'EUR' }, 'kept']);
  const failed = await answering(failCall('No.'));
  assert.equal(failed.result.errorCode, 'failed');
  const plain = tool({
    name: 'it',
    description: 'Answers',
    output: { type: 'string' },
    run: () => 5 as unknown,
  });
  assert.equal((await runCall(call('1', 'it'), plain)).result.errorCode, 'output_invalid');
  assert.throws(
    () => tool({ name: 'it', description: 'Answers', output: { type: 'strin' }, run: () => 5 }),
    /output of the tool "it"/,
  );
});
