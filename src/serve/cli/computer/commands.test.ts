/** `whet computer record` and `replay` as they are called: a record of a real browser, answered in any provider's words. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { servePages } from '../../../run/computer/browser/page.fixture.ts';
import { readRecord } from '../../../run/computer/record/record.ts';
import { Replay } from '../../../run/computer/record/replay.ts';
import { ComputerBlocks } from '../../../wire/computer-block.ts';
import { answerLine, type LineAnswer } from './answer-line.ts';
import { claude, gemini, gpt, member } from './calls.fixture.ts';

const whet = fileURLToPath(new URL('../../../../bin/whet.js', import.meta.url));
const page = `<!doctype html><title>Log in</title><body style="margin:0;height:3000px"><form action=/in>
  <input name=user aria-label=Name style="position:absolute;left:100px;top:100px;width:200px">
  <input name=secret id=secret aria-label=Secret style="position:absolute;left:100px;top:200px;width:200px">
  <button type=button onclick="alert('hey')" style="position:absolute;left:100px;top:300px;width:90px">Say</button>
  <button style="position:absolute;left:300px;top:300px">Send</button></form>`;

/** In the words of Anthropic, as they are recorded. */
const calls: readonly JsonValue[] = [
  claude('left_click', { coordinate: [150, 110] }),
  claude('type', { text: 'Ada' }),
  claude('key', { text: 'ctrl+a' }),
  claude('double_click', { coordinate: [150, 110], text: 'shift' }),
  claude('left_click', { coordinate: [150, 310] }),
  claude('left_click_drag', { start_coordinate: [500, 400], coordinate: [600, 420] }),
  claude('scroll', { coordinate: [500, 500], scroll_direction: 'down', scroll_amount: 1 }),
  claude('left_click', { coordinate: [1280, 5] }),
  claude('cursor_position'),
  claude('screenshot'),
  // The page is scrolled by now: this is the field below.
  claude('left_click', { coordinate: [150, 110] }),
  claude('type', { text: 'open sesame\n' }),
  [
    member('list_tabs', {}, 'browser'),
    member('left_click', { target: { type: 'ref', ref: 'e999' } }, 'browser'),
    member('type', { text: 'never' }, 'browser'),
  ],
];

let folder: string;
let url: string;
let answers: readonly LineAnswer[];
let code: unknown;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'whet-record-'));
  const served = await servePages({ '/': page, '/in': '<title>In</title>welcome' });
  after(() => served.close());
  url = served.url;
  const lines = ['{"type":', ...calls.map((call) => JSON.stringify(call))];
  const options = ['--api', 'anthropic', '--url', url, '--mask', '#secret', '--jsonl'];
  const recording = start('record', ...options, '--out', join(folder, 'one'));
  recording.stdin!.end(lines.join('\n'));
  answers = await answersOf(recording);
  code = recording.exitCode;
});
after(() => rmSync(folder, { recursive: true }));

function start(...words: readonly string[]): ChildProcess {
  return spawn(process.execPath, [whet, 'computer', ...words], { stdio: ['pipe', 'pipe', 'inherit'] });
}

async function answersOf(child: ChildProcess): Promise<readonly LineAnswer[]> {
  const all: LineAnswer[] = [];
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout! })) all.push(JSON.parse(line));
  await ended;
  return all;
}

/** The record behind its first calls. */
async function replayAt(count: number): Promise<Replay> {
  const performer = new Replay(await readRecord(join(folder, 'one')));
  for (const call of calls.slice(0, count)) await answerFrom(performer, 'anthropic', call);
  return performer;
}

/** Answers a line as the command does. */
function answerFrom(performer: Replay, api: string, line: JsonValue): Promise<LineAnswer> {
  return answerLine(JSON.stringify(line), {
    blocks: new ComputerBlocks(api),
    performer,
    display: () => performer.display,
    acknowledge: true,
    signal: new AbortController().signal,
  });
}

async function replayed(api: string, lines: readonly JsonValue[]): Promise<readonly LineAnswer[]> {
  const performer = await replayAt(0);
  const all: LineAnswer[] = [];
  for (const line of lines) all.push(await answerFrom(performer, api, line));
  return all;
}

const hasPicture = (answer: LineAnswer): boolean => /iVBORw0KGgo/.test(JSON.stringify(answer));

test('each line is answered in order while it records; a line that is none is not the end of it', () => {
  assert.equal(code, 0);
  assert.equal(answers.length, calls.length + 1);
  assert.deepEqual([answers[0]!.error?.code, answers[0]!.result], ['computer_call_unreadable', null]);
  assert.deepEqual(
    answers.flatMap(({ error }) => error?.code ?? []),
    ['computer_call_unreadable', 'point_outside', 'element_missing'],
  );
  assert.match(JSON.stringify(answers[5]!.result), /alert.*hey/);
  assert.match(JSON.stringify(answers[9]!.result), /X=500,Y=500/);
});

test('what is masked is in no line of the record, although the page sends it on in its address', () => {
  const text = readFileSync(join(folder, 'one', 'record.jsonl'), 'utf8');
  assert.match(JSON.stringify(answers.at(-1)), /secret=open\+sesame/);
  assert.match(text, /\/in\?user=Ada&secret=█████/);
  assert.doesNotMatch(text, /sesame/);
  const pictures = readdirSync(join(folder, 'one', 'pictures'));
  assert.equal(new Set(pictures).size, new Set(text.match(/[\da-f]{64}\.png/g)).size);
});

test('a replay answers the same calls with the same results', async () => {
  const again = await replayed('anthropic', calls);
  const told = ({ actions, ok, error, result, events }: LineAnswer): unknown => ({
    actions,
    ok,
    error,
    result,
    events,
  });
  assert.deepEqual(again.slice(0, -1).map(told), answers.slice(1, -1).map(told));
});

test('the same actions in the words of OpenAI: one call, or a batch of them', async () => {
  const at = (x: number, y: number): JsonObject => ({ x, y, keys: null });
  const lines = [
    gpt({ type: 'click', button: 'left', ...at(150, 110) }, { type: 'type', text: 'Ada' }),
    gpt({ type: 'keypress', keys: ['CTRL', 'A'] }),
    gpt({ type: 'double_click', x: 160, y: 104, keys: ['SHIFT'] }),
    gpt({ type: 'click', button: 'left', ...at(150, 310) }),
    gpt({ type: 'drag', path: [at(500, 400), at(600, 420)], keys: null }),
    gpt({ type: 'scroll', ...at(500, 500), scroll_x: 0, scroll_y: 100 }),
    gpt({ type: 'click', button: 'left', ...at(1280, 5) }),
  ];
  const said = await replayed('openai-responses', lines);
  assert.deepEqual(
    said.flatMap(({ error }) => error?.code ?? []),
    ['point_outside'],
  );
  assert.deepEqual(said[3]!.events, [{ type: 'dialog', kind: 'alert', message: 'hey', answer: 'accepted' }]);
  assert.ok(said.every(hasPicture));
});

test('the same actions in both generations of Gemini: cells of a grid, a click with its text and Enter', async () => {
  const at = (x: number, y: number): JsonObject => ({ x: Math.round(x / 1.28), y: Math.round(y / 0.8) });
  const typed = (text: string, press_enter: boolean): JsonObject =>
    gemini('type_text_at', { ...at(150, 110), text, press_enter, clear_before_typing: false });
  const newest = [
    gemini('click', at(150, 110)),
    gemini('type', { text: 'Ada' }),
    gemini('hotkey', { keys: ['control', 'a'] }),
  ];
  const older = [typed('Ada', false), gemini('key_combination', { keys: 'Control+A' })];
  for (const lines of [newest, older])
    for (const { error } of await replayed('gemini', lines)) assert.equal(error, undefined);
  // What was typed where it is masked is in no record: any text may be it.
  const performer = await replayAt(10);
  const { error, result } = await answerFrom(performer, 'gemini', typed('whatever', true));
  assert.equal(error, undefined);
  assert.match(JSON.stringify((result as JsonObject)['functionResponse']), /"url":"[^"]*\/in\?user=Ada/);
});

test('the command says where an action departs, with both, and goes on with the next of the record', async () => {
  const replay = start('replay', join(folder, 'one'), '--api', 'anthropic', '--jsonl');
  replay.stdin!.end(
    [claude('type', { text: 'Bob' }), calls[0]!].map((each) => JSON.stringify(each)).join('\n'),
  );
  const [departed, next] = await answersOf(replay);
  assert.equal(replay.exitCode, 0);
  assert.equal(departed?.error?.code, 'departed');
  assert.match(departed.error.message, /left_mouse_click.*Bob/);
  assert.equal(next?.ok, true);
  const one = start(
    'replay',
    join(folder, 'one'),
    JSON.stringify(claude('screenshot')),
    '--api',
    'anthropic',
  );
  assert.equal((await answersOf(one))[0]?.error?.code, 'departed');
  assert.equal(one.exitCode, 1);
});

test('an interrupt while the page is still being opened ends the command at once, with nothing left', async () => {
  const slow = await servePages((_asked, _answer) => undefined);
  after(() => slow.close());
  const child = start('perform', '--api', 'anthropic', '--url', slow.url, '--jsonl');
  const children = `/proc/${child.pid}/task/${child.pid}/children`;
  let browsers: readonly string[] = [];
  while (browsers.length === 0) {
    browsers = readFileSync(children, 'utf8').split(' ').filter(Boolean);
    await new Promise((resolve) => setImmediate(resolve));
  }
  child.kill('SIGINT');
  assert.deepEqual(await once(child, 'exit'), [130, null]);
  for (const pid of browsers) assert.throws(() => process.kill(Number(pid), 0), { code: 'ESRCH' });
});
