import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { BrowserAt } from './browser-at.fixture.ts';
import { openBrowser } from './browser.ts';
import { readPng } from '../picture/png.ts';
import { PageRig, reporter } from './page.fixture.ts';

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

test('two presses count 1 and 2 and are a double click; three select the paragraph', async () => {
  await rig.do({ type: 'left_mouse_double_click', xy: [40, 10] });
  const seen = await rig.received('mousedown', 'dblclick');
  assert.deepEqual(
    seen.map(({ kind, detail }) => [kind, detail]),
    [
      ['mousedown', 1],
      ['mousedown', 2],
      ['dblclick', 2],
    ],
  );
  await rig.do({ type: 'left_mouse_triple_click', xy: [40, 10] });
  assert.equal(String(await rig.ask('String(getSelection())')).trim(), 'a paragraph of words');
});

test('every button is its own; back and forward are 3 and 4', async () => {
  await rig.received();
  for (const type of ['middle_click', 'right_click', 'back_click', 'forward_click'] as const)
    await rig.do({ type, xy: [300, 200] });
  assert.deepEqual(
    (await rig.received('mouseup')).map(({ button }) => button),
    [1, 2, 3, 4],
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

test('a place beyond the screen is an error that says the bounds, and nothing is begun', async () => {
  await rig.received();
  const { failure } = await rig.do({
    type: 'drag',
    xy: [
      [10, 10],
      [1300, 200],
    ],
  });
  assert.equal(failure?.code, 'point_outside');
  assert.match(failure.message, /1279.*799/);
  const negative = await rig.do({ type: 'left_mouse_click', xy: [-1, 5] });
  assert.equal(negative.failure?.code, 'point_outside');
  const none = await rig.do({ type: 'left_mouse_click', xy: [Number.NaN, 5] });
  assert.equal(none.failure?.code, 'point_invalid');
  assert.deepEqual(await rig.received('mousedown', 'mousemove'), []);
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

test('text arrives as key events, beyond the keyboard as text, lines as Enter and tabs as Tab', async () => {
  await rig.do({ type: 'left_mouse_click', xy: [100, 330] });
  await rig.received();
  await rig.do({ type: 'type', text: 'aB é你🙂\n' });
  const seen = await rig.received('keydown', 'input');
  assert.deepEqual(
    seen.map(({ kind, key, data }) => [kind, key ?? data]),
    [
      ['keydown', 'a'],
      ['input', 'a'],
      ['keydown', 'B'],
      ['input', 'B'],
      ['keydown', ' '],
      ['input', ' '],
      ['input', 'é你🙂'],
      ['keydown', 'Enter'],
    ],
  );
  assert.equal(await rig.ask('document.getElementById("name").value'), 'aB é你🙂');
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

test('a notch of the wheel is 100 pixels, and thousandths are of the screen', async () => {
  await rig.do({ type: 'move', xy: [300, 200] });
  await rig.received();
  await rig.do({ type: 'scroll', direction: 'down', magnitude: 3, unit: 'notch' });
  await rig.do({ type: 'scroll', distanceXy: [0, -250] });
  await rig.do({ type: 'scroll', direction: 'down', magnitude: 500, unit: 'norm1000', modifiers: ['Shift'] });
  await rig.do({ type: 'scroll', direction: 'down', magnitude: 0, unit: 'notch' });
  assert.deepEqual(
    (await rig.received('wheel')).map(({ deltaY, held }) => [deltaY, held]),
    [
      [100, ''],
      [100, ''],
      [100, ''],
      [-250, ''],
      [400, 'shift'],
    ],
  );
  const { failure } = await rig.do({ type: 'scroll', direction: 'down', magnitude: 10_000, unit: 'notch' });
  assert.equal(failure?.code, 'action_too_long');
  await rig.ask('scrollTo(0, 0)');
});

test('a megabyte of text is refused with what can be done', async () => {
  const { failure } = await rig.do({ type: 'type', text: 'x'.repeat(1_000_000) });
  assert.equal(failure?.code, 'action_too_long');
  assert.match(failure.message, /at most \d+ characters/);
});

test('elements have references that clicks and values take; one that is not there is named', async () => {
  const { texts } = await rig.do({ type: 'element_read' });
  const ref = /textbox "Full name" \[ref=(\w+)\]/.exec(texts[0] ?? '')?.[1] ?? '';
  assert.notEqual(ref, '');
  const found = await rig.do({ type: 'element_find', query: 'colour' });
  const select = /combobox "Colour" \[ref=(\w+)\]/.exec(found.texts[0] ?? '')?.[1] ?? '';
  await rig.do({ type: 'element_set_value', target: { ref }, value: 'Ada' });
  await rig.do({ type: 'element_set_value', target: { ref: select }, value: 'Blue' });
  assert.deepEqual(
    await rig.ask('[...document.querySelectorAll("input,select")].map((each) => each.value)'),
    ['Ada', 'Blue'],
  );
  const { failure } = await rig.do({ type: 'left_mouse_click', target: { ref: 'e9999' } });
  assert.equal(failure?.code, 'element_missing');
  assert.match(failure.message, /e9999/);
});

test('a dialog is answered and told', async () => {
  const { events } = await rig.do({ type: 'left_mouse_click', xy: [20, 410] });
  assert.deepEqual(events, [{ type: 'dialog', kind: 'alert', message: 'hello', answer: 'accepted' }]);
});

test('what opens in a new tab is where the next action goes, and after it the one before', async () => {
  const { events, url } = await rig.do({ type: 'left_mouse_click', xy: [110, 408] });
  assert.equal(url, `${rig.url}/next`);
  assert.deepEqual(events, [{ type: 'tab', url: `${rig.url}/next` }]);
  const { texts } = await rig.do({ type: 'tab_list' });
  assert.match(texts[0] ?? '', /\/next/);
  assert.equal((await rig.do({ type: 'tab_close' })).url, `${rig.url}/`);
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
