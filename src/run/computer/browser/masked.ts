import { WhetstoneError } from '../../../base/host/errors.ts';
import { untilAborted } from '../../display/deadline.ts';
import { withoutWords } from '../hidden-words.ts';
import type { Mask } from './mask.ts';
import type { BrowserTab } from './tab.ts';

/** The words on a page that are masked: values and texts of what a selector matches, or of what lies in a rectangle. */
export async function withoutMasked(
  text: string,
  tab: BrowserTab,
  masks: readonly Mask[],
  signal: AbortSignal,
): Promise<string> {
  if (masks.length === 0) return text;
  const words = new Set<string>();
  for (const frame of tab.page.frames()) {
    const found = frame.evaluate(collectMasked, plain(masks)).catch(() => []);
    for (const each of await untilAborted(found, signal)) if (each.trim() !== '') words.add(each.trim());
  }
  return withoutWords(text, words);
}

/** Whether the place that takes what is typed is masked. */
export async function isFocusMasked(
  tab: BrowserTab,
  masks: readonly Mask[],
  signal: AbortSignal,
): Promise<boolean> {
  for (const frame of masks.length === 0 ? [] : tab.page.frames())
    if (await untilAborted(frame.evaluate(focusIsMasked, plain(masks)), signal)) return true;
  return false;
}

/** Refuses a selector that is none, before anything is shown. */
export async function checkMasks(
  tab: BrowserTab,
  masks: readonly Mask[],
  signal: AbortSignal,
): Promise<void> {
  for (const mask of masks) {
    if (!('selector' in mask)) continue;
    const { selector } = mask;
    const found = tab.page.evaluate((given) => void document.querySelector(given), selector);
    await untilAborted(found, signal).catch((cause: unknown) => {
      if (signal.aborted) throw cause;
      const message = `${JSON.stringify(selector)} is not a CSS selector, so nothing can be masked by it.`;
      throw new WhetstoneError('computer_option_invalid', message, { cause });
    });
  }
}

interface PlainMask {
  readonly selector?: string;
  readonly box?: readonly [left: number, top: number, right: number, bottom: number];
}

function plain(masks: readonly Mask[]): PlainMask[] {
  return masks.map((mask) =>
    'selector' in mask
      ? { selector: mask.selector }
      : { box: [mask.x, mask.y, mask.x + mask.width, mask.y + mask.height] },
  );
}

/** Runs in the page, so it may use nothing of this file. */
function collectMasked(masks: readonly PlainMask[]): string[] {
  const words: string[] = [];
  const take = (element: Element): void => {
    if ('value' in element && typeof element.value === 'string') words.push(element.value);
    if (element instanceof HTMLElement) words.push(...element.innerText.split('\n'));
    for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
      words.push(element.getAttribute(name) ?? '');
  };
  for (const { selector, box } of masks) {
    if (selector !== undefined)
      for (const element of document.querySelectorAll(selector))
        for (const each of [element, ...element.querySelectorAll('*')]) take(each);
    if (box === undefined) continue;
    const [left, top, right, bottom] = box;
    for (const element of document.querySelectorAll('*')) {
      const { x, y, width, height } = element.getBoundingClientRect();
      const isInside =
        x + width / 2 > left && x + width / 2 < right && y + height / 2 > top && y + height / 2 < bottom;
      if (isInside && element.childElementCount === 0) take(element);
    }
  }
  return words;
}

/** Runs in the page too. */
function focusIsMasked(masks: readonly PlainMask[]): boolean {
  const focus = document.activeElement;
  if (focus === null || focus === document.body || focus === document.documentElement) return false;
  const { left, top, right, bottom } = focus.getBoundingClientRect();
  return masks.some(({ selector, box }) => {
    if (selector !== undefined) return focus.closest(selector) !== null;
    return box !== undefined && left < box[2] && right > box[0] && top < box[3] && bottom > box[1];
  });
}
