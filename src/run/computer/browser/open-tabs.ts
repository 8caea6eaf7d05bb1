import { WhetstoneError } from '../../../base/host/errors.ts';
import type { ComputerEvent } from '../computer.ts';
import type { BrowserContext, Page } from './playwright.ts';
import { BrowserTab } from './tab.ts';

export interface TabWatchers {
  readonly report: (event: ComputerEvent) => void;
  readonly watch: (tab: BrowserTab) => void;
  /** Done before anything else is done with a page. */
  readonly guard: (tab: BrowserTab) => Promise<void>;
}

/** The pages of a browser, the one that was opened or chosen last at the end. */
export class OpenTabs {
  readonly #context: BrowserContext;
  readonly #watchers: TabWatchers;
  #order: BrowserTab[] = [];
  #opening = new Map<Page, Promise<BrowserTab | undefined>>();
  #count = 0;

  constructor(context: BrowserContext, watchers: TabWatchers) {
    this.#context = context;
    this.#watchers = watchers;
    context.on('page', (page) => void this.#take(page));
  }

  get all(): readonly BrowserTab[] {
    return this.#order.toSorted((one, other) => one.id - other.id);
  }

  get current(): BrowserTab | undefined {
    return this.#order.at(-1);
  }

  /** Pages that have just been opened are known when this resolves. */
  async opened(): Promise<void> {
    await Promise.all(this.#opening.values());
  }

  /** A new page, or one that was there before anybody looked. */
  async open(given?: Page): Promise<BrowserTab> {
    const page = given ?? (await this.#context.newPage());
    const tab = await this.#take(page);
    if (tab !== undefined) return tab;
    throw new WhetstoneError('computer_lost', 'The new tab closed at once.');
  }

  choose(tab: BrowserTab): void {
    this.#order = [...this.#order.filter((each) => each !== tab), tab];
  }

  /** A tab by its number. */
  find(id: string | number): BrowserTab {
    const tab = this.#order.find((each) => String(each.id) === String(id));
    if (tab !== undefined) return tab;
    const known = this.all.map((each) => each.id).join(', ');
    throw new WhetstoneError('action_invalid', `There is no tab ${String(id)}. The tabs are ${known}.`);
  }

  #take(page: Page): Promise<BrowserTab | undefined> {
    const known = this.#order.find((tab) => tab.page === page);
    if (known !== undefined) return Promise.resolve(known);
    let opening = this.#opening.get(page);
    if (opening === undefined) {
      opening = this.#watch(page);
      this.#opening.set(page, opening);
      void opening.finally(() => this.#opening.delete(page));
    }
    return opening;
  }

  async #watch(page: Page): Promise<BrowserTab | undefined> {
    const id = ++this.#count;
    try {
      const cdp = await this.#context.newCDPSession(page);
      const { targetInfo } = await cdp.send('Target.getTargetInfo');
      const tab = new BrowserTab(id, page, cdp, targetInfo.targetId);
      page.on('close', () => {
        this.#order = this.#order.filter((each) => each !== tab);
        this.#watchers.report({ type: 'tab_closed' });
      });
      if (page.isClosed()) return undefined;
      await this.#watchers.guard(tab);
      this.#order.push(tab);
      this.#watchers.watch(tab);
      return tab;
    } catch {
      // It closed before anybody could look at it.
      return undefined;
    }
  }
}
