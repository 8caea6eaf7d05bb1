import assert from 'node:assert/strict';
import { test } from 'node:test';

import { z } from 'zod';

import { call } from '../../../../test/scripted-model.ts';
import { NumberToken } from '../../../base/json/number-token.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import { resultText } from '../../../base/message/result.ts';
import type { CallRecord } from './call-record.ts';
import { tool } from '../define-tool.ts';
import { failCall, invalidArgument } from '../failure.ts';
import { toolOutput } from '../output.ts';
import { runCall } from './run-call.ts';
import type { CallEvent } from './run-call.ts';
import { toolbox } from '../toolbox.ts';

const any = { type: 'object', properties: {} } as const;
const order = tool({
  name: 'order',
  description: 'Orders something',
  input: {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: { quantity: { type: 'integer', minimum: 1 } },
          required: ['quantity'],
        },
      },
    },
    required: ['items'],
  },
  run: ({ items }) => ({ ordered: (items as unknown[]).length }),
});

/** A tool that answers with what it is given, and the record of one call of it. */
async function answering(run: () => unknown, settings: object = {}): Promise<CallRecord> {
  const it = tool({ name: 'it', description: 'Answers', input: any, run, ...settings });
  return runCall(call('1', 'it'), it);
}

function text(record: CallRecord): string {
  return resultText(record.result);
}

test('runs a call and gives its one result', async () => {
  const record = await runCall(call('1', 'order', { items: [{ quantity: 2 }] }), order);
  assert.equal(text(record), '{"ordered":1}');
  assert.equal(record.success, true);
  assert.equal(record.result.callId, '1');
  assert.equal(typeof record.result.durationMs, 'number');
});

test('says which field is wrong, what was expected and what was sent, and runs nothing', async () => {
  const record = await runCall(call('1', 'order', { items: [{ quantity: 1 }, { quantity: 'two' }] }), order);
  assert.equal(record.result.errorCode, 'invalid_arguments');
  assert.match(text(record), /items\[1\]\.quantity: expected an integer.*got "two"/);
  const missing = await runCall(call('1', 'order', {}), order);
  assert.match(text(missing), /items/);
});

test('names the field also where the schema comes from a library', async () => {
  const city = tool({
    name: 'city',
    description: 'Finds a city',
    input: z.object({ name: z.string().refine((name) => name !== 'Atlantis', 'a city that exists') }),
    run: ({ name }) => name,
  });
  assert.match(text(await runCall(call('1', 'city', { name: 7 }), city)), /name: expected a string, got 7/);
  assert.match(
    text(await runCall(call('1', 'city', { name: 'Atlantis' }), city)),
    /name: .*a city that exists.*got "Atlantis"/,
  );
});

test('answers an unknown name with the nearest ones', async () => {
  const box = toolbox(
    order,
    tool({ name: 'search_orders', description: 'Searches', input: any, run: () => 1 }),
  );
  const record = await runCall(call('1', 'functions.serach_orders'), box);
  assert.equal(record.result.errorCode, 'unknown_tool');
  assert.match(text(record), /Did you mean "search_orders"\?.*The tools are: order, search_orders\./);
});

test('says that arguments are not JSON, and keeps what the model wrote', async () => {
  const record = await runCall(call('1', 'order', '{"items": [1,'), order);
  assert.equal(record.result.errorCode, 'arguments_not_json');
  assert.equal(record.call.arguments, '{"items": [1,');
  assert.match(text(record), /not JSON/);
  const list = await runCall(call('1', 'order', '[1]'), order);
  assert.match(text(list), /must be a JSON object/);
});

test('adds the whole specification when the same wrong call comes a third time', async () => {
  const mistakes = new Map<string, number>();
  const texts: string[] = [];
  for (let times = 0; times < 3; times++)
    texts.push(text(await runCall(call('1', 'order', { items: 1 }), order, { mistakes })));
  assert.doesNotMatch(texts[1] ?? '', /specification/);
  assert.match(texts[2] ?? '', /specification of the tool: \{"kind":"function","name":"order"/);
});

test('counts returning nothing as success, and says so', async () => {
  const record = await answering(() => undefined);
  assert.equal(record.success, true);
  assert.equal(text(record), 'it completed successfully and returned nothing.');
});

test('tells an expected failure from a throw', async () => {
  const expected = await answering(() => failCall('No such city.'));
  assert.equal(expected.result.errorCode, 'failed');
  assert.equal(text(expected), 'No such city.');
  assert.equal(expected.cause, undefined);
  const thrown = await answering(() => Promise.reject(new Error('boom')));
  assert.equal(thrown.result.errorCode, 'tool_threw');
  assert.match(text(thrown), /boom/);
  assert.ok(thrown.cause instanceof Error);
  const wrong = await answering(() => {
    throw invalidArgument('city', 'a city we deliver to');
  });
  assert.equal(wrong.result.errorCode, 'invalid_arguments');
  assert.match(text(wrong), /city: expected a city we deliver to/);
});

test('says what is not JSON in an answer, and loses no number', async () => {
  assert.match(text(await answering(() => () => 1)), /not JSON: a function/);
  assert.match(text(await answering(() => ({ a: [Symbol('x')] }))), /a symbol \(at \/a\/0\)/);
  assert.match(text(await answering(() => new Map([[1, 2]]))), /a Map/);
  const loop: Record<string, unknown> = {};
  loop['self'] = loop;
  assert.match(text(await answering(() => loop)), /contains itself/);
  assert.equal((await answering(() => loop)).result.errorCode, 'output_not_json');
  assert.equal(
    text(await answering(() => ({ a: NaN, b: 10n, c: new Date(0) }))),
    '{"a":"NaN","b":"10","c":"1970-01-01T00:00:00.000Z"}',
  );
});

test('sends parts as parts, and keeps an artifact from the model', async () => {
  const image = { type: 'image', source: { kind: 'url', url: 'https://example.test/a.png' } } as const;
  assert.deepEqual((await answering(() => [image])).result.content, [image]);
  const record = await answering(() => toolOutput('2 rows', { artifact: [{ id: 1 }, { id: 2 }] }));
  assert.equal(text(record), '2 rows');
  assert.deepEqual(record.result.artifact, [{ id: 1 }, { id: 2 }]);
});

test(
  'leaves a tool behind that ignores its signal, and tells of its late answer',
  { timeout: 5000 },
  async () => {
    const late: CallEvent[] = [];
    const { promise, resolve } = Promise.withResolvers<string>();
    const it = tool({ name: 'it', description: 'Hangs', input: any, timeout: 5, run: () => promise });
    const record = await runCall(call('1', 'it'), it, { on: (event) => void late.push(event) });
    assert.equal(record.result.errorCode, 'timeout');
    assert.match(text(record), /did not answer within 5 ms/);
    resolve('too late');
    await promise;
    assert.deepEqual(late.slice(1), [{ type: 'late', late: { kind: 'value', value: 'too late' } }]);
  },
);

test(
  'a generator that is left behind tells no progress any more, and is not said to have answered',
  { timeout: 5000 },
  async () => {
    const seen: string[] = [];
    const blocked = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    const it = tool({
      name: 'it',
      description: 'Goes on',
      input: any,
      timeout: 5,
      async *run() {
        try {
          await blocked.promise;
          yield 'half';
          return 'whole';
        } finally {
          left.resolve();
        }
      },
    });
    const record = await runCall(call('1', 'it'), it, { on: ({ type }) => void seen.push(type) });
    assert.equal(record.result.errorCode, 'timeout');
    blocked.resolve();
    await left.promise;
    await new Promise(setImmediate);
    assert.deepEqual(seen, ['tool-start']);
  },
);

test('a note on the result sees the content that was given out, without its artifact', async () => {
  const it = tool({
    name: 'it',
    description: 'Counts rows',
    run: () => toolOutput('2 rows', { artifact: [1, 2] }),
    noteOnResult: (_, value) => `Found ${value.toUpperCase()}`,
  });
  assert.deepEqual((await runCall(call('1', 'it'), it)).notes, ['Found 2 ROWS']);
});

test(
  'a tool that a tool calls with its context hears that the call is cancelled',
  { timeout: 5000 },
  async () => {
    const waits = tool({
      name: 'waits',
      description: 'Waits for the end',
      run: (_, { signal, injected }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            heard.push(injected['user']);
            resolve('');
          });
        }),
    });
    const heard: unknown[] = [];
    const outer = tool({
      name: 'outer',
      description: 'Asks another',
      timeout: 5,
      run: (_, context) => waits.call({}, context),
    });
    await runCall(call('1', 'outer'), outer, { injected: { user: 7 } });
    assert.deepEqual(heard, [7]);
  },
);

test('aborts the signal of a tool whose time is over, or that is cancelled', { timeout: 5000 }, async () => {
  const reasons: string[] = [];
  const it = tool({
    name: 'it',
    description: 'Listens',
    input: any,
    timeout: 5,
    run: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reasons.push((signal.reason as Error).name);
          reject(signal.reason as Error);
        });
      }),
  });
  await runCall(call('1', 'it'), it);
  const stop = new AbortController();
  const running = runCall(call('1', 'it'), it, { signal: stop.signal });
  queueMicrotask(() => stop.abort());
  assert.equal((await running).result.errorCode, 'cancelled');
  assert.deepEqual(reasons, ['TimeoutError', 'AbortError']);
});

test('reports the progress of a generator, and answers with what it returns', async () => {
  const events: CallEvent[] = [];
  const it = tool({
    name: 'it',
    description: 'Works',
    input: any,
    async *run() {
      yield { done: 0.5 };
      return 'finished';
    },
  });
  const record = await runCall(call('1', 'it'), it, { on: (event) => void events.push(event) });
  assert.equal(text(record), 'finished');
  assert.deepEqual(events, [{ type: 'tool-start' }, { type: 'progress', progress: { done: 0.5 } }]);
});

test('fills in hidden properties, and strips what a model forges for them', async () => {
  const it = tool({
    name: 'it',
    description: 'Reads mail',
    input: z.object({ folder: z.string(), user: z.number() }),
    inject: ['user'],
    run: ({ folder, user }) => `${folder} of ${user}`,
  });
  const [spec] = toolbox(it).specs;
  assert.ok(spec?.kind === 'function');
  assert.deepEqual(Object.keys((spec.input as { properties: object }).properties), ['folder']);
  assert.deepEqual((spec.input as { required: string[] }).required, ['folder']);
  const record = await runCall(call('1', 'it', { folder: 'in', user: 666 }), it, { injected: { user: 7 } });
  assert.equal(text(record), 'in of 7');
  assert.deepEqual(
    record.changes?.map((change) => [change.kind, change.path]),
    [['stripped', '/user']],
  );
});

test('reads arguments once more with readArguments: its result runs, and the notes see it', async () => {
  const it = tool({
    name: 'it',
    description: 'Opens a page',
    input: z.object({ url: z.string() }),
    readArguments: ({ url }) =>
      URL.canParse(url) ? { address: new URL(url) } : Promise.reject(invalidArgument('url', 'an address')),
    noteOnRequest: ({ address }) => ({ label: 'Opening', detail: address.host }),
    noteOnResult: (_, value) => `Read ${String(value)} letters`,
    noteOnFailure: (_, failure) => `Failed: ${failure.code}`,
    run: ({ address }) =>
      address.host === 'bad.test' ? Promise.reject(new Error('x')) : address.host.length,
  });
  const good = await runCall(call('1', 'it', { url: 'https://a.test/' }), it);
  assert.deepEqual(good.notes, [{ label: 'Opening', detail: 'a.test' }, 'Read 6 letters']);
  const bad = await runCall(call('1', 'it', { url: 'https://bad.test/' }), it);
  assert.deepEqual(bad.notes, [{ label: 'Opening', detail: 'bad.test' }, 'Failed: tool_threw']);
  const wrong = await runCall(call('1', 'it', { url: 'nowhere' }), it);
  assert.match(text(wrong), /url: expected an address/);
});

test('survives notes that throw', async () => {
  const record = await answering(() => 'fine', {
    noteOnRequest: () => {
      throw new Error('no terminal');
    },
  });
  assert.equal(text(record), 'fine');
  assert.deepEqual(record.notes, [{ label: 'it', detail: 'noteOnRequest threw: no terminal' }]);
});

test('takes null for no note, and says of anything else that it is none', async () => {
  const silent = await answering(() => 'x', { noteOnRequest: () => null, noteOnResult: () => undefined });
  assert.deepEqual(silent.notes, []);
  const late = async (): Promise<never> => {
    throw new Error('nobody waits for this');
  };
  for (const noteOnRequest of [late, () => ['Opening', 'a.test'], () => ({ label: 5 }), () => 7]) {
    const { notes, success } = await answering(() => 'x', { noteOnRequest });
    assert.equal(success, true);
    assert.equal(notes.length, 1);
    assert.match(JSON.stringify(notes[0]), /"label":"it","detail":"noteOnRequest answered with no note: /);
  }
});

test('waits where a person must agree and nobody is there, and hands over what the client runs', async () => {
  let runs = 0;
  const waiting = await answering(() => ++runs, { approval: 'always' });
  assert.equal(waiting.waitsFor, 'approval');
  assert.equal(waiting.result.errorCode, 'needs_approval');
  assert.match(waiting.request?.hash ?? '', /^[0-9a-f]{64}$/);
  const client = tool({ name: 'ask_user', description: 'Asks the user', input: any });
  assert.equal((await runCall(call('1', 'ask_user'), client)).waitsFor, 'client');
  assert.equal(runs, 0);
});

test('does what a person decides: approve, edit, reject with a reason', async () => {
  const asked: unknown[] = [];
  const pay = tool({
    name: 'pay',
    description: 'Pays',
    input: z.object({ amount: z.number() }),
    approval: ({ amount }) => amount > 10,
    run: ({ amount }) => `paid ${amount}`,
  });
  const pays = (
    amount: number,
    decision:
      | boolean
      | { decision: 'edit'; arguments: { amount: unknown } }
      | { decision: 'reject'; reason: string },
  ) =>
    runCall(call('1', 'pay', { amount }), pay, {
      approver: (request) => {
        asked.push(request.arguments);
        return decision as boolean;
      },
    });
  assert.equal(text(await pays(5, false)), 'paid 5');
  assert.equal(text(await pays(50, true)), 'paid 50');
  const edited = await pays(50, { decision: 'edit', arguments: { amount: 20 } });
  assert.match(
    text(edited),
    /A person changed the arguments of this call to \{"amount":20\}\.\npaid 20|paid 20/,
  );
  assert.equal(edited.approval?.decision, 'edit');
  const rejected = await pays(50, { decision: 'reject', reason: 'too much' });
  assert.equal(rejected.result.errorCode, 'rejected');
  assert.match(text(rejected), /The reason: too much/);
  const misedited = await pays(50, { decision: 'edit', arguments: { amount: 'lots' } });
  assert.match(text(misedited), /changed ones do not fit.*\n.*\namount: expected/s);
  assert.deepEqual(asked, [{ amount: 50 }, { amount: 50 }, { amount: 50 }, { amount: 50 }]);
});

test('gives a custom tool the text as the model wrote it', async () => {
  const sql = tool({ name: 'sql', description: 'Runs SQL', text: 'any', run: (query) => query.length });
  assert.equal(text(await runCall(call('1', 'sql', 'SELECT 1', { kind: 'custom' }), sql)), '8');
  assert.equal(toolbox(sql).specs[0]?.kind, 'custom');
});

test('cuts a long result in the middle, and says how much is gone', async () => {
  const record = await answering(() => `a${'x'.repeat(500)}😀${'y'.repeat(500)}z`, { outputBudget: 100 });
  assert.deepEqual(record.result.truncated, { characters: 1004 });
  assert.equal(record.whole?.length, 1004);
  assert.match(text(record), /^ax{49}\n\[… 904 of 1004 characters are left out here\. …\]\ny{49}z$/);
});

test('mends almost-JSON only where it may, tells every change, and never closes what was left open', async () => {
  const written = "```json\n{'items': [{'quantity': 2,}]}\n```";
  const strict = await runCall(call('1', 'order', written), order);
  assert.equal(strict.result.errorCode, 'arguments_not_json');
  const mended = await runCall(call('1', 'order', written), order, { repair: true });
  assert.equal(text(mended), '{"ordered":1}');
  assert.ok(mended.changes?.every((change) => change.kind === 'repaired'));
  assert.ok((mended.changes?.length ?? 0) > 1);
  const open = await runCall(call('1', 'order', '{"items": [{"quantity": 2}'), order, { repair: true });
  assert.equal(open.result.errorCode, 'arguments_not_json');
  assert.match(
    text(await runCall(call('1', 'order', "{'items': 7}"), order, { repair: true })),
    /items: expected/,
  );
});

test('refuses a call that its provider cut off, although its arguments parse', async () => {
  const invalid = { reason: 'truncated', message: 'The reply was cut off.' } as const;
  const record = await runCall(call('1', 'order', { items: [] }, { invalid }), order);
  assert.equal(record.result.errorCode, 'truncated');
});

test('an action on a computer is run by the tool of that name, as the call that holds it', async () => {
  const seen: unknown[] = [];
  const computer = tool({
    name: 'computer',
    description: 'Acts on a screen',
    input: { type: 'object' },
    run: (input: { readonly actions?: unknown }) => void seen.push(input.actions),
  });
  const { result, call } = await runCall(
    { type: 'left_mouse_click', xy: [3, 4], callId: 'call_7' },
    computer,
  );
  assert.deepEqual([result.callId, result.isError], ['call_7', undefined]);
  assert.deepEqual(seen, [[{ type: 'left_mouse_click', xy: [3, 4], callId: 'call_7' }]]);
  assert.equal(call.kind, 'computer');
});

test('takes what was written as something else only where it may, and tells each change', async () => {
  const given = call('1', 'order', { items: '[{"quantity": "2"}]' });
  assert.equal((await runCall(given, order)).result.errorCode, 'invalid_arguments');
  const coerced = await runCall(given, order, { coerce: true });
  assert.equal(text(coerced), '{"ordered":1}');
  assert.ok(coerced.changes?.every((change) => change.kind === 'coerced'));
  assert.match(JSON.stringify(coerced.changes), /items\[0\]\.quantity: .{2}2.{2} was read as 2/);
  const wrong = await runCall(call('1', 'order', { items: [{ quantity: 'two' }] }), order, { coerce: true });
  assert.match(text(wrong), /items\[0\]\.quantity: expected an integer/);
});

test('ends in one result whatever a tool gives or throws that cannot be read', async () => {
  const odd = [
    { toJSON: () => assert.fail('no json') },
    new Proxy({}, { ownKeys: () => assert.fail('trap') }),
    Object.defineProperty({}, 'a', { enumerable: true, get: () => assert.fail('getter') }),
  ];
  for (const value of odd) {
    const record = await answering(() => value);
    assert.equal(record.result.errorCode, 'output_not_json');
    assert.match(text(record), /cannot be read: (no json|trap|getter)/);
  }
  for (const bytes of [Buffer.from('abc'), new Uint8Array(3), new ArrayBuffer(3)]) {
    assert.match(text(await answering(() => ({ at: bytes }))), /3 bytes; give text.*base64 \(at \/at\)/);
  }
  for (const thrown of [Object.create(null), { toString: () => assert.fail('never') }]) {
    const record = await answering(() => {
      throw thrown;
    });
    assert.equal(record.result.errorCode, 'tool_threw');
  }
  const returned = await answering(() => new RangeError('too far'));
  assert.equal(returned.result.errorCode, 'tool_threw');
  assert.match(text(returned), /"it" failed: too far/);
  assert.ok(returned.cause instanceof RangeError);
});

test('the deadline of a tool holds before it runs, too: while it starts and while it reads', async () => {
  const never = (): Promise<never> => new Promise(() => undefined);
  for (const settings of [{ start: never }, { readArguments: never }]) {
    const record = await answering(() => assert.fail('must not run'), { timeout: 5, ...settings });
    assert.equal(record.result.errorCode, 'timeout');
    assert.match(text(record), /not ready within 5 ms, so it was not run/);
  }
});

test('tells the model of what the program has not injected as a fault that is not its own', async () => {
  const input = { type: 'object', properties: { user: { type: 'string' } }, required: ['user'] };
  const record = await answering(() => 1, { input, inject: ['user'] });
  assert.match(text(record), /needs "user" from the program.*not in the call/);
});

test('a schema that throws, rejects or gives up by itself is one result of its call', async () => {
  const boom = (): never => {
    throw new Error('the database is down');
  };
  const inputs = [
    z.object({ id: z.string().refine(boom) }),
    z.object({ id: z.string().transform(boom) }),
    { '~standard': { version: 1, vendor: 'own', validate: boom, jsonSchema: { input: () => any } } },
  ];
  for (const input of inputs) {
    const it = tool({ name: 'it', description: 'Looks up', input, run: () => 'ran' });
    const record = await runCall(call('1', 'it', { id: '7' }), it);
    assert.equal(record.result.errorCode, 'invalid_arguments');
    assert.equal(text(record), 'The arguments of "it" could not be read: the database is down');
    assert.equal((record.cause as Error).message, 'the database is down');
    await assert.rejects(it.call({ id: '7' } as never), { code: 'arguments_invalid' });
  }
});

test('a schema that never answers is left at the deadline, and when the call is cancelled', async () => {
  const never = new Promise<never>(() => undefined);
  const asking = z.object({ id: z.string().refine(() => never) });
  const settings = { name: 'it', description: 'Looks up', input: asking, run: () => 'ran' };
  const late = await runCall(call('1', 'it', { id: '7' }), tool({ ...settings, timeout: 5 }));
  assert.equal(late.result.errorCode, 'timeout');
  assert.equal(text(late), '"it" was not ready within 5 ms, so it was not run.');
  const controller = new AbortController();
  const cancelled = runCall(call('1', 'it', { id: '7' }), tool(settings), { signal: controller.signal });
  controller.abort();
  assert.equal((await cancelled).result.errorCode, 'cancelled');
});

test('arguments that a person changed are waited for no longer than others', async () => {
  let times = 0;
  const it = tool({
    name: 'it',
    description: 'Reads slowly the second time',
    input: any,
    approval: 'always',
    timeout: 5,
    readArguments: (input) => (times++ === 0 ? input : new Promise<never>(() => undefined)),
    run: () => 'ran',
  });
  const edit = { decision: 'edit', arguments: {} } as const;
  const record = await runCall(call('1', 'it'), it, { approver: () => edit });
  assert.equal(record.result.errorCode, 'timeout');
});

test('what only looks like a promise, and a toJSON that gives nothing, are faults of the tool', async () => {
  const thrower = {
    // oxlint-disable-next-line no-thenable -- this is what is tried
    then: () => {
      throw new Error('not yet connected');
    },
  };
  const thrown = await answering(() => thrower);
  assert.equal(thrown.result.errorCode, 'tool_threw');
  assert.match(text(thrown), /not yet connected/);
  for (const nothing of [undefined, () => 1, Symbol('x')]) {
    const record = await answering(() => ({ toJSON: () => nothing }));
    assert.equal(record.result.errorCode, 'output_not_json');
    assert.equal(text(record), 'it ran, but the toJSON method of what it returned gives nothing.');
  }
});

test('whatever is thrown, the model reads what it says', async () => {
  const odd: readonly (readonly [unknown, string])[] = [
    [{ code: 429, message: 'quota used up' }, 'quota used up'],
    [{ code: 429 }, '{"code":429}'],
    [new TypeError(), 'TypeError'],
    [
      new AggregateError([new Error('IPv6 refused'), new Error('IPv4 refused')]),
      'IPv6 refused; IPv4 refused',
    ],
    [Object.assign(new Error('x'), { message: Symbol('x') }), 'something was thrown that cannot be shown'],
    [undefined, 'undefined'],
    [null, 'null'],
  ];
  for (const [value, said] of odd) {
    const record = await answering(() => {
      throw value;
    });
    assert.equal(text(record).split('\n')[0], `"it" failed: ${said}`);
  }
});

test('an artifact is in the history, so it is JSON, or the call has failed', async () => {
  const numbers = await answering(() =>
    toolOutput('2 rows', { artifact: { id: 5n, share: Number.NaN } as never }),
  );
  assert.deepEqual(numbers.result.artifact, { id: '5', share: 'NaN' });
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  for (const [artifact, what] of [
    [circle, 'an object that contains itself (at /self)'],
    [{ rows: new Map() }, 'a Map, which JSON would write as {} (at /rows)'],
  ]) {
    const record = await answering(() => toolOutput('2 rows', { artifact: artifact as never }));
    assert.equal(record.result.errorCode, 'output_not_json');
    assert.equal(text(record), `it ran, but its artifact is not JSON: ${String(what)}.`);
  }
});

test('a tool gets arguments of its own, with what no double holds, in their order, and however they are called', async () => {
  const given = JSON.parse(
    '{"b": {"list": [1, {"deep": true}]}, "__proto__": {"own": 1}, "a": ""}',
  ) as JsonObject;
  const whole = { ...given, exact: new NumberToken('12345678901234567890.5') as unknown as string };
  let got: JsonObject = {};
  const greedy = tool({
    name: 'greedy',
    description: 'Changes what it gets',
    input: any,
    run: (input: JsonObject) => {
      got = { ...input };
      ((input['b'] as JsonObject)['list'] as unknown[]).length = 0;
      return 'ok';
    },
  });
  const before = JSON.stringify(whole);
  const record = await runCall(call('1', 'greedy', whole), toolbox(greedy));
  assert.equal(record.success, true);
  assert.equal(JSON.stringify(whole), before);
  assert.deepEqual(Object.keys(got), ['b', '__proto__', 'a', 'exact']);
  assert.ok((got['exact'] as unknown) instanceof NumberToken);
});

test('arguments that nest without end are refused in words, and end no run', async () => {
  let deep: JsonObject = {};
  for (let level = 0; level < 200_000; level++) deep = { a: deep };
  const record = await runCall(call('1', 'order', deep), toolbox(order));
  assert.equal(record.success, false);
  assert.match(resultText(record.result), /not nested so deeply/);
});

test('takes null in an optional field for nothing given, and says so; one that must be given stays wrong', async () => {
  const schemas = [
    z.object({ city: z.string(), days: z.number().optional(), deep: z.object({ a: z.string().optional() }) }),
    {
      type: 'object',
      properties: {
        city: { type: 'string' },
        days: { type: 'number' },
        deep: { type: 'object', properties: { a: { type: 'string' } } },
      },
      required: ['city', 'deep'],
    },
  ];
  for (const input of schemas)
    for (const coerce of [false, true]) {
      const it = tool({ name: 'it', description: 'Answers', input, coerce, run: (given) => given });
      const given = { city: 'Oslo', days: null, deep: { a: null } };
      const record = await runCall(call('1', 'it', given), it);
      assert.deepEqual(record.input, { city: 'Oslo', deep: {} });
      assert.deepEqual(
        record.changes?.map(({ kind, path, from }) => [kind, path, from]),
        [
          ['coerced', '/days', null],
          ['coerced', '/deep/a', null],
        ],
      );
      assert.deepEqual(given.days, null);
      const wrong = await runCall(call('2', 'it', { city: null, days: null, deep: {} }), it);
      assert.equal(wrong.result.errorCode, 'invalid_arguments');
      assert.match(text(wrong), /city/);
    }
  const it = tool({ name: 'it', description: 'x', input: schemas[1]!, coerce: true, run: (given) => given });
  const both = await runCall(call('3', 'it', { city: 'Oslo', days: '3', deep: { a: null } }), it);
  assert.deepEqual(both.input, { city: 'Oslo', days: 3, deep: {} });
});

test('holds a text to its regular expression where the provider does not', async () => {
  const it = tool({
    name: 'it',
    description: 'Takes a date',
    text: { syntax: 'regex', definition: String.raw`\d{4}-\d{2}|today` },
    run: (date) => date,
  });
  const wrote = (given: string) =>
    runCall({ ...call('1', 'it'), kind: 'custom', arguments: given } as never, it);
  assert.equal(text(await wrote('2026-11')), '2026-11');
  const wrong = await wrote('today or 2026-11');
  assert.deepEqual([wrong.success, wrong.result.errorCode], [false, 'invalid_arguments']);
  assert.match(text(wrong), /must match the regular expression \\d/);
});
