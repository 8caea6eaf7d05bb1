import assert from 'node:assert/strict';
import { test } from 'node:test';

import { call, scriptedModel } from '../../../test/scripted-model.ts';
import { isWhetstoneError } from '../../base/host/errors.ts';
import type { Model, ModelEvent } from '../../base/message/model.ts';
import type { AssistantPart } from '../../base/message/part.ts';
import type { Finish } from '../../base/message/usage.ts';
import { tool } from '../tool/define-tool.ts';
import type { RunEvent } from './event.ts';
import type { Outcome } from './outcome.ts';
import { run } from './run.ts';

const weather = tool({ name: 'weather', description: 'Current weather', run: () => 'Rain' });

interface Given {
  readonly content?: readonly AssistantPart[];
  readonly finish: Finish;
}

/** A provider that ends every reply in good order, whatever is in it. */
function endsWith(...replies: readonly Given[]): Model & { readonly asked: number } {
  const scripted = scriptedModel();
  const model = {
    ...scripted,
    asked: 0,
    async *stream(): AsyncGenerator<ModelEvent> {
      const { content = [], finish } = replies[model.asked++]!;
      const usage = { input: 10, output: 5, total: 15 };
      yield {
        type: 'finish',
        reply: { message: { role: 'assistant', content }, finish, complete: true, usage },
      };
    },
  };
  return model;
}

const malformed: Given = { finish: { reason: 'error', raw: 'MALFORMED_FUNCTION_CALL' } };
const good: Given = { content: [{ type: 'text', text: 'Rain.' }], finish: { reason: 'stop', raw: 'STOP' } };

async function failureOf(
  model: Model,
  replyRetries?: number,
): Promise<{ message: string; outcome: Outcome }> {
  const error: unknown = await run({
    model,
    tools: [weather],
    prompt: 'Rain?',
    ...(replyRetries !== undefined && { replyRetries }),
  }).catch((thrown: unknown) => thrown);
  assert.ok(isWhetstoneError(error) && error.code === 'model_failed', String(error));
  return { message: error.message, outcome: error.details['outcome'] as Outcome };
}

test('a call that the model could not write is asked for once more, in sight of those who listen', async () => {
  const retries: RunEvent[] = [];
  const model = endsWith(malformed, good);
  const { text, steps, usage, messages } = await run({
    model,
    prompt: 'Rain?',
    on: (event) => void (event.type === 'retry' && retries.push(event)),
  });
  assert.deepEqual([text, steps, usage.total, messages.length], ['Rain.', 1, 30, 2]);
  const error = { kind: 'other', message: 'The model ended its reply with "MALFORMED_FUNCTION_CALL".' };
  assert.deepEqual(retries, [{ type: 'retry', step: 1, attempt: 1, waitMs: 0, error }]);
});

test('a reply that stays one that is none is an error with its reason, and never done', async () => {
  for (const [given, says] of [
    [malformed, /ended its reply with "MALFORMED_FUNCTION_CALL"/],
    [{ finish: { reason: 'calls', raw: 'UNEXPECTED_TOOL_CALL' } }, /no call came: .*"UNEXPECTED_TOOL_CALL"/],
    [{ finish: { reason: 'other' } }, /empty reply, and ended it without saying why/],
    [{ ...good, finish: { reason: 'error' } }, /ended its reply without saying why/],
  ] as const) {
    const model = endsWith(given, given);
    const { message, outcome } = await failureOf(model);
    assert.match(message, says);
    assert.deepEqual([model.asked, outcome.stop, outcome.usage.total], [2, 'error', 30]);
  }
});

test('how often it is asked for again is a setting', async () => {
  const never = endsWith(malformed);
  await failureOf(never, 0);
  assert.equal(never.asked, 1);
  const thrice = endsWith(malformed, malformed, malformed, good);
  await run({ model: thrice, prompt: 'Rain?', replyRetries: 3 });
  assert.equal(thrice.asked, 4);
});

test('an answer of no words is done where the model says that it has stopped', async () => {
  const { text, stop } = await run({ model: endsWith({ finish: { reason: 'stop' } }), prompt: 'Hm.' });
  assert.deepEqual([text, stop], ['', 'done']);
});

test("a provider's own tool that runs here, and was not told how, waits for the program", async () => {
  const bash = tool({
    name: 'bash',
    description: 'Runs a command',
    spec: { kind: 'hosted', name: 'bash', api: 'anthropic', entry: { type: 'bash_20250124', name: 'bash' } },
  });
  const model = scriptedModel([call('1', 'bash', { command: 'ls' })], ['Two files.']);
  const waiting = await run({ model, tools: [bash], prompt: 'What is here?' });
  assert.equal(waiting.stop, 'waiting');
  assert.deepEqual(
    waiting.waiting.calls.map(({ id, arguments: given }) => [id, given]),
    [['1', { command: 'ls' }]],
  );
  assert.equal(waiting.calls[0]?.success, false);
  const { text } = await run({
    model,
    tools: [bash],
    messages: waiting.messages,
    answers: [{ callId: '1', content: 'a.txt b.txt' }],
  });
  assert.equal(text, 'Two files.');
});
