import { sleep, systemClock } from '../../../base/host/clock.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import { makeFolder } from '../../../base/host/make-folder.ts';
import type { Point } from '../../../base/message/action.ts';
import type { Size } from '../../../base/message/frame.ts';
import { Deadline, untilAborted, within } from '../../display/deadline.ts';
import type { Picture } from '../../display/picture/picture.ts';
import { checkMaskRegions } from '../check-masks.ts';
import type { Button, Computer, ComputerEvent, Pace } from '../computer.ts';
import type { Glance } from '../effect.ts';
import type { Elements, Tabs } from '../page.ts';
import { readAddress } from './host/address.ts';
import type { BrowserOptions } from './browser-options.ts';
import { capture, firstPaint, quietNetwork } from './capture.ts';
import { PageElements } from './elements.ts';
import { glanceAt } from './glance.ts';
import { guardDocuments } from './host/guard.ts';
import { HostRules } from './host/hosts.ts';
import { pressKey, releaseKey, writeText } from './keys.ts';
import { ComingPages } from './coming-pages.ts';
import type { Mask } from './mask.ts';
import { checkMasks, isFocusMasked } from './masked.ts';
import { OpenTabs } from './open-tabs.ts';
import { PageTabs } from './page-tabs.ts';
import type { Browser, Download, Page } from './playwright.ts';
import { Pointer } from './pointer.ts';
import type { HostProxy } from './host/proxy.ts';
import { saveDownload } from './downloads.ts';
import { attachBrowser, startBrowser } from './start-browser.ts';
import type { BrowserTab } from './tab.ts';
import { TypedByPerson } from './typed.ts';
import { watchPage } from './watch-page.ts';
import { WebpEncoder } from './webp.ts';

/** Starts a browser, or connects to one that runs already, and opens its first page. */
export async function openBrowser(options: BrowserOptions): Promise<Computer> {
  const { url } = options;
  const browser = new BrowserComputer(options, url === undefined ? undefined : readAddress(url));
  try {
    await browser.start();
    return browser;
  } catch (error) {
    await browser[Symbol.asyncDispose]();
    throw error;
  }
}

/** Where requests go that were begun as an action ended: to be seen they need a moment. */
const firstMoment = 40;
const longestSettling = 3000;

class BrowserComputer implements Computer {
  readonly environment = 'browser';
  readonly screen: Size;
  readonly pace: Pace = { notch: 20, character: 2.5, move: 20 };
  readonly elements: Elements;
  readonly tabs: Tabs;
  readonly #options: BrowserOptions;
  /** The first page; absent: the page that is there. */
  readonly #url: string | undefined;
  #rules: HostRules;
  #proxy: HostProxy | undefined;
  #browser: Browser | undefined;
  #open: OpenTabs | undefined;
  #events: ComputerEvent[] = [];
  /** The address of the page that was seen last, where a new browser begins. */
  #address: string;
  #lost: string | undefined;
  #loss = new AbortController();
  #isLossTold = false;
  #isEnding = false;
  readonly #held = new Set<string>();
  readonly #pointer = new Pointer(() => this.#tab(), this.#held);
  readonly #coming = new ComingPages();
  readonly #downloads = new Set<Promise<void>>();
  readonly #typed = new TypedByPerson();
  readonly #webp = new WebpEncoder();
  #isTheirs = false;

  constructor(options: BrowserOptions, url: string | undefined) {
    this.#options = options;
    this.#url = url;
    this.#address = url ?? '';
    this.screen = options.screen ?? { width: 1280, height: 800 };
    this.#rules = new HostRules(url ?? 'about:blank', options.allow);
    this.elements = new PageElements(
      () => this.#tab(),
      () => this.#masks(),
    );
    this.tabs = new PageTabs({
      tab: () => this.#tab(),
      tabs: () => this.#tabs(),
      rules: () => this.#rules,
      proxy: () => this.#proxy,
    });
  }

  async start(): Promise<void> {
    const { downloads, signal, masks = [] } = this.#options;
    checkMaskRegions(masks, this.screen);
    if (downloads !== undefined) makeFolder(downloads);
    await this.#launch();
    using deadline = new Deadline(30, { unless: signal });
    if (this.#url !== undefined) await this.#begin(this.#url, deadline.signal);
    await checkMasks(this.#tab(), masks, deadline.signal);
  }

  /** The first page; the empty one that was there before it is not one that anybody can go back to. */
  async #begin(url: string, signal: AbortSignal): Promise<void> {
    await this.tabs.navigate(url, signal);
    await untilAborted(this.#tab().cdp.send('Page.resetNavigationHistory'), signal);
  }

  async #launch(): Promise<void> {
    const { screen } = this;
    const { cdp, scale = 1 } = this.#options;
    const executablePath = cdp === undefined ? this.#options.executablePath : undefined;
    const { headed = false } = cdp === undefined ? this.#options : {};
    const options = { screen, scale, executablePath, headed, isOwnWindow: this.#url !== undefined };
    const { browser, context, page, proxy } =
      cdp === undefined
        ? await startBrowser(options, this.#rules)
        : await attachBrowser(cdp, options, () => this.#rules);
    this.#browser = browser;
    this.#proxy = proxy;
    if (page !== undefined) {
      this.#address = page.url();
      this.#rules = new HostRules(page.url() === '' ? 'about:blank' : page.url(), this.#options.allow);
    }
    browser.on('disconnected', () => {
      if (!this.#isEnding && this.#browser === browser) this.#lose('The browser has died.');
    });
    context.setDefaultTimeout(0);
    context.setDefaultNavigationTimeout(0);
    this.#open = new OpenTabs(context, {
      report: (event) => this.#report(event),
      watch: (tab) => this.#watch(tab),
      guard: async (tab) => {
        // Pictures are taken through this session, and have real pixels only where it knows of them.
        await tab.cdp.send('Emulation.setDeviceMetricsOverride', {
          ...this.screen,
          deviceScaleFactor: scale,
          mobile: false,
        });
        // No dialog of the system opens, so there is none to wait for.
        await tab.cdp.send('Page.setInterceptFileChooserDialog', { enabled: true });
        await tab.cdp.send('Page.enable');
        await guardDocuments(tab, this.#rules, (url, message) =>
          this.#report({ type: 'refused', url, message }),
        );
      },
    });
    const first = await this.#open.open(page);
    await this.#coming.discover(browser, first);
    this.#events = [];
    this.#held.clear();
  }

  #watch(tab: BrowserTab): void {
    const { page } = tab;
    this.#coming.arrived(tab);
    if (tab.id > 1) {
      const url = page.url();
      this.#report({ type: 'tab', url: url === '' ? 'about:blank' : url });
    }
    watchPage(tab, {
      isAnswered: () => !this.#isTheirs,
      accepts: this.#options.dialogs === 'accept',
      report: (event) => this.#report(event),
      download: (download) => this.#keep(download),
    });
    page.on('crash', () => this.#lose('The page has crashed.'));
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame() && this.#open?.current === tab) this.#address = page.url();
    });
  }

  #keep(download: Download): void {
    const saving = saveDownload(download, this.#options.downloads)
      .then((path) => this.#report({ type: 'download', path }))
      .finally(() => this.#downloads.delete(saving));
    this.#downloads.add(saving);
  }

  #lose(what: string): void {
    this.#lost ??= what;
    this.#loss.abort(new WhetstoneError('computer_lost', what));
  }

  get lost(): AbortSignal {
    return this.#loss.signal;
  }

  #report(event: ComputerEvent): void {
    if (!this.#isEnding && !this.#isTheirs) this.#events.push(event);
  }

  #tabs(): OpenTabs {
    if (this.#open === undefined || this.#lost !== undefined) throw this.#lossError();
    return this.#open;
  }

  #tab(): BrowserTab {
    const tab = this.#tabs().current;
    if (tab === undefined) throw new WhetstoneError('computer_lost', 'The last page has closed.');
    return tab;
  }

  #lossError(): WhetstoneError {
    this.#isLossTold = true;
    return new WhetstoneError('computer_lost', this.#lost ?? 'The browser has not been started.');
  }

  async ready(signal: AbortSignal): Promise<void> {
    if (this.#lost !== undefined) {
      if (!this.#isLossTold) throw this.#lossError();
      await this.#restart(signal);
    }
    await untilAborted(this.#tabs().opened(), signal);
    if (this.#tabs().current === undefined) {
      // A page that closed itself: the next call finds a new one, at the same address.
      await this.#tabs().open();
      await this.#begin(this.#address, signal);
    }
    // A page whose script never ends takes no input: better nothing is begun than that it happens later.
    const either = AbortSignal.any([signal, this.lost]);
    await this.#answers(either);
    await firstPaint(() => this.#tab(), systemClock.monotonic() + longestSettling, either);
  }

  /** Waits for the page to answer; for the one before it where it closes meanwhile. */
  async #answers(signal: AbortSignal): Promise<void> {
    const { page, cdp } = this.#tab();
    try {
      await untilAborted(cdp.send('Runtime.evaluate', { expression: '0' }), signal);
    } catch (error) {
      const isClosed =
        !signal.aborted && (await within(untilClosed(page), 500)) && this.#tabs().current !== undefined;
      if (isClosed !== true) throw error;
      await this.#answers(signal);
    }
  }

  async #restart(signal: AbortSignal): Promise<void> {
    const address = this.#address;
    const old = this.#browser;
    this.#browser = undefined;
    await old?.close().catch(() => undefined);
    await this.#proxy?.[Symbol.asyncDispose]();
    this.#proxy = undefined;
    await this.#launch();
    this.#lost = undefined;
    this.#isLossTold = false;
    this.#loss = new AbortController();
    this.#report({ type: 'restarted' });
    const url = address === '' ? this.#url : address;
    if (url !== undefined && this.#tab().page.url() !== url) await this.#begin(url, signal);
  }

  /** What is still being loaded is stopped, and a script that holds up the page is ended. */
  async recover(isLate: boolean): Promise<void> {
    if (this.#lost !== undefined) this.#isLossTold = true;
    const tab = this.#open?.current;
    if (this.#lost !== undefined || tab === undefined || !isLate) return;
    const { cdp } = tab;
    const isAnswered = (answer: Promise<unknown>): Promise<true | undefined> =>
      within(
        answer.then(
          () => true,
          () => true,
        ),
        300,
      );
    await isAnswered(cdp.send('Page.stopLoading'));
    if (await isAnswered(cdp.send('Runtime.evaluate', { expression: '0' }))) return;
    await isAnswered(cdp.send('Runtime.terminateExecution'));
  }

  async settle(signal: AbortSignal): Promise<void> {
    await sleep(firstMoment, { signal });
    const end = systemClock.monotonic() + longestSettling;
    while (this.#coming.areAny && systemClock.monotonic() < end) await sleep(10, { signal });
    await untilAborted(this.#tabs().opened(), signal);
    if (this.#tabs().current === undefined) return;
    await quietNetwork(() => this.#tab(), end, signal);
    await firstPaint(() => this.#tab(), end, signal);
    while (this.#downloads.size > 0 && systemClock.monotonic() < end)
      await untilAborted(within(Promise.race(this.#downloads), 100), signal);
  }

  async cursor(): Promise<Point> {
    return this.#pointer.at;
  }

  move(to: Point, signal: AbortSignal): Promise<void> {
    return this.#pointer.move(to, signal);
  }

  press(button: Button, count: number, signal: AbortSignal): Promise<void> {
    return this.#pointer.press(button, count, signal);
  }

  release(button: Button, count: number, signal: AbortSignal): Promise<void> {
    return this.#pointer.release(button, count, signal);
  }

  wheel(x: number, y: number, signal: AbortSignal): Promise<void> {
    return this.#pointer.wheel(x, y, signal);
  }

  async keyDown(key: string, signal: AbortSignal): Promise<void> {
    this.#held.add(key);
    await untilAborted(pressKey(this.#tab(), key, this.#held.has('Shift')), signal);
  }

  async keyUp(key: string, signal: AbortSignal): Promise<void> {
    this.#held.delete(key);
    await untilAborted(releaseKey(this.#tab(), key, this.#held.has('Shift')), signal);
  }

  async write(text: string, signal: AbortSignal): Promise<void> {
    await writeText(() => this.#tab(), text, signal);
  }

  look(signal: AbortSignal): Promise<Picture> {
    const masks = (): Promise<readonly Mask[]> => this.#masks();
    return capture(() => this.#tab(), { masks, screen: this.screen, signal });
  }

  async glance(signal: AbortSignal): Promise<Glance | undefined> {
    return glanceAt(this.#tab(), await untilAborted(this.#masks(), signal), signal);
  }

  async hidesTyping(signal: AbortSignal): Promise<boolean> {
    return isFocusMasked(this.#tab(), await untilAborted(this.#masks(), signal), signal);
  }

  address(): string {
    const url = this.#lost === undefined ? this.#open?.current?.page.url() : undefined;
    return this.withoutTyped(url ?? this.#address);
  }

  /** What is masked, and what a person has typed. */
  async #masks(): Promise<readonly Mask[]> {
    const { masks = [] } = this.#options;
    const selector = await this.#typed.selector(this.#tab().page.frames());
    return selector === undefined ? masks : [...masks, { selector }];
  }

  toWebp(png: Buffer, signal: AbortSignal): Promise<Buffer> {
    if (this.#browser === undefined) throw this.#lossError();
    return this.#webp.encode(png, this.#browser, signal);
  }

  withoutTyped(text: string): string {
    return this.#typed.without(text);
  }

  /** Dialogs and choosers of files are the person's to answer, and what happens meanwhile is not told. */
  async handOver(): Promise<AsyncDisposable> {
    const context = this.#tab().page.context();
    const interceptChoosers = async (enabled: boolean): Promise<void> => {
      for (const { cdp } of this.#open?.all ?? [])
        await cdp.send('Page.setInterceptFileChooserDialog', { enabled }).catch(() => undefined);
    };
    this.#isTheirs = true;
    await this.#typed.begin(context);
    await interceptChoosers(false);
    return {
      [Symbol.asyncDispose]: async () => {
        await this.#typed.end(context);
        await interceptChoosers(true);
        this.#isTheirs = false;
      },
    };
  }

  takeEvents(): readonly ComputerEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true;
    // A browser that hangs is not waited for: its process is ended with this one.
    using grace = new Deadline(5);
    await untilAborted(this.#webp[Symbol.asyncDispose](), grace.signal).catch(() => undefined);
    await untilAborted(this.#browser?.close() ?? Promise.resolve(), grace.signal).catch(() => undefined);
    await this.#proxy?.[Symbol.asyncDispose]();
  }
}

async function untilClosed(page: Page): Promise<true> {
  if (!page.isClosed()) await page.waitForEvent('close', { timeout: 0 });
  return true;
}
