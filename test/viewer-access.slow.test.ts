import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';

import { buildPage } from '../scripts/build-page.ts';
import { buildTask } from '../src/grade/scenario/build-task.ts';
import { findScenario, loadCatalog } from '../src/grade/scenario/load/catalog.ts';
import { openStore } from '../src/grade/store/open-store.ts';
import type { Store } from '../src/grade/store/store.ts';
import { bundled } from '../src/serve/terminal/bundled.ts';
import { playOperators } from '../src/serve/cli/demo.ts';
import { connect } from '../src/serve/client/client.ts';
import { startServer, type RunningServer, type ServerOptions } from '../src/serve/server/server.ts';
import { openBrowser } from './browser.ts';
import { showFilm } from './film.ts';

/** What a hostile model, person or trainer might say; `ran` is where a script of it would be seen. */
const hostile = [
  '<script>window.ran = true</script><img src=x onerror="window.ran = true"><svg onload="window.ran = true">',
  '[a link](javascript:window.ran=true) <a href="javascript:window.ran=true">here</a> ![p](https://example.com/p.png)',
  '\u202Egnihtyna\u202C \u2066inside\u2069 \u200Bzero\u200B wide',
  '\u001b[2J\u001b[31mred\u001b[0m \u001b]0;title\u0007',
  'half a sign: \ud83d and \udc00',
  `one word: ${'w'.repeat(8000)}`,
].join('\n\n');
const longName = `player-${'n'.repeat(180)}`;

const hostileName = '<img src=x onerror="window.ran = true"> \u202Egnihtyna [a](javascript:window.ran=true)';

const folder = mkdtempSync(join(tmpdir(), 'whetstone-access-'));
let store: Store;
let serving: ServerOptions;
let server: RunningServer;
let browser: Browser;
/** Its scripts may be ours too, for axe. */
let judged: Page;
let page: Page;
let hostileEpisode: string;
/** Where each is: below the server, or whole. */
let views: readonly (readonly [name: string, hash: string])[];
let films: Awaited<ReturnType<typeof showFilm>>;

before(async () => {
  await buildPage();
  const catalog = loadCatalog(bundled('scenarios'));
  store = await openStore(join(folder, 'episodes.db'));
  const built = fileURLToPath(new URL('../viewer/dist', import.meta.url));
  serving = { store, catalog, page: built, open: true };
  server = await startServer(serving);
  const client = connect({ url: server.url });
  await playOperators(client, [buildTask(findScenario(catalog, 'case-management', 'lumbar-strain'))]);
  // One that has ended, so that it counts in every table, and one that is open.
  const ended = await playHostile();
  await client.endEpisode(ended);
  hostileEpisode = await playHostile();
  const { episodes } = await ask<{ episodes: readonly { episode_id: string }[] }>('/api/v1/episodes?limit=9');
  const known = episodes.find(({ episode_id }) => ![hostileEpisode, ended].includes(episode_id))!.episode_id;
  films = await showFilm(folder, { catalog, page: built });
  const [filmed] = (await connect({ url: films.url }).episodes()).episodes;
  views = [
    ['computer', `${films.url}/#/episodes/${filmed?.episode_id}?frame=3`],
    ['home', '#/'],
    ['list', '#/episodes'],
    ['a list in order', '#/episodes?sort=reward'],
    ['an empty list', '#/episodes?player=nobody'],
    ['episode', `#/episodes/${known}`],
    ...['calls', 'facts', 'credit', 'judges', 'raw'].map(
      (tab) => [`episode: ${tab}`, `#/episodes/${known}?tab=${tab}`] as const,
    ),
    ['hostile episode', `#/episodes/${hostileEpisode}`],
    ['no such episode', '#/episodes/none'],
    ['players', '#/players'],
    ['runs', '#/runs'],
    ...['grid', 'distributions', 'failures', 'config'].map(
      (tab) => [`run: ${tab}`, `#/runs/first-start/hasty?tab=${tab}`] as const,
    ),
    ['training', '#/training'],
    ['weights', '#/weights?rubrics=1'],
    ['compare', '#/compare?run=first-start/gold&run=first-start/hasty'],
    [
      'beside',
      '#/beside?run=first-start/gold&run=first-start/hasty&collection=case-management&scenario=lumbar-strain&variant=0',
    ],
    ['scenarios', '#/scenarios'],
    ['scenario', '#/scenarios/case-management/lumbar-strain'],
    ['tools', '#/tools/case-management/lumbar-strain?api=gemini&tool=medical_assessment'],
    ['no such page', '#/nowhere'],
  ];
  browser = await openBrowser();
  judged = await browser.newPage({ viewport: { width: 1280, height: 900 }, bypassCSP: true });
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
});

after(async () => {
  await browser?.close();
  await server?.close();
  await films?.[Symbol.asyncDispose]();
  await store?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function ask<Answer>(path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${server.url}${path}`, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  assert.equal(response.status, 200, await response.clone().text());
  return response.json() as Promise<Answer>;
}

async function playHostile(): Promise<string> {
  const { episode_id: id } = await ask<{ episode_id: string }>('/api/v1/episodes', {
    collection_slug: 'case-management',
    scenario_slug: 'lumbar-strain',
    player: { name: longName, model: hostileName },
    group: hostileName,
  });
  await ask(`/api/v1/episodes/${id}/turns`, {
    messages: [
      {
        role: 'assistant',
        content: hostile,
        tool_calls: [
          { id: 'call_1', name: 'claim_status', arguments: { note: hostile } },
          { id: 'call_2', name: 'x'.repeat(64), arguments: { [longName]: hostile } },
        ],
      },
    ],
  });
  return id;
}

async function open(page: Page, hash: string): Promise<void> {
  await page.goto(new URL(hash, server.url).href);
  await page.locator('h1, [role=alert]').first().waitFor();
  await page.waitForLoadState('networkidle');
}

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Of all rules, or of those that colours decide: the others find the same whatever they are. */
async function findings(page: Page, rules: 'all' | 'colour'): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(
    async (options) => {
      const { axe: judge } = globalThis as unknown as {
        axe: { run(options: object): Promise<{ violations: Finding[] }> };
      };
      return (await judge.run(options)).violations;
    },
    rules === 'all' ? {} : { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } },
  );
  return found.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html.slice(0, 200)} (${nodes.length})`,
  );
}

const looks = [
  ['light', { colorScheme: 'light' }, 'all'],
  ['dark', { colorScheme: 'dark' }, 'colour'],
  ['forced colours', { forcedColors: 'active' }, 'colour'],
] as const;

test('axe finds nothing on any view, in light, dark and forced colours', async () => {
  const found: string[] = [];
  for (const [view, hash] of views) {
    await open(judged, hash);
    for (const [look, media, rules] of looks) {
      await judged.emulateMedia({ colorScheme: null, forcedColors: null, ...media });
      for (const finding of await findings(judged, rules)) found.push(`${view}, ${look}: ${finding}`);
    }
  }
  assert.deepEqual(found, []);
});

test('no view is wider than its window, from a phone to a wide screen', async () => {
  const wider: string[] = [];
  for (const width of [390, 768, 1280, 1760]) {
    await page.setViewportSize({ width, height: 900 });
    for (const [view, hash] of views) {
      await open(page, hash);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) wider.push(`${view} at ${width}: ${wide} pixels too wide`);
    }
  }
  assert.deepEqual(wider, []);
});

test('what a hostile player said and called runs nowhere and asks for nothing', async () => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  for (const tab of ['', '?tab=calls', '?tab=raw']) {
    await open(page, `#/episodes/${hostileEpisode}${tab}`);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    await page.waitForLoadState('networkidle');
    assert.equal(await page.evaluate(() => 'ran' in globalThis), false);
  }
  const run = encodeURIComponent(`/${longName}`);
  for (const hash of [
    ...['#/episodes', '#/episodes?sort=reward', '#/players', '#/runs', '#/training', '#/weights?rubrics=1'],
    `#/compare?run=first-start/gold&run=${run}`,
  ]) {
    await open(page, hash);
    assert.equal(await page.evaluate(() => 'ran' in globalThis), false, hash);
  }
  assert.deepEqual(
    asked.filter((url) => !url.startsWith(server.url)),
    [],
  );
  assert.equal(await page.locator('a[href^="javascript:"]').count(), 0);
});

test('the keyboard alone comes to everything that can be clicked, and the focus is always seen', async () => {
  for (const [view, hash] of views) {
    await open(page, hash);
    // What a view shows may come while it is walked through: it is counted anew at each step.
    let left: readonly string[] = [];
    let all = 0;
    for (let step = 0; step < 2 * all + 40 && (step === 0 || left.length > 0); step++) {
      await page.keyboard.press('Tab');
      const at = await page.evaluate((clickable) => {
        const focused = document.activeElement as HTMLElement;
        focused.dataset['reached'] = '';
        const shown = [...document.querySelectorAll<HTMLElement>(clickable)].filter(
          (element) => element.checkVisibility() && element.tabIndex >= 0,
        );
        return {
          outline: focused.matches(clickable) ? getComputedStyle(focused).outlineStyle : '',
          all: shown.length,
          left: shown
            .filter(({ dataset }) => dataset['reached'] === undefined)
            .map(({ outerHTML }) => outerHTML),
        };
      }, 'a[href], button:not(:disabled), input, select, textarea, summary');
      assert.notEqual(at.outline, 'none', view);
      ({ all, left } = at);
    }
    assert.equal(left.length, 0, `${view}: ${left.length} not reached, such as ${left[0]?.slice(0, 300)}`);
  }
});

// The last: in this Chromium, which is one process, a page that is closed takes the others along.
test('a server that is killed and started again is told on every view, and nothing on it is lost', async () => {
  // Views of one kind ask alike, and a browser with all of them open at once is a strain on a busy machine.
  const kinds = new Map(
    views
      .filter(([, hash]) => hash.startsWith('#'))
      .map(([view, hash]) => [hash.split(/[/?]/)[1], { view, hash }]),
  );
  const pages = [];
  for (const { view, hash } of kinds.values()) {
    const own = await browser.newPage();
    await open(own, hash);
    pages.push({ view, own, shown: await own.locator('main').innerText() });
  }
  const { port } = new URL(server.url);
  await server.close();
  await Promise.all(pages.map(({ own }) => own.getByRole('status').getByText('reconnecting').waitFor()));
  for (const { view, own, shown } of pages)
    assert.equal(await own.locator('main').innerText(), shown, `${view}: what was there stays there`);
  server = await startServer({ ...serving, port: Number(port) });
  await Promise.all(pages.map(({ own }) => own.getByRole('status').getByText('live').waitFor()));
  for (const { view, own, shown } of pages) {
    await own.waitForLoadState('networkidle');
    assert.equal(await own.locator('main').innerText(), shown, view);
  }
});
