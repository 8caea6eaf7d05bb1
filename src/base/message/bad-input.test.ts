import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWhetstoneError } from '../host/errors.ts';
import { actionArguments, safeAsObject } from './action-object.ts';
import { argumentsAsObject, argumentsAsText, readArguments } from './arguments.ts';
import { asCall, callId, requiresLocalExecution } from './call.ts';
import { actionToScreen, fitImage, fromScreen, thousandGrid, toScreen } from './frame.ts';
import { completePartial } from './complete.ts';
import {
  argumentsSoFar,
  partialCall,
  partialMessage,
  mergePartials,
  mergeAllPartials,
} from './partial-message.ts';
import { checkHistory, mendHistory } from './check-history.ts';
import { canonicalKey, readChord, readKeySequence, readKeys, writeChord, writeKeys } from './keys.ts';
import { LiveReply } from './live-reply.ts';
import { assistantMessage, callsOf, localCallsOf, reasoningOf, refusalOf, textOf } from './message.ts';
import { withoutImages } from './part.ts';
import { makeAction, readAction, readCall, readMessages, readResult } from './read-message.ts';
import { errorResult, resultText, textResult } from './result.ts';
import { convertScroll, scrollAmounts, scrollDistance } from './scroll.ts';
import { addUsage, noUsage } from './usage.ts';

const functions: Readonly<Record<string, (value: never) => unknown>> = {
  actionArguments,
  safeAsObject,
  argumentsAsObject,
  argumentsAsText,
  readArguments,
  asCall: (value) => asCall(value),
  callId,
  requiresLocalExecution,
  actionToScreen: (value) => actionToScreen(value, { width: 10, height: 10 }),
  fitImage: (value) => fitImage(value, {}),
  fromScreen: (value) => fromScreen(value, thousandGrid, { width: 10, height: 10 }),
  toScreen: (value) => toScreen(value, thousandGrid, { width: 10, height: 10 }),
  toScreenOfFrame: (value) => toScreen([1, 1], value, { width: 10, height: 10 }),
  toScreenOfSize: (value) => toScreen([1, 1], thousandGrid, value),
  argumentsSoFar,
  complete: (value) => completePartial(value),
  completeAs: (value) => completePartial(partialCall({ name: 'search' }), value),
  merge: (value) => mergePartials(value, value),
  mergeWithMessage: (value) => mergePartials(partialMessage(), value),
  mergeAllPartials,
  checkHistory,
  mendHistory,
  checkHistoryOfOne: (value) => checkHistory([value]),
  checkHistoryOfParts: (value) => checkHistory([{ role: 'assistant', content: value }]),
  checkHistoryOfPart: (value) => checkHistory([{ role: 'assistant', content: [value] }]),
  checkHistoryOfResult: (value) => checkHistory([{ role: 'tool', results: [value] }]),
  canonicalKey,
  readChord,
  readKeySequence,
  readKeys,
  writeChord: (value) => writeChord(value, 'openai'),
  writeKeys: (value) => writeKeys(value, 'openai'),
  writeKeysDialect: (value) => writeKeys(['a'], value),
  liveReply: (value) => new LiveReply().take(value),
  assistantMessage: (value) => assistantMessage(value),
  assistantMessageOf: (value) => assistantMessage([value]),
  callsOf,
  localCallsOf,
  reasoningOf,
  refusalOf,
  textOf,
  withoutImages,
  makeAction: (value) => makeAction(value, {} as never),
  makeActionOf: (value) => makeAction('move', value),
  readAction,
  readCall,
  readMessages,
  readResult,
  errorResult: (value) => errorResult(value, 'x', 'y'),
  textResult: (value) => textResult(value, 'x'),
  resultText,
  convertScroll: (value) => convertScroll(value, 'px'),
  scrollAmounts,
  scrollDistance: (value) => scrollDistance(value),
  scrollDistanceAt: (value) => scrollDistance({ type: 'scroll' } as never, value),
  addUsage: (value) => addUsage(value, noUsage),
};

const badInput: readonly unknown[] = [
  ...[undefined, null, true, 0, -1, Number.NaN, 1n, '', 'text', Symbol('s'), () => {}, [], [[]], {}],
  ...[{ role: 'assistant' }, { role: 'tool' }, { role: 'user' }, { role: 5 }, { type: 'call' }, { type: 5 }],
  ...[
    { type: 'scroll', distanceXy: 3 },
    { type: 'move', xy: 'here' },
    { type: 'drag', xy: [null] },
    { type: 'zoom' },
  ],
  ...[
    { role: 'assistant', content: 'text' },
    { role: 'assistant', content: [null] },
    { role: 'user', content: [undefined] },
    { role: 'tool', results: [null] },
    { role: 'tool', results: [{ content: 'text' }] },
    { type: 'call', name: 'search' },
  ],
  ...[{ kind: 'image' }, { slot: 1 }, new Map(), [null]],
];

test('whatever is handed in, what is thrown has a code', () => {
  for (const [name, run] of Object.entries(functions)) {
    for (const value of badInput) {
      try {
        run(value as never);
      } catch (error) {
        assert.ok(isWhetstoneError(error), `${name}(${print(value)}) threw ${String(error)}`);
      }
    }
  }
});

test('what is not a message, a call or an action at all is refused with message_invalid', () => {
  const refused = [
    argumentsAsObject,
    argumentsAsText,
    readArguments,
    asCall,
    callsOf,
    textOf,
    textResult,
    checkHistory,
    mendHistory,
    mergeAllPartials,
    completePartial,
    safeAsObject,
  ];
  for (const run of refused) {
    for (const value of [null, 5, 'text']) {
      assert.throws(
        () => (run as (value: unknown) => unknown)(value),
        (error) => isWhetstoneError(error) && error.code === 'message_invalid',
        `${run.name}(${print(value)})`,
      );
    }
  }
});

function print(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
