import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { Action } from '../../../base/message/action.ts';
import { rounds } from '../../../../test/rounds.ts';

import { BrowserAt } from './browser-at.fixture.ts';
import { openBrowser } from './browser.ts';
import { readPng } from '../../display/picture/png.ts';
import { PageRig, reporter } from './page.fixture.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const form = `<!doctype html><title>Form</title><body style="margin:0;height:5000px">
  <div id=pad style="position:absolute;left:0;top:0;width:600px;height:300px">a paragraph of words</div>
  <input id=name aria-label="Full name" style="position:absolute;left:10px;top:320px;width:300px">
  <select aria-label=Colour style="position:absolute;left:10px;top:360px"><option>Red<option>Blue</select>
  <button onclick="alert('hello')" style="position:absolute;left:10px;top:400px">Say</button>
  <a href="/next" target="_blank" style="position:absolute;left:100px;top:400px">Next</a>
  ${reporter}`;

let rig: PageRig;
before(async () => {
  rig = await PageRig.open({ '/': form, '/next': '<title>Next</title>next' }, { timeout: 5 });
});
after(() => rig[Symbol.asyncDispose]());

test('a click arrives as a mouse makes it: place, button, count, modifiers held around it', async () => {
  await rig.do({ type: 'left_mouse_click', xy: [213, 151], modifiers: ['Shift'] });
  const seen = await rig.received('keydown', 'mousedown', 'mouseup', 'click', 'keyup');
  assert.deepEqual(
    seen.map(({ kind, x, y, button, held, trusted }) => [kind, x, y, button, held, trusted]),
    [
      ['keydown', undefined, undefined, undefined, 'shift', true],
      ['mousedown', 213, 151, 0, 'shift', true],
      ['mouseup', 213, 151, 0, 'shift', true],
      ['click', 213, 151, 0, 'shift', true],
      ['keyup', undefined, undefined, undefined, '', true],
    ],
  );
});

test('without a place it happens where the cursor is, and (0, 0) is a place', async () => {
  await rig.do({ type: 'move', xy: [77, 88] });
  await rig.received();
  await rig.do({ type: 'left_mouse_click' });
  await rig.do({ type: 'left_mouse_click', xy: [0, 0] });
  assert.deepEqual(
    (await rig.received('click')).map(({ x, y }) => [x, y]),
    [
      [77, 88],
      [0, 0],
    ],
  );
  assert.deepEqual((await rig.do({ type: 'cursor_position' })).texts, ['X=0,Y=0']);
});

test('a drag goes through every point of its path with the button down', async () => {
  await rig.received();
  await rig.do({
    type: 'drag',
    xy: [
      [100, 100],
      [200, 100],
      [200, 250],
    ],
  });
  const seen = await rig.received('mousedown', 'mousemove', 'mouseup');
  const down = seen.filter(({ kind, buttons }) => kind === 'mousemove' && buttons === 1);
  assert.deepEqual(
    [seen.find(({ kind }) => kind === 'mousedown')?.x, seen.at(-1)?.x, seen.at(-1)?.y],
    [100, 200, 250],
  );
  assert.ok(down.some(({ x, y }) => x === 200 && y === 100));
  assert.ok(down.length >= 4);
});

test('a chord is pressed together and let go in reverse; what is not a key is an error and is not typed', async () => {
  await rig.received();
  await rig.do({ type: 'keypress', keys: ['Control', 'a'] });
  assert.deepEqual(
    (await rig.received('keydown', 'keyup')).map(({ kind, key, held }) => [kind, key, held]),
    [
      ['keydown', 'Control', 'ctrl'],
      ['keydown', 'a', 'ctrl'],
      ['keyup', 'a', 'ctrl'],
      ['keyup', 'Control', ''],
    ],
  );
  const { failure } = await rig.do({ type: 'keypress', keys: ['Flarb'] });
  assert.equal(failure?.code, 'key_unknown');
  assert.match(failure.message, /Flarb/);
  const held = await rig.do({ type: 'left_mouse_click', xy: [5, 5], modifiers: ['hello'] });
  assert.equal(held.failure?.code, 'key_unknown');
  const often = await rig.do({ type: 'keypress', keys: ['a'], repeat: 101 });
  assert.equal(often.failure?.code, 'action_invalid');
  assert.deepEqual(await rig.received('keydown', 'input', 'mousedown'), []);
});

test('a page whose script never ends is answered in time, and the session goes on', async () => {
  const { failure } = await rig.do({ type: 'run_script', script: 'for (;;);' });
  assert.equal(failure?.code, 'computer_timeout');
  assert.equal(await rig.ask('1 + 1'), 2);
});

test('addresses that nobody named are refused, whoever opens them', async () => {
  for (const url of [
    'file:///etc/passwd',
    'http://localhost:1/',
    'http://0x7f.1:2/',
    'view-source:http://a.b/',
  ]) {
    const { failure } = await rig.do({ type: 'navigate', url });
    assert.equal(failure?.code, 'host_refused', url);
  }
  const own = new URL(rig.url);
  const asked = `fetch("http://localhost:${own.port}/", { mode: "no-cors" }).then((answer) => answer.type + answer.status, String)`;
  const answer = String(await rig.ask(asked));
  assert.ok(!answer.includes('200'), answer);
});

test('what is done elsewhere is told and not performed', async () => {
  await rig.received();
  const elsewhere: Action = { type: 'left_mouse_click', xy: [213, 151], requiresLocalExecution: false };
  const { failure, effect } = await rig.do(elsewhere, { type: 'move', xy: [5, 5] });
  assert.deepEqual([failure, effect], [undefined, undefined]);
  assert.deepEqual(await rig.received('mousedown'), []);
});

test('a script of the model runs only where that is allowed', async () => {
  const { ComputerSession } = await import('../session.ts');
  const careful = new ComputerSession(rig.computer);
  const { failure } = await careful.perform({
    actions: [{ type: 'run_script', script: '1' }],
    display: rig.computer.screen,
  });
  assert.equal(failure?.code, 'script_refused');
});

test('what no browser can do is an error that says so', async () => {
  const { failure } = await rig.do({ type: 'open_app', name: 'Calculator' });
  assert.equal(failure?.code, 'action_unsupported');
});

test('a page that nobody serves, an option that is none and a program that is not there are named', async () => {
  await assert.rejects(openBrowser({ url: 'http://127.0.0.1:2/' }), { code: 'page_unreachable' });
  await assert.rejects(openBrowser({ url: 'http://127.0.0.1/', allow: ['no host'] }), {
    code: 'computer_option_invalid',
  });
  await assert.rejects(openBrowser({ url: 'http://127.0.0.1/', executablePath: '/nowhere/chromium' }), {
    code: 'computer_missing',
  });
});

test('a tab that crashes fails one call, and the next finds a new one at the same address', async () => {
  await using mortal = await PageRig.open({ '/': form }, { timeout: 5, allow: ['chrome:'] });
  const crashed = await mortal.do({ type: 'navigate', url: 'chrome://crash' });
  const next = await mortal.do({ type: 'cursor_position' });
  const failures = [crashed, next].map(({ failure }) => failure?.code);
  assert.ok(failures.includes('computer_lost'), String(failures));
  const after =
    crashed.failure?.code === 'computer_lost' ? next : await mortal.do({ type: 'cursor_position' });
  // Whether the browser tells of the crash or of the page's end first is up to it.
  assert.match(after.events[0]?.type ?? '', /^(restarted|tab_closed)$/);
  // Shown once it has been loaded.
  await mortal.do({ type: 'screenshot' });
  assert.equal(await mortal.ask('document.title'), 'Form');
});

test('a screen of more pixels is seen as it is by the page, by a zoom and by a mask', async () => {
  const page = `<!doctype html><body style="margin:0"><div id=secret style="position:absolute;left:100px;top:100px;width:100px;height:50px;background:red"></div>
    <div style="position:absolute;left:300px;top:100px;width:100px;height:50px;background:red"></div>`;
  await using browser = await BrowserAt.start();
  for (const scale of [0.5, 1.5, 3]) {
    const options = {
      cdp: browser.address,
      screen: { width: 640, height: 400 },
      scale,
      masks: [{ selector: '#secret' }],
    };
    await using rig = await PageRig.open({ '/': page }, options);
    assert.deepEqual(await rig.ask('[devicePixelRatio, innerWidth, innerHeight]'), [scale, 640, 400]);
    await rig.ask('onclick = ({ clientX, clientY }) => { document.title = `${clientX},${clientY}` }');
    await rig.do({ type: 'left_mouse_click', xy: [350, 125] });
    assert.equal(await rig.ask('document.title'), '350,125');
    const real = await rig.computer.look(new AbortController().signal);
    assert.deepEqual([real.width, real.height], [640 * scale, 400 * scale]);
    const { picture } = await rig.do({ type: 'screenshot' });
    const shown = readPng(picture!);
    const colourAt = (x: number, y: number): readonly number[] => [
      ...shown.data.subarray((y * 640 + x) * 4, (y * 640 + x) * 4 + 3),
    ];
    assert.deepEqual(
      [colourAt(150, 125), colourAt(350, 125)],
      [
        [128, 128, 128],
        [255, 0, 0],
      ],
    );
  }
});

test('many actions leave behind no process, no page and no memory', async (context) => {
  await rig.do({ type: 'navigate', url: `${rig.url}/` });
  const cycle: readonly Action[] = [
    { type: 'left_mouse_click', xy: [100, 330] },
    { type: 'type', text: 'word' },
    { type: 'left_mouse_click', xy: [110, 408] },
    { type: 'tab_close' },
    { type: 'zoom', region: [0, 0, 100, 100] },
    { type: 'scroll', direction: 'down', magnitude: 1, unit: 'notch' },
    { type: 'keypress', keys: ['Control', 'Home'] },
    { type: 'left_mouse_click', xy: [20, 410] },
  ];
  const measure = async () => {
    const { texts } = await rig.do({ type: 'tab_list' });
    // The memory of pictures is given back a turn of the loop after they are collected.
    for (let each = 0; each < 3; each++) {
      collectGarbage();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { heapUsed, external } = process.memoryUsage();
    return {
      tabs: texts[0]?.split('\n').length,
      processes: await descendants(process.pid),
      bytes: heapUsed + external,
    };
  };
  for (const action of cycle) assert.equal((await rig.do(action)).failure, undefined);
  const before = await measure();
  for (let each = 0; each < rounds(2); each++)
    for (const action of cycle) assert.equal((await rig.do(action)).failure, undefined, action.type);
  const after = await measure();
  assert.equal(after.tabs, 1);
  assert.ok(after.processes <= before.processes, `${before.processes} processes became ${after.processes}`);
  const grown = (after.bytes - before.bytes) / 1e6;
  context.diagnostic(
    `${rounds(2) * cycle.length} actions: ${before.processes} processes became ${after.processes}, ${grown.toFixed(1)} MB more`,
  );
  assert.ok(grown < 12, `${grown} MB more`);
});

async function descendants(of: number): Promise<number> {
  const tasks = await readdir(`/proc/${of}/task`).catch(() => []);
  const told = tasks.map((task) => readFile(`/proc/${of}/task/${task}/children`, 'utf8').catch(() => ''));
  const children = (await Promise.all(told)).flatMap((line) => line.split(' ').filter((each) => each !== ''));
  const below = await Promise.all(children.map((child) => descendants(Number(child))));
  return below.reduce((sum, count) => sum + count, children.length);
}
