import type { Browser, BrowserType, LaunchOptions } from 'playwright-core';

import { WhetstoneError } from '../../../base/host/errors.ts';

export type {
  Browser,
  BrowserContext,
  CDPSession,
  Download,
  Frame,
  Locator,
  Page,
  Request,
} from 'playwright-core';

/** Starts a Chromium. */
export async function launchChromium(options: LaunchOptions): Promise<Browser> {
  const chromium = await loadChromium();
  try {
    return await chromium.launch({
      ...options,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
  } catch (cause) {
    const why = (cause as Error).message.split('\n')[0] ?? '';
    throw new WhetstoneError('computer_missing', `The browser does not start: ${why}`, { cause });
  }
}

const attachingMs = 30_000;

/** Connects to a Chromium that runs already, at the address of its DevTools protocol. */
export async function attachChromium(address: string): Promise<Browser> {
  const chromium = await loadChromium();
  try {
    return await chromium.connectOverCDP(address, { timeout: attachingMs });
  } catch (error) {
    // An address may hold a key, in its path or its query: only its host is told, and no cause is kept.
    const { host } = new URL(address);
    const why = (error as Error).message.split('\n')[0] ?? '';
    const said = why.replace(/^browserType\.connectOverCDP: /, '').replaceAll(/\w+:\/\/\S+/g, host);
    throw new WhetstoneError('computer_missing', `No browser can be reached at ${host}: ${said}`);
  }
}

/** The only door to Playwright, which is loaded when a browser is first wanted. */
async function loadChromium(): Promise<BrowserType> {
  const { chromium } = await import('playwright-core').catch((cause: unknown) => {
    const message = 'A browser is driven by Playwright, which is not installed: npm install playwright-core.';
    throw new WhetstoneError('computer_missing', message, { cause });
  });
  return chromium;
}
