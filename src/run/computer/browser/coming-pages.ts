import type { Browser } from './playwright.ts';
import type { BrowserTab } from './tab.ts';

/** Playwright tells of a new page when it has begun to load; that one is coming is known as it is made. */
export class ComingPages {
  readonly #seen = new Set<string>();
  readonly #coming = new Set<string>();

  get areAny(): boolean {
    return this.#coming.size > 0;
  }

  /** Looks for pages of the window to which this first one belongs. */
  async discover(browser: Browser, first: BrowserTab): Promise<void> {
    this.#coming.clear();
    const session = await browser.newBrowserCDPSession();
    const { targetInfo: own } = await first.cdp.send('Target.getTargetInfo');
    let areToldApart = false;
    session.on('Target.targetCreated', ({ targetInfo }) => {
      // First it tells of those that are there. Other windows belong to somebody else.
      const isOurs = areToldApart && targetInfo.browserContextId === own.browserContextId;
      if (isOurs && targetInfo.type === 'page' && !this.#seen.has(targetInfo.targetId))
        this.#coming.add(targetInfo.targetId);
    });
    session.on('Target.targetDestroyed', ({ targetId }) => this.#coming.delete(targetId));
    await session.send('Target.setDiscoverTargets', { discover: true });
    areToldApart = true;
  }

  /** It is known by now. */
  arrived({ target }: BrowserTab): void {
    this.#seen.add(target);
    this.#coming.delete(target);
  }
}
