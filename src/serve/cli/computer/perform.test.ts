/** What `whet computer perform` promises of calls, line by line: each in the words of a provider, in a real browser. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  <style>body > * { position:absolute }</style>
  <p style="left:10px;top:0">a paragraph of words</p>
  <input id=name aria-label="Full name" style="left:10px;top:60px;width:300px;height:20px">
  <textarea id=text style="left:350px;top:60px;width:300px;height:60px"></textarea>
  <select aria-label=Colour style="left:10px;top:100px"><option>Red<option>Blue</select>
  <button onclick="alert('hello')" style="left:10px;top:150px;width:80px;height:20px">Alert</button>
  <button onclick="this.textContent = prompt('Who?', 'Ada')" style="left:110px;top:150px;width:80px;height:20px">Prompt</button>
  <a href="/next" target=_blank style="left:240px;top:150px">Next</a>
  <input type=file style="left:310px;top:150px">
  <a href="/file" style="left:610px;top:150px">File</a>
  <button onclick="window.open('/closes')" style="left:710px;top:150px;width:80px;height:20px">Closes</button>
  <div id=box style="left:700px;top:200px;width:200px;height:200px;overflow:auto"><div style="height:4000px"></div></div>
  <div id=piece draggable=true style="left:100px;top:300px;width:60px;height:60px;background:green"></div>
  <div id=place style="left:500px;top:300px;width:100px;height:100px;background:grey"
    ondragover="event.preventDefault()" ondrop="this.textContent = 'dropped'"></div>
  <div id=red style="left:1000px;top:600px;width:10px;height:10px;background:red"></div>
  ${reporter}
  <script>for (const kind of ['mousemove', 'mousedown', 'mouseup', 'wheel', 'keydown', 'keyup'])
    addEventListener(kind, () => document.body.dataset.seen = performance.now())</script>`;
const pages: Readonly<Record<string, string>> = {
  '/': page,
  '/next': '<title>Next</title>next',
  '/inner': `<body style="margin:0"><input aria-label="Inner name" style="position:absolute;left:10px;top:10px">
    <button onclick="this.textContent = 'Pressed'" style="position:absolute;left:10px;top:50px">Press</button>`,
  '/closes': '<script>setTimeout(close, 100)</script>',
  '/asks': '<title>Asks</title><body onclick=1><script>onbeforeunload = () => "stay"</script>',
};

let rig: PageRig;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whet-perform-'));
  rig = await PageRig.open(
    (asked, answer) => {
      const path = new URL(asked.url ?? '/', 'http://host').pathname;
      if (path === '/file') answer.setHeader('content-disposition', 'attachment; filename=told.txt');
      answer.setHeader('content-type', 'text/html; charset=utf-8');
      answer.end(pages[path] ?? 'nothing');
    },
    { timeout: 8, downloads: folder, allow: ['localhost'] },
  );
});
after(async () => {
  await rig[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const { line, done, received, refused } = answering(() => rig);
const browser = (name: string, input: JsonObject = {}): Promise<LineAnswer> =>
  line(member(name, input, 'browser'));

// Lines in, and lines out

test('each block is the same click, answered in its own words', async () => {
  const picture = (answer: LineAnswer): LineAnswer =>
    JSON.parse(JSON.stringify(answer).replaceAll(/iVBORw0KGgo[\w+/=]+/g, 'PNG')) as LineAnswer;
  const click = { type: 'left_mouse_click', xy: [213, 151] };
  const old = await done(claude('left_click', { coordinate: [213, 131], text: 'shift' }));
  assert.deepEqual(old.actions, [{ ...click, xy: [213, 131], modifiers: ['Shift'] }]);
  assert.deepEqual(
    { ...(old.result as JsonObject), content: textOf(old).slice(0, 2) },
    { type: 'tool_result', tool_use_id: 'toolu_1', content: 'OK' },
  );
  assert.ok(Number.isInteger(old.ms));
  const toolset = await done(member('left_click', { coordinate: [213, 131] }));
  assert.deepEqual(toolset.actions, [{ ...click, xy: [213, 131] }]);
  assert.equal((toolset.result as JsonObject)['toolset_name'], 'computer');
  const preview = picture(
    await done(
      {
        type: 'computer_call',
        id: 'cu_1',
        call_id: 'call_1',
        action: { type: 'click', button: 'left', x: 213, y: 131 },
        pending_safety_checks: [],
        status: 'completed',
      },
      openai,
    ),
  );
  assert.deepEqual(preview.result, {
    type: 'computer_call_output',
    call_id: 'call_1',
    output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,PNG' },
  });
  const ga = await done(
    gpt({ type: 'click', button: 'left', x: 400, y: 80, keys: null }, { type: 'type', text: 'hello' }),
    openai,
  );
  assert.deepEqual(
    ga.actions.map(({ type }) => type),
    ['left_mouse_click', 'type'],
  );
  assert.equal(await rig.ask('text.value'), 'hello');
  const newest = picture(await done(gemini('click', { x: 166, y: 160, intent: '…' }, 'fc_1'), google));
  assert.deepEqual(newest.result, {
    functionResponse: {
      name: 'click',
      id: 'fc_1',
      response: { url: `${rig.url}/` },
      parts: [{ inlineData: { mimeType: 'image/png', data: 'PNG' } }],
    },
  });
  assert.ok(
    !(
      'id' in
      ((await done(gemini('click', { x: 166, y: 160 }), google)).result as { functionResponse: object })
        .functionResponse
    ),
  );
  const interactions = picture(
    await done(
      { type: 'function_call', id: 'fc_2', name: 'click', arguments: { x: 166, y: 160 } },
      { api: 'gemini-interactions' },
    ),
  );
  assert.deepEqual(interactions.result, {
    type: 'function_result',
    call_id: 'fc_2',
    name: 'click',
    result: [
      { type: 'text', text: JSON.stringify({ url: `${rig.url}/` }) },
      { type: 'image', mime_type: 'image/png', data: 'PNG' },
    ],
  });
});

test('the calls of a turn are answered in their order, and what is behind a failure is not done', async () => {
  const calls = [
    member('left_click', { coordinate: [400, 80] }),
    member('left_click', { coordinate: [1300, 200] }),
    member('type', { text: 'never' }),
  ];
  const { ok, error, result, actions } = await line(calls);
  assert.equal(ok, false);
  assert.deepEqual(error, {
    code: 'point_outside',
    message: '(1300, 200) is outside the screen: x goes from 0 to 1279, y from 0 to 799.',
    at: 1,
  });
  assert.equal(actions.length, 3);
  const texts = (result as readonly JsonObject[]).map(({ content, is_error }) => [
    (content as readonly JsonObject[])[0]?.['text'],
    is_error,
  ]);
  assert.deepEqual(texts[1], [error?.message, true]);
  assert.deepEqual(texts[2], ['Not executed: an earlier computer action in this turn failed.', true]);
  const inPages = await line([
    member('left_click', { target: { type: 'ref', ref: 'e999' } }, 'browser'),
    member('type', { text: 'never' }, 'browser'),
  ]);
  assert.match(JSON.stringify(inPages.result), /"Not executed: an earlier action in this turn failed\."/);
  assert.doesNotMatch(String(await rig.ask('text.value')), /never/);
});

test('what is not a call is answered with no result, and the session goes on', async () => {
  for (const [call, asking] of [
    ['[]', {}],
    ['{"type":', {}],
    ['5', {}],
    [gpt({ type: 'wait' }), {}],
    [claude('screenshot'), google],
    [gemini('click', { x: 1, y: 1 }), openai],
  ] as const) {
    const { result } = await refused(call, 'computer_call_unreadable', asking);
    assert.equal(result, null);
  }
  await done(claude('cursor_position'));
});

test('a failure has its place in each API: an error flag, a message beside the output, a field', async () => {
  const claudes = await refused(claude('left_click', { coordinate: [1280, 5] }), 'point_outside');
  assert.equal((claudes.result as JsonObject)['is_error'], true);
  assert.match(textOf(claudes), /outside/);
  const [output, said] = (
    await refused(gpt({ type: 'click', button: 'left', x: -1, y: 5 }), 'point_outside', openai)
  ).result as readonly [JsonObject, JsonObject];
  assert.equal(output['type'], 'computer_call_output');
  assert.equal(said['role'], 'user');
  assert.match(JSON.stringify(said), /input_text.*outside/);
  const geminis = await refused(gemini('click', { x: 1000, y: 5 }), 'point_outside', google);
  assert.match(geminis.error?.message ?? '', /999/);
  const { response } = (geminis.result as { functionResponse: { response: JsonObject } }).functionResponse;
  assert.match(String(response['error']), /999/);
  assert.equal(response['url'], `${rig.url}/`);
});

test('a safety check is neither passed nor acknowledged without the person', async () => {
  const check = { id: 'cu_sc_1', code: 'malicious_instructions', message: 'Is this meant?' };
  const call = { ...gpt({ type: 'click', button: 'left', x: 400, y: 80 }), pending_safety_checks: [check] };
  assert.deepEqual(await received(['mousedown']), []);
  const no = await refused(call, 'safety_unacknowledged', openai);
  assert.match(no.error?.message ?? '', /Is this meant/);
  assert.doesNotMatch(JSON.stringify(no.result), /acknowledged_safety_checks/);
  assert.deepEqual(await rig.received('mousedown'), []);
  const yes = await done(call, { ...openai, acknowledge: true });
  assert.deepEqual((yes.result as JsonObject)['acknowledged_safety_checks'], [check]);
  const asks = gemini('click', {
    x: 1,
    y: 1,
    safety_decision: { decision: 'require_confirmation', explanation: 'It buys.' },
  });
  assert.match((await refused(asks, 'safety_unacknowledged', google)).error?.message ?? '', /It buys/);
  assert.match(
    JSON.stringify((await done(asks, { ...google, acknowledge: true })).result),
    /"safety_acknowledgement":"true"/,
  );
});

// Points

test('a point is of the picture that the model is shown, or of the grid', async () => {
  const clicks = await received(
    ['click'],
    [claude('left_click', { coordinate: [320, 200] }), { display: { width: 640, height: 400 } }],
    [gemini('click', { x: 0, y: 0 }), google],
    [gemini('click', { x: 999, y: 999 }), google],
    [gemini('click', { x: 166, y: 189 }), google],
    [claude('left_click', { coordinate: null })],
  );
  assert.deepEqual(
    clicks.map(({ x, y }) => [x, y]),
    [
      [640, 400],
      [0, 0],
      [1278, 799],
      [212, 151],
      [212, 151],
    ],
  );
  await done(claude('mouse_move', { coordinate: [101, 51] }), { display: { width: 640, height: 400 } });
  assert.equal(
    textOf(await done(claude('cursor_position'), { display: { width: 640, height: 400 } })),
    'X=101,Y=51',
  );
  assert.equal(textOf(await done(claude('cursor_position'))), 'X=202,Y=102');
});

for (const [name, coordinate] of [
  ['half a point', '[5]'],
  ['a text', '"5,5"'],
  ['a number without end', '[1e999,5]'],
  ['three numbers', '[1,2,3]'],
  ['a negative number', '[-1,5]'],
  ['a point beyond', '[1280,0]'],
] as const)
  test(`${name} is an error, and nothing is pressed`, async () => {
    await rig.received();
    const answer = await line(
      `{"type":"tool_use","id":"t","name":"computer","input":{"action":"left_click","coordinate":${coordinate}}}`,
    );
    assert.equal(answer.ok, false);
    assert.match(answer.error?.code ?? '', /^(point_outside|point_invalid|action_invalid)$/);
    assert.deepEqual(await rig.received('mousedown', 'mousemove'), []);
  });

// Buttons, drags, keys, text

test('clicks count as a mouse counts them, by every button', async () => {
  const downs = await received(
    ['mousedown', 'dblclick'],
    [gpt({ type: 'double_click', x: 40, y: 240, keys: null }), openai],
    [gpt({ type: 'click', button: 'wheel', x: 40, y: 240 }), openai],
    [gpt({ type: 'click', button: 'back', x: 40, y: 240 }), openai],
    [gpt({ type: 'click', button: 'forward', x: 40, y: 240 }), openai],
    [gemini('right_click', { x: 31, y: 300 }), google],
  );
  assert.deepEqual(
    downs.map(({ kind, button, detail, trusted }) => [kind, button, detail, trusted]),
    [
      ['mousedown', 0, 1, true],
      ['mousedown', 0, 2, true],
      ['dblclick', 0, 2, true],
      ['mousedown', 1, 1, true],
      ['mousedown', 3, 1, true],
      ['mousedown', 4, 1, true],
      ['mousedown', 2, 1, true],
    ],
  );
  await done(claude('triple_click', { coordinate: [40, 25] }));
  assert.equal(String(await rig.ask('String(getSelection())')).trim(), 'a paragraph of words');
});

test('modifiers are held around a click, drag or scroll, let go after a failure, and never typed', async () => {
  const seen = await received(
    ['keydown', 'mousedown', 'wheel', 'keyup', 'input'],
    [member('left_click', { coordinate: [40, 240], text: 'ctrl+shift' })],
    [gpt({ type: 'scroll', x: 40, y: 240, scroll_x: 0, scroll_y: 100, keys: ['SHIFT'] }), openai],
  );
  assert.deepEqual(
    seen.map(({ kind, key, held }) => [kind, key ?? held]),
    [
      ['keydown', 'Control'],
      ['keydown', 'Shift'],
      ['mousedown', 'ctrl+shift'],
      ['keyup', 'Shift'],
      ['keyup', 'Control'],
      ['keydown', 'Shift'],
      ['wheel', 'shift'],
      ['keyup', 'Shift'],
    ],
  );
  await refused(claude('left_click', { coordinate: [40, 240], text: 'hello' }), 'key_unknown');
  await rig.ask('scrollTo(0, 0)');
});

test('a drag goes through its path, or from the cursor, and the page takes part in it', async () => {
  await rig.ask("place.textContent = ''");
  await done(
    gpt({
      type: 'drag',
      path: [
        { x: 130, y: 330 },
        { x: 300, y: 340 },
        { x: 550, y: 350 },
      ],
      keys: null,
    }),
    openai,
  );
  assert.equal(await rig.ask('place.textContent'), 'dropped');
  await done(claude('mouse_move', { coordinate: [200, 500] }));
  const seen = await received(
    ['mousedown', 'mouseup'],
    [claude('left_click_drag', { coordinate: [260, 520] }), { tool: 'computer_20241022' }],
  );
  assert.deepEqual(
    seen.map(({ x, y }) => [x, y]),
    [
      [200, 500],
      [260, 520],
    ],
  );
});

test('keys are read in every spelling, held for their time, and a wrong one is named', async () => {
  const presses = await received(
    ['keydown'],
    [claude('key', { text: 'ctrl+Page_Down' })],
    [gpt({ type: 'keypress', keys: ['CTRL', 'L'] }), openai],
    [gemini('key_combination', { keys: 'Control+A' }), google],
    [gemini('hotkey', { keys: ['command', 'semicolon'] }), google],
    [member('key', { text: 'a', repeat: 3 })],
  );
  assert.deepEqual(
    presses.map(({ key }) => key),
    ['Control', 'PageDown', 'Control', 'l', 'Control', 'a', 'Meta', ';', 'a', 'a', 'a'],
  );
  const held = await received(['keydown', 'keyup'], [claude('hold_key', { text: 'b', duration: 0.3 })]);
  const [down, up] = [held[0]!, held.at(-1)!];
  assert.deepEqual([down.kind, up.kind], ['keydown', 'keyup']);
  assert.ok(up.at - down.at >= 290, `held for ${up.at - down.at} ms`);
  assert.match(
    (await refused(claude('key', { text: 'flarb' }), 'key_unknown')).error?.message ?? '',
    /flarb/,
  );
  for (const repeat of [0, 101, 1.5]) await refused(member('key', { text: 'a', repeat }), 'action_invalid');
  for (const duration of [-1, 301])
    await refused(claude('hold_key', { text: 'a', duration }), 'action_invalid');
  await done(gemini('key_down', { key: 'shift' }), google);
  const shifted = await received(['mousedown'], [claude('left_click', { coordinate: [40, 240] })]);
  assert.equal(shifted[0]?.held, 'shift');
  await done(gemini('key_up', { key: 'shift' }), google);
});

test('text arrives as typed: key events, text beyond them, Enter and Tab', async () => {
  await rig.ask("text.value = '', text.focus()");
  const seen = await received(['keydown', 'input', 'keyup'], [claude('type', { text: 'a~é\n' })]);
  assert.deepEqual(
    seen.map(({ kind, key, data }) => [kind, key ?? data ?? '']),
    [
      ['keydown', 'a'],
      ['input', 'a'],
      ['keyup', 'a'],
      ['keydown', '~'],
      ['input', '~'],
      ['keyup', '~'],
      ['input', 'é'],
      ['keydown', 'Enter'],
      ['input', ''],
      ['keyup', 'Enter'],
    ],
  );
  assert.deepEqual(
    (await received(['keydown'], [claude('type', { text: '\t' })])).map(({ key }) => key),
    ['Tab'],
  );
  await done(gemini('type_text_at', { x: 20, y: 87, text: 'Ada', press_enter: false }), google);
  await done(gemini('type_text_at', { x: 20, y: 87, text: 'Bo', press_enter: false }), google);
  assert.equal(await rig.ask('document.getElementById("name").value'), 'Bo');
});

// Scrolling, waiting

test('a notch is 100 pixels, a thousandth is of the screen, and the document is no box', async () => {
  const wheels = await received(
    ['wheel'],
    [claude('scroll', { coordinate: [40, 240], scroll_direction: 'down', scroll_amount: 2 })],
    [gpt({ type: 'scroll', x: 40, y: 240, scroll_x: 30, scroll_y: -40 }), openai],
    [gemini('scroll_at', { x: 31, y: 300, direction: 'right', magnitude: 100 }), google],
    [gemini('scroll', { x: 31, y: 300, direction: 'down', magnitude_in_pixels: 120 }), google],
    [claude('scroll', { scroll_direction: 'down', scroll_amount: 0 })],
  );
  assert.deepEqual(
    wheels.map(({ deltaX, deltaY }) => [deltaX, deltaY]),
    [
      [0, 100],
      [0, 100],
      [30, -40],
      [128, 0],
      [0, 120],
    ],
  );
  await rig.ask('scrollTo(0, 0)');
  await done(claude('mouse_move', { coordinate: [800, 300] }));
  await done(gemini('scroll_document', { direction: 'down' }), google);
  assert.deepEqual(await rig.ask('[scrollY > 0, box.scrollTop]'), [true, 0]);
  await rig.ask('scrollTo(0, 0)');
  await done(claude('scroll', { scroll_direction: 'down', scroll_amount: 1 }));
  assert.deepEqual(await rig.ask('[scrollY, box.scrollTop]'), [0, 100]);
  assert.match(
    (
      await refused(
        claude('scroll', { coordinate: [5, 5], scroll_direction: 'down', scroll_amount: 10_000 }),
        'action_too_long',
      )
    ).error?.message ?? '',
    /at most \d+ notches/,
  );
});

test('a wait takes the time that it says, and a second where it says none', async () => {
  assert.ok((await done(claude('wait', { duration: 0.2 }))).ms >= 200);
  const { ms } = await done(gpt({ type: 'wait' }), openai);
  assert.ok(ms >= 1000);
  for (const duration of [-1, 300.1]) await refused(claude('wait', { duration }), 'action_invalid');
});

// Pictures

test('a picture is exactly as large as the display, and a zoom is its region of the real screen', async () => {
  for (const [call, asking, size] of [
    [claude('screenshot'), {}, [1280, 800]],
    [claude('screenshot'), { display: { width: 700, height: 333 } }, [700, 333]],
    [gpt({ type: 'screenshot' }), openai, [1280, 800]],
    [gemini('take_screenshot'), google, [1280, 800]],
    [gemini('open_web_browser'), google, [1280, 800]],
  ] as const) {
    const { width, height } = pictureOf(await done(call, asking));
    assert.deepEqual([width, height], size);
  }
  const zoomed = pictureOf(await done(claude('zoom', { region: [1000, 600, 1010, 610] })));
  assert.deepEqual([zoomed.width, zoomed.height, ...zoomed.data.subarray(0, 3)], [1280, 800, 255, 0, 0]);
  await refused(claude('zoom', { region: [10, 10, 10, 20] }), 'action_invalid');
  await refused(claude('zoom', { region: [20, 20, 10, 10] }), 'action_invalid');
  await refused(claude('zoom', { region: [0, 0, 1281, 10] }), 'point_outside');
  const clicks = await received(['click'], [claude('left_click', { coordinate: [50, 240] })]);
  assert.deepEqual([clicks[0]?.x, clicks[0]?.y], [50, 240]);
});

test('a picture after an action waits for what the action asked the network', async () => {
  await rig.ask(
    "onclick = () => fetch('/next').then(() => setTimeout(() => document.body.style.background = 'rgb(0,0,255)', 60))",
  );
  const shown = pictureOf(await done(gpt({ type: 'click', button: 'left', x: 40, y: 240 }), openai));
  assert.deepEqual([...shown.data.subarray((700 * 1280 + 5) * 4, (700 * 1280 + 5) * 4 + 3)], [0, 0, 255]);
  await rig.ask("onclick = null, void (document.body.style.background = '')");
});

test('a page that is never quiet is shown after three seconds as it is', async () => {
  await rig.ask(
    'void (window.busy = setInterval(() => document.body.style.background = `rgb(${Math.random() * 255},0,0)`, 15))',
  );
  const { ms } = await done(claude('screenshot'));
  assert.ok(ms < 20_000, `${ms} ms`);
  await rig.ask("clearInterval(busy), void (document.body.style.background = '')");
});

// Pages

test('a dialog is answered, told in the events and in the words', async () => {
  const { events, result } = await done(claude('left_click', { coordinate: [20, 160] }));
  assert.deepEqual(events, [{ type: 'dialog', kind: 'alert', message: 'hello', answer: 'accepted' }]);
  assert.match(JSON.stringify(result), /hello/);
  const asked = await done(gpt({ type: 'click', button: 'left', x: 120, y: 160 }), openai);
  assert.deepEqual(asked.events, [{ type: 'dialog', kind: 'prompt', message: 'Who?', answer: 'dismissed' }]);
  const told = await done(gemini('click', { x: 10, y: 200 }), google);
  assert.match(JSON.stringify(told.result), /hello/);
});

test('a new tab is where the next action goes; when it closes, the one before', async () => {
  const opened = await done(claude('left_click', { coordinate: [250, 158] }));
  assert.deepEqual(opened.events, [{ type: 'tab', url: `${rig.url}/next` }]);
  assert.match(textOf(await browser('list_tabs')), /\/next/);
  const closed = await browser('close_tab', {
    tab_id: Number(/(\d+) \(active\)/.exec(textOf(await browser('list_tabs')))?.[1]),
  });
  assert.deepEqual(closed.events, [{ type: 'tab_closed' }]);
  assert.equal(await rig.ask('document.title'), 'Page');
  await done(claude('left_click', { coordinate: [720, 160] }));
  // The tab that was asked may be the one that closes.
  const title = () => rig.ask('document.title').catch(() => 'closing');
  for (let tries = 0; tries < 20 && (await title()) !== 'Page'; tries++)
    await done(claude('wait', { duration: 0.1 }));
  assert.equal(await title(), 'Page');
});

test('leaving is let happen, a file chooser and a download never hang', async () => {
  const chooser = await done(claude('left_click', { coordinate: [330, 160] }));
  assert.deepEqual(chooser.events, [{ type: 'file_chooser' }]);
  const download = await done(claude('left_click', { coordinate: [620, 158] }));
  assert.deepEqual(download.events, [{ type: 'download', path: join(folder, 'told.txt') }]);
  assert.equal(await readFile(join(folder, 'told.txt'), 'utf8'), 'nothing');
  await browser('navigate', { url: `${rig.url}/asks` });
  await done(claude('left_click', { coordinate: [20, 20] }));
  const left = await browser('navigate', { url: `${rig.url}/` });
  assert.equal(left.error, undefined);
  assert.deepEqual(left.events, [{ type: 'dialog', kind: 'beforeunload', message: '', answer: 'accepted' }]);
  assert.equal(await rig.ask('document.title'), 'Page');
});

// Elements

test('elements are read, found, clicked, filled, shown and given files by their refs', async () => {
  const tree = textOf(await browser('read_page', { filter: 'interactive' }));
  const ref = /textbox "Full name" \[ref=(\w+)\]/.exec(tree)?.[1] ?? '';
  assert.notEqual(ref, '', tree);
  const target = { type: 'ref', ref };
  const clicks = await received(['click'], [member('left_click', { target }, 'browser')]);
  assert.equal(clicks.length, 1);
  assert.equal((await browser('form_input', { target, value: 'Cleo' })).ok, true);
  assert.equal(await rig.ask('document.getElementById("name").value'), 'Cleo');
  assert.match(textOf(await browser('find', { query: 'colour' })), /combobox "Colour" \[ref=/);
  assert.equal((await browser('scroll_to', { target })).ok, true);
  const path = join(folder, 'own.txt');
  await writeFile(path, 'mine');
  const chooser = /\[ref=(\w+)\]/.exec(/.*(?:Choose File|file).*/i.exec(tree)?.[0] ?? '')?.[1] ?? '';
  const uploaded = await browser('file_upload', { target: { type: 'ref', ref: chooser }, paths: [path] });
  assert.equal(uploaded.error, undefined);
  assert.equal(await rig.ask('document.querySelector("input[type=file]").files[0].name'), 'own.txt');
  const missing = await browser('left_click', { target: { type: 'ref', ref: 'e9999' } });
  assert.equal(missing.error?.code, 'element_missing');
  assert.match(missing.error.message, /e9999/);
  assert.match(textOf(await browser('get_page_text')), /a paragraph of words/);
});

test('what is in a frame of another origin is clicked, typed into, read and filled as what is beside it', async () => {
  const { port } = new URL(rig.url);
  await rig.ask(`void (window.inner = Object.assign(document.createElement('iframe'),
    { src: 'http://localhost:${port}/inner', style: 'left:950px;top:200px;width:300px;height:200px;border:0' }), document.body.append(inner))`);
  await done(claude('left_click', { coordinate: [980, 220] }));
  await done(claude('type', { text: 'Ada é' }));
  const tree = textOf(await browser('read_page'));
  assert.match(tree, /textbox "Inner name" \[ref=\w+\].*: Ada é/);
  const target = (name: string): JsonObject => ({
    type: 'ref',
    ref: new RegExp(`"${name}" \\[ref=(\\w+)\\]`).exec(tree)?.[1] ?? '',
  });
  await browser('form_input', { target: target('Inner name'), value: 'Cleo' });
  await browser('left_click', { target: target('Press') });
  assert.match(textOf(await browser('read_page')), /"Inner name".*: Cleo[^]*button "Pressed"/);
  await rig.ask('inner.remove()');
});

// Bounds

test('what cannot be done is refused with its limit, and a page that hangs is answered in time', async () => {
  const megabyte = await refused(claude('type', { text: 'x'.repeat(1_000_000) }), 'action_too_long');
  assert.ok(megabyte.ms < 60_000);
  await refused(
    gpt({ type: 'drag', path: Array.from({ length: 10_000 }, () => ({ x: 1, y: 1 })) }),
    'action_too_long',
    openai,
  );
  await refused(claude('dance'), 'action_invalid');
  await refused(claude('type'), 'action_invalid');
  await refused(claude('key'), 'action_invalid');
  await refused(claude('left_click_drag', { start_coordinate: [1, 1] }), 'action_invalid');
  await rig.ask('onclick = () => { for (;;); }');
  const hung = await line(claude('left_click', { coordinate: [40, 240] }));
  assert.ok(hung.ms < 25_000, `${hung.ms} ms`);
  await browser('navigate', { url: `${rig.url}/` });
  assert.equal(await rig.ask('1 + 1'), 2);
});
