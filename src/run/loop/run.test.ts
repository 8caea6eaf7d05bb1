import assert from 'node:assert/strict';
import { test } from 'node:test';

import { z } from 'zod';

import { call, gate, scriptedModel } from '../../../test/scripted-model.ts';
import { isWhetstoneError } from '../../base/host/errors.ts';
import { checkHistory } from '../../base/message/history.ts';
import { resultText } from '../../base/message/result.ts';
import { tool } from '../tool/define-tool.ts';
import type { RunEvent } from './event.ts';
import type { Outcome } from './outcome.ts';
import { run } from './run.ts';

const weather = tool({
  name: 'weather',
  description: 'Current weather of a city',
  input: z.object({ city: z.string() }),
  run: async ({ city }) => `Rain in ${city}`,
});

const slow = tool({
  name: 'slow',
  description: 'Never answers',
  input: { type: 'object', properties: {} },
  run: () => new Promise(() => undefined),
});

function textsOf(outcome: Outcome): readonly string[] {
  return outcome.calls.map((record) => resultText(record.result));
}

test('asks, runs what is called, and gives text, calls, usage and the whole history', async () => {
  const model = scriptedModel(['Let me look.', call('1', 'weather', { city: 'Oslo' })], ['It rains.']);
  const outcome = await run({ model, tools: [weather], prompt: 'Rain in Oslo?' });
  assert.equal(outcome.text, 'It rains.');
  assert.equal(outcome.stop, 'done');
  assert.deepEqual(textsOf(outcome), ['Rain in Oslo']);
  assert.deepEqual(
    outcome.messages.map((message) => message.role),
    ['user', 'assistant', 'tool', 'assistant'],
  );
  assert.equal(outcome.usage.total, 30);
  assert.equal(outcome.usage.cost, undefined);
  assert.deepEqual(outcome.usage.tools, {
    totalCalls: 1,
    uniqueTools: ['weather'],
    uniqueCount: 1,
    calls: [{ step: 1, name: 'weather', arguments: { city: 'Oslo' }, success: true }],
  });
  assert.deepEqual(
    model.asked.map((request) => request.messages.length),
    [1, 3],
  );
});

test('tells what happens as it happens, with the arguments as far as they have come', async () => {
  const model = scriptedModel([call('1', 'weather', { city: 'Trondheim' })], ['Wet.']);
  const seen: string[] = [];
  const partial: unknown[] = [];
  for await (const event of run({ model, tools: [weather], prompt: 'Rain?' })) {
    seen.push(event.type);
    if (event.type === 'call-delta') partial.push(structuredClone(event.arguments));
  }
  assert.deepEqual(partial, [{}, { city: 'Trondhe' }, { city: 'Trondheim' }]);
  assert.deepEqual(
    seen.filter((type) => type !== 'call-delta'),
    [
      'run-start',
      'step-start',
      'call-start',
      'call-end',
      'result',
      'usage',
      'step-end',
      'step-start',
      'text',
      'usage',
      'step-end',
      'finish',
    ],
  );
});

test('starts a call as soon as it is complete, while later ones still stream', async () => {
  const started = gate();
  const eager = tool({
    name: 'eager',
    description: 'Says that it has started',
    input: { type: 'object' },
    run: () => started.open(),
  });
  // The second call comes only after the first has run: a loop that waits for the whole reply would never end.
  const model = scriptedModel(
    [call('1', 'eager'), started.promise, call('2', 'weather', { city: 'Oslo' })],
    ['ok'],
  );
  const outcome = await run({ model, tools: [eager, weather], prompt: 'go' });
  assert.equal(outcome.calls.length, 2);
});

test('gives results in call order, whichever tool was first', async () => {
  const second = gate();
  const tools = [
    tool({
      name: 'a',
      description: 'waits',
      input: { type: 'object' },
      run: () => second.promise.then(() => 'A'),
    }),
    tool({
      name: 'b',
      description: 'is quick',
      input: { type: 'object' },
      run: () => {
        second.open();
        return 'B';
      },
    }),
  ];
  const model = scriptedModel([call('1', 'a'), call('2', 'b')], ['ok']);
  const finished: string[] = [];
  const on = (event: RunEvent): void => void (event.type === 'result' && finished.push(event.record.call.id));
  const { messages } = await run({ model, tools, prompt: 'go', on });
  assert.deepEqual(finished, ['2', '1']);
  const [results] = messages.filter((message) => message.role === 'tool');
  assert.deepEqual(
    results?.results.map((result) => result.callId),
    ['1', '2'],
  );
});

test('runs identical calls of one reply once, however their keys are ordered', async () => {
  let runs = 0;
  const add = tool({ name: 'add', description: 'Adds', input: { type: 'object' }, run: () => ++runs });
  const model = scriptedModel(
    [
      call('1', 'add', { a: 1, b: 2 }),
      call('2', 'add', '{"b":2, "a":1}'),
      call('3', 'add', '{"a":9007199254740993}'),
      call('4', 'add', '{"a":9007199254740992}'),
    ],
    ['ok'],
  );
  const outcome = await run({ model, tools: [add], prompt: 'go' });
  assert.equal(runs, 3);
  assert.deepEqual(textsOf(outcome), ['1', '1', '2', '3']);
  assert.equal(outcome.calls[1]?.sameAs, '1');
});

test('runs tools that want to be alone one after another, in call order, beside the others', async () => {
  const order: string[] = [];
  const first = gate();
  const write = tool({
    name: 'write',
    description: 'Writes',
    input: { type: 'object' },
    concurrency: 'one-at-a-time',
    run: async ({ n }) => {
      order.push(`begin ${String(n)}`);
      if (n === 1) await first.promise;
      order.push(`end ${String(n)}`);
    },
  });
  const read = tool({
    name: 'read',
    description: 'Reads',
    input: { type: 'object' },
    run: () => {
      order.push('read');
      first.open();
    },
  });
  const model = scriptedModel(
    [call('1', 'write', { n: 1 }), call('2', 'write', { n: 2 }), call('3', 'read')],
    ['ok'],
  );
  await run({ model, tools: [write, read], prompt: 'go' });
  assert.deepEqual(order, ['begin 1', 'read', 'end 1', 'begin 2', 'end 2']);
});

test('runs no more calls beside each other than it was allowed', async () => {
  let now = 0;
  let most = 0;
  const busy = tool({
    name: 'busy',
    description: 'Is busy',
    input: { type: 'object' },
    run: async () => {
      most = Math.max(most, ++now);
      await new Promise(setImmediate);
      now--;
    },
  });
  const calls = Array.from({ length: 9 }, (_, n) => call(String(n), 'busy', { n }));
  const outcome = await run({
    model: scriptedModel(calls, ['ok']),
    tools: [busy],
    prompt: 'go',
    concurrency: 3,
  });
  assert.equal(most, 3);
  assert.equal(outcome.calls.length, 9);
});

test('ends after five replies, and the history can still be sent', async () => {
  const model = scriptedModel(
    ...Array.from({ length: 9 }, (_, n) => [call(String(n), 'weather', { city: `${n}` })]),
  );
  const outcome = await run({ model, tools: [weather], prompt: 'go' });
  assert.equal(model.asked.length, 5);
  assert.equal(outcome.stop, 'step-limit');
  assert.deepEqual(checkHistory(outcome.messages), []);
});

test('takes the tools away at the limit and asks for the answer, where it is told to', async () => {
  const model = scriptedModel(
    [call('1', 'weather', { city: 'Oslo' })],
    ['Rain.', call('2', 'weather', { city: 'Rome' })],
  );
  const outcome = await run({
    model,
    tools: [weather],
    prompt: 'go',
    limits: { steps: 1 },
    atLimit: 'answer',
  });
  assert.equal(model.asked[1]?.toolChoice, 'none');
  assert.equal(outcome.text, 'Rain.');
  assert.equal(outcome.stop, 'step-limit');
  assert.equal(outcome.calls[1]?.result.errorCode, 'unknown_tool');
  assert.deepEqual(checkHistory(outcome.messages), []);
});

test('tells the model of a tool that throws, and goes on', async () => {
  const broken = tool({
    name: 'broken',
    description: 'Throws',
    input: { type: 'object' },
    run: () => {
      throw new TypeError('no such host');
    },
  });
  const outcome = await run({
    model: scriptedModel([call('1', 'broken')], ['Sorry.']),
    tools: [broken],
    prompt: 'go',
  });
  assert.match(textsOf(outcome)[0] ?? '', /"broken" failed: no such host/);
  assert.ok(outcome.calls[0]?.cause instanceof TypeError);
  assert.equal(outcome.text, 'Sorry.');
});

test('has a whole history after an abort in the middle of a call and of a reply', async () => {
  const stop = new AbortController();
  const model = scriptedModel([
    call('1', 'weather', { city: 'Oslo' }),
    call('2', 'slow'),
    new Promise((resolve) => setImmediate(resolve)),
    'half a sen',
    new Promise(() => undefined),
  ]);
  const on = (event: RunEvent): void => {
    if (event.type === 'text') stop.abort(new Error('enough'));
  };
  const outcome = await run({ model, tools: [weather, slow], prompt: 'go', signal: stop.signal, on });
  assert.equal(outcome.stop, 'aborted');
  assert.equal(outcome.text, 'half a sen');
  assert.deepEqual(
    outcome.calls.map((record) => record.result.errorCode),
    [undefined, 'cancelled'],
  );
  assert.deepEqual(checkHistory(outcome.messages), []);
});

test('aborts the run when its events are left early', async () => {
  const model = scriptedModel(['one ', 'two ', new Promise(() => undefined)]);
  const live = run({ model, prompt: 'go' });
  for await (const event of live) if (event.type === 'text') break;
  const outcome = await live;
  assert.equal(outcome.stop, 'aborted');
});

test('never runs a call that was cut off, by length, a filter, a refusal or a lost connection', async () => {
  const cut = { invalid: { reason: 'truncated', message: 'cut' } } as const;
  let runs = 0;
  const count = tool({ name: 'count', description: 'Counts', input: { type: 'object' }, run: () => ++runs });
  for (const reason of ['length', 'filter', 'refusal'] as const) {
    const model = scriptedModel([call('1', 'count', '{"a":1}', cut), { finish: reason }], ['Sorry.']);
    const outcome = await run({ model, tools: [count], prompt: 'go' });
    assert.equal(outcome.calls[0]?.result.errorCode, 'truncated');
  }
  const half: RunEvent[] = [];
  const model = scriptedModel([call('1', 'count', '{"a":1}', cut), { lost: true }]);
  await assert.rejects(
    async () => void (await run({ model, tools: [count], prompt: 'go', on: (event) => half.push(event) })),
    (error) => {
      assert.ok(isWhetstoneError(error) && error.code === 'model_failed');
      const outcome = error.details['outcome'] as Outcome;
      assert.deepEqual(checkHistory(outcome.messages), []);
      return true;
    },
  );
  assert.equal(runs, 0);
});

test('throws model_failed when the model breaks, and keeps what was reached', async () => {
  const model = scriptedModel(
    [call('1', 'weather', { city: 'Oslo' })],
    ['So ', { throws: new Error('socket hang up') }],
  );
  await assert.rejects(
    async () => void (await run({ model, tools: [weather], prompt: 'go' })),
    (error) => {
      assert.ok(isWhetstoneError(error) && error.code === 'model_failed');
      assert.match(error.message, /socket hang up/);
      const outcome = error.details['outcome'] as Outcome;
      assert.equal(outcome.messages.length, 4);
      assert.equal(outcome.text, 'So ');
      return true;
    },
  );
});

test('lets go of a forced choice after the first step', async () => {
  const model = scriptedModel([call('1', 'weather', { city: 'Oslo' })], ['ok']);
  await run({ model, tools: [weather], prompt: 'go', toolChoice: 'required' });
  assert.deepEqual(
    model.asked.map((request) => request.toolChoice),
    ['required', 'auto'],
  );
});

test('asks for a prompt or messages, and for limits that mean something (run_option_invalid)', () => {
  assert.throws(() => run({ model: scriptedModel() }), { code: 'run_option_invalid' });
  assert.throws(() => run({ model: scriptedModel(), prompt: 'x', limits: { steps: -1 } }), {
    code: 'run_option_invalid',
  });
});
