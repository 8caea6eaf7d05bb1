import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { z } from 'zod';

import { call, scriptedModel } from '../../../../test/scripted-model.ts';
import type { Call } from '../../../base/message/call.ts';
import { resultText } from '../../../base/message/result.ts';
import type { Model } from '../../../base/message/model.ts';
import { tool } from '../../tool/define-tool.ts';
import { agentTool } from './agent-tool.ts';
import type { RunEvent } from '../event.ts';
import { fileJournal } from '../journal/file-journal.ts';
import { runWithin } from './run-within.ts';
import { run } from '../run.ts';

const search = tool({ name: 'search', description: 'Searches', run: () => 'found' });
const usage = { input: 10, output: 1, total: 11 };

/** A model whose replies all cost the same. */
function costly(
  name: string,
  ...replies: readonly (readonly (Call | string)[])[]
): Model & { asked: readonly unknown[] } {
  const model = scriptedModel(...replies);
  return {
    ...model,
    name,
    async *stream(request, options) {
      for await (const event of model.stream(request, options))
        yield event.type === 'finish' ? { ...event, reply: { ...event.reply, usage } } : event;
    },
  };
}

test('a sub-agent is a tool: its events nest, and its tokens and costs count in the run that called it', async () => {
  const inner = costly('a/inner', [call('1', 'search')], ['It is 42.']);
  const research = agentTool({
    name: 'research',
    description: 'Finds facts',
    model: inner,
    tools: [search],
    system: 'Cite.',
  });
  const events: RunEvent[] = [];
  const outcome = await run({
    model: costly('a/outer', [call('1', 'research', { task: 'What is it?' })], ['It is said to be 42.']),
    tools: [research],
    prompt: 'Go.',
    prices: { 'a/inner': { input: 1e6, output: 0 }, 'a/outer': { input: 0, output: 1e6 } },
    on: (event) => void events.push(event),
  });
  assert.equal(resultText(outcome.calls[0]!.result), 'It is 42.');
  const nested = events.flatMap((event) => (event.type === 'nested' ? [event.event.type] : []));
  assert.deepEqual([nested[0], nested.at(-1), nested.includes('tool-start')], ['run-start', 'finish', true]);
  assert.deepEqual([outcome.usage.total, outcome.usage.cost, outcome.steps], [44, 22, 2]);
  assert.deepEqual(
    outcome.usage.steps.map(({ step, within }) => [step, within]),
    [
      [1, '1'],
      [1, undefined],
      [2, undefined],
    ],
  );
});

test('a sub-agent has the model, the limits and the approver of the run that called it', async () => {
  const pay = tool({ name: 'pay', description: 'Pays', approval: 'always', run: () => 'paid' });
  const payer = agentTool({ name: 'payer', description: 'Pays', tools: [pay] });
  const asked: string[] = [];
  const both = () =>
    costly('a/m', [call('1', 'payer', { task: 'Pay.' })], [call('1', 'pay')], ['Paid.'], ['All paid.']);
  const allowed = await run({
    model: both(),
    tools: [payer],
    prompt: 'Go.',
    approve: ({ name }) => asked.push(name) > 0,
  });
  assert.deepEqual([allowed.text, asked], ['All paid.', ['pay']]);
  const alone = await run({ model: both(), tools: [payer], prompt: 'Go.' });
  assert.match(resultText(alone.calls[0]!.result), /nobody here can give, for: pay/);
  const limited = await run({
    model: both(),
    tools: [payer],
    prompt: 'Go.',
    approve: () => true,
    limits: { tokens: 11 },
  });
  assert.equal(limited.stop, 'token-limit');
  assert.match(resultText(limited.calls[0]!.result), /ended early \(token-limit\)/);
});

test('a sub-agent ends with the call, and its failure is told with what it had used', async () => {
  const stop = new AbortController();
  const hanging: Model = {
    ...scriptedModel(),
    async *stream() {
      stop.abort();
      yield { type: 'text', slot: 0, text: 'Well' };
      await new Promise(() => undefined);
    },
  };
  const lost = agentTool({ name: 'lost', description: 'Is lost', model: hanging });
  const model = () => costly('a/m', [call('1', 'lost', { task: 'x' })], ['Well.']);
  const aborted = await run({ model: model(), tools: [lost], prompt: 'Go.', signal: stop.signal });
  assert.equal(aborted.stop, 'aborted');
  const broken: Model = {
    ...scriptedModel(),
    async *stream() {
      yield { type: 'text', slot: 0, text: 'Well' };
      throw new Error('It is down.');
    },
  };
  const failing = agentTool({ name: 'lost', description: 'Is lost', model: broken });
  const told = await run({ model: model(), tools: [failing], prompt: 'Go.' });
  assert.deepEqual([told.stop, told.text], ['done', 'Well.']);
  assert.match(resultText(told.calls[0]!.result), /It is down/);
});

test('with a journal a sub-agent goes on after a crash where it was', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'whet-agent-'));
  try {
    let searches = 0;
    const counted = tool({ name: 'search', description: 'Searches', run: () => `found ${++searches}` });
    const dying: Model = {
      ...scriptedModel(),
      async *stream(request) {
        if (request.messages.length > 1) throw new Error('The power is gone.');
        yield* scriptedModel([call('1', 'search')]).stream(request);
      },
    };
    const agent = (model: Model) =>
      agentTool({ name: 'research', description: 'Finds', model, tools: [counted] });
    const going = (model: Model, inner: Model, journal = fileJournal(folder)) =>
      run({ model, tools: [agent(inner)], prompt: 'Go.', journal, runId: 'r' });
    // The outer run dies with the tool that is under way: its journal knows of the call and of no result.
    const journal = fileJournal(folder);
    const crashing = {
      ...journal,
      append: (runId: string, entry: Parameters<typeof journal.append>[1]) =>
        runId === 'r' && entry.type === 'result'
          ? Promise.reject(new Error('Dead.'))
          : journal.append(runId, entry),
    };
    await assert.rejects(
      async () =>
        void (await going(
          scriptedModel([call('1', 'research', { task: 'x' })]),
          dying,
          crashing as typeof journal,
        )),
      /Dead/,
    );
    const inner = scriptedModel(['It was found.']);
    const outcome = await going(scriptedModel(['Done.']), inner);
    assert.deepEqual([outcome.text, searches, inner.asked.length], ['Done.', 1, 1]);
    assert.equal(inner.asked[0]?.messages.length, 3);
    assert.equal(resultText(outcome.calls[0]!.result), 'It was found.');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('runWithin gives any tool a model to ask, with an output of a shape; a program that calls it brings the model', async () => {
  const judge = tool({
    name: 'judge',
    description: 'Judges',
    input: z.object({ text: z.string() }),
    run: async ({ text }, context) => {
      const { output } = await runWithin(context, {
        model: scriptedModel(['{"good":true}']),
        prompt: text,
        output: z.object({ good: z.boolean() }),
      });
      return output?.good === true ? 'good' : 'bad';
    },
  });
  assert.equal(await judge.call({ text: 'x' }), 'good');
  const outcome = await run({
    model: scriptedModel([call('1', 'judge', { text: 'y' })], ['Done.']),
    tools: [judge],
    prompt: 'Go.',
  });
  assert.equal(resultText(outcome.calls[0]!.result), 'good');
});

test('a tool sees the run around it, notes what it does, and runs a model inside its call', async () => {
  const events: RunEvent[] = [];
  const look = tool({
    name: 'look',
    description: 'Looks',
    run: async (_, context) => {
      context.note('Looking at the shelf');
      const { text, stop } = await context.run({ prompt: 'What is there?', tools: [search] });
      return [context.model?.name, context.tools?.names, context.usage?.total, text, stop];
    },
  });
  const outcome = await run({
    model: costly('a/m', [call('1', 'look')], ['A cup.'], ['There is a cup.']),
    tools: [look, search],
    prompt: 'Go.',
    on: (event) => void events.push(event),
  });
  const [seen] = outcome.calls;
  assert.deepEqual(seen?.value, ['a/m', ['look', 'search'], 11, 'A cup.', 'done']);
  assert.deepEqual(seen.notes, ['Looking at the shelf']);
  assert.equal(outcome.usage.total, 33);
  const told = events.flatMap((event) =>
    event.type === 'note' ? [[event.callId, event.on, event.note]] : [],
  );
  assert.deepEqual(told, [['1', 'run', 'Looking at the shelf']]);
  assert.ok(events.some((event) => event.type === 'nested'));
});

test('a tool that a program calls by itself has no run around it, and says so', async () => {
  const look = tool({
    name: 'look',
    description: 'Looks',
    run: (_, context) => context.run({ prompt: 'Hm?' }),
  });
  await assert.rejects(async () => await look.call({}), /This call is not part of a run/);
  const looser = tool({
    name: 'looser',
    description: 'Looks',
    run: (_, context) => {
      context.note('Nobody hears it');
      return context.model === undefined && context.tools === undefined && context.usage === undefined;
    },
  });
  assert.equal(await looser.call({}), true);
});
