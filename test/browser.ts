import chromium from '@sparticuz/chromium';
import { existsSync } from 'node:fs';
import { chromium as playwright, type Browser } from 'playwright-core';

import { readEnvironment } from '../src/base/host/environment.ts';

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** A real Chromium: the one inside the npm package on x86-64 Linux, elsewhere an installed one. */
export async function openBrowser(): Promise<Browser> {
  return playwright.launch({ executablePath: await findBrowser(), args: [...chromium.args], headless: true });
}

async function findBrowser(): Promise<string> {
  const named = readEnvironment('WHET_BROWSER');
  if (named !== undefined) return named;
  if (process.platform === 'linux' && process.arch === 'x64') return chromium.executablePath();
  const found = installed.find((path) => existsSync(path));
  if (found === undefined)
    throw new Error(`No Chromium found at ${installed.join(', ')}. Install one, or name it in WHET_BROWSER.`);
  return found;
}
