import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { rounds, seed } from '../../../test/rounds.ts';
import { WhetstoneError } from '../host/errors.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { checkValue, holds, loadChecker } from '../schema/check/check.ts';
import { actionTypes } from './action-schema.ts';
import { everyAction, everyMessage } from './every-word.fixture.ts';
import { messageSchema, wordSchema, words } from './message-schema.ts';
import { callsOf } from './message.ts';
import { makeAction, readAction, readCall, readMessages, readResult } from './read-message.ts';

await loadChecker();

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof WhetstoneError && error.code === 'message_invalid', String(error));
    return error.message;
  }
  return assert.fail('nothing was refused');
}

test('messages that are right come back themselves', () => {
  assert.equal(readMessages(everyMessage), everyMessage);
  const copy = JSON.parse(JSON.stringify(everyMessage)) as unknown;
  assert.equal(readMessages(copy), copy);
  assert.deepEqual(copy, everyMessage);
});

test('what is wrong is named by index, field, expectation and finding', () => {
  const call = {
    type: 'call',
    id: 'a',
    name: 'x',
    arguments: {},
    kind: 'function',
    requiresLocalExecution: true,
  };
  const refused: readonly (readonly [unknown, string])[] = [
    [{}, '`messages`: expected a list, found {}.'],
    [
      [{ role: 'human', content: 'x' }],
      '`messages[0].role`: expected "system", "user", "assistant" or "tool", found "human".',
    ],
    [['hi'], '`messages[0]`: expected an object, found "hi".'],
    [[{ role: 'user' }], '`messages[0].content`: expected a string or a list, found nothing.'],
    [
      [{ role: 'assistant', content: [{ type: 'drag', xy: [] }] }],
      '`messages[0].content[0].xy`: expected a list of at least 1 item, found [].',
    ],
    [[{ role: 'user', content: 3 }], '`messages[0].content`: expected a string or a list, found 3.'],
    [
      [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: 'x' },
      ],
      '`messages[1].content`: expected a list, found "x".',
    ],
    [
      [{ role: 'user', content: [{ type: 'txt', text: 'x' }] }],
      '`messages[0].content[0].type`: expected "text", "image", "document" or "other", found "txt".',
    ],
    [
      [{ role: 'assistant', content: [{ ...call, arguments: 3 }] }],
      '`messages[0].content[0].arguments`: expected a string or an object, found 3.',
    ],
    [
      [{ role: 'assistant', content: [{ ...call, arguments: { f: () => {} } }] }],
      '`messages[0].content[0].arguments.f`: expected JSON, found a function.',
    ],
    [
      [{ role: 'assistant', content: [{ ...call, kind: 'magic' }] }],
      '`messages[0].content[0].kind`: expected one of "function", "custom", "computer", found "magic".',
    ],
    [
      [{ role: 'assistant', content: [{ type: 'move', xy: [1] }] }],
      '`messages[0].content[0].xy`: expected a list of exactly 2 items, found [1].',
    ],
    [
      [{ role: 'tool', results: [{ callId: 'a', content: [] }] }],
      '`messages[0].results[0].name`: expected a string, found nothing.',
    ],
    [
      [{ role: 'user', content: 'x', providerData: { openai: 'x' } }],
      '`messages[0].providerData.openai`: expected an object, found "x".',
    ],
    [
      [{ role: 'user', content: [{ type: 'image', source: { kind: 'base64', data: 'AA' } }] }],
      '`messages[0].content[0].source.mediaType`: expected a string, found nothing.',
    ],
  ];
  for (const [value, message] of refused)
    assert.equal(
      refusal(() => readMessages(value)),
      message,
    );
});

test('the error says for programs where it is', () => {
  assert.throws(
    () => readMessages([{ role: 'user', content: [{ type: 'text', text: 5 }] }]),
    (error) => {
      assert.ok(error instanceof WhetstoneError);
      assert.deepEqual(error.details, { place: '[0].content[0].text', expected: 'a string', found: 5 });
      return true;
    },
  );
});

test('JSON without end, and objects that are not data, are refused', () => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  const message = (raw: unknown) => [{ role: 'user', content: [{ type: 'other', api: 'x', raw }] }];
  assert.match(
    refusal(() => readMessages(message(cycle))),
    /expected JSON of at most 256 levels/,
  );
  assert.match(
    refusal(() => readMessages(message({ at: new Map() }))),
    /raw\.at`: expected JSON/,
  );
  assert.match(
    refusal(() => readMessages(message({ n: Number.NaN }))),
    /raw\.n`: expected JSON, found NaN/,
  );
});

test('fields that are not known are kept', () => {
  const message = { role: 'user', content: 'x', mood: 'good' };
  assert.deepEqual(readMessages([message]), [message]);
});

test('a bare action where a call belongs becomes the call that holds it', () => {
  const other = { type: 'other', provider: 'p', name: 'n', args: {} };
  const opaque = { type: 'other', api: 'p', raw: {} };
  const [message] = readMessages([
    { role: 'assistant', content: [{ type: 'screenshot', callId: 'c1' }, other, opaque, { type: 'wait' }] },
  ]);
  assert.ok(message !== undefined);
  assert.deepEqual(
    callsOf(message).map(({ id, kind, actions }) => [id, kind, actions?.length]),
    [
      ['c1', 'computer', 1],
      ['call_0_1', 'computer', 1],
      ['call_0_3', 'computer', 1],
    ],
  );
  assert.deepEqual(message.role === 'assistant' && message.content[2], opaque);
  assert.equal(readCall({ type: 'screenshot', callId: 'c1' }).name, 'computer');
});

test('a call, a result and an action are read on their own', () => {
  const call = {
    type: 'call',
    id: 'a',
    name: 'x',
    arguments: '',
    kind: 'function',
    requiresLocalExecution: false,
  };
  assert.equal(readCall(call), call);
  const result = { callId: 'a', name: 'x', content: [] };
  assert.equal(readResult(result), result);
  assert.equal(
    refusal(() => readResult({ ...result, isError: 'yes' })),
    '`result.isError`: expected true or false, found "yes".',
  );
  assert.match(
    refusal(() => readAction({ type: 'jump' })),
    /^`action\.type`: expected "left_mouse_down", /,
  );
  assert.equal(
    refusal(() => readAction({ type: 'keypress' })),
    '`action.keys`: expected a list, found nothing.',
  );
});

test('the eighteen basic actions have their fields and their defaults', () => {
  const given = { environment: 'browser', environmentVariable: 'page', callId: 'c' } as const;
  const common = { ...given, requiresLocalExecution: true };
  const pointers = [
    ...[
      'left_mouse_down',
      'left_mouse_up',
      'left_mouse_click',
      'left_mouse_double_click',
      'left_mouse_triple_click',
    ],
    ...['middle_click', 'right_click', 'back_click', 'forward_click'],
  ] as const;
  for (const type of pointers) {
    assert.deepEqual(makeAction(type as 'right_click', given), { type, ...common, xy: null });
  }
  assert.deepEqual(makeAction('drag', { ...given, xy: [[1, 2]] }), { type: 'drag', ...common, xy: [[1, 2]] });
  assert.deepEqual(makeAction('keypress', { ...given, keys: ['a'] }), {
    type: 'keypress',
    ...common,
    keys: ['a'],
  });
  assert.deepEqual(makeAction('keypress_hold', { ...given, keys: ['a'], duration: 0.5 }), {
    type: 'keypress_hold',
    ...common,
    keys: ['a'],
    duration: 0.5,
  });
  assert.deepEqual(makeAction('move', { ...given, xy: [0, 0] }), { type: 'move', ...common, xy: [0, 0] });
  assert.deepEqual(makeAction('screenshot', given), { type: 'screenshot', ...common });
  assert.deepEqual(makeAction('scroll', given), {
    type: 'scroll',
    ...common,
    startXy: null,
    distanceXy: null,
    magnitude: null,
    direction: null,
  });
  assert.deepEqual(makeAction('type', { ...given, text: 'x' }), { type: 'type', ...common, text: 'x' });
  assert.deepEqual(makeAction('wait', given), { type: 'wait', ...common, duration: null });
  assert.deepEqual(makeAction('cursor_position', given), { type: 'cursor_position', ...common });
  assert.equal(actionTypes.indexOf('cursor_position'), 17);
});

test('an action that lacks what it needs is refused when it is made', () => {
  assert.equal(
    refusal(() => makeAction('move', {} as never)),
    '`action.xy`: expected a list of exactly 2 items, found nothing.',
  );
  assert.match(
    refusal(() => makeAction('fly' as never, {} as never)),
    /found "fly"/,
  );
});

test('every word has a schema that its samples fit', () => {
  for (const word of Object.keys(words) as (keyof typeof words)[]) {
    assert.doesNotThrow(() => checkValue(wordSchema(word), {}));
  }
  for (const message of everyMessage) assert.deepEqual(checkValue(messageSchema, message), []);
  for (const action of everyAction) {
    assert.deepEqual(checkValue(wordSchema('Action'), action), []);
    assert.equal(readAction(action), action);
  }
  assert.deepEqual([...new Set(everyAction.map(({ type }) => type))].sort(), [...actionTypes].sort());
});

test('the schema of messages names every field of every sample', () => {
  const known = new Set<string>();
  JSON.stringify(messageSchema, (key, value: JsonValue) => {
    if (key === 'properties') for (const field of Object.keys(value as JsonObject)) known.add(field);
    return value;
  });
  const free = new Set([
    'arguments',
    'raw',
    'artifact',
    'providerData',
    'args',
    'content',
    'value',
    'environmentVariable',
  ]);
  const look = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(look);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      assert.ok(known.has(key), `the schema does not know "${key}"`);
      if (!free.has(key) || (key === 'content' && Array.isArray(child))) look(child);
    }
  };
  look([everyMessage, everyAction]);
});

test('the door and the schema agree on whatever is broken', () => {
  const messages = everyMessage as unknown as JsonValue;
  const list = { type: 'array', items: messageSchema, $defs: messageSchema['$defs'] as JsonObject };
  const places = placesIn(messages);
  const values = [
    null,
    true,
    0,
    -1,
    1.5,
    '',
    'text',
    [],
    {},
    [1, 2],
    'assistant',
    'base64',
    { type: 'wait' },
  ];
  let refused = 0;
  let taken = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...places),
      fc.constantFrom<JsonValue | undefined>(undefined, ...values),
      (place, value) => {
        const broken = changed(messages, place, value);
        let read = true;
        try {
          readMessages(broken);
        } catch {
          read = false;
        }
        if (read) taken++;
        else refused++;
        assert.equal(read, holds(list, broken), `${place.join('/')} = ${JSON.stringify(value)}`);
      },
    ),
    { numRuns: rounds(750), seed: seed('broken messages') },
  );
  assert.ok(refused > 50 && taken > 50, `${refused} refused, ${taken} taken`);
});

function placesIn(
  value: JsonValue,
  path: readonly (string | number)[] = [],
): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [path, ...keys.flatMap((key) => placesIn((value as never)[key], [...path, key]))];
}

/** A copy with another value at one place; undefined takes the member away. */
function changed(value: JsonValue, path: readonly (string | number)[], to: JsonValue | undefined): JsonValue {
  const [key, ...rest] = path;
  if (key === undefined) return to ?? null;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as JsonObject) }) as Record<
    string,
    JsonValue
  >;
  const inner = rest.length === 0 ? to : changed(copy[key] as JsonValue, rest, to);
  if (inner !== undefined) copy[key] = inner;
  else if (Array.isArray(copy)) copy.splice(Number(key), 1);
  else delete copy[key];
  return copy as JsonValue;
}
