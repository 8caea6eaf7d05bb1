import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type } from 'arktype';
import { z } from 'zod';

import { call } from '../../../test/scripted-model.ts';
import { systemClock } from '../../base/host/clock.ts';
import type { Clock } from '../../base/host/clock.ts';
import { resultText } from '../../base/message/result.ts';
import type { AnyTool, Context, Output } from './contract.ts';
import { tool } from './define-tool.ts';
import { failCall } from './failure.ts';
import { toolOutput } from './output.ts';
import { ToolUse } from './lifecycle.ts';
import { runCall } from './call/run-call.ts';
import { Tool } from './tool-class.ts';
import { toolbox } from './toolbox.ts';

const Input = z.object({ url: z.string() });

class Browser extends Tool<typeof Input, string> {
  name = 'open';
  description = 'Opens a page';
  input = Input;
  log: string[] = [];
  async start() {
    this.log.push('start');
  }
  async stop() {
    this.log.push('stop');
  }
  async run(input: Output<typeof Input>, context: Context) {
    this.log.push(`run ${context.call.id}`);
    return input.url;
  }
  noteOnRequest(input: Output<typeof Input>) {
    return { label: 'Opening', detail: input.url };
  }
}

const plain = { name: 'x', description: 'X', input: { type: 'object' }, run: () => 1 } as const;

test('infers the input of a function from any Standard Schema, and the value it gives', async () => {
  const length = tool({
    ...plain,
    input: z.object({ word: z.string() }),
    run: async ({ word }) => word.length,
  });
  const letters: number = await length.call({ word: 'four' });
  assert.equal(letters, 4);
  const ark = tool({ ...plain, input: type({ word: 'string' }), run: ({ word }) => word.toUpperCase() });
  assert.equal(await ark.call({ word: 'up' }), 'UP');
  // @ts-expect-error: the schema says that it is a string
  await assert.rejects(length.call({ word: 4 }), { code: 'arguments_invalid' });
});

test('calls a tool as a program would: what a model reads as a result is thrown (tool_failed)', async () => {
  await assert.rejects(tool({ ...plain, run: () => failCall('not today') }).call({}), {
    code: 'tool_failed',
    message: /not today/,
  });
  await assert.rejects(
    tool({ ...plain, run: () => Promise.reject(new RangeError('far')) }).call({}),
    RangeError,
  );
  await assert.rejects(tool({ ...plain, run: () => new RangeError('far') }).call({}), RangeError);
});

test('gives a program the content of an output, with its type', async () => {
  const counts = tool({ ...plain, run: () => toolOutput('2 rows', { artifact: [1, 2] }) });
  assert.equal((await counts.call({})).toUpperCase(), '2 ROWS');
});

test('a class keeps its state, starts before its first call, and stops with its last user', async () => {
  const browser = new Browser();
  const first = new ToolUse();
  const second = new ToolUse();
  const record = await runCall(call('1', 'open', { url: 'a' }), browser, { use: first });
  await runCall(call('2', 'open', { url: 'b' }), browser, { use: second });
  await first.release();
  assert.deepEqual(browser.log, ['start', 'run 1', 'run 2']);
  await second.release();
  assert.deepEqual(browser.log, ['start', 'run 1', 'run 2', 'stop']);
  assert.deepEqual(record.notes, [{ label: 'Opening', detail: 'a' }]);
  assert.equal(resultText(record.result), 'a');
});

test('a tool that cannot start says so, and is started again by the next call', async () => {
  let starts = 0;
  const moody: AnyTool = {
    ...plain,
    start: () => {
      if (++starts === 1) throw new Error('port in use');
    },
  };
  assert.match(
    resultText((await runCall(call('1', 'x'), moody, { use: new ToolUse() })).result),
    /port in use/,
  );
  assert.equal((await runCall(call('1', 'x'), moody, { use: new ToolUse() })).success, true);
});

test('a tool with nothing but a stop is stopped, and one that never starts or stops holds nobody up', async () => {
  const log: string[] = [];
  const ending: AnyTool = { ...plain, stop: () => log.push('stop') };
  const use = new ToolUse();
  await runCall(call('1', 'x'), ending, { use });
  await use.release();
  assert.deepEqual(log, ['stop']);

  const never = (): Promise<never> => new Promise(() => undefined);
  const starting = new ToolUse();
  const controller = new AbortController();
  const stuck = runCall(
    call('1', 'x'),
    { ...plain, start: never },
    { use: starting, signal: controller.signal },
  );
  controller.abort();
  assert.equal((await stuck).result.errorCode, 'cancelled');
  await starting.release();

  // A clock whose timers ring at once: the wait for the stop is over when it begins.
  const hasty: Clock = {
    ...systemClock,
    after: (_ms, callback) => {
      queueMicrotask(callback);
      return () => undefined;
    },
  };
  const stopping = new ToolUse();
  await runCall(call('1', 'x'), { ...plain, stop: never }, { use: stopping });
  await stopping.release(hasty);
});

test('says what stands among the tools and is none (tool_invalid)', () => {
  class Shop extends Tool {
    name = 'shop';
    description = 'Sells';
    input = { type: 'object' };
    run(): number {
      return 1;
    }
  }
  const wrong: readonly [unknown, RegExp][] = [
    [undefined, /is undefined.*spelled wrong/],
    ['weather', /"weather", which is not a tool/],
    [Shop, /the class "Shop".*new Shop\(\)/],
    [function pay() {}, /the function "pay"/],
    [Promise.resolve([]), /Await it first/],
    [{ weather: tool(plain) }, /Object\.values/],
    [{ description: 'x' }, /without a name: description/],
  ];
  for (const [value, message] of wrong)
    assert.throws(() => toolbox(value as never), { code: 'tool_invalid', message });
});

test('refuses a setting that is spelled wrong or said in the words of another library (tool_setting_invalid)', () => {
  const wrong: readonly [object, RegExp][] = [
    [{ aproval: 'always' }, /`aproval`.*`approval`/],
    [{ execute: () => 1 }, /`execute`.*`run`/],
    [{ inputSchema: {} }, /`inputSchema`.*`input`/],
    [{ run: 'now' }, /sets run to now; expected a function/],
    [{ inject: 'user' }, /sets inject to user; expected a list/],
    [
      { spec: { kind: 'hosted', name: 'bash', api: 'anthropic' } },
      /sets spec to .*bash.*; expected `api` and `entry`/,
    ],
  ];
  for (const [members, message] of wrong) {
    assert.throws(() => tool({ ...plain, ...members } as never), { code: 'tool_setting_invalid', message });
  }
  // The program's own.
  tool({ ...plain, owner: 'team a', 'x-cost': 3 } as never);
});

test('refuses a name that no provider takes (tool_name_invalid)', () => {
  for (const name of ['', 'get weather', '1st', 'über', 'x'.repeat(129)]) {
    assert.throws(() => tool({ ...plain, name }), { code: 'tool_name_invalid' });
  }
  assert.throws(() => tool({ ...plain, name: 'get weather!' }), { message: /For example: "get_weather_"/ });
});

test('refuses a tool without a description (tool_description_missing)', () => {
  assert.throws(() => tool({ ...plain, description: ' ' }), {
    code: 'tool_description_missing',
    message: /"x"/,
  });
});

test('refuses a schema whose root is not an object (tool_input_not_object)', () => {
  assert.throws(() => tool({ ...plain, input: { type: 'string' } }), {
    code: 'tool_input_not_object',
    message: /"string"/,
  });
  assert.throws(() => tool({ ...plain, input: z.array(z.string()), run: () => 1 }), {
    code: 'tool_input_not_object',
  });
});

test('refuses a schema that is none, and names the tool', () => {
  assert.throws(() => tool({ ...plain, input: { type: 'objekt' } }), {
    code: 'schema_invalid',
    message: /tool "x"/,
  });
});

test('refuses settings that mean nothing (tool_setting_invalid)', () => {
  assert.throws(() => tool({ ...plain, timeout: 0 }), { code: 'tool_setting_invalid', message: /timeout/ });
  assert.throws(() => tool({ ...plain, inject: ['user'] }), {
    code: 'tool_setting_invalid',
    message: /"user"/,
  });
});

test('refuses two tools of one name (tool_duplicate), and takes the same one twice', () => {
  const one = tool(plain);
  assert.throws(() => toolbox(one, tool(plain)), { code: 'tool_duplicate', message: /"x"/ });
  assert.equal(toolbox(one, [one, toolbox(one)]).size, 1);
});

test('composes boxes, and takes some tools out of them (tool_unknown)', () => {
  const box = toolbox(tool(plain), [tool({ ...plain, name: 'y' })]).with(tool({ ...plain, name: 'z' }));
  assert.deepEqual(box.names, ['x', 'y', 'z']);
  assert.deepEqual(box.only('z', 'x').names, ['x', 'z']);
  assert.deepEqual(box.without('y').names, ['x', 'z']);
  assert.throws(() => box.without('q'), { code: 'tool_unknown', message: /Known: x, y, z/ });
});

test('offers only what is available now, and the same box as long as that is all', async () => {
  const box = toolbox(tool(plain), tool({ ...plain, name: 'later', isAvailable: ({ step }) => step > 1 }));
  const at = (step: number) => box.available({ step, messages: [], injected: {} });
  assert.deepEqual((await at(1)).names, ['x']);
  assert.equal(await at(2), box);
});
