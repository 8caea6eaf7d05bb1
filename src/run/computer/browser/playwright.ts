import type { Browser, LaunchOptions } from 'playwright-core';

import { WhetstoneError } from '../../../base/host/errors.ts';

export type { Browser, BrowserContext, CDPSession, Frame, Locator, Page, Request } from 'playwright-core';

/** Starts a Chromium. The only door to Playwright, which is loaded when a browser is first wanted. */
export async function launchChromium(options: LaunchOptions): Promise<Browser> {
  const { chromium } = await import('playwright-core').catch((cause: unknown) => {
    const message = 'A browser is driven by Playwright, which is not installed: npm install playwright-core.';
    throw new WhetstoneError('computer_missing', message, { cause });
  });
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
