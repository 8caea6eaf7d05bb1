import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonObject } from '../../base/json/value.ts';
import type { Action } from '../../base/message/action.ts';
import { callsOf } from '../../base/message/message.ts';
import type { ModelRequest } from '../../base/message/model.ts';
import { writeMembers } from '../anthropic/write-members.ts';
import { adapterOf } from '../catalog.ts';
import { writeFunctions } from '../gemini-actions.ts';
import { objectOf, objectsOf } from '../json-fields.ts';
import { readActions, writeActions } from '../openai-responses/computer.ts';

/** What an action does, without where it came from. */
function essence(actions: readonly Action[] | undefined): readonly JsonObject[] {
  return (actions ?? []).map((action) => {
    const { raw: _raw, callId: _callId, batch: _batch, frame: _frame, ...rest } = action;
    return rest as unknown as JsonObject;
  });
}

test('OpenAI: a batch becomes actions in order, held keys and safety checks included', () => {
  const reply = adapterOf('openai-responses').readReply({
    id: 'r',
    model: 'm',
    status: 'completed',
    output: [
      {
        type: 'computer_call',
        id: 'cu_1',
        call_id: 'call_1',
        status: 'completed',
        pending_safety_checks: [{ id: 'sc_1', code: 'malicious_instructions', message: 'Look out' }],
        actions: [
          { type: 'screenshot' },
          { type: 'click', button: 'wheel', x: 0, y: 0, keys: ['CTRL'] },
          { type: 'click', button: 'left', x: 3, y: 4, keys: null },
          { type: 'keypress', keys: ['CTRL', 'A'] },
          { type: 'scroll', x: 5, y: 6, scroll_x: 0, scroll_y: 300 },
          {
            type: 'drag',
            path: [
              { x: 1, y: 1 },
              { x: 2, y: 2 },
              { x: 3, y: 3 },
            ],
          },
        ],
      },
    ],
  });
  const [call] = callsOf(reply.message);
  assert.equal(call?.kind, 'computer');
  assert.deepEqual(call?.safetyChecks, [{ id: 'sc_1', code: 'malicious_instructions', message: 'Look out' }]);
  assert.deepEqual(essence(call?.actions), [
    { type: 'screenshot' },
    { type: 'middle_click', xy: [0, 0], modifiers: ['Control'] },
    { type: 'left_mouse_click', xy: [3, 4] },
    { type: 'keypress', keys: ['Control', 'a'] },
    { type: 'scroll', startXy: [5, 6], distanceXy: [0, 300] },
    {
      type: 'drag',
      xy: [
        [1, 1],
        [2, 2],
        [3, 3],
      ],
    },
  ]);
  assert.deepEqual(call?.actions?.[1]?.batch, { index: 1, of: 6 });
});

test('OpenAI: the screenshot goes back with the checks that a person agreed to, and only those', () => {
  const adapter = adapterOf('openai-responses');
  const { message } = adapter.readReply({
    status: 'completed',
    output: [
      {
        type: 'computer_call',
        call_id: 'c',
        actions: [{ type: 'screenshot' }],
        pending_safety_checks: [{ id: 'sc_1' }, { id: 'sc_2' }],
      },
    ],
  });
  const request: ModelRequest = {
    messages: [
      { role: 'user', content: 'Go' },
      message,
      {
        role: 'tool',
        results: [
          {
            callId: 'c',
            name: 'computer',
            content: [{ type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AA==' } }],
            acknowledgedSafetyChecks: ['sc_2'],
          },
        ],
      },
    ],
  };
  const { body } = adapter.writeRequest(request, { model: 'm' });
  assert.deepEqual(objectsOf(body['input']).at(-1), {
    type: 'computer_call_output',
    call_id: 'c',
    output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,AA==' },
    acknowledged_safety_checks: [{ id: 'sc_2' }],
  });
});

function anthropicCall(block: JsonObject): ReturnType<typeof callsOf>[number] {
  const { message } = adapterOf('anthropic').readReply({
    stop_reason: 'tool_use',
    content: [{ type: 'tool_use', id: 't', ...block }],
  });
  return callsOf(message)[0]!;
}

test('Anthropic: `text` is typed by type, pressed by key, and held by a click', () => {
  const computer = (name: string, input: JsonObject): readonly JsonObject[] =>
    essence(anthropicCall({ name, input, toolset_name: 'computer' }).actions);
  assert.deepEqual(computer('type', { text: 'shift' }), [{ type: 'type', text: 'shift' }]);
  assert.deepEqual(computer('key', { text: 'ctrl+s', repeat: 2 }), [
    { type: 'keypress', keys: ['Control', 's'], repeat: 2 },
  ]);
  assert.deepEqual(computer('left_click', { coordinate: [1, 2], text: 'shift' }), [
    { type: 'left_mouse_click', xy: [1, 2], modifiers: ['Shift'] },
  ]);
  assert.deepEqual(computer('right_click', {}), [{ type: 'right_click' }], 'no coordinate is the cursor');
  assert.deepEqual(computer('left_click_drag', { coordinate: [9, 9] }), [
    { type: 'drag', xy: [[9, 9]], fromCursor: true },
  ]);
  assert.deepEqual(computer('zoom', { region: [0, 0, 10, 10] }), [{ type: 'zoom', region: [0, 0, 10, 10] }]);
  assert.deepEqual(computer('dance', { tempo: 3 }), [
    { type: 'other', provider: 'anthropic', name: 'dance', args: { tempo: 3 } },
  ]);
});

test('Anthropic: the older tool says its action inside, the browser toolset points at elements', () => {
  assert.deepEqual(
    essence(anthropicCall({ name: 'computer', input: { action: 'mouse_move', coordinate: [0, 0] } }).actions),
    [{ type: 'move', xy: [0, 0] }],
  );
  const page = anthropicCall({
    name: 'form_input',
    input: { target: 'ref_3', value: 'Oslo', tab_id: 7 },
    toolset_name: 'browser',
  });
  assert.deepEqual(essence(page.actions), [
    { type: 'element_set_value', target: { ref: 'ref_3' }, value: 'Oslo', tab: 7 },
  ]);
  const own = anthropicCall({ name: 'weather', input: { action: 'left_click' } });
  assert.equal(own.kind, 'function', 'a tool of ours keeps its arguments to itself');
});

test('Anthropic: a result names the toolset of its call', () => {
  const adapter = adapterOf('anthropic');
  const call = anthropicCall({ name: 'screenshot', input: {}, toolset_name: 'computer' });
  const { body } = adapter.writeRequest(
    {
      messages: [
        { role: 'user', content: 'Go' },
        { role: 'assistant', content: [call], from: { api: 'anthropic', model: '' } },
        {
          role: 'tool',
          results: [{ callId: 't', name: 'screenshot', content: [{ type: 'text', text: 'OK' }] }],
        },
      ],
    },
    { model: 'm' },
  );
  const [result] = objectsOf(objectsOf(body['messages']).at(-1)?.['content']);
  assert.equal(result?.['toolset_name'], 'computer');
});

const computerUse: ModelRequest = {
  messages: [{ role: 'user', content: 'Go' }],
  tools: [
    {
      kind: 'hosted',
      name: 'computerUse',
      api: 'gemini',
      entry: { computerUse: { environment: 'ENVIRONMENT_BROWSER' } },
    },
  ],
};

test('Gemini: functions of both generations are actions on a grid of a thousand, with the decision apart', () => {
  const adapter = adapterOf('gemini');
  const { tools } = adapter.writeRequest(computerUse, { model: 'm' });
  const read = (name: string, args: JsonObject): ReturnType<typeof callsOf>[number] =>
    callsOf(
      adapter.readReply(
        {
          candidates: [
            { content: { parts: [{ functionCall: { id: 'f', name, args } }] }, finishReason: 'STOP' },
          ],
        },
        { tools },
      ).message,
    )[0]!;
  const click = read('click_at', { x: 0, y: 999 });
  assert.deepEqual(essence(click.actions), [{ type: 'left_mouse_click', xy: [0, 999] }]);
  assert.deepEqual(click.actions?.[0]?.frame, { kind: 'grid', size: 1000 });
  assert.deepEqual(essence(read('type_text_at', { x: 1, y: 2, text: 'a' }).actions), [
    { type: 'type', text: 'a', xy: [1, 2], clearFirst: true, pressEnter: true },
  ]);
  assert.deepEqual(essence(read('scroll', { x: 1, y: 2, direction: 'down' }).actions), [
    { type: 'scroll', startXy: [1, 2], direction: 'down', magnitude: 300, unit: 'px' },
  ]);
  const asked = read('click', {
    x: 1,
    y: 1,
    safety_decision: { decision: 'require_confirmation', explanation: 'It pays.' },
  });
  assert.deepEqual(asked.safetyChecks, [{ id: 'f', code: 'require_confirmation', message: 'It pays.' }]);
  const { body } = adapter.writeRequest(
    {
      ...computerUse,
      messages: [
        ...computerUse.messages,
        { role: 'assistant', content: [asked], from: { api: 'gemini', model: '' } },
        {
          role: 'tool',
          results: [
            {
              callId: 'f',
              name: 'click',
              content: [{ type: 'text', text: 'done' }],
              artifact: { url: 'https://example.com/' },
              acknowledgedSafetyChecks: ['f'],
            },
          ],
        },
      ],
    },
    { model: 'm' },
  );
  const last = objectsOf(objectsOf(body['contents']).at(-1)?.['parts'])[0];
  assert.deepEqual(objectOf(objectOf(last?.['functionResponse'])['response']), {
    output: 'done',
    url: 'https://example.com/',
    safety_acknowledgement: 'true',
  });
  assert.equal(
    callsOf(
      adapter.readReply({
        candidates: [{ content: { parts: [{ functionCall: { name: 'click', args: {} } }] } }],
      }).message,
    )[0]?.kind,
    'function',
    'without the tool, click is a function like any other',
  );
});

test('what one provider asked for is said to another in its own words', () => {
  const [click] = readActions({
    call_id: 'c',
    actions: [{ type: 'click', button: 'right', x: 4, y: 5, keys: ['SHIFT'] }],
  });
  assert.deepEqual(writeMembers(click!), [
    { name: 'right_click', input: { coordinate: [4, 5], text: 'shift' } },
  ]);
  assert.deepEqual(writeFunctions({ type: 'keypress', keys: ['Control', 'a'] })?.[0]?.name, 'hotkey');
  assert.deepEqual(
    writeMembers({
      type: 'drag',
      xy: [
        [0, 0],
        [5, 5],
        [9, 9],
      ],
    })?.map(({ name }) => name),
    ['mouse_move', 'left_mouse_down', 'mouse_move', 'mouse_move', 'left_mouse_up'],
  );
  assert.deepEqual(
    writeMembers({ type: 'scroll', distanceXy: [100, -300] })?.map(({ input }) => input),
    [
      { scroll_direction: 'up', scroll_amount: 3 },
      { scroll_direction: 'right', scroll_amount: 1 },
    ],
  );
  assert.deepEqual(writeActions([{ type: 'cursor_position' }, { type: 'screenshot' }]), {
    actions: [{ type: 'screenshot' }],
    lost: ['cursor_position'],
  });
});

test('every action of OpenAI comes back as it was sent', () => {
  const sent: readonly JsonObject[] = [
    { type: 'click', button: 'left', x: 1, y: 2 },
    { type: 'double_click', x: 1, y: 2 },
    { type: 'move', x: 1, y: 2 },
    {
      type: 'drag',
      path: [
        { x: 1, y: 2 },
        { x: 3, y: 4 },
      ],
    },
    { type: 'scroll', x: 1, y: 2, scroll_x: -10, scroll_y: 20 },
    { type: 'type', text: 'hello' },
    { type: 'wait' },
    { type: 'screenshot' },
    { type: 'hover_somehow', x: 1 },
  ];
  assert.deepEqual(writeActions(readActions({ actions: sent })).actions, sent);
});
