import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';

import { openBrowser } from './browser.ts';
import { type PageViews, startViews } from './page-views.ts';

const folder = mkdtempSync(join(tmpdir(), 'whetstone-access-'));
let { server, logs, views }: PageViews = {} as PageViews;
let browser: Browser;
/** Its scripts may be ours too, for axe. */
let judged: Page;
let page: Page;

before(async () => {
  ({ server, logs, views } = await startViews(folder));
  browser = await openBrowser();
  judged = await browser.newPage({ viewport: { width: 1280, height: 900 }, bypassCSP: true });
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
});

after(async () => {
  await browser?.close();
  await server?.kill();
  await logs?.kill();
  rmSync(folder, { recursive: true, force: true });
});

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page
    .locator('h1, [role=alert]')
    .first()
    .waitFor()
    .catch((error: unknown) => {
      throw new Error(`${address} shows no heading`, { cause: error });
    });
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
  for (const [view, address] of views) {
    await open(judged, address);
    // What is hostile has the colours of everything else, and is long.
    const own = view.startsWith('hostile') ? looks.slice(0, 1) : looks;
    for (const [look, media, rules] of own) {
      await judged.emulateMedia({ colorScheme: null, forcedColors: null, ...media });
      for (const finding of await findings(judged, rules)) found.push(`${view}, ${look}: ${finding}`);
    }
  }
  assert.deepEqual(found, []);
});

test('no view is wider than its window, from a phone to a wide screen', async () => {
  const wider: string[] = [];
  for (const width of [390, 1760]) {
    await page.setViewportSize({ width, height: 900 });
    for (const [view, address] of views) {
      await open(page, address);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) wider.push(`${view} at ${width}: ${wide} pixels too wide`);
    }
  }
  assert.deepEqual(wider, []);
});

test('the keyboard alone comes to everything that can be clicked, and the focus is always seen', async () => {
  for (const [view, address] of views) {
    await open(page, address);
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
