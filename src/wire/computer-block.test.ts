import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonObject } from '../base/json/value.ts';
import type { Result } from '../base/message/result.ts';
import { ComputerBlocks } from './computer-block.ts';

const blocks: readonly (readonly [api: string, block: JsonObject])[] = [
  [
    'anthropic',
    {
      type: 'tool_use',
      id: 'toolu_1',
      name: 'computer',
      input: { action: 'left_click', coordinate: [213, 151] },
    },
  ],
  [
    'vertex-anthropic',
    {
      type: 'tool_use',
      id: 'toolu_1',
      name: 'left_click',
      toolset_name: 'computer',
      input: { coordinate: [213, 151] },
    },
  ],
  [
    'openai-responses',
    {
      type: 'computer_call',
      id: 'cu_1',
      call_id: 'call_1',
      action: { type: 'click', button: 'left', x: 213, y: 151 },
      pending_safety_checks: [],
      status: 'completed',
    },
  ],
  [
    'openai-responses',
    {
      type: 'computer_call',
      id: 'cu_1',
      call_id: 'call_1',
      actions: [{ type: 'click', button: 'left', x: 213, y: 151, keys: null }],
      status: 'completed',
    },
  ],
  ['gemini', { functionCall: { id: 'fc_1', name: 'click', args: { x: 213, y: 151, intent: 'to see' } } }],
  ['vertex-gemini', { functionCall: { name: 'click_at', args: { x: 213, y: 151 } } }],
  [
    'gemini-interactions',
    { type: 'function_call', id: 'fc_1', name: 'click', arguments: { x: 213, y: 151 } },
  ],
];

test('the block of every API is the same click', () => {
  for (const [api, block] of blocks) {
    const [action] = new ComputerBlocks(api).read(block).actions ?? [];
    assert.equal(action?.type, 'left_mouse_click', api);
    assert.deepEqual('xy' in action ? action.xy : undefined, [213, 151], api);
  }
});

test('the answer is in the shape of its API', () => {
  const answer = (index: number, result: Partial<Result>): unknown => {
    const [api, block] = blocks[index]!;
    const wire = new ComputerBlocks(api);
    const call = wire.read(block);
    return wire.write(call, {
      callId: call.id,
      name: call.name,
      content: [],
      artifact: { url: 'http://page/' },
      ...result,
    });
  };
  const text = (words: string): Pick<Result, 'content'> => ({ content: [{ type: 'text', text: words }] });
  const picture: Pick<Result, 'content'> = {
    content: [{ type: 'image', source: { kind: 'base64', data: 'AAAA', mediaType: 'image/png' } }],
  };
  assert.deepEqual(answer(0, text('OK')), {
    type: 'tool_result',
    tool_use_id: 'toolu_1',
    content: [{ type: 'text', text: 'OK' }],
  });
  assert.deepEqual(answer(1, { ...text('No.'), isError: true }), {
    type: 'tool_result',
    tool_use_id: 'toolu_1',
    content: [{ type: 'text', text: 'No.' }],
    is_error: true,
    toolset_name: 'computer',
  });
  assert.deepEqual(answer(2, picture), {
    type: 'computer_call_output',
    call_id: 'call_1',
    output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,AAAA' },
  });
  assert.deepEqual(answer(4, picture), {
    functionResponse: {
      id: 'fc_1',
      name: 'click',
      response: { url: 'http://page/' },
      parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
    },
  });
  assert.deepEqual(answer(5, { ...text('No.'), isError: true }), {
    functionResponse: { name: 'click_at', response: { error: 'No.', url: 'http://page/' } },
  });
  assert.deepEqual(answer(6, picture), {
    type: 'function_result',
    call_id: 'fc_1',
    name: 'click',
    result: [
      { type: 'text', text: '{"url":"http://page/"}' },
      { type: 'image', data: 'AAAA', mime_type: 'image/png' },
    ],
  });
});

test('OpenAI has no field for an error: it is in a message behind the picture', () => {
  const wire = new ComputerBlocks('openai-responses');
  const call = wire.read(blocks[2]![1]);
  const answer = wire.write(call, {
    callId: call.id,
    name: call.name,
    isError: true,
    content: [
      { type: 'text', text: 'There is no key "Flarb".' },
      { type: 'image', source: { kind: 'base64', data: 'AAAA', mediaType: 'image/png' } },
    ],
  });
  assert.deepEqual((answer as readonly JsonObject[])[1], {
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: 'There is no key "Flarb".' }],
  });
});

test('a block of another API, or of none, is refused', () => {
  for (const [api] of blocks)
    for (const wrong of [null, 'click', {}, { type: 'tool_use', id: 'a', name: 'weather', input: {} }])
      assert.throws(
        () => new ComputerBlocks(api).read(wrong as JsonObject),
        { code: 'computer_call_unreadable' },
        api,
      );
  assert.throws(() => new ComputerBlocks('cohere'), { code: 'computer_option_invalid' });
  assert.throws(() => new ComputerBlocks('anthropic', 'computer_use_preview'), {
    code: 'computer_option_invalid',
  });
});

test('what is not a point, a way or an amount is kept, with what is wrong about it', () => {
  const wrongs: readonly (readonly [string, JsonObject])[] = [
    [
      'anthropic',
      { type: 'tool_use', id: 'a', name: 'computer', input: { action: 'left_click', coordinate: [1] } },
    ],
    [
      'anthropic',
      { type: 'tool_use', id: 'a', name: 'computer', input: { action: 'left_click', coordinate: '1,2' } },
    ],
    [
      'openai-responses',
      { type: 'computer_call', call_id: 'a', action: { type: 'click', button: 'left', x: 4 } },
    ],
    [
      'openai-responses',
      { type: 'computer_call', call_id: 'a', action: { type: 'click', button: 'top', x: 4, y: 4 } },
    ],
    ['gemini', { functionCall: { name: 'click', args: { x: 'a', y: 4 } } }],
    ['gemini', { functionCall: { name: 'scroll', args: { x: 1, y: 4, direction: 'sideways' } } }],
    ['gemini', { functionCall: { name: 'type', args: {} } }],
    ['gemini', { functionCall: { name: 'scroll', args: { x: 1, y: 4, direction: 'up', magnitude: -3 } } }],
    [
      'anthropic',
      {
        type: 'tool_use',
        id: 'a',
        name: 'computer',
        input: { action: 'scroll', coordinate: [1, 2], scroll_direction: 'down', scroll_amount: -3 },
      },
    ],
  ];
  for (const [api, block] of wrongs) {
    const [action] = new ComputerBlocks(api).read(block).actions ?? [];
    assert.equal(action?.type, 'other', JSON.stringify(block));
    assert.match((action as { problem?: string }).problem ?? '', /must be/);
  }
});

test('pictures are as large as the tool of the block takes them', () => {
  const wire = new ComputerBlocks('anthropic');
  assert.deepEqual(wire.limits(wire.read(blocks[0]![1])), { longEdge: 1568, pixels: 1_150_000 });
  assert.deepEqual(wire.limits(wire.read(blocks[1]![1])), {
    longEdge: 2576,
    patches: { side: 28, count: 4784 },
  });
  const told = new ComputerBlocks('anthropic', 'browser_toolset_20260801');
  assert.deepEqual(told.limits(undefined), { longEdge: 2576, patches: { side: 28, count: 4784 } });
});

test('what an action cannot do without is named where it is missing', () => {
  const member = (name: string, toolset_name: string): JsonObject => ({
    type: 'tool_use',
    id: 'a',
    name,
    toolset_name,
    input: {},
  });
  const wrongs: readonly (readonly [string, JsonObject, RegExp])[] = [
    ['anthropic', member('find', 'browser'), /"query" must be a text/],
    ['anthropic', member('javascript_exec', 'browser'), /"text" must be a text/],
    ['anthropic', member('switch_tab', 'browser'), /"tab_id" must be the number of a tab; it is not there/],
    ['anthropic', member('zoom', 'computer'), /"region" must be four numbers.*not there/],
    [
      'openai-responses',
      { type: 'computer_call', call_id: 'a', action: { type: 'keypress' } },
      /"keys" must be .* not there/,
    ],
    [
      'openai-responses',
      { type: 'computer_call', call_id: 'a', action: { type: 'drag' } },
      /"path" must be .* not there/,
    ],
    ['gemini', { functionCall: { name: 'hotkey' } }, /"keys" must be .* not there/],
  ];
  for (const [api, block, told] of wrongs) {
    const [action] = new ComputerBlocks(api).read(block).actions ?? [];
    assert.match((action as { problem?: string }).problem ?? '', told, JSON.stringify(block));
  }
});

test('a press or a release of Anthropic is where it says, if it says a place', () => {
  const wire = new ComputerBlocks('anthropic');
  const action = (input: JsonObject): unknown =>
    wire.read({ type: 'tool_use', id: 'a', name: 'computer', input }).actions?.[0];
  assert.deepEqual((action({ action: 'left_mouse_up', coordinate: [3, 4] }) as { xy?: unknown }).xy, [3, 4]);
  assert.equal((action({ action: 'left_mouse_down' }) as { xy?: unknown }).xy, undefined);
});
