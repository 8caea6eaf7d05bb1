import assert from 'node:assert/strict';
import { test } from 'node:test';

import { call, scriptedModel } from '../../../test/scripted-model.ts';
import { type Clock, systemClock } from '../../base/host/clock.ts';
import { checkHistory } from '../../base/message/check-history.ts';
import { resultText } from '../../base/message/result.ts';
import { tool } from '../tool/define-tool.ts';
import { agentTool } from './agent/agent-tool.ts';
import type { RunHooks } from './event.ts';
import type { RunOptions } from './option/options.ts';
import { run } from './run.ts';

let ran: unknown[] = [];
const pay = tool({
  name: 'pay',
  description: 'Pays',
  input: {
    type: 'object',
    properties: { amount: { type: 'number' } },
    required: ['amount'],
    additionalProperties: false,
  },
  run: ({ amount }) => {
    ran.push(amount);
    return `paid ${String(amount)}, card 4111`;
  },
});

/** Two calls, then words; what the model was sent, and what became of it. */
async function play(on: RunHooks, more: Partial<RunOptions> = {}) {
  ran = [];
  const model = scriptedModel(
    [call('1', 'pay', { amount: 5 }), call('2', 'pay', { amount: 50 })],
    ['Done: 4111.'],
    ['Done.'],
  );
  const outcome = await run({ model, tools: [pay], prompt: 'Pay', on, ...more });
  assert.deepEqual(checkHistory(outcome.messages), []);
  return {
    outcome,
    asked: model.asked,
    results: outcome.calls.map(({ result }) => [result.errorCode ?? 'ok', resultText(result)] as const),
  };
}

test('a guard of calls changes arguments, which are checked like any others, or refuses with a reason', async () => {
  const changed = await play({
    beforeCall: ({ arguments: given }) =>
      (given as { amount: number }).amount > 10 ? { arguments: { amount: 10 } } : undefined,
  });
  assert.deepEqual(ran, [5, 10]);
  assert.match(changed.results[1]![1], /^The arguments of this call were changed to \{"amount":10\}/);
  const unfit = await play({ beforeCall: () => ({ arguments: { amount: 'ten' } }) });
  assert.deepEqual([ran, unfit.results[0]![0]], [[], 'rejected']);
  const refused = await play({
    beforeCall: ({ call: { id } }) => (id === '2' ? { refuse: 'too much' } : undefined),
  });
  assert.deepEqual(ran, [5]);
  assert.match(refused.results[1]![1], /not allowed here, so it was not run\. The reason: too much/);
  assert.equal(refused.outcome.stop, 'done');
});

test('a guard that throws has not allowed anything', async () => {
  const broken = (): never => {
    throw new Error('no connection');
  };
  const before = await play({ beforeCall: broken });
  assert.deepEqual([ran, before.results.map(([code]) => code)], [[], ['rejected', 'rejected']]);
  assert.equal((before.outcome.calls[0]!.cause as Error).message, 'no connection');
  const after = await play({ afterCall: broken });
  assert.doesNotMatch(JSON.stringify(after.outcome.messages.slice(0, 3)), /card 4111/);
  await assert.rejects(play({ beforeReply: broken }), /no connection/);
});

test('a guard of results changes what is written down and what the model reads, or withholds it', async () => {
  const { outcome, asked } = await play({
    afterCall: ({ record }) =>
      record.call.id === '1'
        ? { content: resultText(record.result).replaceAll('4111', '****') }
        : { refuse: 'it holds a card' },
  });
  assert.deepEqual(ran, [5, 50]);
  assert.match(JSON.stringify(asked[1]!.messages), /card \*\*\*\*.*withheld.*it holds a card/);
  assert.doesNotMatch(JSON.stringify(outcome.calls), /4111/);
});

test('a guard of answers changes their words, or has the model answer again', async () => {
  const { outcome } = await play({
    beforeReply: ({ reply }) => ({
      text: JSON.stringify(reply.message.content).includes('4111') ? 'Done: ****' : '',
    }),
  });
  assert.equal(outcome.text, 'Done: ****');
  assert.doesNotMatch(JSON.stringify(outcome.messages.at(-1)), /4111/);
  const again = await play({
    beforeReply: ({ step }) => (step === 2 ? { refuse: 'It names a card.' } : undefined),
  });
  assert.deepEqual([again.outcome.text, again.outcome.steps], ['Done.', 3]);
  assert.match(JSON.stringify(again.asked[2]!.messages.at(-1)), /not passed on.*It names a card/);
  // Where no other answer came, the refused words are not the answer.
  const last = await play({ beforeReply: () => ({ refuse: 'no' }) }, { limits: { steps: 2 } });
  assert.deepEqual([last.outcome.text, last.outcome.stop], ['', 'step-limit']);
});

test('each guard can end the run, which says why', async () => {
  for (const on of [
    { beforeCall: () => ({ end: 'stolen card' }) },
    { afterCall: () => ({ end: 'stolen card' }) },
    { beforeReply: () => ({ end: 'stolen card' }) },
  ] satisfies RunHooks[]) {
    const { outcome } = await play(on);
    assert.deepEqual([outcome.stop, outcome.reason], ['condition', 'A guard ended the run: stolen card']);
    assert.doesNotMatch(outcome.text, /4111/);
  }
});

test('guards hold in the runs inside a tool, and an end there ends the run around it', async () => {
  const script = () =>
    scriptedModel(
      [call('1', 'accountant', { task: 'Pay' })],
      [call('2', 'pay', { amount: 50 })],
      ['Inner.'],
      ['Outer.'],
    );
  const tools = [agentTool({ name: 'accountant', description: 'Pays', tools: [pay] })];
  const beforeCall =
    (verdict: { refuse: string } | { end: string }): NonNullable<RunHooks['beforeCall']> =>
    ({ call: { name } }) =>
      name === 'pay' ? verdict : undefined;
  ran = [];
  const refused = await run({
    model: script(),
    tools,
    prompt: 'Go',
    on: { beforeCall: beforeCall({ refuse: 'no' }) },
  });
  assert.deepEqual([ran, refused.text], [[], 'Outer.']);
  const ended = await run({
    model: script(),
    tools,
    prompt: 'Go',
    on: { beforeCall: beforeCall({ end: 'enough' }) },
  });
  assert.deepEqual([ran, ended.stop, ended.steps], [[], 'condition', 1]);
});

test('an approval that nobody answers in time refuses the call, or leaves it waiting', async () => {
  let rung = 0;
  // Every timer rings at once.
  const clock: Clock = {
    ...systemClock,
    after: (ms, callback) => {
      if (ms !== 5000) return systemClock.after(ms, callback);
      rung++;
      queueMicrotask(callback);
      return () => undefined;
    },
  };
  const asking = tool({ name: 'ask', description: 'Asks', approval: 'always', run: () => 'ran' });
  let takenBack: AbortSignal | undefined;
  const once = (approvalTimeout: NonNullable<RunOptions['approvalTimeout']>) =>
    run({
      model: scriptedModel([call('1', 'ask', {})], ['Done.']),
      tools: [asking],
      prompt: 'Go',
      clock,
      approvalTimeout,
      approve: (_request, signal) => {
        takenBack = signal;
        return new Promise(() => undefined);
      },
    });
  const refused = await once(5000);
  assert.match(resultText(refused.calls[0]!.result), /nobody answered within 5000 ms/);
  assert.equal(takenBack?.aborted, true);
  const waiting = await once({ after: 5000, then: 'wait' });
  assert.deepEqual([waiting.stop, waiting.waiting.approvals.length, rung], ['waiting', 1, 2]);
  await assert.rejects(async () => once({ after: 0, then: 'wait' }), {
    code: 'run_option_invalid',
    message: /approvalTimeout/,
  });
});
