import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import type { Action } from '../../../base/message/action.ts';
import { thousandGrid } from '../../../base/message/frame.ts';
import { PageRig, reporter } from '../browser/page.fixture.ts';
import { readRecord } from './record.ts';
import { Recorder } from './recorder.ts';
import { Replay } from './replay.ts';

const page = `<!doctype html><title>Log in</title><body style="margin:0">
  <input id=name aria-label=Name style="position:absolute;left:10px;top:100px;width:300px">
  <input id=secret aria-label=Secret style="position:absolute;left:10px;top:150px;width:300px"
    oninput="history.replaceState(null, '', '?' + new URLSearchParams({ value }))">${reporter}`;
const display = { width: 1280, height: 800 };
const session: readonly Action[] = [
  { type: 'left_mouse_click', xy: [50, 110] },
  { type: 'type', text: 'Ada' },
  { type: 'left_mouse_click', xy: [50, 160] },
  { type: 'type', text: 'open sesame' },
  { type: 'keypress', keys: ['x'] },
  { type: 'element_read' },
  { type: 'left_mouse_click', xy: [5000, 1] },
  { type: 'screenshot' },
  { type: 'cursor_position' },
  // Done elsewhere, and in the record all the same.
  { type: 'keypress', keys: ['F5'], requiresLocalExecution: false },
];

let folder = '';
let taken: Buffer | undefined;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'whet-record-'));
  await using rig = await PageRig.open({ '/': page }, { masks: [{ selector: '#secret' }] });
  const recorder = await Recorder.open(rig.session, join(folder, 'one'));
  for (const action of session) {
    const { picture } = await recorder.perform({ actions: [action], display });
    taken = picture ?? taken;
  }
  await assert.rejects(Recorder.open(rig.session, join(folder, 'one')), { code: 'computer_option_invalid' });
});
after(() => rmSync(folder, { recursive: true }));

test('the same actions are answered as they were, pictures and cursor too, and from nothing but the folder', async () => {
  const replay = new Replay(await readRecord(join(folder, 'one')));
  const answers = [];
  for (const action of session) answers.push(await replay.perform({ actions: [action], display }));
  assert.deepEqual(
    answers.map(({ failure }) => failure?.code),
    session.map((_, index) => (index === 6 ? 'point_outside' : undefined)),
  );
  assert.ok(answers[7]?.picture?.equals(taken!));
  assert.deepEqual(answers[8]?.texts, ['X=50,Y=160']);
});

test('other words for the same are the same: a grid, a batch, one function for a click, a text and Enter', async () => {
  const replay = new Replay(await readRecord(join(folder, 'one')));
  const typed = await replay.perform({
    actions: [{ type: 'type', xy: [39, 138], text: 'Ada', frame: thousandGrid }],
    display,
    wantsPicture: true,
  });
  assert.equal(typed.failure, undefined);
  assert.ok(typed.picture);
  const batch = await replay.perform({ actions: session.slice(2, 5), display });
  assert.equal(batch.failure, undefined);
});

test('an action that is not the next one is told with both, and the record does not go on', async () => {
  const replay = new Replay(await readRecord(join(folder, 'one')));
  const { failure } = await replay.perform({ actions: [{ type: 'type', text: 'Bob' }], display });
  assert.equal(failure?.code, 'departed');
  assert.match(failure.message, /left_mouse_click.*Bob/);
  const far = await replay.perform({ actions: [{ type: 'left_mouse_click', xy: [80, 110] }], display });
  assert.equal(far.failure?.code, 'departed');
  const near = await replay.perform({ actions: [{ type: 'left_mouse_click', xy: [62, 104] }], display });
  assert.equal(near.failure, undefined);
});

test('what is masked is nowhere in the record, typed or read or in an address, and every picture is there once', () => {
  const text = readFileSync(join(folder, 'one', 'record.jsonl'), 'utf8');
  assert.ok(text.includes('Ada') && text.includes('F5'));
  assert.ok(!text.includes('sesame'));
  assert.ok(!text.includes('"x"'));
  const named = new Set([...text.matchAll(/[\da-f]{64}\.png/g)].map(([name]) => name));
  assert.deepEqual(new Set(readdirSync(join(folder, 'one', 'pictures'))), named);
});

test('a folder without a record is none', async () => {
  await assert.rejects(readRecord(folder), { code: 'record_unreadable' });
  writeFileSync(join(folder, 'record.jsonl'), '{"version":99}\n');
  await assert.rejects(readRecord(folder), { code: 'record_unreadable' });
});
