/**
 * What goes wrong when others use a computer for a model, each shown not to happen here: a screen that is larger than
 * its provider takes, with more device pixels than CSS pixels, in the words of each API.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import type { JsonObject } from '../../../base/json/value.ts';
import { PageRig, reporter } from '../../../run/computer/browser/page.fixture.ts';
import type { LineAnswer } from './answer-line.ts';
import {
  answering,
  claude,
  gemini,
  google,
  gpt,
  member,
  openai,
  pictureOf,
  textOf,
} from './calls.fixture.ts';

const page = `<!doctype html><title>Page</title><body style="margin:0;height:5000px">
  <style>body > * { position: absolute }</style>
  <p style="left:10px;top:0">a paragraph of words</p>
  <textarea id=text style="left:10px;top:60px;width:300px;height:60px"></textarea>
  <div id=red style="left:1500px;top:240px;width:40px;height:40px;background:red"></div>
  <div id=piece draggable=true style="left:100px;top:150px;width:60px;height:60px;background:green"></div>
  <div id=place style="left:500px;top:150px;width:100px;height:100px;background:grey"
    ondragover="event.preventDefault()" ondrop="this.textContent = 'dropped'"></div>${reporter}`;

let rig: PageRig;
before(async () => {
  const pages = { '/': page, '/blue': '<title>Blue</title><body style="background:rgb(0,0,255)">' };
  rig = await PageRig.open(pages, { screen: { width: 1600, height: 300 }, scale: 1.25 });
});
after(() => rig[Symbol.asyncDispose]());
const { line, done, received, refused } = answering(() => rig);

/** The middle of what is red in a picture: where a model would click. */
function redIn(answer: LineAnswer): readonly [number, number] {
  const { width, height, data } = pictureOf(answer);
  const found: (readonly [number, number])[] = [];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [red, green, blue] = data.subarray((y * width + x) * 4);
      if (red! > 200 && green! < 60 && blue! < 60) found.push([x, y]);
    }
  assert.ok(found.length > 0, 'nothing is red');
  return found[Math.floor(found.length / 2)]!;
}

const hitsRed = async (click: JsonObject, asking = {}): Promise<void> => {
  await rig.ask("window.hit = '', onclick = ({ target }) => { hit = target.id }");
  await done(click, asking);
  assert.equal(await rig.ask('hit'), 'red');
};

test('a picture of a large screen is made small before it is sent, and a click on what it shows hits', async () => {
  const shot = await done(claude('screenshot'));
  const { width, height } = pictureOf(shot);
  assert.ok(width <= 1568 && width * height <= 1_150_000, `${width}x${height}`);
  await hitsRed(claude('left_click', { coordinate: [...redIn(shot)] }));
});

test('with more device pixels than CSS pixels a click hits too, and one that hits nothing is told so', async () => {
  assert.equal(await rig.ask('devicePixelRatio'), 1.25);
  const [x, y] = redIn(await done(gpt({ type: 'screenshot' }), openai));
  await hitsRed(gpt({ type: 'click', button: 'left', x, y }), openai);
  await rig.ask('void (onclick = null)');
  await done(claude('left_click', { coordinate: [700, 200] }));
  assert.equal(textOf(await done(claude('left_click', { coordinate: [700, 200] }))), 'OK. Nothing changed.');
});

test('points of pictures of any size are brought to the screen', async () => {
  const display = { width: 400, height: 75 };
  const shot = await done(claude('screenshot'), { display });
  await hitsRed(claude('left_click', { coordinate: [...redIn(shot)] }), { display });
});

test('a grid of a thousand lies over the real viewport, whatever its shape', async () => {
  const clicks = await received(['click'], [gemini('click', { x: 500, y: 250 }), google]);
  assert.deepEqual([clicks[0]?.x, clicks[0]?.y], [800, 75]);
});

test('a picture is exactly as large as it is said to be', async () => {
  const { width, height } = pictureOf(await done(gpt({ type: 'screenshot' }), openai));
  assert.deepEqual([width, height], [1600, 300]);
});

test('down is down, and a drag ends where it is to end, in the words of Anthropic', async () => {
  const display = { width: 1600, height: 300 };
  const seen = await received(
    ['wheel', 'mousedown', 'mouseup'],
    [claude('scroll', { coordinate: [800, 250], scroll_direction: 'down', scroll_amount: 2 }), { display }],
    [claude('scroll', { coordinate: [800, 250], scroll_direction: 'up', scroll_amount: 2 }), { display }],
    [claude('left_click_drag', { start_coordinate: [700, 200], coordinate: [900, 220] }), { display }],
  );
  assert.deepEqual(
    seen.map(({ kind, deltaY, x, y }) => (kind === 'wheel' ? Math.sign(deltaY!) : [kind, x, y])),
    [1, 1, -1, -1, ['mousedown', 700, 200], ['mouseup', 900, 220]],
  );
});

test('a scroll without end is refused with its limit, and one by nothing does nothing and says so', async () => {
  const scroll = (scroll_amount: number): JsonObject =>
    claude('scroll', { coordinate: [800, 250], scroll_direction: 'down', scroll_amount });
  assert.match((await refused(scroll(1100), 'action_too_long')).error?.message ?? '', /at most \d+ notches/);
  assert.equal(textOf(await done(scroll(0))), 'OK. Nothing changed.');
  assert.equal(await rig.ask('scrollY'), 0);
});

test('a triple click selects a paragraph', async () => {
  await done(member('triple_click', { coordinate: [40, 25] }));
  assert.equal(String(await rig.ask('String(getSelection())')).trim(), 'a paragraph of words');
});

test('a key is held for its time', async () => {
  const [down, ...rest] = await received(
    ['keydown', 'keyup'],
    [member('hold_key', { text: 'F8', duration: 0.2 })],
  );
  const up = rest.at(-1);
  assert.deepEqual([down?.kind, down?.key, up?.kind, up?.key], ['keydown', 'F8', 'keyup', 'F8']);
  assert.ok(up!.at - down!.at >= 190);
});

test('keys beside a click, a move, a drag and a scroll are held', async () => {
  const keys = ['SHIFT'];
  const seen = await received(
    ['mousedown', 'mousemove', 'mouseup', 'wheel'],
    [gpt({ type: 'click', button: 'left', x: 700, y: 200, keys }), openai],
    [gpt({ type: 'move', x: 705, y: 200, keys }), openai],
    [gpt({ type: 'double_click', x: 700, y: 200, keys }), openai],
    [gpt({ type: 'scroll', x: 700, y: 200, scroll_x: 0, scroll_y: 100, keys }), openai],
    [
      gpt({
        type: 'drag',
        path: [
          { x: 700, y: 200 },
          { x: 720, y: 200 },
        ],
        keys,
      }),
      openai,
    ],
  );
  assert.ok(seen.some(({ kind }) => kind === 'wheel'));
  assert.deepEqual(new Set(seen.map(({ held }) => held)), new Set(['shift']));
  await rig.ask('scrollTo(0, 0)');
});

const check = { id: 'cu_sc_1', code: 'sensitive_domain', message: 'Is this meant?' };
const checked = { ...gpt({ type: 'click', button: 'left', x: 700, y: 200 }), pending_safety_checks: [check] };

test('a safety check is never passed by itself', async () => {
  await rig.received();
  const { result } = await refused(checked, 'safety_unacknowledged', openai);
  assert.doesNotMatch(JSON.stringify(result), /acknowledged_safety_checks/);
  assert.deepEqual(await rig.received('mousedown'), []);
});

test('a safety check can be acknowledged, and is answered so', async () => {
  const { result } = await done(checked, { ...openai, acknowledge: true });
  assert.deepEqual((result as JsonObject)['acknowledged_safety_checks'], [check]);
});

test('keys of a chord are down together: all is selected, and no letter is typed', async () => {
  for (const [call, asking] of [
    [gpt({ type: 'keypress', keys: ['CTRL', 'A'] }), openai],
    [gemini('key_combination', { keys: 'Control+A' }), google],
    [gemini('hotkey', { keys: ['control', 'a'] }), google],
    [claude('key', { text: 'ctrl+a' }), {}],
  ] as const) {
    await rig.ask("void (text.value = 'words', text.focus(), text.setSelectionRange(0, 0))");
    await done(call, asking);
    assert.deepEqual(await rig.ask('[text.value, text.selectionStart, text.selectionEnd]'), ['words', 0, 5]);
  }
});

test('keys in the names of X arrive', async () => {
  const names = ['Return', 'Page_Down', 'BackSpace', 'KP_Enter', 'Left'];
  const calls = names.map((text) => [claude('key', { text })] as const);
  const seen = await received(['keydown'], ...calls);
  assert.deepEqual(
    seen.map(({ key }) => key),
    ['Enter', 'PageDown', 'Backspace', 'Enter', 'ArrowLeft'],
  );
  await rig.ask('scrollTo(0, 0)');
});

test('there is a zoom, of real pixels, and points behind it are those of the whole picture', async () => {
  const display = { width: 1600, height: 300 };
  const zoomed = pictureOf(await done(claude('zoom', { region: [1500, 240, 1532, 246] }), { display }));
  assert.deepEqual([zoomed.width, zoomed.height, ...zoomed.data.subarray(0, 3)], [1600, 300, 255, 0, 0]);
  await hitsRed(claude('left_click', { coordinate: [1520, 260] }), { display });
});

test('every call of a turn has its output, also where one fails', async () => {
  const { result } = await line(
    [
      { ...gpt({ type: 'wait' }), call_id: 'one' },
      { ...gpt({ type: 'click', button: 'left', x: 9999, y: 1 }), call_id: 'two' },
      { ...gpt({ type: 'wait' }), call_id: 'three' },
    ],
    openai,
  );
  const outputs = (result as readonly JsonObject[]).flat().filter(({ call_id }) => call_id !== undefined);
  assert.deepEqual(
    outputs.map(({ type, call_id }) => [type, call_id]),
    ['one', 'two', 'three'].map((id) => ['computer_call_output', id]),
  );
  assert.match(JSON.stringify(outputs[2]), /data:image\/png;base64,iVBOR/);
});

test('a right click opens a menu, and a drag drops', async () => {
  const menus = await received(['contextmenu'], [gemini('right_click', { x: 438, y: 700 }), google]);
  assert.deepEqual([menus[0]?.x, menus[0]?.y], [700, 210]);
  const path = [130, 560].map((x) => ({ x, y: 180 }));
  await done(gpt({ type: 'drag', path }), openai);
  assert.equal(await rig.ask('place.textContent'), 'dropped');
});

test('a modifier is held across actions until it is let go', async () => {
  const display = { width: 1600, height: 300 };
  const seen = await received(
    ['mousedown'],
    [gemini('key_down', { key: 'shift' }), google],
    [gemini('click', { x: 438, y: 700 }), google],
    [claude('left_click', { coordinate: [710, 200] }), { display }],
    [gemini('key_up', { key: 'shift' }), google],
    [gemini('click', { x: 438, y: 700 }), google],
  );
  assert.deepEqual(
    seen.map(({ held }) => held),
    ['shift', 'shift', ''],
  );
});

test('a wait is waited', async () => {
  assert.ok((await done(member('wait', { duration: 0.3 }))).ms >= 300);
});

test('without a place it is where the cursor is, and never (0, 0)', async () => {
  const seen = await received(
    ['mousedown'],
    [gpt({ type: 'move', x: 701, y: 202 }), openai],
    [claude('left_click')],
    [member('right_click', { coordinate: null })],
  );
  assert.deepEqual(
    seen.map(({ x, y, button }) => [x, y, button]),
    [
      [701, 202, 0],
      [701, 202, 2],
    ],
  );
});

test('what nobody knows is an error that names it, and the next call is done', async () => {
  assert.match((await refused(claude('dance'), 'action_invalid')).error?.message ?? '', /dance/);
  assert.match(
    (await refused(claude('key', { text: 'flarb' }), 'key_unknown')).error?.message ?? '',
    /flarb/,
  );
  await done(claude('cursor_position'));
});

const inPages = (name: string, input: JsonObject = {}): Promise<LineAnswer> =>
  done(member(name, input, 'browser'));

test('a picture is of the tab that is named, and after an action of the page on which it was done', async () => {
  const first = Number(/(\d+) \(active\)/.exec(textOf(await inPages('list_tabs')))?.[1]);
  await inPages('new_tab');
  await inPages('navigate', { url: `${rig.url}/blue` });
  const corner = async (input: JsonObject): Promise<readonly number[]> => [
    ...pictureOf(await inPages('screenshot', input)).data.subarray(0, 3),
  ];
  assert.deepEqual(await corner({}), [0, 0, 255]);
  assert.deepEqual(await corner({ tab_id: first }), [255, 255, 255]);
  const after = await done(gpt({ type: 'click', button: 'left', x: 700, y: 200 }), openai);
  assert.deepEqual([...pictureOf(after).data.subarray(0, 3)], [255, 255, 255]);
  await refused(member('screenshot', { tab_id: 4711 }, 'browser'), 'action_invalid');
});

test('a text is typed, and a drag is done by two points or says which is missing', async () => {
  await rig.ask("void (text.value = '', text.focus(), place.textContent = '')");
  await inPages('type', { text: 'typed' });
  assert.equal(await rig.ask('text.value'), 'typed');
  const from = { type: 'coordinate', x: 130, y: 180 };
  await inPages('left_click_drag', { from, target: { type: 'coordinate', x: 560, y: 180 } });
  assert.equal(await rig.ask('place.textContent'), 'dropped');
  const half = await refused(member('left_click_drag', { from }, 'browser'), 'action_invalid');
  assert.match(half.error?.message ?? '', /"target"/);
});

test('elements are read with their labels', async () => {
  await rig.ask("text.setAttribute('aria-label', 'Your words')");
  assert.match(textOf(await inPages('read_page')), /textbox "Your words" \[ref=\w+\]/);
});

test('a page that is shown smaller than it is laid out is clicked where it shows', async () => {
  await rig.ask("void (document.documentElement.style.zoom = '0.9')");
  await hitsRed(claude('left_click', { coordinate: [...redIn(await done(claude('screenshot')))] }));
  await rig.ask("void (document.documentElement.style.zoom = '')");
});
