import type { Point } from '../../../base/message/action.ts';
import { untilAborted } from '../../display/deadline.ts';
import type { Button } from '../computer.ts';
import type { BrowserTab } from './tab.ts';

/** The pointer of a browser: each page has one of its own, and the caller moves them all as one. */
export class Pointer {
  readonly #tab: () => BrowserTab;
  readonly #held: ReadonlySet<string>;
  #at: Point = [0, 0];

  /** `held` are the keys that are down. */
  constructor(tab: () => BrowserTab, held: ReadonlySet<string>) {
    this.#tab = tab;
    this.#held = held;
  }

  get at(): Point {
    return this.#at;
  }

  async move(to: Point, signal: AbortSignal): Promise<void> {
    const tab = this.#tab();
    this.#at = to;
    tab.pointer = to;
    await untilAborted(tab.page.mouse.move(to[0], to[1]), signal);
  }

  async press(button: Button, clickCount: number, signal: AbortSignal): Promise<void> {
    const { page } = await this.#here(signal);
    if (button === 'back' || button === 'forward')
      return this.#side('mousePressed', button, clickCount, signal);
    await untilAborted(page.mouse.down({ button, clickCount }), signal);
  }

  async release(button: Button, clickCount: number, signal: AbortSignal): Promise<void> {
    const { page } = await this.#here(signal);
    if (button === 'back' || button === 'forward')
      return this.#side('mouseReleased', button, clickCount, signal);
    await untilAborted(page.mouse.up({ button, clickCount }), signal);
  }

  async wheel(x: number, y: number, signal: AbortSignal): Promise<void> {
    const { page } = await this.#here(signal);
    await untilAborted(page.mouse.wheel(x, y), signal);
  }

  async #here(signal: AbortSignal): Promise<BrowserTab> {
    const tab = this.#tab();
    const [x, y] = this.#at;
    if (tab.pointer[0] !== x || tab.pointer[1] !== y) await this.move(this.#at, signal);
    return tab;
  }

  /** Playwright's mouse has three buttons; these are the other two. */
  async #side(
    type: 'mousePressed' | 'mouseReleased',
    button: 'back' | 'forward',
    clickCount: number,
    signal: AbortSignal,
  ): Promise<void> {
    const [x, y] = this.#at;
    const buttons = type === 'mouseReleased' ? 0 : button === 'back' ? 8 : 16;
    const modifiers = ['Alt', 'Control', 'Meta', 'Shift'].reduce(
      (sum, key, bit) => sum | (this.#held.has(key) ? 1 << bit : 0),
      0,
    );
    const event = { type, x, y, button, buttons, clickCount, modifiers };
    await untilAborted(this.#tab().cdp.send('Input.dispatchMouseEvent', event), signal);
  }
}
