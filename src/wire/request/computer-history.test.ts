import assert from 'node:assert/strict';
import { test } from 'node:test';

import { faultsOf } from '../../../test/wire-rules.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { asCall } from '../../base/message/call.ts';
import { assistantMessage } from '../../base/message/message.ts';
import type { Message } from '../../base/message/message.ts';
import type { ModelRequest, ToolSpec } from '../../base/message/model.ts';
import type { ImagePart } from '../../base/message/part.ts';
import { adapterOf } from '../catalog.ts';
import { imageSize } from './image-size.ts';
import { objectOf, objectsOf } from '../json-fields.ts';

const hosted = (api: string, name: string, entry: JsonObject): ToolSpec => ({
  kind: 'hosted',
  name,
  api,
  entry,
});

/** Each computer tool, by the API that has it. */
const tools: Readonly<Record<string, ToolSpec>> = {
  'openai-responses': hosted('openai-responses', 'computer', { type: 'computer' }),
  anthropic: hosted('anthropic', 'computer_toolset_20260801', { type: 'computer_toolset_20260801' }),
  gemini: hosted('gemini', 'computerUse', { computerUse: { environment: 'ENVIRONMENT_BROWSER' } }),
  'gemini-interactions': hosted('gemini-interactions', 'computer_use', {
    type: 'computer_use',
    environment: 'browser',
  }),
};

/** The head of a picture is all that is looked at. */
function png(width: number, height: number): ImagePart {
  const head = Buffer.alloc(33);
  head.write('\x89PNG\r\n\x1a\n', 'latin1');
  head.write('IHDR', 12, 'latin1');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  const data = head.toString('base64');
  return { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data } };
}

const screen = png(2000, 1000);
const url = `data:image/png;base64,${screen.source.kind === 'base64' ? screen.source.data : ''}`;

/** OpenAI asks for a look, and then for five things at once, a path of three points among them. */
const batch: readonly JsonObject[] = [
  { role: 'user', content: 'Draw.' },
  {
    type: 'computer_call',
    id: 'cu_1',
    call_id: 'call_1',
    status: 'completed',
    actions: [{ type: 'screenshot' }],
  },
  {
    type: 'computer_call_output',
    call_id: 'call_1',
    output: { type: 'computer_screenshot', image_url: url },
  },
  {
    type: 'computer_call',
    id: 'cu_2',
    call_id: 'call_2',
    status: 'completed',
    pending_safety_checks: [{ id: 'sc_1', code: 'irrelevant_domain' }],
    actions: [
      { type: 'click', button: 'left', x: 1000, y: 250, keys: ['SHIFT'] },
      { type: 'screenshot' },
      { type: 'keypress', keys: ['CTRL', 'A'] },
      {
        type: 'drag',
        path: [
          { x: 0, y: 0 },
          { x: 200, y: 100 },
          { x: 400, y: 900 },
        ],
      },
      { type: 'scroll', x: 1000, y: 500, scroll_x: 0, scroll_y: -300 },
    ],
  },
];

/** As the loop of a program has it: the model's messages as they were read, results as its tools made them. */
function batchHistory(failed = false): readonly Message[] {
  const { request } = adapterOf('openai-responses').readRequest({ model: 'm', input: batch });
  const [user, first, , second] = request.messages;
  return [
    user!,
    first!,
    { role: 'tool', results: [{ callId: 'call_1', name: 'computer', content: [screen] }] },
    second!,
    {
      role: 'tool',
      results: [
        {
          callId: 'call_2',
          name: 'computer',
          content: failed ? [{ type: 'text', text: 'The mouse is gone.' }, screen] : [screen],
          artifact: { url: 'https://example.com/' },
          acknowledgedSafetyChecks: ['sc_1'],
          ...(failed && { isError: true }),
        },
      ],
    },
  ];
}

function sent(
  api: string,
  messages: readonly Message[],
  tool: ToolSpec | undefined = tools[api],
): JsonObject {
  const request: ModelRequest = { messages, ...(tool && { tools: [tool] }) };
  const { body } = adapterOf(api).writeRequest(request, { model: 'm' });
  assert.deepEqual(faultsOf(api, body), []);
  return body;
}

test('a batch of OpenAI becomes a call for each action of the toolset of Anthropic, and its result a result for each', () => {
  const { messages } = sent('anthropic', batchHistory());
  const [, look, seen, act, done] = objectsOf(messages);
  assert.deepEqual(look?.['content'], [
    { type: 'tool_use', id: 'call_1', name: 'screenshot', input: {}, toolset_name: 'computer' },
  ]);
  assert.equal(objectsOf(seen?.['content'])[0]?.['toolset_name'], 'computer');
  assert.deepEqual(
    objectsOf(act?.['content']).map(({ id, name, input, toolset_name }) => [id, name, input, toolset_name]),
    [
      ['call_2_1', 'left_click', { coordinate: [1000, 250], text: 'shift' }, 'computer'],
      ['call_2_2', 'key', { text: 'ctrl+a' }, 'computer'],
      ['call_2_3', 'mouse_move', { coordinate: [0, 0] }, 'computer'],
      ['call_2_4', 'left_mouse_down', {}, 'computer'],
      ['call_2_5', 'mouse_move', { coordinate: [200, 100] }, 'computer'],
      ['call_2_6', 'mouse_move', { coordinate: [400, 900] }, 'computer'],
      ['call_2_7', 'left_mouse_up', {}, 'computer'],
      [
        'call_2_8',
        'scroll',
        { scroll_direction: 'up', scroll_amount: 3, coordinate: [1000, 500] },
        'computer',
      ],
    ],
  );
  const results = objectsOf(done?.['content']);
  assert.deepEqual(
    results.map(({ tool_use_id, content }) => [tool_use_id, objectsOf(content).map(({ type }) => type)]),
    [1, 2, 3, 4, 5, 6, 7, 8].map((n) => [`call_2_${n}`, [n === 8 ? 'image' : 'text']]),
  );
});

test('a batch that failed is answered as Anthropic wants it: the first call with what went wrong, the others as not executed', () => {
  const results = objectsOf(objectsOf(sent('anthropic', batchHistory(true))['messages']).at(-1)?.['content']);
  assert.ok(results.every((result) => result['is_error'] === true && result['toolset_name'] === 'computer'));
  assert.deepEqual(
    results.slice(0, 2).map(({ content }) => objectsOf(content)[0]?.['text']),
    ['The mouse is gone.', 'Not executed: an earlier computer action in this turn failed.'],
  );
});

test('the older tool of Anthropic says each action inside, also where no computer tool is sent', () => {
  const older = hosted('anthropic', 'computer', { type: 'computer_20251124', name: 'computer' });
  for (const tool of [older, { kind: 'function', name: 'stop', input: {} } as const]) {
    const { messages } = sent('anthropic', batchHistory(), tool);
    const calls = objectsOf(objectsOf(messages)[3]?.['content']);
    assert.deepEqual(
      [calls.length, calls[0]?.['name'], calls[0]?.['input'], calls[0]?.['toolset_name']],
      [8, 'computer', { action: 'left_click', coordinate: [1000, 250], text: 'shift' }, undefined],
    );
  }
});

test('Gemini gets functions on its grid, counted from the size of the screenshot, and the address with each answer', () => {
  const [, , , act, done] = objectsOf(sent('gemini', batchHistory())['contents']);
  const calls = objectsOf(act?.['parts']).map((part) => objectOf(part['functionCall']));
  assert.deepEqual(
    calls.map(({ name, args }) => [name, args]),
    [
      ['click', { x: 500, y: 250 }],
      ['hotkey', { keys: ['control', 'a'] }],
      ['mouse_down', { x: 0, y: 0 }],
      ['move', { x: 100, y: 100 }],
      ['move', { x: 200, y: 900 }],
      ['mouse_up', { x: 200, y: 900 }],
      ['scroll', { x: 500, y: 500, direction: 'up', magnitude_in_pixels: 300 }],
    ],
  );
  const answers = objectsOf(done?.['parts']).map((part) => objectOf(part['functionResponse']));
  assert.deepEqual(
    answers.map(({ id, name, response }) => [id, name, objectOf(response)['url']]),
    calls.map(({ id, name }) => [id, name, 'https://example.com/']),
  );
  assert.deepEqual(
    answers.map(({ parts }) => objectsOf(parts).length),
    [0, 0, 0, 0, 0, 0, 1],
  );
  assert.ok(answers.every(({ response }) => !('safety_acknowledgement' in objectOf(response))));
});

test('Interactions gets the same functions as steps, and results with the address and the picture', () => {
  const input = objectsOf(sent('gemini-interactions', batchHistory())['input']);
  const calls = input.filter(({ type }) => type === 'function_call');
  assert.deepEqual(calls[1]?.['arguments'], { x: 500, y: 250 });
  const last = objectsOf(input.at(-1)?.['result']);
  assert.deepEqual(
    last.map(({ type }) => type),
    ['text', 'image'],
  );
  assert.deepEqual(JSON.parse(String(last[0]?.['text'])), { url: 'https://example.com/' });
});

test('an API without computer use gets the batch as one call that it can read', () => {
  for (const api of ['openai-chat', 'bedrock-converse', 'mistral', 'cohere', 'ollama'])
    assert.match(JSON.stringify(sent(api, batchHistory())), /scroll_y/, api);
  // Without its tool OpenAI takes no computer_call of others.
  const [user, , ...rest] = batchHistory();
  const { input } = sent(
    'openai-responses',
    [user!, assistantMessage([{ type: 'screenshot', callId: 'call_1' }]), ...rest.slice(0, 1)],
    { kind: 'function', name: 'stop', input: {} },
  );
  assert.deepEqual(
    objectsOf(input).map(({ type }) => type),
    [undefined, 'function_call', 'function_call_output'],
  );
});

/** Three calls of Anthropic's toolset in one turn, answered one by one. */
function toolsetHistory(picture: boolean): readonly Message[] {
  const use = (id: string, name: string, input: JsonObject): JsonObject => ({
    type: 'tool_use',
    id,
    name,
    input,
    toolset_name: 'computer',
  });
  const { message } = adapterOf('anthropic').readReply({
    stop_reason: 'tool_use',
    content: [
      { type: 'text', text: 'I will fill it in.' },
      use('toolu_1', 'left_click', { coordinate: [1000, 250] }),
      use('toolu_2', 'type', { text: 'Oslo' }),
      use('toolu_3', 'cursor_position', {}),
    ],
  });
  const answer = (callId: string, text: string): { callId: string; name: string; content: never[] } => ({
    callId,
    name: 'computer',
    content: [{ type: 'text', text }, ...(picture && callId === 'toolu_3' ? [screen] : [])] as never[],
  });
  return [
    { role: 'user', content: 'Fill it in.' },
    message,
    {
      role: 'tool',
      results: [answer('toolu_1', 'OK'), answer('toolu_2', 'OK'), answer('toolu_3', 'X=512,Y=384')],
    },
  ];
}

test('calls of one turn of Anthropic become one batch of OpenAI, answered by one screenshot, with what was said behind it', () => {
  const body = sent('openai-responses', toolsetHistory(true));
  assert.deepEqual(objectsOf(body['input']).slice(2), [
    {
      type: 'computer_call',
      call_id: 'toolu_1',
      actions: [
        { type: 'click', button: 'left', x: 1000, y: 250 },
        { type: 'type', text: 'Oslo' },
      ],
      pending_safety_checks: [],
      status: 'completed',
    },
    {
      type: 'computer_call_output',
      call_id: 'toolu_1',
      output: { type: 'computer_screenshot', image_url: url },
    },
    {
      role: 'user',
      content: [{ type: 'input_text', text: 'From the result of computer (toolu_1): X=512,Y=384' }],
    },
  ]);
  const { reports } = adapterOf('openai-responses').writeRequest(
    { messages: toolsetHistory(true), tools: [tools['openai-responses']!] },
    { model: 'm' },
  );
  assert.match(JSON.stringify(reports), /no word for the action \\"cursor_position\\"; it is left out/);
});

test('an answer without a picture goes to OpenAI with what was seen last, or with an empty picture', () => {
  const outputs = (messages: readonly Message[]): readonly unknown[] =>
    objectsOf(sent('openai-responses', messages)['input'])
      .filter(({ type }) => type === 'computer_call_output')
      .map(({ output }) => objectOf(output)['image_url']);
  assert.match(String(outputs(toolsetHistory(false))[0]), /^data:image\/png;base64,iVBOR/);
  const seen: Message = { role: 'user', content: [screen] };
  assert.deepEqual(outputs([seen, ...toolsetHistory(false).slice(1)]), [url]);
});

test('the preview of OpenAI gets a call for each action', () => {
  const preview = hosted('openai-responses', 'computer', {
    type: 'computer_use_preview',
    display_width: 2000,
    display_height: 1000,
    environment: 'browser',
  });
  const input = objectsOf(sent('openai-responses', toolsetHistory(true), preview)['input']);
  assert.deepEqual(
    input.filter(({ type }) => type === 'computer_call').map(({ call_id, action }) => [call_id, action]),
    [
      ['toolu_1', { type: 'click', button: 'left', x: 1000, y: 250 }],
      ['toolu_2', { type: 'type', text: 'Oslo' }],
      // What has no word stays a call of a function, so that its answer has a place.
    ],
  );
  assert.equal(input.find(({ call_id }) => call_id === 'toolu_3')?.['type'], 'function_call');
});

test('points of the grid of Gemini are pixels for the others, and distances of a thousandth are of the screen', () => {
  const adapter = adapterOf('gemini');
  const { request } = adapter.readRequest({
    contents: [
      {
        role: 'user',
        parts: [{ text: 'Go' }, { inlineData: { mimeType: 'image/png', data: url.slice(22) } }],
      },
      {
        role: 'model',
        parts: [
          { functionCall: { id: 'a', name: 'click_at', args: { x: 500, y: 999 } } },
          { functionCall: { id: 'b', name: 'scroll_document', args: { direction: 'down', magnitude: 500 } } },
        ],
      },
      {
        role: 'user',
        parts: ['a', 'b'].map((id) => ({
          functionResponse: { id, name: 'x', response: { url: 'https://example.com/', output: 'ok' } },
        })),
      },
    ],
    tools: [{ computerUse: { environment: 'ENVIRONMENT_BROWSER' } }],
  });
  const [, call] = objectsOf(sent('openai-responses', request.messages)['input']);
  assert.deepEqual(call?.['actions'], [
    { type: 'click', button: 'left', x: 1000, y: 999 },
    { type: 'scroll', x: 0, y: 0, scroll_x: 0, scroll_y: 500 },
  ]);
  const [, asked] = objectsOf(sent('anthropic', request.messages)['messages']);
  assert.deepEqual(
    objectsOf(asked?.['content']).map(({ name, input }) => [name, input]),
    [
      ['left_click', { coordinate: [1000, 999] }],
      ['scroll', { scroll_direction: 'down', scroll_amount: 5 }],
    ],
  );
});

test('an action that nobody asked for by wire is said by each API', () => {
  const history: readonly Message[] = [
    { role: 'user', content: [screen] },
    assistantMessage([asCall({ type: 'left_mouse_click', xy: [1000, 500], callId: 'c' })]),
    { role: 'tool', results: [{ callId: 'c', name: 'computer', content: [screen] }] },
  ];
  const [, own] = objectsOf(sent('openai-responses', history)['input']);
  assert.deepEqual(own?.['actions'], [{ type: 'click', button: 'left', x: 1000, y: 500 }]);
  const [, model] = objectsOf(sent('gemini', history)['contents']);
  assert.deepEqual(objectOf(objectsOf(model?.['parts'])[0]?.['functionCall'])['args'], { x: 500, y: 500 });
});

test('a screenshot in a body that was sent to OpenAI is a picture to the others', () => {
  const input = [
    ...batch,
    {
      type: 'computer_call_output',
      call_id: 'call_2',
      output: { type: 'computer_screenshot', image_url: url },
      acknowledged_safety_checks: [{ id: 'sc_1' }],
    },
  ];
  const { request } = adapterOf('openai-responses').readRequest({ model: 'm', input });
  const last = request.messages.at(-1);
  assert.deepEqual(last?.role === 'tool' && last.results[0]?.acknowledgedSafetyChecks, ['sc_1']);
  const results = objectsOf(objectsOf(sent('anthropic', request.messages)['messages']).at(-1)?.['content']);
  assert.equal(objectsOf(results.at(-1)?.['content'])[0]?.['type'], 'image');
  const [, , , act] = objectsOf(sent('gemini', request.messages)['contents']);
  assert.deepEqual(objectOf(objectsOf(act?.['parts'])[0]?.['functionCall'])['args'], { x: 500, y: 250 });
  assert.deepEqual(adapterOf('openai-responses').writeRequest(request, { model: 'm' }).body['input'], input);
});

test('a history of the API itself stays as it came', () => {
  const { body } = adapterOf('openai-responses').writeRequest(
    adapterOf('openai-responses').readRequest({ model: 'm', input: batch.slice(0, 3) }).request,
    { model: 'm' },
  );
  assert.deepEqual(body['input'], batch.slice(0, 3));
});

test('reads the size of a picture from its head', () => {
  const of = (...bytes: readonly (number | string)[]): ImagePart => {
    const data = Buffer.concat(
      bytes.map((each) => (typeof each === 'string' ? Buffer.from(each, 'latin1') : Buffer.from([each]))),
    );
    const padded = Buffer.concat([data, Buffer.alloc(40)]);
    return {
      type: 'image',
      source: { kind: 'base64', mediaType: 'image/x', data: padded.toString('base64') },
    };
  };
  assert.deepEqual(imageSize(png(1280, 800)), { width: 1280, height: 800 });
  // A first segment of four bytes, then a progressive frame: precision, height, width.
  const jpeg = of(0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc2, 0, 11, 8, 3, 32, 5, 0);
  assert.deepEqual(imageSize(jpeg), { width: 1280, height: 800 });
  assert.deepEqual(imageSize(of('RIFF----WEBPVP8X', 10, 0, 0, 0, 0, 0, 0, 0, 255, 4, 0, 31, 3, 0)), {
    width: 1280,
    height: 800,
  });
  assert.deepEqual(imageSize(of('RIFF----WEBPVP8 ', '----------', 0, 5, 32, 3)), {
    width: 1280,
    height: 800,
  });
  assert.deepEqual(imageSize(of('RIFF----WEBPVP8L', '----', 0x2f, 255, 196, 199, 0)), {
    width: 1280,
    height: 800,
  });
  for (const none of [of('GIF89a'), of(), of(0xff, 0xd8)]) assert.equal(imageSize(none), undefined);
  assert.equal(imageSize({ type: 'image', source: { kind: 'url', url: 'https://x/' } }), undefined);
});
