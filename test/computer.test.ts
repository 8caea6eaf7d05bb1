/**
 * The same small task, asked for in the words of every provider's computer tool, leaves the same page behind: a form
 * with a text, a date, a shortcut and a drag, and its submission.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonObject } from '../src/base/json/value.ts';
import { computerTool } from '../src/run/computer/computer-tool.ts';
import { PageRig } from '../src/run/computer/browser/page.fixture.ts';
import { runCall } from '../src/run/tool/call/run-call.ts';
import { toolbox } from '../src/run/tool/toolbox.ts';
import { run } from '../src/run/loop/run.ts';
import { ComputerBlocks } from '../src/wire/computer-block.ts';
import { mock } from '../src/wire/mock/index.ts';
import { anthropic } from '../src/wire/index.ts';

const page = `<!doctype html><body style="margin:0"><form style="margin:0" onsubmit="return false">
  <input id=name style="position:absolute;left:100px;top:100px;width:200px;height:20px" value=old>
  <input id=day type=date style="position:absolute;left:100px;top:150px;width:200px;height:20px">
  <div id=piece draggable=true style="position:absolute;left:100px;top:300px;width:60px;height:60px;background:green"></div>
  <div id=place style="position:absolute;left:500px;top:300px;width:100px;height:100px;background:grey"
    ondragover="event.preventDefault()" ondrop="this.textContent = 'dropped'"></div>
  <button onclick="this.textContent = 'sent'" style="position:absolute;left:100px;top:500px;width:100px;height:30px">Send</button>
  <script>window.keys = []; addEventListener('keydown', (event) => keys.push(event.key))</script>`;
const state = `({ name: document.getElementById('name').value, day: document.getElementById('day').value,
  place: document.getElementById('place').textContent, button: document.querySelector('button').textContent })`;

type Task = (
  at: (x: number, y: number) => readonly [number, number],
) => readonly (readonly [string, JsonObject])[];

/** In pixels, and named as Anthropic names them. */
const members: Task = () => [
  ['left_click', { coordinate: [150, 110] }],
  ['key', { text: 'ctrl+a' }],
  ['type', { text: 'Ada' }],
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

const spellings: Readonly<Record<string, readonly [api: string, blocks: readonly JsonObject[]]>> = {
  computer_20250124: [
    'anthropic',
    members(grid).map(([action, input], index) => ({
      type: 'tool_use',
      id: `toolu_${index}`,
      name: 'computer',
      input: { action, ...input },
    })),
  ],
  computer_toolset_20260801: [
    'anthropic',
    members(grid).map(([name, input], index) => ({
      type: 'tool_use',
      id: `toolu_${index}`,
      name,
      toolset_name: 'computer',
      input,
    })),
  ],
  computer_use_preview: [
    'openai-responses',
    actions.map((action, index) => ({
      type: 'computer_call',
      id: `cu_${index}`,
      call_id: `call_${index}`,
      action,
    })),
  ],
  computer: ['openai-responses', [{ type: 'computer_call', id: 'cu_1', call_id: 'call_1', actions }]],
  'Gemini 3.5': ['gemini', newest(grid).map(([name, args]) => ({ functionCall: { name, args } }))],
  'Gemini 2.5': ['gemini', older(grid).map(([name, args]) => ({ functionCall: { name, args } }))],
  'Gemini Interactions': [
    'gemini-interactions',
    newest(grid).map(([name, args], index) => ({
      type: 'function_call',
      id: `fc_${index}`,
      name,
      arguments: args,
    })),
  ],
};

for (const [name, [api, blocks]] of Object.entries(spellings))
  test(`the task in the words of ${name}`, async () => {
    await using rig = await PageRig.open({ '/': page });
    const wire = new ComputerBlocks(api);
    const box = toolbox(computerTool(rig.computer, { api, entry: { type: 'computer' } }));
    for (const block of blocks) {
      const { success, result } = await runCall(wire.read(block), box);
      assert.ok(success, JSON.stringify(result.content));
    }
    assert.deepEqual(await rig.ask(state), {
      name: 'Ada',
      day: '2026-01-02',
      place: 'dropped',
      button: 'sent',
    });
  });

test('in the loop, what a provider asks first is asked of a person, and what fails stops the turn', async () => {
  await using rig = await PageRig.open({ '/': page });
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
  await using rig = await PageRig.open({ '/': page });
  const act = (input: JsonObject): { readonly name: string; readonly arguments: JsonObject } => ({
    name: 'computer',
    arguments: input,
  });
  await using provider = await mock([
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
    model: anthropic('claude-test', { baseUrl: provider.url }),
    tools: [computerTool(rig.computer, { api: 'anthropic', entry })],
    prompt: 'Go.',
  });
  const told = calls.map(({ result }) => JSON.stringify(result.content));
  assert.match(told[0] ?? '', /OK/);
  assert.match(told[1] ?? '', /1279/);
  assert.match(told[2] ?? '', /Not executed/);
  assert.equal(await rig.ask('keys.length'), 0);
});
