import assert from 'node:assert/strict';
import { test } from 'node:test';

import { call, scriptedModel } from '../../../../test/scripted-model.ts';
import { checkHistory } from '../../../base/message/check-history.ts';
import { textOf } from '../../../base/message/message.ts';
import type { Message } from '../../../base/message/message.ts';
import type { Model } from '../../../base/message/model.ts';
import { tool } from '../../tool/define-tool.ts';
import { compact } from './compact.ts';
import type { RunEvent } from '../event.ts';
import { run } from '../run.ts';

const look = tool({ name: 'look', description: 'Looks', run: () => 'seen' });
const write = tool({ name: 'write', description: 'Writes', run: () => 'written' });

test('prepareStep gives a step another model, other words, fewer tools, and the next step has the run’s own again', async () => {
  const first = scriptedModel([call('1', 'look')], ['Done.']);
  const other = scriptedModel([call('2', 'write')]);
  const states: (readonly [number, number])[] = [];
  const outcome = await run({
    model: first,
    tools: [look, write],
    system: 'Be brief.',
    prompt: 'Go.',
    prepareStep: (state) => {
      states.push([state.step, state.calls.length]);
      if (state.step !== 2) return undefined;
      return { model: other, system: 'Be long.', tools: ['look'], toolChoice: 'required' as const };
    },
  });
  assert.deepEqual([outcome.stop, outcome.steps], ['done', 3]);
  const [asked] = other.asked;
  assert.deepEqual(asked?.messages[0], { role: 'system', content: 'Be long.' });
  assert.deepEqual([asked?.tools?.map(({ name }) => name), asked?.toolChoice], [['look'], 'required']);
  // What was not offered in this step does not run.
  assert.equal(outcome.calls[1]?.result.errorCode, 'unknown_tool');
  assert.deepEqual(first.asked[1]?.messages[0], { role: 'system', content: 'Be brief.' });
  assert.equal(first.asked[1]?.tools?.length, 2);
  assert.deepEqual(states, [
    [1, 0],
    [2, 1],
    [3, 2],
  ]);
});

/** Refuses more messages than it can hold. */
function forgetful(most: number): Model & { readonly sizes: number[] } {
  const sizes: number[] = [];
  let calls = 0;
  const model = scriptedModel();
  return {
    ...model,
    sizes,
    async *stream(request) {
      sizes.push(request.messages.length);
      if (request.messages.length > most) {
        const error = { kind: 'context_too_long', message: 'prompt is too long' } as const;
        const message = { role: 'assistant', content: [] } as const;
        yield { type: 'finish', reply: { message, finish: { reason: 'error' }, complete: false, error } };
        return;
      }
      const made = call(String(++calls), 'look');
      yield* scriptedModel(calls < 12 ? [made] : ['At last.']).stream(request);
    },
  };
}

test('compact sends what is too long as a summary, parts no call from its result, and leaves the history whole', async () => {
  const model = forgetful(9);
  const summarised: (readonly Message[])[] = [];
  const events: RunEvent[] = [];
  const outcome = await run({
    model,
    tools: [look],
    prompt: 'Look twelve times.',
    limits: { steps: 20 },
    prepareStep: compact({
      keep: 3,
      summarise: (messages) => {
        assert.deepEqual(checkHistory(messages), []);
        summarised.push(messages);
        return `${messages.length} messages`;
      },
    }),
    on: (event) => void events.push(event),
  });
  assert.deepEqual([outcome.text, outcome.stop, outcome.steps], ['At last.', 'done', 12]);
  assert.equal(outcome.messages.length, 24);
  assert.deepEqual(checkHistory(outcome.messages), []);
  // What was told in short once is not told again: the next summary begins with it.
  assert.ok(summarised.length > 1 && summarised.length < 8);
  assert.match(textOf(summarised[1]![0]!), /said and done before\]\n\d+ messages/);
  assert.ok(events.some((event) => event.type === 'retry' && event.error.kind === 'context_too_long'));
});

test('compact asks a model for the summary before a reply would be too long, where a number is given', async () => {
  const small = scriptedModel(['They looked.'], ['They looked again.'], ['They looked.']);
  const model = scriptedModel([call('1', 'look')], [call('2', 'look')], [call('3', 'look')], ['Done.']);
  const usage = { input: 1000, output: 1, total: 1001 };
  const heavy: Model = {
    ...model,
    async *stream(request, options) {
      for await (const event of model.stream(request, options))
        yield event.type === 'finish' ? { ...event, reply: { ...event.reply, usage } } : event;
    },
  };
  const asModel: Model = {
    ...small,
    generate: async (request) => {
      for await (const event of small.stream(request)) if (event.type === 'finish') return event.reply;
      throw new Error('It did not end.');
    },
  };
  const prepareStep = compact({ keep: 2, summarise: asModel, above: 500 });
  await run({ model: heavy, tools: [look], prompt: 'Go.', prepareStep });
  const last = model.asked.at(-1)!.messages;
  assert.match(textOf(last[0]!), /They looked/);
  assert.deepEqual(checkHistory(last), []);
  assert.ok(last.length < 7);
});

test('words that come in while a run is under way are read before the next reply, and keep it from being done', async () => {
  const model = scriptedModel([call('1', 'look')], ['Done.'], ['Done again.']);
  const going = run({ model, tools: [look], prompt: 'Go.' });
  for await (const event of going) {
    if (event.type === 'tool-start') assert.equal(going.say('Also up.'), true);
    if (event.type === 'text' && event.text === 'Done.') going.say('One more.');
  }
  const outcome = await going;
  assert.equal(outcome.text, 'Done again.');
  assert.deepEqual(
    outcome.messages.map(({ role }) => role),
    ['user', 'assistant', 'tool', 'user', 'assistant', 'user', 'assistant'],
  );
  assert.equal(textOf(outcome.messages[3]!), 'Also up.');
  assert.equal(going.say('Too late.'), false);
});
