import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WhetstoneError } from '../host/errors.ts';
import type { Action } from './action.ts';
import { argumentsAsObject, argumentsAsText, readArguments } from './arguments.ts';
import type { Call } from './call.ts';

const call = (given: Call['arguments'], kind: Call['kind'] = 'function'): Call => ({
  type: 'call',
  id: 'call_1',
  name: 'weather',
  arguments: given,
  kind,
  requiresLocalExecution: true,
});

test('arguments are read both ways, whichever way the model gave them', () => {
  const text = call('{"city": "Oslo"}');
  const object = call({ city: 'Oslo' });
  assert.deepEqual(argumentsAsObject(text), { city: 'Oslo' });
  assert.equal(argumentsAsObject(object), object.arguments);
  assert.equal(argumentsAsText(text), '{"city": "Oslo"}');
  assert.equal(argumentsAsText(object), '{"city":"Oslo"}');
});

test('nothing at all reads as no arguments', () => {
  for (const nothing of ['', '  \n', 'null']) assert.deepEqual(argumentsAsObject(call(nothing)), {});
});

test('"__proto__" is an ordinary key', () => {
  const read = argumentsAsObject(call('{"__proto__": {"admin": true}}'));
  assert.deepEqual(Object.keys(read), ['__proto__']);
  assert.equal((read as { admin?: boolean }).admin, undefined);
});

test('the free text of a custom tool is its input, even where it looks like JSON', () => {
  assert.deepEqual(argumentsAsObject(call('print(1)', 'custom')), { input: 'print(1)' });
  assert.deepEqual(argumentsAsObject(call('{"a":1}', 'custom')), { input: '{"a":1}' });
});

test('arguments that are not an object are refused with arguments_invalid, or told', () => {
  const refused: readonly (readonly [string, string])[] = [
    ['{"city": "Os', 'not-json'],
    ['[1]', 'not-an-object'],
    ['"text"', 'not-an-object'],
    ['5', 'not-an-object'],
  ];
  for (const [text, reason] of refused) {
    const reading = readArguments(call(text));
    assert.equal(reading.ok ? 'read' : reading.reason, reason);
    assert.throws(
      () => argumentsAsObject(call(text)),
      (error) =>
        error instanceof WhetstoneError &&
        error.code === 'arguments_invalid' &&
        error.details['arguments'] === text,
    );
  }
});

test('text that is not JSON is told with its place', () => {
  const reading = readArguments(call('{"city": Oslo}'));
  assert.match(
    reading.ok ? '' : reading.message,
    /^The arguments are not JSON: at line 1, column 10 \(offset 9\): expected a value/,
  );
});

test('an action answers the same questions as a call', () => {
  const action: Action = {
    type: 'scroll',
    startXy: [0, 0],
    direction: 'down',
    magnitude: 3,
    environment: 'browser',
    environmentVariable: { page: () => {} },
    callId: 'call_9',
  };
  const expected = { type: 'scroll', startXy: [0, 0], direction: 'down', magnitude: 3 };
  assert.deepEqual(argumentsAsObject(action), expected);
  assert.deepEqual(JSON.parse(argumentsAsText(action)), expected);
});
