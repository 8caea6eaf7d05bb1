import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Action } from './action.ts';
import { actionArguments, safeAsObject } from './action-object.ts';

test('an action as an object leaves out what is not JSON', () => {
  const page = { goto: () => {}, self: undefined as unknown };
  page.self = page;
  const action: Action = {
    type: 'left_mouse_click',
    environment: 'browser',
    environmentVariable: new Map([['page', page]]),
    callId: null,
    xy: [3, 4],
    raw: { action: 'left_click' },
  };
  assert.deepEqual(safeAsObject(action), {
    type: 'left_mouse_click',
    environment: 'browser',
    callId: null,
    xy: [3, 4],
    raw: { action: 'left_click' },
  });
  assert.deepEqual(actionArguments(action), { type: 'left_mouse_click', xy: [3, 4] });
});

test('functions, symbols, dates, big integers, NaN and cycles are not JSON', () => {
  const cycle: Record<string, unknown> = { kept: true };
  cycle['self'] = cycle;
  for (const value of [() => {}, Symbol('x'), new Date(0), 1n, Number.NaN, Infinity, undefined]) {
    assert.deepEqual(safeAsObject({ type: 'screenshot', environmentVariable: value }), {
      type: 'screenshot',
    });
  }
  assert.deepEqual(safeAsObject({ type: 'screenshot', environmentVariable: cycle }), {
    type: 'screenshot',
    environmentVariable: { kept: true },
  });
});

test('a name as environment variable is JSON and stays', () => {
  const action: Action = { type: 'wait', environmentVariable: 'browser_1' };
  assert.deepEqual(safeAsObject(action), { type: 'wait', environmentVariable: 'browser_1' });
});

test('an object that is referred to twice is not a cycle', () => {
  const shared = { a: 1 };
  const action: Action = { type: 'other', provider: 'x', name: 'y', args: { one: shared, two: [shared] } };
  assert.deepEqual(safeAsObject(action), action);
});
