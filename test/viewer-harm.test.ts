import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import type { Browser, Page } from 'playwright-core';

import { connect } from '../src/serve/client/client.ts';
import { openBrowser } from './browser.ts';
import { type PageViews, startViews } from './page-views.ts';

const folder = mkdtempSync(join(tmpdir(), 'whetstone-harm-'));
let { server, logs, views }: PageViews = {} as PageViews;
let browser: Browser;

before(async () => {
  ({ server, logs, views } = await startViews(folder));
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  await server?.kill();
  await logs?.kill();
  rmSync(folder, { recursive: true, force: true });
});

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator('h1, [role=alert]').first().waitFor();
  await page.locator('.waiting').first().waitFor({ state: 'detached' });
}

test('what is hostile runs nowhere, asks for nothing, hides nothing, and is not shown all at once', async () => {
  const page = await browser.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  const hostile = [...views].filter(([view]) =>
    /hostile|list|players|runs|scenarios|training|weights/.test(view),
  );
  const found: string[] = [];
  for (const [view, address] of hostile) {
    await open(page, address);
    for (let round = 0; round < 2; round++) {
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      // What was folded is asked for, and then drawn.
      await page.waitForLoadState('networkidle');
    }
    found.push(...(await page.evaluate(harm)).map((harmed) => `${view}: ${harmed}`));
  }
  assert.deepEqual(found, []);
  assert.deepEqual(complaints, []);
  const foreign = asked.filter((url) => !url.startsWith(server.url) && !url.startsWith(logs.url));
  assert.deepEqual(foreign, []);
  await page.goto('about:blank');
});

/** Read in the page: what a hostile text did to it. */
function harm(): readonly string[] {
  const found: string[] = [];
  const text = document.documentElement.textContent + document.title;
  if ('ran' in globalThis) found.push('a script ran');
  if (document.querySelector('a[href^="javascript:"]')) found.push('a link runs a script');
  if (document.querySelector('main img[onerror], main svg[onload], main script')) found.push('it made nodes');
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  const [sign] = /[\u0000-\u0008\u001b\u200b\u202a-\u202e\u2066-\u2069]/.exec(text) ?? [];
  if (sign !== undefined) found.push(`U+${sign.charCodeAt(0).toString(16)} is in the text as it is`);
  if (!text.isWellFormed()) found.push('half a sign is in the text');
  if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways');
  const shown = document.body.textContent.length;
  if (shown > 400_000) found.push(`${shown} characters are drawn at once`);
  return found;
}

// The last: in this Chromium, which is one process, a page that is closed takes the others along.
test('servers that are killed are told on every view, and nothing on it is lost when they are back', async (t) => {
  const pages = await Promise.all(
    [...views]
      // What is left out asks as others do.
      .filter(([view]) => !/^hostile (?!episode$)|^an? |^no such|^episode: |^run: (?!grid)/.test(view))
      .map(async ([view, address]) => {
        const page = await browser.newPage();
        await open(page, address);
        return { view, page };
      }),
  );
  const shownOn = (page: Page): Promise<string> => page.locator('main').innerText();
  const draft = pages.find(({ view }) => view === 'hostile episode')!.page.getByLabel('Say or ask');
  await draft.fill('How did it happen?');
  const before = await Promise.all(pages.map(async ({ view, page }) => [view, await shownOn(page)]));
  const everywhere = async (state: string): Promise<void> => {
    const waits = pages.map(({ page }) => page.locator('.connection').filter({ hasText: state }).waitFor());
    await Promise.all(waits);
  };
  await Promise.all([server.kill(), logs.kill()]);
  await everywhere('reconnecting');
  const away = await Promise.all(pages.map(async ({ view, page }) => [view, await shownOn(page)]));
  assert.deepEqual(away, before);
  [server, logs] = await Promise.all([server.again(), logs.again()]);
  const back = performance.now();
  await everywhere('live');
  t.diagnostic(
    `${pages.length} views are live again ${Math.round(performance.now() - back)} ms after their servers`,
  );
  for (const { view, page } of pages)
    await page.waitForFunction(
      (text) => document.querySelector('main')?.innerText === text,
      new Map(before as [string, string][]).get(view),
    );
  assert.equal(await draft.inputValue(), 'How did it happen?');
  // What is played from now on is seen, as before.
  const shown = pages.find(({ view }) => view === 'hostile episode')!.page;
  const episode = views.get('hostile episode')!.split('/').at(-1)!;
  const messages = [{ role: 'assistant', content: 'Are you there again?' }] as const;
  await connect({ url: server.url }).submitTurn(episode, { messages });
  await shown.locator('main').getByText('Are you there again?').first().waitFor();
});
