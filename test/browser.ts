import chromium from '@sparticuz/chromium';
import { chromium as playwright, type Browser } from 'playwright-core';

import { findChromium } from '../src/run/computer/browser/find-chromium.ts';

/** A real Chromium: the one inside the npm package on x86-64 Linux, elsewhere an installed one. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await findChromium(undefined);
  return playwright.launch({ executablePath, args: [...chromium.args], headless: true });
}
