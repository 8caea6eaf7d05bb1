import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WhetstoneError } from '../host/errors.ts';
import { asCall, callId, requiresLocalExecution } from './call.ts';
import type { Action } from './action.ts';
import type { Call } from './call.ts';
import { assistantMessage, callsOf, localCallsOf, reasoningOf, refusalOf, textOf } from './message.ts';
import { systemMessage, toolMessage, userMessage } from './message.ts';
import { imagePart, textPart, withoutImages } from './part.ts';
import { errorResult, resultText, textResult } from './result.ts';
import { addUsage, noUsage } from './usage.ts';

const look: Call = {
  type: 'call',
  id: 'call_1',
  name: 'look',
  arguments: '{}',
  kind: 'function',
  requiresLocalExecution: true,
};
const hosted: Call = { ...look, id: 'srv_1', name: 'web_search', requiresLocalExecution: false };

test('the text of a message leaves out what was only thought', () => {
  const message = assistantMessage([
    { type: 'reasoning', text: 'Hm. ' },
    textPart('One'),
    look,
    textPart('two'),
    { type: 'reasoning', text: 'Yes.' },
  ]);
  assert.equal(textOf(message), 'One\ntwo');
  assert.equal(reasoningOf(message), 'Hm. Yes.');
  assert.equal(textOf(userMessage('Hi')), 'Hi');
  assert.equal(textOf(systemMessage([textPart('a'), textPart('b')])), 'a\nb');
  assert.equal(textOf(toolMessage([textResult(look, 'x'), textResult(hosted, 'y')])), 'x\ny');
});

test('calls are found by their presence, those of the provider apart', () => {
  const message = assistantMessage([look, hosted]);
  assert.deepEqual(callsOf(message), [look, hosted]);
  assert.deepEqual(localCallsOf(message), [look]);
  assert.deepEqual(callsOf(userMessage('Hi')), []);
});

test('a refusal is told apart from a message without one', () => {
  assert.equal(refusalOf(assistantMessage([{ type: 'refusal', text: 'No.' }])), 'No.');
  assert.equal(refusalOf(assistantMessage('Yes.')), undefined);
});

test('a bare action may be where a call is', () => {
  const action: Action = { type: 'left_mouse_click', xy: [0, 7], callId: 'call_2' };
  const message = assistantMessage([textPart('I click.'), action]);
  const [made] = callsOf(message);
  assert.deepEqual(made, {
    type: 'call',
    id: 'call_2',
    name: 'computer',
    arguments: { type: 'left_mouse_click', xy: [0, 7] },
    kind: 'computer',
    requiresLocalExecution: true,
    actions: [action],
  });
  assert.equal(asCall(look), look);
  assert.equal(callId(action), 'call_2');
  assert.equal(callId({ type: 'screenshot' }), null);
  assert.deepEqual(textResult(action, 'OK'), {
    callId: 'call_2',
    name: 'computer',
    content: [textPart('OK')],
  });
});

test('an action that a provider does not know is not taken for an unknown part, and the other way round', () => {
  const part = { type: 'other' as const, api: 'openai', raw: { type: 'new_block' } };
  const action: Action = { type: 'other', provider: 'openai', name: 'blink', args: {}, callId: 'c' };
  const message = assistantMessage([part, action]);
  assert.equal(message.content[0], part);
  assert.equal(callsOf(message)[0]?.kind, 'computer');
});

test('whether an action runs here can be set', () => {
  const action: Action = { type: 'screenshot' };
  assert.equal(requiresLocalExecution(action), true);
  action.requiresLocalExecution = false;
  assert.equal(requiresLocalExecution(action), false);
  assert.equal(asCall(action, 'x').requiresLocalExecution, false);
});

test('a result for an action without an id is refused with action_without_id', () => {
  assert.throws(
    () => textResult({ type: 'screenshot' }, 'OK'),
    (error) => error instanceof WhetstoneError && error.code === 'action_without_id',
  );
});

test('an error result speaks to the model and to programs', () => {
  const result = errorResult(look, 'timeout', 'It took too long.');
  assert.deepEqual(result, {
    callId: 'call_1',
    name: 'look',
    content: [textPart('It took too long.')],
    isError: true,
    errorCode: 'timeout',
  });
  assert.equal(resultText(result), 'It took too long.');
});

test('without images, the words that speak about them go too', () => {
  const parts = [
    textPart('Look:'),
    imagePart('https://example.org/a.png'),
    { ...textPart('(left: a cat)'), linkedToImage: true },
  ];
  assert.deepEqual(withoutImages(parts), [textPart('Look:')]);
  const plain = [textPart('Look:')];
  assert.equal(withoutImages(plain), plain);
});

test('usage is added, and what is unknown stays unknown', () => {
  const first = { input: 10, output: 5, cachedRead: 4, reasoning: 2, total: 15, raw: { prompt_tokens: 10 } };
  const second = { input: 1, output: 1, cachedRead: 1, total: 2 };
  assert.deepEqual(addUsage(first, second), { input: 11, output: 6, cachedRead: 5, total: 17 });
  assert.deepEqual(addUsage(noUsage, first), {
    input: 10,
    output: 5,
    cachedRead: 4,
    reasoning: 2,
    total: 15,
  });
});
