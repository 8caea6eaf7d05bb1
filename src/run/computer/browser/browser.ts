import { mkdir } from 'node:fs/promises';

import { sleep, systemClock } from '../../../base/host/clock.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import type { Point } from '../../../base/message/action.ts';
import type { Size } from '../../../base/message/frame.ts';
import type { Button, Computer, ComputerEvent, Pace } from '../computer.ts';
import { Deadline, untilAborted, within } from '../deadline.ts';
import type { Glance } from '../effect.ts';
import type { Elements, Tabs } from '../page.ts';
import type { Picture } from '../picture/picture.ts';
import { readAddress } from './address.ts';
import { capture, firstPaint, quietNetwork } from './capture.ts';
import type { Mask } from './mask.ts';
import { PageElements } from './elements.ts';
import { glanceAt } from './glance.ts';
import { guardDocuments } from './guard.ts';
import { HostRules } from './hosts.ts';
import { pressKey, releaseKey, writeText } from './keys.ts';
import { checkMasks, isFocusMasked } from './masked.ts';
import { OpenTabs } from './open-tabs.ts';
import { PageTabs } from './page-tabs.ts';
import type { Browser } from './playwright.ts';
import type { HostProxy } from './proxy.ts';
import { saveDownload } from './downloads.ts';
import { attachBrowser, startBrowser } from './start-browser.ts';
import type { BrowserTab } from './tab.ts';

export type BrowserOptions = OwnBrowserOptions | BrowserAtOptions;

/** A browser that is started, and ended with the session. */
export interface OwnBrowserOptions extends PageOptions {
  /** The first page. */
  readonly url: string;
  /** The program; found where it is absent. */
  readonly executablePath?: string;
  readonly cdp?: undefined;
}

/** A browser that runs already, and is left running. */
export interface BrowserAtOptions extends PageOptions {
  /** Where it speaks the DevTools protocol, such as `http://127.0.0.1:9222`. */
  readonly cdp: string;
  /** The first page of a window of its own, with no cookies but its own; absent: the page that is there. */
  readonly url?: string;
}

interface PageOptions {
  /** The viewport in CSS pixels; 1280x800 unless told. */
  readonly screen?: Size;
  /** Device pixels for each CSS pixel; 1 unless told. */
  readonly scale?: number;
  /** `HOST` or `HOST:PORT`; absent: every public host. The first page's own is always allowed. */
  readonly allow?: readonly string[];
  /** What is answered to `confirm` and `prompt`; `dismiss` unless told. */
  readonly dialogs?: 'accept' | 'dismiss';
  /** Where downloads are kept; nowhere unless told. */
  readonly downloads?: string;
  readonly masks?: readonly Mask[];
}

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
  #cursor: Point = [0, 0];
  /** The address of the page that was seen last, where a new browser begins. */
  #address: string;
  #lost: string | undefined;
  #loss = new AbortController();
  #isLossTold = false;
  #isEnding = false;
  readonly #held = new Set<string>();
  /** Pages that are known, and pages that are being made. */
  readonly #seen = new Set<string>();
  readonly #coming = new Set<string>();
  readonly #downloads = new Set<Promise<void>>();

  constructor(options: BrowserOptions, url: string | undefined) {
    this.#options = options;
    this.#url = url;
    this.#address = url ?? '';
    this.screen = options.screen ?? { width: 1280, height: 800 };
    this.#rules = new HostRules(url ?? 'about:blank', options.allow);
    this.elements = new PageElements(() => this.#tab(), options.masks ?? []);
    this.tabs = new PageTabs({
      tab: () => this.#tab(),
      tabs: () => this.#tabs(),
      rules: () => this.#rules,
      proxy: () => this.#proxy,
    });
  }

  async start(): Promise<void> {
    const { downloads } = this.#options;
    if (downloads !== undefined) await mkdir(downloads, { recursive: true });
    await this.#launch();
    using deadline = new Deadline(30);
    if (this.#url !== undefined) await this.#begin(this.#url, deadline.signal);
    await checkMasks(this.#tab(), this.#options.masks ?? [], deadline.signal);
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
    const options = { screen, scale, executablePath, isOwnWindow: this.#url !== undefined };
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
    await this.#discover(browser, first);
    this.#events = [];
    this.#held.clear();
  }

  /** Playwright tells of a new page when it has begun to load; that one is coming is known as it is made. */
  async #discover(browser: Browser, first: BrowserTab): Promise<void> {
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

  #watch(tab: BrowserTab): void {
    const { page } = tab;
    this.#seen.add(tab.target);
    this.#coming.delete(tab.target);
    if (tab.id > 1) {
      const url = page.url();
      this.#report({ type: 'tab', url: url === '' ? 'about:blank' : url });
    }
    page.on('dialog', (dialog) => {
      const kind = dialog.type() as 'alert' | 'confirm' | 'prompt' | 'beforeunload';
      const isAccepted = kind === 'alert' || kind === 'beforeunload' || this.#options.dialogs === 'accept';
      const answer = isAccepted ? 'accepted' : 'dismissed';
      this.#report({ type: 'dialog', kind, message: dialog.message(), answer });
      const answered = isAccepted
        ? dialog.accept(kind === 'prompt' ? dialog.defaultValue() : undefined)
        : dialog.dismiss();
      // The page may have gone meanwhile, and its dialog with it.
      void answered.catch(() => undefined);
    });
    tab.cdp.on('Page.fileChooserOpened', () => this.#report({ type: 'file_chooser' }));
    page.on('download', (download) => {
      const saving = saveDownload(download, this.#options.downloads)
        .then((path) => this.#report({ type: 'download', path }))
        .finally(() => this.#downloads.delete(saving));
      this.#downloads.add(saving);
    });
    page.on('crash', () => this.#lose('The page has crashed.'));
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame() && this.#open?.current === tab) this.#address = page.url();
    });
  }

  #lose(what: string): void {
    this.#lost ??= what;
    this.#loss.abort(new WhetstoneError('computer_lost', what));
  }

  get lost(): AbortSignal {
    return this.#loss.signal;
  }

  #report(event: ComputerEvent): void {
    if (!this.#isEnding) this.#events.push(event);
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
    await untilAborted(this.#tab().cdp.send('Runtime.evaluate', { expression: '0' }), either);
    await firstPaint(() => this.#tab(), systemClock.monotonic() + longestSettling, either);
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
    while (this.#coming.size > 0 && systemClock.monotonic() < end) await sleep(10, { signal });
    await untilAborted(this.#tabs().opened(), signal);
    if (this.#tabs().current === undefined) return;
    await quietNetwork(() => this.#tab(), end, signal);
    await firstPaint(() => this.#tab(), end, signal);
    while (this.#downloads.size > 0 && systemClock.monotonic() < end)
      await untilAborted(within(Promise.race(this.#downloads), 100), signal);
  }

  async cursor(): Promise<Point> {
    return this.#cursor;
  }

  async move(to: Point, signal: AbortSignal): Promise<void> {
    const tab = this.#tab();
    this.#cursor = to;
    tab.pointer = to;
    await untilAborted(tab.page.mouse.move(to[0], to[1]), signal);
  }

  /** Each page has a pointer of its own, and all are one to whoever moves it. */
  async #atCursor(signal: AbortSignal): Promise<BrowserTab> {
    const tab = this.#tab();
    const [x, y] = this.#cursor;
    if (tab.pointer[0] !== x || tab.pointer[1] !== y) await this.move(this.#cursor, signal);
    return tab;
  }

  async press(button: Button, count: number, signal: AbortSignal): Promise<void> {
    const { page } = await this.#atCursor(signal);
    if (button === 'back' || button === 'forward') return this.#side('mousePressed', button, count, signal);
    await untilAborted(page.mouse.down({ button, clickCount: count }), signal);
  }

  async release(button: Button, count: number, signal: AbortSignal): Promise<void> {
    const { page } = await this.#atCursor(signal);
    if (button === 'back' || button === 'forward') return this.#side('mouseReleased', button, count, signal);
    await untilAborted(page.mouse.up({ button, clickCount: count }), signal);
  }

  /** Playwright's mouse has three buttons; these are the other two. */
  async #side(
    type: 'mousePressed' | 'mouseReleased',
    button: 'back' | 'forward',
    clickCount: number,
    signal: AbortSignal,
  ): Promise<void> {
    const [x, y] = this.#cursor;
    const buttons = type === 'mouseReleased' ? 0 : button === 'back' ? 8 : 16;
    const modifiers = ['Alt', 'Control', 'Meta', 'Shift'].reduce(
      (sum, key, bit) => sum | (this.#held.has(key) ? 1 << bit : 0),
      0,
    );
    const event = { type, x, y, button, buttons, clickCount, modifiers };
    await untilAborted(this.#tab().cdp.send('Input.dispatchMouseEvent', event), signal);
  }

  async wheel(x: number, y: number, signal: AbortSignal): Promise<void> {
    const { page } = await this.#atCursor(signal);
    await untilAborted(page.mouse.wheel(x, y), signal);
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
    const { masks = [] } = this.#options;
    return capture(() => this.#tab(), { masks, screen: this.screen, signal });
  }

  glance(signal: AbortSignal): Promise<Glance | undefined> {
    return glanceAt(this.#tab(), this.#options.masks ?? [], signal);
  }

  hidesTyping(signal: AbortSignal): Promise<boolean> {
    return isFocusMasked(this.#tab(), this.#options.masks ?? [], signal);
  }

  address(): string {
    const url = this.#lost === undefined ? this.#open?.current?.page.url() : undefined;
    return url ?? this.#address;
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
    await untilAborted(this.#browser?.close() ?? Promise.resolve(), grace.signal).catch(() => undefined);
    await this.#proxy?.[Symbol.asyncDispose]();
  }
}
