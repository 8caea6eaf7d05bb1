/** A person takes the browser: what they type is in nothing that is told afterwards. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { chromium } from 'playwright-core';

import type { Action } from '../../../base/message/action.ts';
import { runCall } from '../../tool/call/run-call.ts';
import { toolbox } from '../../tool/toolbox.ts';
import { readPng } from '../../display/picture/png.ts';
import { handOver } from '../hand-over.ts';
import { handOverTool } from '../hand-over-tool.ts';
import { Recorder } from '../record/recorder.ts';
import { BrowserAt } from './browser-at.fixture.ts';
import { PageRig } from './page.fixture.ts';

const login = `<!doctype html><title>Login</title><form action="/home" style="margin:0">
  <input name=user aria-label=User style="position:absolute;left:10px;top:10px;width:300px;height:30px;font:20px monospace">
  <input name=secret type=password aria-label=Secret style="position:absolute;left:10px;top:50px;width:300px;height:30px">
  <button style="position:absolute;left:10px;top:100px;width:80px;height:30px">Enter</button></form>
  <button onclick="document.title = confirm('Stay?')" style="position:absolute;left:110px;top:100px;width:80px;height:30px">Ask</button>`;
const home = `<!doctype html><title>Home</title><body style="margin:0">
  <p id=hello style="position:absolute;margin:0;left:10px;top:10px;width:400px;height:40px;background:red"></p>
  <input id=again aria-label=Again style="position:absolute;left:10px;top:60px"><script>
  const user = new URLSearchParams(location.search).get('user');
  hello.textContent = 'Welcome, ' + user;
  again.value = user;
  console.log('hello ' + user);</script>`;
const user = 'ada.lovelace';
const secret = 'my password&more';
const screen = { width: 640, height: 400 };

let at: BrowserAt;
let rig: PageRig;
let folder: string;
before(async () => {
  at = await BrowserAt.start();
  rig = await PageRig.open({ '/': login, '/home': home }, { cdp: at.address, screen });
  folder = await mkdtemp(join(tmpdir(), 'whet-theirs-'));
});
after(async () => {
  await rig[Symbol.asyncDispose]();
  await at[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Somebody else at the same browser. */
async function asPerson(work: (page: import('playwright-core').Page) => Promise<void>): Promise<void> {
  const theirs = await chromium.connectOverCDP(at.address);
  const page = theirs
    .contexts()
    .flatMap((context) => context.pages())
    .find((each) => each.url().startsWith(rig.url));
  assert.ok(page);
  await work(page);
  await theirs.close();
}

const everything: readonly Action[] = [
  { type: 'screenshot' },
  { type: 'page_text' },
  { type: 'element_read' },
  { type: 'element_find', query: 'user again' },
  { type: 'page_console' },
  { type: 'page_network' },
  { type: 'tab_list' },
  { type: 'left_mouse_click', xy: [50, 70] },
  { type: 'run_script', script: 'document.body.innerHTML + location.href' },
];

test('what a person types is in no answer, no picture and no record, also where the page shows it again', async () => {
  const recorder = await Recorder.open(rig.session, join(folder, 'record'));
  const perform = (action: Action) =>
    recorder.perform({ actions: [action], display: screen, wantsPicture: true });
  assert.equal((await perform({ type: 'left_mouse_click', xy: [50, 25] })).failure, undefined);
  let box: readonly [x: number, y: number] | undefined;
  const hand = handOverTool(rig.computer, {
    ask: async ({ why }) => {
      assert.equal(why, 'Log in.');
      await asPerson(async (page) => {
        await page.getByLabel('User').pressSequentially(user);
        // Nobody is answered meanwhile.
        for (const action of everything)
          assert.equal((await perform(action)).failure?.code, 'computer_taken');
        await page.getByLabel('Secret').pressSequentially(secret);
        await page.getByRole('button', { name: 'Enter' }).click();
        await page.waitForURL('**/home?**');
        box = [200, 40];
      });
    },
  });
  const told = await runCall(
    { type: 'call', kind: 'function', id: 'one', name: 'hand_over', arguments: '{"why":"Log in."}' } as never,
    toolbox(hand),
  );
  assert.equal(told.success, true, JSON.stringify(told.result));
  const answers: unknown[] = [told.result];
  for (const action of everything) {
    const { picture, ...rest } = await perform(action);
    answers.push(rest);
    if (picture === undefined || box === undefined) continue;
    const { width, data } = readPng(picture);
    const pixel = (box[1] * width + box[0]) * 4;
    assert.deepEqual([...data.subarray(pixel, pixel + 3)], [128, 128, 128], 'their name is painted over');
  }
  const record = await readFile(join(folder, 'record/record.jsonl'), 'utf8');
  for (const text of [JSON.stringify(answers), record])
    for (const word of [user, secret, encodeURIComponent(secret), 'my+password'])
      assert.ok(
        !text.includes(word),
        `${word} is told: ${text.slice(Math.max(0, text.indexOf(word) - 200), text.indexOf(word) + 40)}`,
      );
  assert.match(record, /computer_taken/);
  assert.ok((await readdir(join(folder, 'record/pictures'))).length > 0);
  // What the model itself types is told as ever.
  await perform({ type: 'left_mouse_click', xy: [50, 70] });
  await perform({ type: 'keypress', keys: ['Control', 'a'] });
  await perform({ type: 'type', text: 'tea' });
});

test('a dialog waits for the person who has the browser, and is answered for the model afterwards', async () => {
  await rig.do({ type: 'navigate', url: `${rig.url}/` });
  {
    await using _theirs = await handOver(rig.computer);
    await asPerson(async (page) => {
      page.on('dialog', (dialog) => void dialog.accept());
      await page.getByRole('button', { name: 'Ask' }).click();
      await page.waitForFunction(() => document.title === 'true');
    });
    await assert.rejects(handOver(rig.computer), { code: 'computer_taken' });
  }
  const { events } = await rig.do({ type: 'left_mouse_click', xy: [150, 115] });
  assert.deepEqual(events, [{ type: 'dialog', kind: 'confirm', message: 'Stay?', answer: 'dismissed' }]);
  assert.equal(await rig.ask('document.title'), 'false');
});
