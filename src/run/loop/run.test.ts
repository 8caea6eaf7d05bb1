import assert from 'node:assert/strict';
import { test } from 'node:test';

import { z } from 'zod';

import { type Act, call, gate, scriptedModel } from '../../../test/scripted-model.ts';
import { systemClock } from '../../base/host/clock.ts';
import { isWhetstoneError } from '../../base/host/errors.ts';
import { checkHistory } from '../../base/message/check-history.ts';
import { resultText } from '../../base/message/result.ts';
import type { Model, ModelRequest, Reply } from '../../base/message/model.ts';
import type { AssistantPart } from '../../base/message/part.ts';
import type { Finish } from '../../base/message/usage.ts';
import { mockModel } from '../../wire/mock/model.ts';
import { tool } from '../tool/define-tool.ts';
import { failCall } from '../tool/failure.ts';
import { bind } from './request/bind.ts';
import type { RunOptions } from './option/options.ts';
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
      'tool-start',
      'result',
      'reply',
      'usage',
      'step-end',
      'step-start',
      'text',
      'reply',
      'usage',
      'step-end',
      'finish',
    ],
  );
});

test('starts a call as soon as its provider says it is complete, while later ones still stream', async () => {
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

test('runs the calls of a reply beside each other, and gives results in call order, whichever tool was first', async () => {
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
      call('5', 'add', '{ "b": 2, "a": 1 }'),
    ],
    ['ok'],
  );
  const outcome = await run({ model, tools: [add], prompt: 'go' });
  assert.equal(runs, 3);
  assert.deepEqual(textsOf(outcome), ['1', '1', '2', '3', '1']);
  assert.equal(outcome.calls[1]?.sameAs, '1');
});

test('tells of the result of each call, also where identical ones ran once', async () => {
  const told: string[] = [];
  const model = scriptedModel(
    [call('1', 'weather', { city: 'Oslo' }), call('2', 'weather', { city: 'Oslo' })],
    ['ok'],
  );
  const on = (event: RunEvent): void => void (event.type === 'result' && told.push(event.record.call.id));
  await run({ model, tools: [weather], prompt: 'go', on });
  assert.deepEqual(told, ['1', '2']);
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

test('ends after twenty replies, says so, and the history can still be sent', async () => {
  const model = scriptedModel(
    ...Array.from({ length: 24 }, (_, n) => [call(String(n), 'weather', { city: `${n}` })]),
  );
  const outcome = await run({ model, tools: [weather], prompt: 'go' });
  assert.equal(model.asked.length, 20);
  assert.equal(outcome.reason, 'The run ended at its limit of 20 replies, before the model had answered.');
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

test('runs no call that the tool choice rules out, whatever the provider lets through', async () => {
  const clock = tool({ name: 'clock', description: 'The time', run: () => 'noon' });
  const both = (n: number): Act[] => [call(`w${n}`, 'weather', { city: 'Oslo' }), call(`c${n}`, 'clock')];
  for (const [toolChoice, ran] of [
    ['none', []],
    [{ allowed: ['clock'], mode: 'required' }, ['clock', 'clock']],
    // What forces one tool is let go after the first step.
    [{ name: 'clock' }, ['clock', 'weather', 'clock']],
    ['auto', ['weather', 'clock', 'weather', 'clock']],
  ] as const) {
    const model = scriptedModel(both(1), both(2), ['ok']);
    const { calls, messages } = await run({ model, tools: [weather, clock], prompt: 'go', toolChoice });
    assert.deepEqual(
      calls.filter((record) => record.success).map((record) => record.call.name),
      ran,
    );
    assert.deepEqual(
      model.asked[0]?.tools?.map((spec) => spec.name),
      ['weather', 'clock'],
    );
    assert.deepEqual(checkHistory(messages), []);
  }
});

test('asks for a prompt or messages, and for limits that mean something (run_option_invalid)', () => {
  assert.throws(() => run({ model: scriptedModel() }), { code: 'run_option_invalid' });
  const wrong: readonly [Partial<RunOptions>, RegExp][] = [
    [{ limits: { steps: -1 } }, /-1/],
    [{ concurrency: 0 }, /concurrency of 0/],
    [{ toolTimeout: Number.NaN }, /toolTimeout of NaN/],
    [{ approvalKey: '' }, /approvalKey is empty/],
    [{ model: 'openai/gpt' as never }, /modelNamed\("openai\/gpt"\)/],
    [{ model: undefined as never }, /`model` is missing/],
    [{ maxSteps: 3 } as never, /`maxSteps`.*`limits\.steps`/],
    [{ toolChoise: 'auto' } as never, /`toolChoise`.*`toolChoice`/],
    [{ limits: { step: 3 } as never }, /no limit on `step`/],
    [{ stopWhen: 5 as never }, /stopWhen must be a function/],
  ];
  for (const [options, message] of wrong) {
    assert.throws(() => run({ model: scriptedModel(), prompt: 'x', ...options }), {
      code: 'run_option_invalid',
      message,
    });
  }
});

test('sends one and the same history and the same tools in every step, and copies neither', async () => {
  const script = scriptedModel(...[1, 2, 3].map((n) => [call(String(n), 'weather', { city: `${n}` })]), [
    'ok',
  ]);
  const seen: unknown[][] = [];
  const model: Model = {
    ...script,
    stream: (request, options) => {
      seen.push([request.messages, request.tools]);
      return script.stream(request, options);
    },
  };
  const outcome = await run({ model, tools: [weather], prompt: 'go' });
  assert.equal(seen.length, 4);
  for (const [messages, tools] of seen) {
    assert.equal(messages, outcome.messages);
    assert.equal(tools, seen[0]?.[1]);
  }
});

test('refuses calls of a reply that ended early without saying which of them are whole', async () => {
  let runs = 0;
  const count = tool({ name: 'count', description: 'Counts', input: { type: 'object' }, run: () => ++runs });
  for (const reason of ['length', 'filter', 'refusal'] as const) {
    const whole = call('1', 'count', '{"a":1}');
    const model = silentModel([whole], { reason });
    const outcome = await run({ model, tools: [count], prompt: 'go', limits: { steps: 1 } });
    assert.equal(outcome.calls[0]?.result.errorCode, 'truncated');
    assert.deepEqual(checkHistory(outcome.messages), []);
  }
  const broken = silentModel([call('1', 'count', '{"a":1}')], { reason: 'calls' }, false);
  const outcome = await run({ model: broken, tools: [count], prompt: 'go', limits: { steps: 1 } });
  assert.equal(outcome.calls[0]?.result.errorCode, 'truncated');
  assert.equal(runs, 0);
});

/** A model that gives its reply in one piece, and never said of a call that it was complete. */
function silentModel(content: readonly AssistantPart[], finish: Finish, complete = true): Model {
  const reply: Reply = { message: { role: 'assistant', content }, finish, complete };
  return {
    ...scriptedModel(),
    async *stream() {
      yield { type: 'finish', reply };
    },
  };
}

test('offers what is withheld as unknown, and runs only what was offered in that request', async () => {
  const later = tool({
    name: 'later',
    description: 'Comes later',
    input: { type: 'object' },
    isAvailable: ({ step }) => step > 1,
    run: () => 'ran',
  });
  const model = scriptedModel([call('1', 'later')], [call('2', 'later')], ['ok']);
  const outcome = await run({ model, tools: [weather, later], prompt: 'go' });
  assert.deepEqual(
    outcome.calls.map((record) => record.result.errorCode),
    ['unknown_tool', undefined],
  );
  assert.deepEqual(
    model.asked.map((request) => request.tools?.map((spec) => spec.name)),
    [['weather'], ['weather', 'later'], ['weather', 'later']],
  );
});

test('runs a tool without parameters, whether its arguments come as nothing, null or {}', async () => {
  const now = tool({ name: 'now', description: 'The time', run: () => 'noon' });
  const model = scriptedModel(
    [call('1', 'now', ''), call('2', 'now', 'null'), call('3', 'now', '{}')],
    ['ok'],
  );
  const outcome = await run({ model, tools: [now], prompt: 'go' });
  assert.deepEqual(textsOf(outcome), ['noon', 'noon', 'noon']);
});

test('records what the provider ran, and never runs or answers it', async () => {
  const hosted = (id: string) => call(id, 'web_search', { query: 'x' }, { requiresLocalExecution: false });
  const search = tool({
    name: 'web_search',
    description: 'A tool of the same name',
    run: () => assert.fail('must not run'),
  });
  const part = (callId: string) =>
    ({ type: 'hosted-result', callId, name: 'web_search', content: [] }) as const;
  const model = scriptedModel(
    [hosted('s1'), part('s1'), call('1', 'weather', { city: 'Oslo' })],
    [hosted('s2'), part('s2'), 'Done.'],
  );
  const outcome = await run({ model, tools: [search, weather], prompt: 'go' });
  assert.equal(outcome.text, 'Done.');
  assert.deepEqual(
    outcome.calls.map((record) => record.call.id),
    ['1'],
  );
  assert.deepEqual(checkHistory(outcome.messages), []);
});

test('goes on after a pause of the provider', async () => {
  const hosted = call('s1', 'web_search', {}, { requiresLocalExecution: false });
  const model = scriptedModel([hosted, { finish: 'pause' }], ['Found it.']);
  assert.equal((await run({ model, prompt: 'go' })).text, 'Found it.');
});

test('ends with the result of a tool that is the answer', async () => {
  const model = scriptedModel([call('1', 'final')]);
  const final = tool({ name: 'final', description: 'Answers', returnDirect: true, run: () => '42' });
  const outcome = await run({ model, tools: [final], prompt: 'go' });
  assert.deepEqual([outcome.stop, outcome.text], ['returned', '42']);
});

test('does not answer with the failure of a tool where another one gave the answer', async () => {
  const model = scriptedModel([call('1', 'final'), call('2', 'broken')]);
  const final = tool({ name: 'final', description: 'Answers', returnDirect: true, run: () => '42' });
  const broken = tool({
    name: 'broken',
    description: 'Fails',
    returnDirect: true,
    run: () => failCall('no luck'),
  });
  const outcome = await run({ model, tools: [final, broken], prompt: 'go' });
  assert.deepEqual([outcome.stop, outcome.text], ['returned', '42']);
});

test('tells each of those who listen of everything once', async () => {
  const live = run({ model: scriptedModel(['Hi.']), prompt: 'go' });
  const read = async (events: AsyncIterable<RunEvent>): Promise<readonly string[]> => {
    const types: string[] = [];
    for await (const { type } of events) types.push(type);
    return types;
  };
  const [first, second] = await Promise.all([read(live), read(live)]);
  assert.deepEqual(
    first.filter((type) => type !== 'run-start'),
    ['step-start', 'text', 'reply', 'usage', 'step-end', 'finish'],
  );
  assert.deepEqual(
    second.filter((type) => type !== 'run-start'),
    first.filter((type) => type !== 'run-start'),
  );
});

test('a limit on time may be longer than any timer', async () => {
  const soon = tool({
    name: 'soon',
    description: 'Answers a little later',
    run: () => new Promise((resolve) => systemClock.after(5, () => resolve('ok'), { keepAlive: true })),
  });
  for (const time of [2 ** 31, Infinity]) {
    const model = scriptedModel([call('1', 'soon')], ['Done.']);
    assert.equal((await run({ model, tools: [soon], prompt: 'go', limits: { time } })).stop, 'done');
  }
});

test('keeps what a model wrote, whatever a tool does to its input', async () => {
  const given = { list: [3, 1, 2], more: { deep: true } };
  const model = scriptedModel([{ ...call('1', 'spoils'), arguments: given }], ['ok']);
  const spoils = tool({
    name: 'spoils',
    description: 'Changes what it is given',
    input: { type: 'object' },
    run: (input: Record<string, unknown>) => {
      (input['list'] as number[]).sort();
      (input['more'] as Record<string, unknown>)['deep'] = false;
      input['added'] = 1;
    },
  });
  const { messages } = await run({ model, tools: [spoils], prompt: 'go' });
  const [reply] = messages.filter((message) => message.role === 'assistant');
  assert.deepEqual(reply?.content, [
    { ...call('1', 'spoils'), arguments: { list: [3, 1, 2], more: { deep: true } } },
  ]);
});

test('keeps to its limits on calls, calls of one tool, tokens and cost', async () => {
  const forever = () =>
    scriptedModel(
      ...Array.from({ length: 9 }, (_, n) => [
        call(`a${n}`, 'weather', { city: 'A' }),
        call(`b${n}`, 'weather', { city: 'B' }),
      ]),
    );
  const stopped = async (options: Partial<RunOptions>) =>
    run({ model: forever(), tools: [weather], prompt: 'go', ...options });
  const calls = await stopped({ limits: { calls: 3 } });
  assert.equal(calls.stop, 'call-limit');
  assert.deepEqual(
    calls.calls.map((record) => record.result.errorCode),
    [undefined, undefined, undefined, 'limit_reached'],
  );
  const perTool = await stopped({ limits: { callsPerTool: { weather: 1 }, steps: 2 } });
  assert.deepEqual(
    perTool.calls.map((record) => record.success),
    [true, false, false, false],
  );
  assert.equal((await stopped({ limits: { tokens: 20 } })).steps, 2);
  const prices = { 'test/scripted': { input: 1_000_000, output: 0 } };
  const cost = await stopped({ limits: { cost: 15 }, prices });
  assert.deepEqual([cost.stop, cost.steps, cost.usage.cost], ['cost-limit', 2, 20]);
  assert.throws(() => run({ model: forever(), prompt: 'go', limits: { cost: 1 } }), {
    code: 'price_unknown',
  });
});

test('ends a run whose time is over, with a whole history', async () => {
  const model = scriptedModel([call('1', 'slow')]);
  const outcome = await run({ model, tools: [slow], prompt: 'go', limits: { time: 5 } });
  assert.equal(outcome.stop, 'time-limit');
  assert.deepEqual(checkHistory(outcome.messages), []);
});

test('ends where a function says so', async () => {
  const model = scriptedModel([call('1', 'weather', { city: 'Oslo' })], ['not asked']);
  const outcome = await run({
    model,
    tools: [weather],
    prompt: 'go',
    stopWhen: [() => false, async ({ records }) => records.some((record) => record.call.name === 'weather')],
  });
  assert.deepEqual([outcome.stop, model.asked.length], ['condition', 1]);
});

test('cuts a long result and offers a tool that reads the rest, from then on', async () => {
  const long = tool({
    name: 'long',
    description: 'Long',
    outputBudget: 20,
    run: () => 'abcdefghij'.repeat(10),
  });
  const model = scriptedModel(
    [call('1', 'long')],
    [call('2', 'read_result', { call_id: '1', from: 95 })],
    ['ok'],
  );
  const outcome = await run({ model, tools: [long], prompt: 'go' });
  assert.match(
    textsOf(outcome)[0] ?? '',
    /80 of 100 characters are left out here\. To read on, call read_result with \{"call_id": "1", "from": 10\}/,
  );
  assert.equal(textsOf(outcome)[1], 'fghij');
  assert.deepEqual(
    model.asked.map((request) => request.tools?.length),
    [1, 2, 2],
  );
});

test('gives a final answer of a given shape, and sends back one that does not fit', async () => {
  const shape = z.object({ answer: z.number() });
  const model = scriptedModel(['forty-two'], ['{"answer":"x"}'], ['{"answer":42}']);
  const outcome = await run({ model, prompt: 'go', output: shape });
  assert.deepEqual(outcome.output, { answer: 42 });
  assert.match(JSON.stringify(model.asked[2]?.messages.at(-1)), /answer: expected a number, got \\"x\\"/);
  assert.equal(model.asked[0]?.output?.name, 'answer');
  await assert.rejects(
    async () =>
      void (await run({
        model: scriptedModel(['no'], ['no']),
        prompt: 'go',
        output: { schema: shape, retries: 1 },
      })),
    {
      code: 'output_invalid',
    },
  );
});

test('shows a final answer while it is written, as text, in a fence, or as a call', async () => {
  const shape = z.object({ answer: z.string(), days: z.array(z.number()) });
  const want = { answer: 'Oslo', days: [1, 2] };
  const text = JSON.stringify(want);
  const fenced = `Here it is [as asked]:\n\`\`\`json\n${text}\n\`\`\`\nThat is all.`;
  for (const [reply, output] of [
    [text, shape],
    [` \n${text}`, shape],
    [fenced, shape],
    [{ calls: [{ name: 'answer', arguments: want }] }, { schema: shape, by: 'call' }],
  ] as const)
    for (const chunk of [1, 7, 1000]) {
      const said = typeof reply === 'string' ? { text: reply } : reply;
      const running = run({ model: mockModel([{ ...said, chunk }]), prompt: 'go', output });
      const seen: unknown[] = [];
      let pieces = '';
      for await (const event of running)
        if (event.type === 'output') {
          seen.push(structuredClone(event.output));
          pieces += event.text;
        }
      assert.deepEqual((await running).output, want);
      assert.deepEqual(seen.at(-1), want);
      assert.ok(pieces.startsWith(text), pieces);
      if (chunk > 1) continue;
      assert.ok(seen.length >= text.length, `${seen.length} views`);
      assert.ok(seen.some((view) => JSON.stringify(view) === '{"answer":"Os"}'));
      assert.ok(seen.some((view) => JSON.stringify(view) === '{"answer":"Oslo","days":[1]}'));
    }
});

test('a fenced answer that is broken, or two of them, are sent back', async () => {
  const shape = z.object({ answer: z.number() });
  for (const wrong of [
    '```json\n{"answer":1\n```',
    '```\n{"answer":1}\n```\n```\n{"answer":2}\n```',
    '```',
  ]) {
    const model = scriptedModel([wrong], ['```JSON\r\n{"answer":42}\r\n```']);
    const outcome = await run({ model, prompt: 'go', output: shape });
    assert.deepEqual(outcome.output, { answer: 42 });
    assert.match(JSON.stringify(model.asked[1]?.messages.at(-1)), /Your answer is not JSON/);
  }
});

test('takes a final answer that comes as a call', async () => {
  const model = scriptedModel([call('1', 'answer', { answer: 'x' })], [call('2', 'answer', { answer: 42 })]);
  const outcome = await run({
    model,
    prompt: 'go',
    output: { schema: z.object({ answer: z.number() }), by: 'call' },
  });
  assert.deepEqual(outcome.output, { answer: 42 });
  assert.equal(outcome.stop, 'done');
  assert.deepEqual(checkHistory(outcome.messages), []);
});

test('runs the tools that a model was bound to, and tells them as they were bound', async () => {
  const script = scriptedModel([call('1', 'weather', { city: 'Oslo' })], ['ok']);
  const bound = bind(script, [weather], { parallelCalls: false, strict: true });
  const outcome = await run({ model: bound, prompt: 'go' });
  assert.deepEqual(textsOf(outcome), ['Rain in Oslo']);
  assert.equal(script.asked[0]?.parallelCalls, false);
  const [spec] = script.asked[0]?.tools ?? [];
  assert.equal(spec?.kind === 'function' && spec.strict, true);
});

test('a model that was bound to tools hears which of them are there now, as they were bound', async () => {
  let isThere = true;
  const settings = {
    description: 'd',
    input: { type: 'object' },
    run: () => void (isThere = false),
  } as const;
  const stays = tool({ name: 'stays', ...settings });
  const goes = tool({ name: 'goes', ...settings, isAvailable: () => isThere });
  const told = ({ tools }: ModelRequest): unknown =>
    tools?.map((spec) => [spec.name, spec.kind === 'function' && spec.strict]);
  const script = scriptedModel([call('1', 'stays')], ['ok']);
  await run({ model: bind(script, [stays, goes], { strict: true }), prompt: 'go' });
  assert.deepEqual(script.asked.map(told), [
    [
      ['stays', true],
      ['goes', true],
    ],
    [['stays', true]],
  ]);
  const alone = scriptedModel(['ok']);
  await run({ model: bind(alone, [goes], { toolChoice: 'required' }), prompt: 'go' });
  assert.deepEqual(alone.asked.map(told), [[]]);
  assert.equal(alone.asked[0]?.toolChoice, undefined);
});

test('a choice that a model was bound with forces the first step only, as one of the run', async () => {
  const script = scriptedModel([call('1', 'weather', { city: 'Oslo' })], ['ok']);
  const { stop } = await run({ model: bind(script, [weather], { toolChoice: 'required' }), prompt: 'go' });
  assert.equal(stop, 'done');
  assert.deepEqual(
    script.asked.map((request) => request.toolChoice),
    ['required', 'auto'],
  );
});

test('gives results in call order, also where a later call was complete first', async () => {
  const [first, second] = [call('1', 'weather', { city: 'A' }), call('2', 'weather', { city: 'B' })];
  const script = scriptedModel(['ok']);
  let asked = 0;
  const model: Model = {
    ...script,
    async *stream(request) {
      if (asked++ > 0) return yield* script.stream(request);
      yield { type: 'call-end', slot: 1, call: second };
      const message = { role: 'assistant', content: [first, second] } as const;
      yield { type: 'finish', reply: { message, finish: { reason: 'calls' }, complete: true } };
    },
  };
  const outcome = await run({ model, tools: [weather], prompt: 'go' });
  assert.deepEqual(textsOf(outcome), ['Rain in A', 'Rain in B']);
  assert.deepEqual(checkHistory(outcome.messages), []);
});

test('gives the model back what it wrote with all that its provider put on it', async () => {
  const providerData = { gemini: { thoughtSignature: 'c2ln' } };
  const thought = { type: 'reasoning', text: 'hm', providerData } as const;
  const signed = call('1', 'weather', { city: 'Oslo' }, { providerData });
  const model = scriptedModel([thought, signed], ['ok']);
  await run({ model, tools: [weather], prompt: 'go' });
  const sent = model.asked[1]?.messages[1];
  assert.ok(sent?.role === 'assistant');
  assert.deepEqual(sent.content, [thought, signed]);
});

test('asks the model once a step: no retry is hidden above the one that the transport reports', async () => {
  const error = { kind: 'overloaded', message: 'busy' } as const;
  let asked = 0;
  const seen: string[] = [];
  const model: Model = {
    ...scriptedModel(),
    async *stream() {
      asked++;
      yield { type: 'retry', attempt: 1, waitMs: 5, error };
      const message = { role: 'assistant', content: [] } as const;
      yield { type: 'finish', reply: { message, finish: { reason: 'error' }, complete: false, error } };
    },
  };
  const on = (event: RunEvent): void => void seen.push(event.type);
  await assert.rejects(async () => void (await run({ model, prompt: 'go', on })), { code: 'model_failed' });
  assert.equal(asked, 1);
  assert.ok(seen.includes('retry'));
});

test('goes on with the history of another run, and changes nothing of it', async () => {
  const first = await run({ model: scriptedModel(['One.']), prompt: 'a', system: 'Be short.' });
  const model = scriptedModel(['Two.']);
  const second = await run({ model, prompt: 'b', system: 'Be short.', messages: first.messages });
  assert.deepEqual(
    second.messages.map((message) => message.role),
    ['system', 'user', 'assistant', 'user', 'assistant'],
  );
  assert.equal(first.messages.length, 3);
});

test('measured on peers: mends a history with an unanswered call before it is sent', async () => {
  const model = scriptedModel(['Welcome back.']);
  const asked = { role: 'assistant', content: [call('1', 'weather', { city: 'Oslo' })] } as const;
  const outcome = await run({
    model,
    tools: [weather],
    messages: [{ role: 'user', content: 'a' }, asked],
    prompt: 'b',
  });
  assert.equal(outcome.text, 'Welcome back.');
  assert.deepEqual(checkHistory(model.asked[0]?.messages ?? []), []);
  assert.deepEqual(checkHistory(outcome.messages), []);
});

test('measured on peers: shows the model what it wrote, also where that is not JSON', async () => {
  const model = scriptedModel([call('1', 'weather', '{"city": Oslo}')], ['Sorry.']);
  await run({ model, tools: [weather], prompt: 'go' });
  const wrote = model.asked[1]?.messages[1];
  assert.ok(wrote?.role === 'assistant' && wrote.content[0]?.type === 'call');
  assert.equal(wrote.content[0].arguments, '{"city": Oslo}');
});

test(
  'measured on peers: does not wait for a tool that never settles, once the run is aborted',
  { timeout: 5000 },
  async () => {
    const stop = new AbortController();
    const on = (event: RunEvent): void => {
      if (event.type === 'tool-start') queueMicrotask(() => stop.abort());
    };
    const outcome = await run({
      model: scriptedModel([call('1', 'slow')]),
      tools: [slow],
      prompt: 'go',
      signal: stop.signal,
      on,
    });
    assert.equal(outcome.stop, 'aborted');
    assert.equal(outcome.calls[0]?.result.errorCode, 'cancelled');
  },
);

test('says what is wrong with messages from outside (message_invalid), and with a choice of no tool (tool_unknown)', () => {
  const model = scriptedModel(['ok']);
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    [[{ role: 'function', content: 'x' }], /role/],
    [[{ role: 'user', content: [{ type: 'text', txt: 'x' }] }], /text/],
    [[{ role: 'assistant', content: 'x' }], /content/],
    [[undefined], /messages/],
    ['hi', /expected a list/],
  ];
  for (const [messages, message] of wrong)
    assert.throws(() => run({ model, messages: messages as never }), { code: 'message_invalid', message });
  for (const toolChoice of [{ name: 'wether' }, { allowed: ['wether'], mode: 'auto' }] as const)
    assert.throws(() => run({ model, tools: [weather], toolChoice, prompt: 'x' }), { code: 'tool_unknown' });
});

test('goes on without a tool that cannot say whether it is there, and keeps what it has when one cannot be stopped', async () => {
  const broken = (name: string, isAvailable: () => boolean | Promise<boolean>) =>
    tool({ name, description: 'Broken', isAvailable, run: () => assert.fail('must not run') });
  const stubborn = tool({
    name: 'stubborn',
    description: 'Does not stop',
    run: () => 'ran',
    stop: () => Promise.reject(new Error('still busy')),
  });
  const tools = [
    weather,
    stubborn,
    broken('throws', () => {
      throw new Error('no licence');
    }),
    broken('rejects', () => Promise.reject(new Error('no network'))),
  ];
  const faults: string[] = [];
  const model = scriptedModel([call('1', 'stubborn'), call('2', 'throws')], ['ok']);
  const outcome = await run({
    model,
    tools,
    prompt: 'go',
    on: (event) => {
      if (event.type === 'fault')
        faults.push(`${event.name} ${event.doing} ${(event.cause as Error).message}`);
    },
  });
  assert.deepEqual(
    textsOf(outcome).map((text) => text.slice(0, 13)),
    ['ran', 'There is no t'],
  );
  assert.deepEqual(
    [...new Set(faults)],
    ['throws isAvailable no licence', 'rejects isAvailable no network', 'stubborn stop still busy'],
  );
});

test('a tool that never says whether it is there does not hold up the end of the run', async () => {
  const stop = new AbortController();
  const silent = tool({
    name: 'silent',
    description: 'Never says',
    isAvailable: () => {
      stop.abort();
      return new Promise(() => undefined);
    },
    run: () => 1,
  });
  const outcome = await run({
    model: scriptedModel(['ok']),
    tools: [silent],
    prompt: 'go',
    signal: stop.signal,
  });
  assert.equal(outcome.stop, 'aborted');
});

test('a stop condition that never answers does not hold up an abort', async () => {
  const model = scriptedModel([call('1', 'weather', { city: 'Oslo' })], ['It rains.']);
  const asked = Promise.withResolvers<void>();
  const stopWhen = (): Promise<boolean> => {
    asked.resolve();
    return new Promise(() => undefined);
  };
  const running = run({ model, tools: [weather], prompt: 'Rain?', stopWhen });
  const ending = running.then((outcome) => outcome.stop);
  await asked.promise;
  running.abort();
  assert.equal(await ending, 'aborted');
});

test('an answer that is given at the limit is read like any other', async () => {
  const schema = z.object({ rain: z.boolean() });
  const asked = call('1', 'weather', { city: 'Oslo' });
  const shared = { tools: [weather], prompt: 'Rain?', limits: { steps: 1 }, atLimit: 'answer' } as const;
  const told = await run({ ...shared, model: scriptedModel([asked], ['{"rain": true}']), output: schema });
  assert.equal(told.stop, 'step-limit');
  assert.deepEqual(told.output, { rain: true });
  const other = await run({ ...shared, model: scriptedModel([asked], ['It rains.']), output: schema });
  assert.equal(other.stop, 'step-limit');
  assert.equal(other.output, undefined);
});

test('an answer that comes as a call can be given at any limit', async () => {
  const output = { schema: z.object({ rain: z.boolean() }), by: 'call' } as const;
  for (const limits of [{ steps: 1 }, { calls: 1 }, { callsPerTool: 0, steps: 1 }]) {
    const model = scriptedModel(
      [call('1', 'weather', { city: 'Oslo' })],
      [call('2', 'answer', { rain: true }), call('3', 'weather', { city: 'Rome' })],
    );
    const outcome = await run({
      model,
      tools: [weather],
      prompt: 'Rain?',
      limits,
      atLimit: 'answer',
      output,
    });
    assert.deepEqual(model.asked[1]?.toolChoice, { allowed: ['answer'], mode: 'auto' });
    assert.match(outcome.stop, /-limit$/);
    assert.deepEqual(outcome.output, { rain: true });
    assert.equal(outcome.calls[2]?.result.errorCode, 'unknown_tool');
    assert.deepEqual(checkHistory(outcome.messages), []);
  }
});

test('a final answer that is checked without end does not hold up an abort', async () => {
  const asked = Promise.withResolvers<void>();
  const check = (): Promise<boolean> => {
    asked.resolve();
    return new Promise(() => undefined);
  };
  const output = z.object({ rain: z.boolean().refine(check) });
  const running = run({ model: scriptedModel(['{"rain": true}']), prompt: 'Rain?', output });
  const ending = running.then((outcome) => outcome.stop);
  await asked.promise;
  running.abort();
  assert.equal(await ending, 'aborted');
});

test('events can be pulled several at a time', async () => {
  const arrived = Promise.withResolvers<void>();
  const model = scriptedModel([arrived.promise, 'It rains.']);
  const events = run({ model, prompt: 'Rain?' })[Symbol.asyncIterator]();
  const pulled = Array.from({ length: 8 }, () => events.next());
  await Promise.all(pulled.slice(0, 2));
  arrived.resolve();
  const types = (await Promise.all(pulled)).map(({ value }) => (value as RunEvent | undefined)?.type);
  assert.deepEqual(types, [
    ...['run-start', 'step-start', 'text', 'reply', 'usage', 'step-end', 'finish'],
    undefined,
  ]);
});

test('what a listener throws ends the run as itself: no model, no tool and no history is blamed for it', async () => {
  const talkative = tool({
    name: 'talkative',
    description: 'Tells how far it is',
    input: { type: 'object' },
    run: async function* () {
      yield 'half';
      return 'done';
    },
  });
  const types: readonly RunEvent['type'][] = [
    ...(['run-start', 'step-start', 'text', 'call-end', 'tool-start', 'progress'] as const),
    ...(['reply', 'result', 'usage', 'step-end', 'finish'] as const),
  ];
  for (const type of types) {
    const model = scriptedModel(['Let me look.', call('1', 'talkative')], ['Done.']);
    const broken = new Error(`no room for ${type}`);
    const listener = (event: RunEvent): void => {
      if (event.type === type) throw broken;
    };
    await assert.rejects(run({ model, tools: [talkative], prompt: 'go', on: listener }), (error) => {
      return error === broken;
    });
    assert.ok(model.asked.length < 2 || type === 'finish', type);
  }
});
