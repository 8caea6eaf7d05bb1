import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import type { Browser, Page } from 'playwright-core';

import { buildPage } from '../scripts/build-page.ts';
import { modelVoice } from '../src/grade/episode/voice/model-voice.ts';
import { judgedCatalog } from '../src/grade/episode/testing/changed-catalog.ts';
import { findScenario, loadCatalog } from '../src/grade/scenario/load/catalog.ts';
import { buildTask } from '../src/grade/scenario/build-task.ts';
import { openStore } from '../src/grade/store/open-store.ts';
import type { Store } from '../src/grade/store/store.ts';
import { WebpEncoder } from '../src/run/computer/browser/webp.ts';
import { bundled } from '../src/serve/terminal/bundled.ts';
import { playOperators } from '../src/serve/cli/demo.ts';
import { connect } from '../src/serve/client/client.ts';
import { startServer, type RunningServer } from '../src/serve/server/server.ts';
import { mockModel } from '../src/wire/mock/index.ts';
import { openBrowser } from './browser.ts';
import { keepFilm } from './film.ts';
import { keepLongEpisode } from './long-episode.ts';
import { startWhet } from './whet-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'whetstone-viewer-'));
const built = fileURLToPath(new URL('../viewer/dist', import.meta.url));
const encoder = new WebpEncoder();
const complaints: string[] = [];
let store: Store;
let server: RunningServer;
let browser: Browser;
let page: Page;

before(async () => {
  await buildPage();
  const catalog = loadCatalog(bundled('scenarios'));
  store = await openStore(join(folder, 'episodes.db'));
  server = await startServer({ store, catalog, page: built, open: true });
  await playOperators(connect({ url: server.url }), [
    buildTask(findScenario(catalog, 'case-management', 'lumbar-strain')),
  ]);
  await keepLongEpisode(store, catalog, { id: 'ep_long', turns: 300, output: 110 });
  browser = await openBrowser();
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
});

after(async () => {
  await browser?.close();
  await server?.close();
  await store?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test('lists the episodes that were played, each with its reward', async () => {
  await page.goto(server.url);
  const rows = page.locator('tbody tr');
  await rows.first().waitFor();
  assert.equal(await rows.count(), 5);
  assert.match(await rows.allInnerTexts().then((texts) => texts.join('\n')), /1\.00/);
});

test('shows an episode: its words, its calls with their notes, and why the grade is what it is', async () => {
  await page.goto(server.url);
  await page.locator('tbody tr', { hasText: '1.00' }).first().getByRole('link').first().click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  const grade = page.getByRole('region', { name: 'Grade' });
  assert.equal(await grade.locator('output').innerText(), '1.00');
  assert.ok((await grade.locator('.criterion').count()) > 0, 'the grade has reasons');
  const facts = page.getByRole('region', { name: 'Facts' });
  assert.match(await facts.innerText(), /(\d+) of \1 discovered/);
  const call = page
    .locator('details.call', { hasText: 'claim_status' })
    .or(page.locator('details.call'))
    .last();
  await call.locator('summary').click();
  await call.getByText('Sent', { exact: true }).waitFor();
});

test('leads from a reason to the turn it speaks of', async () => {
  const grade = page.getByRole('region', { name: 'Grade' });
  await grade.locator('summary', { hasText: 'Facts found out' }).click();
  const button = grade.getByRole('button', { name: /^turn \d+$/ }).last();
  const turn = (await button.innerText()).replace('turn ', '');
  await button.click();
  await page.locator(`#turn-${turn}.shown`).waitFor();
});

test('tells which facts a hasty operator missed', async () => {
  await page.goto(server.url);
  await page.locator('tbody tr').first().waitFor();
  await page.locator('tbody tr').filter({ hasNotText: '1.00' }).first().getByRole('link').first().click();
  const facts = page.getByRole('region', { name: 'Facts' });
  await facts.waitFor();
  assert.ok((await facts.getByLabel('missed', { exact: true }).count()) > 0);
  await picture('episode');
});

test('tells who spoke for the person, what was refused, and what is not judged', async () => {
  const actor = mockModel([
    'My legs are fine, by the way.',
    'Hello there!',
    { refusal: 'No.', times: Infinity },
  ]);
  const models = await startServer({
    store,
    catalog: judgedCatalog(),
    page: built,
    open: true,
    voice: modelVoice(actor),
  });
  try {
    const client = connect({ url: models.url });
    const task = { collection_slug: 'case-management', scenario_slug: 'lumbar-strain' };
    const { episode_id: episode } = await client.createEpisode(task);
    for (const content of ['Hello.', 'When did it happen?'])
      await client.submitTurn(episode, { messages: [{ role: 'assistant', content }] });
    await client.endEpisode(episode);
    await page.goto(`${models.url}/#/episodes/${episode}`);
    const first = page.locator('#turn-1');
    await first.getByText('Said by mock/model.').waitFor();
    await first.getByText('One answer was refused').click();
    await first.getByText('My legs are fine').waitFor();
    await page.locator('#turn-2').getByText('Said by the rules: mock/model').waitFor();
    const grade = page.getByRole('region', { name: 'Grade' });
    assert.match(await grade.innerText(), /Not judged:\s+3 criteria/);
    assert.match(await grade.innerText(), /In 1 of 2 turns the rules heard or spoke/);
  } finally {
    await models.close();
  }
});

test('says what each question and each call was worth, with everything after it held fixed', async () => {
  await page.goto(`${server.url}/#/runs/first-start/gold`);
  await page.getByRole('link', { name: /^seed 0: 1\.00$/ }).click();
  await page.getByRole('link', { name: 'Credit' }).click();
  const credit = page.getByRole('region', { name: 'Credit' });
  const decision = credit.locator('tbody tr', { hasText: 'claim_status' });
  assert.match(await decision.innerText(), /\+0\.\d{3}\s+0\.\d{3}/);
  assert.match(await credit.innerText(), /kept as it was sent/);
  await picture('credit');
});

test('the arithmetic of a grade adds up as it is shown', async () => {
  const { episodes } = await connect({ url: server.url }).episodes({ limit: 10 });
  for (const { episode_id: id, reward } of episodes) {
    await page.goto(`${server.url}/#/episodes/${id}`);
    const equation = page.locator('.equation');
    await equation.waitFor();
    const terms = await equation.locator('strong').allInnerTexts();
    const [gate = 0, success = 0, progress = 0, made = 0] = terms.map(Number);
    assert.ok(Math.abs((gate * (success + progress)) / 2 - made) < 1e-9, terms.join(' '));
    assert.ok(Math.abs(made - (reward ?? 0)) < 0.001, `${made} of ${reward}`);
  }
});

test('whoever looks at the page can play: choose, say, call, end', async () => {
  await page.goto(server.url);
  await page.getByRole('link', { name: 'Play one yourself' }).click();
  await page.getByRole('link', { name: 'case-management/lumbar-strain' }).click();
  await page.getByRole('button', { name: 'Play it yourself' }).click();
  await page.getByLabel('Say or ask').fill('Hello. How did it happen?');
  await page.getByRole('button', { name: 'Send turn' }).click();
  await page.locator('#turn-1').getByText('crate').waitFor();
  assert.match(await page.title(), /you/);
  await page.getByRole('combobox').selectOption('claim_status');
  const form = page.getByRole('form', { name: /^Call / });
  await form.getByRole('combobox').selectOption('approved');
  await form.getByRole('button', { name: 'Add this call' }).click();
  await page.getByRole('button', { name: 'Send turn' }).click();
  await page.locator('#turn-2').waitFor();
  await page.getByText('Would have brought it out').first().waitFor();
});

test('the first five minutes: the worst episode, the sentence that says why, a fork, a better reward', async () => {
  await page.goto(`${server.url}/#/runs/first-start/hasty`);
  await page.getByRole('link', { name: /^seed 0: 0\.\d\d$/ }).click();
  const grade = page.getByRole('region', { name: 'Grade' });
  await grade.waitFor();
  const before = Number(await grade.locator('output').innerText());
  assert.match(await grade.locator('.sentence').innerText(), /^No success: /);
  const question = await page.getByRole('region', { name: 'Facts' }).locator('q').first().innerText();
  await page.locator('#turn-1').getByRole('button', { name: 'Fork before this turn' }).click();
  await page.getByLabel('Say or ask').fill(question);
  await page.getByRole('button', { name: 'Send turn' }).click();
  await page
    .locator('#turn-1')
    .getByText(/✓ 1 fact|✓ \d facts/)
    .waitFor();
  assert.ok(Number(await grade.locator('output').innerText()) > before);
});

test('compares the players, in all and scenario by scenario', async () => {
  await page.goto(`${server.url}/#/players`);
  const players = page.getByRole('group', { name: 'Players' });
  await players.waitFor();
  assert.match(await players.locator('tbody tr').first().innerText(), /gold/);
  const matrix = page.getByRole('region', { name: 'By scenario' });
  assert.match(await matrix.innerText(), /case-management\/lumbar-strain/);
  await matrix.getByRole('combobox').selectOption('hasty');
  await page.waitForURL(/against=hasty/);
  assert.match(await matrix.innerText(), /\+1\.00|\+0\.9/);
});

test('shows a run: its trials, how they are spread, and what was missed in which episodes', async () => {
  await page.goto(`${server.url}/#/runs`);
  await page.getByRole('link', { name: 'hasty' }).click();
  await page.getByRole('heading', { level: 1, name: 'hasty' }).waitFor();
  const trial = page.getByRole('link', { name: /^seed 0: 0\.\d\d$/ });
  assert.equal(await trial.innerText(), '✗');
  await page.getByRole('link', { name: 'Distributions' }).click();
  assert.match(
    await page.getByRole('region', { name: 'Distributions' }).innerText(),
    /discovery\s+1 episodes/,
  );
  await page.getByRole('link', { name: 'Failures' }).click();
  const missed = page.getByRole('region', { name: 'Failures' }).locator('tbody tr').first();
  assert.match(await missed.innerText(), /required\s+1\s+1/);
  await missed.getByRole('link').last().click();
  await page.getByRole('region', { name: 'Grade' }).waitFor();
});

test('compares runs against one of them, and two transcripts fact by fact', async () => {
  await page.goto(`${server.url}/#/runs`);
  for (const player of ['careful', 'gold'])
    await page.getByRole('checkbox', { name: `Compare ${player} ` }).check();
  await page.getByRole('link', { name: 'Compare 2 runs' }).click();
  await page.getByText('the baseline', { exact: true }).waitFor();
  const [baseline, other] = await page.getByRole('group', { name: 'Runs' }).locator('tbody tr').all();
  assert.match(await baseline!.innerText(), /careful[^]*the baseline/);
  assert.match(await other!.innerText(), /gold[^]*\+0\.\d\d undecided/);
  await page.getByRole('checkbox', { name: 'Only what changed' }).check();
  await page.waitForURL(/changed=1/);
  await picture('compare');
  await page.getByRole('region', { name: 'Task by task' }).getByRole('link').last().click();
  await page.getByText('✓ Both:').first().waitFor();
  // Where both heard the same fact, the two turns begin at the same height.
  const tops = await page.evaluate(() => {
    const row = document.querySelector('.across')!;
    const [left, right] = [row.nextElementSibling!, row.nextElementSibling!.nextElementSibling!];
    return [left, right].map((side) => side.querySelector('.turn')!.getBoundingClientRect().top);
  });
  assert.equal(tops[0], tops[1]);
});

test('shows a long episode in windows: its ends, its calls, its reasons, and a long result whole', async () => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${server.url}/#/episodes/ep_long`);
  await page.locator('#turn-1').waitFor();
  await page.getByText(/There is no tool "lookup_0"\. 300 times/).waitFor();
  await page.goto(`${server.url}/#/episodes/ep_long?turn=290`);
  const turn = page.locator('#turn-290.shown');
  await turn.waitFor();
  await turn.locator('summary').first().click();
  await turn.getByRole('button', { name: 'Ask for the whole result (10 kB)' }).click();
  await turn.getByRole('button', { name: /^Show more/ }).waitFor();
  await page.getByRole('link', { name: 'Calls' }).click();
  const calls = page.getByRole('region', { name: 'Calls' });
  await calls.getByRole('button', { name: 'Later' }).click();
  await page.waitForURL(/from=26/);
  assert.match(await calls.locator('tbody tr').first().innerText(), /turn 26/);
  assert.ok(await page.evaluate(() => document.querySelectorAll('*').length < 4000));
  assert.ok(!asked.some((url) => /\/episodes\/ep_long$/.test(url)), 'it is never asked for whole');
});

test('shows what each provider is sent of a tool, and what is lost in which field', async () => {
  await page.goto(`${server.url}/#/scenarios/case-management/lumbar-strain`);
  await page.getByRole('link', { name: 'what each provider is sent of them' }).click();
  const matrix = page.getByRole('group', { name: 'Tools by provider' });
  await matrix.getByRole('button', { name: 'claim_status for anthropic: ✓ whole' }).click();
  await page.waitForURL(/api=anthropic&tool=claim_status/);
  assert.match(await page.getByRole('region', { name: 'What is sent' }).innerText(), /Nothing is lost/);
  await picture('tools');
});

test('shows what a turn exchanged with its provider, as it was on the wire', async () => {
  const client = connect({ url: server.url });
  const task = { collection_slug: 'case-management', scenario_slug: 'lumbar-strain' };
  const { episode_id: episode } = await client.createEpisode(task);
  const exchange = {
    url: 'https://models.example/v1/chat',
    status: 200,
    request: '{"model":"small"}',
    reply: 'data: {"delta":"\u001b[2JHow \u202Edid it happen?"}',
  };
  await client.submitTurn(episode, {
    messages: [{ content: 'How did it happen?' }],
    usage: { input_tokens: 3, exchanges: [exchange] },
  });
  await page.goto(`${server.url}/#/episodes/${episode}?tab=raw`);
  const raw = page.getByRole('region', { name: 'Raw' });
  await raw.getByText('1 request').click();
  await raw.getByText('https://models.example/v1/chat').waitFor();
  assert.match(await raw.getByLabel('Request 1 of turn 1').innerText(), /"model": "small"/);
  assert.match(await raw.getByLabel('Reply 1 of turn 1').innerText(), /How ⟨U\+202E⟩did it happen/);
  await client.endEpisode(episode);
});

test('puts the list in order by the head of a column, in the address, and keeps the focus there', async () => {
  await page.goto(`${server.url}/#/episodes?study=first-start`);
  const cells = page.locator('tbody td.graded');
  await cells.first().waitFor();
  const rewards = (await cells.allInnerTexts()).map(Number).toSorted((one, other) => other - one);
  const press = async (order: string, wanted: readonly number[]): Promise<void> => {
    await page.getByRole('button', { name: 'Reward' }).press('Enter');
    await page.locator(`th[aria-sort=${order}]`).getByRole('button', { name: 'Reward' }).waitFor();
    // The rows of the order before are shown until those of this one have come.
    await page.waitForFunction(
      (list) =>
        String([...document.querySelectorAll('tbody td.graded')].map((cell) => Number(cell.textContent))) ===
        list,
      String(wanted),
    );
  };
  await press('descending', rewards);
  await page.waitForURL(/study=first-start&sort=reward$/);
  await press('ascending', rewards.toReversed());
  await page.waitForURL(/sort=reward&order=ascending/);
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Reward ↑');
});

test('plays what a computer showed: its pictures, the way of the pointer, what was done', async () => {
  await keepFilm(join(folder, 'shopping'));
  await using films = await startWhet(['view', join(folder, 'shopping')]);
  await page.goto(films.url);
  await page.getByRole('link', { name: 'shopping' }).click();
  const film = page.getByRole('region', { name: 'Computer' });
  await film.getByRole('img', { name: 'The screen after: look at the screen' }).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(/frame=3/);
  await film.getByText('click at (160, 100)').waitFor();
  const circle = film.locator('svg circle').first();
  assert.deepEqual([await circle.getAttribute('cx'), await circle.getAttribute('cy')], ['160', '100']);
  assert.match((await film.locator('polyline.now').getAttribute('points')) ?? '', /^40,60 160,100/);
  await picture('computer');
  await film.getByRole('slider', { name: 'Frame' }).fill('4');
  await film.getByText('type "hello⟨U+202E⟩ there"').waitFor();
  await page.keyboard.press('Space');
  await film.getByText('5 of 5').waitFor();
  await film.getByRole('button', { name: 'Play' }).waitFor();
  await film.getByText('Nothing scrolls there.').waitFor();
  await film.getByRole('button', { name: 'turn 5' }).click();
  await page.locator('#turn-5.shown').waitFor();
  // Before its server ends, of which it would complain.
  await page.goto('about:blank');
});

test('shows what can be played, in the dark too', async () => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${server.url}/#/scenarios`);
  await page.getByText('case-management/lumbar-strain').first().waitFor();
  await page.goto(`${server.url}/#/`);
  await page.locator('tbody tr').first().getByRole('link').first().click();
  await page.getByRole('region', { name: 'Grade' }).waitFor();
});

test('nothing fails on the way, on a wide page or a narrow one', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(server.url);
  await page.locator('tbody tr').first().waitFor();
  const wider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(wider, false, 'the page scrolls sideways');
  assert.deepEqual(complaints, []);
});

/** For the guide: written only when WHET_PICTURES names a folder (`npm run pictures`). */
async function picture(name: string): Promise<void> {
  const pictures = process.env['WHET_PICTURES'];
  if (pictures === undefined) return;
  await page.evaluate(() => scrollTo(0, 0));
  const png = await page.screenshot();
  const webp = await encoder.encode(png, browser, new AbortController().signal);
  mkdirSync(pictures, { recursive: true });
  writeFileSync(join(pictures, `${name}.webp`), webp);
}
