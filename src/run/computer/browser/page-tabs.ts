import { WhetstoneError } from '../../../base/host/errors.ts';
import type { Point } from '../../../base/message/action.ts';
import { untilAborted, within } from '../../display/deadline.ts';
import type { Tab, Tabs } from '../page.ts';
import { readAddress } from './host/address.ts';
import type { HostRules } from './host/hosts.ts';
import type { OpenTabs } from './open-tabs.ts';
import type { HostProxy } from './host/proxy.ts';
import type { BrowserTab } from './tab.ts';

interface Source {
  readonly tab: () => BrowserTab;
  readonly tabs: () => OpenTabs;
  readonly rules: () => HostRules;
  readonly proxy: () => HostProxy | undefined;
}

/** Addresses and tabs of a browser. */
export class PageTabs implements Tabs {
  readonly #source: Source;

  constructor(source: Source) {
    this.#source = source;
  }

  async navigate(address: string, signal: AbortSignal): Promise<void> {
    const url = readAddress(address);
    const refusal = this.#source.rules().refusal(url);
    if (refusal !== undefined) throw new WhetstoneError('host_refused', refusal, { details: { url } });
    const { page } = this.#source.tab();
    try {
      await untilAborted(page.goto(url, { waitUntil: 'domcontentloaded' }), signal);
    } catch (cause) {
      if (signal.aborted) throw cause;
      const why = (cause as Error).message.split('\n')[0]!.replace(/^page\.goto: /, '');
      // An address that is a download leaves the page where it is.
      if (/Download is starting/.test(why)) return;
      if (/crashed|has been closed/.test(why)) throw cause;
      throw this.#unreachable(url, why, cause);
    }
    const reason = this.#source.proxy()?.reason(url);
    if (reason !== undefined) throw this.#unreachable(url, reason, undefined);
  }

  #unreachable(url: string, why: string, cause: unknown): WhetstoneError {
    const reason = this.#source.proxy()?.reason(url) ?? why;
    const isRefused = /opened only if they are named|not among the hosts/.test(reason);
    return new WhetstoneError(
      isRefused ? 'host_refused' : 'page_unreachable',
      isRefused ? reason : `${url} cannot be opened: ${reason}.`,
      { details: { url }, cause },
    );
  }

  async history(step: 'back' | 'forward' | 'reload', signal: AbortSignal): Promise<void> {
    const { page, cdp } = this.#source.tab();
    if (step === 'reload') {
      await untilAborted(page.reload({ waitUntil: 'domcontentloaded' }), signal);
      return;
    }
    const past = await untilAborted(cdp.send('Page.getNavigationHistory'), signal);
    const entry = past.entries[past.currentIndex + (step === 'back' ? -1 : 1)];
    if (entry === undefined) throw new WhetstoneError('action_invalid', `There is no page to go ${step} to.`);
    const refusal = this.#source.rules().refusal(entry.url);
    if (refusal !== undefined) throw new WhetstoneError('host_refused', refusal);
    const arrived = page.waitForEvent('framenavigated', {
      predicate: (frame) => frame === page.mainFrame(),
      timeout: 3000,
    });
    arrived.catch(() => undefined);
    await untilAborted(cdp.send('Page.navigateToHistoryEntry', { entryId: entry.id }), signal);
    await untilAborted(
      arrived.then(() => page.waitForLoadState('domcontentloaded')),
      signal,
    ).catch((error: unknown) => {
      if (signal.aborted) throw error;
    });
  }

  async list(signal: AbortSignal): Promise<readonly Tab[]> {
    const { all, current } = this.#source.tabs();
    return Promise.all(
      all.map(async (tab): Promise<Tab> => {
        const title = await untilAborted(
          within(
            tab.page.title().catch(() => ''),
            1000,
          ),
          signal,
        );
        return { id: tab.id, title: title ?? '', url: tab.page.url(), active: tab === current };
      }),
    );
  }

  async open(signal: AbortSignal): Promise<void> {
    await untilAborted(this.#source.tabs().open(), signal);
  }

  async switchTo(id: string | number, signal: AbortSignal): Promise<void> {
    const tabs = this.#source.tabs();
    const tab = tabs.find(id);
    if (tab === tabs.current) return;
    tabs.choose(tab);
    await untilAborted(tab.page.bringToFront(), signal);
  }

  async close(id: string | number | undefined, signal: AbortSignal): Promise<void> {
    const tabs = this.#source.tabs();
    const tab = id === undefined ? this.#source.tab() : tabs.find(id);
    await untilAborted(tab.page.close(), signal);
    const next = tabs.current;
    if (next !== undefined) await untilAborted(next.page.bringToFront(), signal);
  }

  async scrollDocument([left, top]: Point, signal: AbortSignal): Promise<void> {
    const by = JSON.stringify({ left, top, behavior: 'instant' });
    const expression = `(document.scrollingElement ?? document.documentElement).scrollBy(${by})`;
    await untilAborted(this.#source.tab().cdp.send('Runtime.evaluate', { expression }), signal);
  }
}
