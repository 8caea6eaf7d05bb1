/**
 * The same small task, asked for over HTTP in the words of every provider's computer tool, leaves the same page behind: a
 * form with a text, a list, a date, a shortcut and a drag, and its submission.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import type { JsonObject } from '../src/base/json/value.ts';
import type { Model } from '../src/base/message/model.ts';
import type { Computer } from '../src/run/computer/computer.ts';
import { computerTool } from '../src/run/computer/computer-tool.ts';
import { PageRig, servePages } from '../src/run/computer/browser/page.fixture.ts';
import { runCall } from '../src/run/tool/call/run-call.ts';
import { toolbox } from '../src/run/tool/toolbox.ts';
import { run } from '../src/run/loop/run.ts';
import { ComputerBlocks } from '../src/wire/computer-block.ts';
import { mock, type MockStep } from '../src/wire/mock/index.ts';
import { anthropic, modelNamed } from '../src/wire/index.ts';

const page = `<!doctype html><body style="margin:0"><form style="margin:0" onsubmit="return false">
  <input id=name style="position:absolute;left:100px;top:100px;width:200px;height:20px" value=old>
  <select id=colour style="position:absolute;left:400px;top:100px"><option>Red<option>Blue</select>
  <input id=day type=date style="position:absolute;left:100px;top:150px;width:200px;height:20px">
  <div id=piece draggable=true style="position:absolute;left:100px;top:300px;width:60px;height:60px;background:green"></div>
  <div id=place style="position:absolute;left:500px;top:300px;width:100px;height:100px;background:grey"
    ondragover="event.preventDefault()" ondrop="this.textContent = 'dropped'"></div>
  <button onclick="this.textContent = 'sent'" style="position:absolute;left:100px;top:500px;width:100px;height:30px">Send</button>
  <script>window.keys = []; addEventListener('keydown', (event) => keys.push(event.key))</script>`;
const state = `({ name: document.getElementById('name').value, day: document.getElementById('day').value,
  colour: document.getElementById('colour').value, place: document.getElementById('place').textContent, button: document.querySelector('button').textContent })`;

type Task = (
  at: (x: number, y: number) => readonly [number, number],
) => readonly (readonly [string, JsonObject])[];

/** In pixels, and named as Anthropic names them. */
const members: Task = () => [
  ['left_click', { coordinate: [150, 110] }],
  ['key', { text: 'ctrl+a' }],
  ['type', { text: 'Ada' }],
  ['key', { text: 'Tab' }],
  ['key', { text: 'Down' }],
  ['left_click', { coordinate: [110, 160] }],
  ['type', { text: '01022026' }],
  ['left_click_drag', { start_coordinate: [130, 330], coordinate: [550, 350] }],
  ['left_click', { coordinate: [150, 515] }],
];
const newest: Task = (at) => {
  const point = (x: number, y: number): JsonObject => ({ x: at(x, y)[0], y: at(x, y)[1] });
  const [start_x, start_y] = at(130, 330);
  const [end_x, end_y] = at(550, 350);
  return [
    ['click', point(150, 110)],
    ['hotkey', { keys: ['control', 'a'] }],
    ['type', { text: 'Ada' }],
    ['press_key', { key: 'tab' }],
    ['press_key', { key: 'down' }],
    ['click', point(110, 160)],
    ['type', { text: '01022026' }],
    ['drag_and_drop', { start_x, start_y, end_x, end_y }],
    ['click', point(150, 515)],
  ];
};
const older: Task = (at) => {
  const point = (x: number, y: number): JsonObject => ({ x: at(x, y)[0], y: at(x, y)[1] });
  const [destination_x, destination_y] = at(550, 350);
  return [
    ['type_text_at', { ...point(150, 110), text: 'Ada', press_enter: false }],
    ['key_combination', { keys: 'Tab' }],
    ['key_combination', { keys: 'Down' }],
    ['click_at', point(110, 160)],
    [
      'type_text_at',
      { ...point(110, 160), text: '01022026', press_enter: false, clear_before_typing: false },
    ],
    ['drag_and_drop', { ...point(130, 330), destination_x, destination_y }],
    ['click_at', point(150, 515)],
  ];
};
const actions: readonly JsonObject[] = [
  { type: 'click', button: 'left', x: 150, y: 110, keys: null },
  { type: 'keypress', keys: ['CTRL', 'A'] },
  { type: 'type', text: 'Ada' },
  { type: 'keypress', keys: ['TAB'] },
  { type: 'keypress', keys: ['ARROWDOWN'] },
  { type: 'click', button: 'left', x: 110, y: 160, keys: null },
  { type: 'type', text: '01022026' },
  {
    type: 'drag',
    path: [
      { x: 130, y: 330 },
      { x: 300, y: 340 },
      { x: 550, y: 350 },
    ],
    keys: null,
  },
  { type: 'click', button: 'left', x: 150, y: 515, keys: null },
];
const grid = (x: number, y: number): readonly [number, number] => [
  Math.round((x * 1000) / 1280),
  Math.round((y * 1000) / 800),
];

interface Spelling {
  readonly model: (baseUrl: string) => Model;
  /** What the request must declare. */
  readonly tool: JsonObject;
  /** One reply for each block. */
  readonly replies: readonly JsonObject[];
  readonly end: JsonObject;
}

const usage = { input_tokens: 1, output_tokens: 1 };
const claude = (model: string, tool: JsonObject, blocks: readonly JsonObject[]): Spelling => ({
  model: (baseUrl) => anthropic(model, { baseUrl, apiKey: 'none' }),
  tool,
  replies: blocks.map((block) => ({ role: 'assistant', content: [block], stop_reason: 'tool_use', usage })),
  end: { role: 'assistant', content: [{ type: 'text', text: 'Done.' }], stop_reason: 'end_turn', usage },
});
const older20 = (version: string): readonly JsonObject[] =>
  members(grid).map(([action, input], index) => ({
    type: 'tool_use',
    id: `toolu_${version}_${index}`,
    name: 'computer',
    input: { action, ...input },
  }));
const openaiText = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] };
const gpt = (model: string, tool: JsonObject, items: readonly JsonObject[]): Spelling => ({
  model: (baseUrl) => modelNamed(`openai-responses/${model}`, { baseUrl, apiKey: 'none' }),
  tool,
  replies: items.map((item) => ({ output: [item], status: 'completed', usage })),
  end: { output: [openaiText], status: 'completed', usage },
});
const gemini = (model: string, calls: ReturnType<Task>): Spelling => ({
  model: (baseUrl) => modelNamed(`google/${model}`, { baseUrl, apiKey: 'none' }),
  tool: { computerUse: { environment: 'ENVIRONMENT_BROWSER' } },
  replies: calls.map(([name, args]) => ({
    candidates: [
      { content: { role: 'model', parts: [{ functionCall: { name, args } }] }, finishReason: 'STOP' },
    ],
  })),
  end: { candidates: [{ content: { role: 'model', parts: [{ text: 'Done.' }] }, finishReason: 'STOP' }] },
});
const sized = { display_width_px: 1280, display_height_px: 800 };

const spellings: Readonly<Record<string, Spelling>> = {
  computer_20250124: claude(
    'claude-sonnet-4-20250514',
    { type: 'computer_20250124', name: 'computer', ...sized },
    older20('a'),
  ),
  computer_20251124: claude(
    'claude-sonnet-4-6',
    { type: 'computer_20251124', name: 'computer', ...sized, enable_zoom: true },
    older20('b'),
  ),
  computer_toolset_20260801: claude(
    'claude-opus-5-5',
    { type: 'computer_toolset_20260801' },
    members(grid).map(([name, input], index) => ({
      type: 'tool_use',
      id: `toolu_${index}`,
      name,
      toolset_name: 'computer',
      input,
    })),
  ),
  computer_use_preview: gpt(
    'computer-use-preview',
    { type: 'computer_use_preview', display_width: 1280, display_height: 800, environment: 'browser' },
    actions.map((action, index) => ({
      type: 'computer_call',
      id: `cu_${index}`,
      call_id: `call_${index}`,
      action,
      pending_safety_checks: [],
      status: 'completed',
    })),
  ),
  computer: gpt('gpt-5.4', { type: 'computer' }, [
    { type: 'computer_call', id: 'cu_1', call_id: 'call_1', actions, status: 'completed' },
  ]),
  'Gemini 3.5': gemini('gemini-3.5-flash', newest(grid)),
  'Gemini 2.5': gemini('gemini-2.5-computer-use-preview-10-2025', older(grid)),
};

/** A provider that answers one request after the other with these bodies, and keeps what it was sent. */
async function provider(bodies: readonly JsonObject[]): Promise<{
  readonly url: string;
  readonly asked: { readonly body: JsonObject; readonly beta: string | undefined }[];
  readonly close: () => void;
}> {
  const asked: { readonly body: JsonObject; readonly beta: string | undefined }[] = [];
  const { url, close } = await servePages((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const beta = request.headers['anthropic-beta'];
      const body = JSON.parse(Buffer.concat(pieces).toString()) as JsonObject;
      asked.push({ body, beta: Array.isArray(beta) ? beta[0] : beta });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(bodies[asked.length - 1] ?? bodies.at(-1)));
    });
  });
  return { url, asked, close };
}

let rig: PageRig;
before(async () => {
  rig = await PageRig.open({ '/': page });
});
after(() => rig[Symbol.asyncDispose]());

for (const [name, { model, tool, replies, end }] of Object.entries(spellings))
  test(`end to end in the words of ${name}: the page is left as it is in all others`, async () => {
    await rig.do({ type: 'navigate', url: `${rig.url}/` });
    const { url, asked, close } = await provider([...replies, end]);
    using _ends = { [Symbol.dispose]: close };
    const { calls, text } = await run({
      model: model(url),
      tools: [computerTool(rig.computer, { keep: 2 })],
      prompt: 'Fill in the form.',
    });
    assert.deepEqual(
      calls.filter(({ success }) => !success).map(({ result }) => result.content),
      [],
    );
    assert.equal(text, 'Done.');
    assert.deepEqual(asked[0]?.body['tools'], [tool]);
    const version = /^computer_(\d{4})(\d\d)(\d\d)$/.exec(String(tool['type']))?.slice(1).join('-');
    assert.equal(asked[0]?.beta, version && `computer-use-${version}`);
    assert.deepEqual(await rig.ask(state), {
      name: 'Ada',
      day: '2026-01-02',
      colour: 'Blue',
      place: 'dropped',
      button: 'sent',
    });
    // Of the pictures that an API demands, only the newest are sent again.
    const pictures = JSON.stringify(asked.at(-1)?.body).match(/iVBORw0KGgo[\w+/=]{300,}/g) ?? [];
    assert.ok(pictures.length <= 3, `${pictures.length} pictures`);
  });

test('a model without a tool for computers gets a function, and is told what came of each action', async () => {
  await rig.do({ type: 'navigate', url: `${rig.url}/` });
  const act = (input: JsonObject): MockStep => ({ calls: [{ name: 'computer', arguments: input }] });
  await using scripted = await mock([
    act({ type: 'left_mouse_click', xy: [150, 110] }),
    act({ type: 'keypress', keys: ['Control', 'a'] }),
    act({ type: 'type', text: 'Ada' }),
    act({ type: 'left_mouse_click', xy: [900, 600] }),
    act({ type: 'left_mouse_click', xy: [900, 600] }),
    act({ type: 'screenshot' }),
    act({ type: 'screenshot' }),
    act({ type: 'left_mouse_click', xy: [5000, 5] }),
    'Done.',
  ]);
  const { calls } = await run({
    model: modelNamed('compatible/some-model', { baseUrl: scripted.url, apiKey: 'none' }),
    tools: [computerTool(rig.computer)],
    prompt: 'Go.',
  });
  const told = calls.map(({ result }) =>
    result.content.map((part) => (part.type === 'text' ? part.text : part.type)).join(' '),
  );
  assert.match(told[0]!, /focus is on input "name".*"old"/);
  assert.match(told[2]!, /value is "Ada"/);
  assert.equal(told[4], 'Nothing changed.');
  assert.equal(told[5], 'image');
  assert.match(told[6]!, /as the last picture/);
  assert.match(told[7]!, /1279.*799/);
});

test('pictures are sent as WebP where that is asked for, and the same one never twice', async () => {
  await rig.do({ type: 'navigate', url: `${rig.url}/` });
  const act = (input: JsonObject): MockStep => ({ calls: [{ name: 'computer', arguments: input }] });
  const shoot = act({ action: 'screenshot' });
  const steps = [shoot, shoot, act({ action: 'left_click', coordinate: [150, 110] }), shoot, 'Done.'];
  await using scripted = await mock(steps);
  const { calls } = await run({
    model: anthropic('claude-sonnet-4-6', { baseUrl: scripted.url, apiKey: 'none' }),
    tools: [computerTool(rig.computer, { keep: 3, format: 'webp' })],
    prompt: 'Go.',
  });
  const sent = calls.map(({ result }) =>
    result.content.map((part) =>
      part.type === 'image' && part.source.kind === 'base64' ? part.source : part.type,
    ),
  );
  const pictures = sent.flat().filter((each) => typeof each === 'object');
  assert.deepEqual([sent[1], pictures.length], [['text'], 2]);
  for (const { data, mediaType } of pictures) {
    const bytes = Buffer.from(data, 'base64');
    assert.equal(mediaType, 'image/webp');
    assert.deepEqual([bytes.toString('latin1', 0, 4), bytes.toString('latin1', 8, 12)], ['RIFF', 'WEBP']);
  }
  const { asked } = scripted;
  assert.match(JSON.stringify(asked.at(-1)), /"media_type":"image\/webp"/);
  const { toWebp: _toWebp, ...display } = rig.computer;
  assert.throws(
    () => computerTool({ ...display, screen: rig.computer.screen } as Computer, { format: 'webp' }),
    {
      code: 'computer_option_invalid',
    },
  );
});

test('in the loop, what a provider asks first is asked of a person, and what fails stops the turn', async () => {
  await rig.do({ type: 'navigate', url: `${rig.url}/` });
  const asked: string[] = [];
  const box = toolbox(
    computerTool(rig.computer, {
      api: 'openai-responses',
      entry: { type: 'computer' },
      acknowledge: (checks) => {
        asked.push(...checks.map(({ id }) => id));
        return checks[0]?.id === 'one';
      },
    }),
  );
  const wire = new ComputerBlocks('openai-responses');
  const call = (id: string): ReturnType<ComputerBlocks['read']> =>
    wire.read({
      type: 'computer_call',
      call_id: id,
      action: { type: 'click', button: 'left', x: 150, y: 515 },
      pending_safety_checks: [{ id, code: 'sensitive_domain', message: 'Sure?' }],
    });
  const agreed = await runCall(call('one'), box);
  assert.deepEqual(agreed.result.acknowledgedSafetyChecks, ['one']);
  const refused = await runCall(call('two'), box);
  assert.equal(refused.success, false);
  assert.match(JSON.stringify(refused.result.content), /Sure\?/);
  assert.deepEqual(asked, ['one', 'two']);
});

test('calls of one turn run in order under the names of a toolset, up to the first that fails', async () => {
  await rig.do({ type: 'navigate', url: `${rig.url}/` });
  const act = (input: JsonObject): { readonly name: string; readonly arguments: JsonObject } => ({
    name: 'computer',
    arguments: input,
  });
  await using scripted = await mock([
    {
      calls: [
        act({ action: 'left_click', coordinate: [150, 110] }),
        act({ action: 'left_click', coordinate: [9999, 1] }),
        act({ action: 'type', text: 'x' }),
      ],
    },
    'Done.',
  ]);
  const entry = { type: 'computer_20251124', name: 'computer' };
  const { calls } = await run({
    model: anthropic('claude-test', { baseUrl: scripted.url }),
    tools: [computerTool(rig.computer, { api: 'anthropic', entry })],
    prompt: 'Go.',
  });
  const told = calls.map(({ result }) => JSON.stringify(result.content));
  assert.match(told[0] ?? '', /focus is on/);
  assert.match(told[1] ?? '', /1279/);
  assert.match(told[2] ?? '', /Not executed/);
  assert.equal(await rig.ask('keys.length'), 0);
});
