import { untilAborted, within } from '../../display/deadline.ts';
import type { Glance } from '../effect.ts';
import type { Mask } from './mask.ts';
import { isFocusMasked } from './masked.ts';
import type { BrowserTab } from './tab.ts';

/** A page that does not answer by then is not waited for. */
const longestGlance = 1000;

/** What there is to be told of a page without a picture of it. */
export async function glanceAt(
  tab: BrowserTab,
  masks: readonly Mask[],
  signal: AbortSignal,
): Promise<Glance | undefined> {
  const address = tab.page.url();
  const looks = tab.page.frames().map((frame) => frame.evaluate(lookAround).catch(() => undefined));
  const seen = await untilAborted(within(Promise.all(looks), longestGlance), signal);
  const [first] = seen ?? [];
  if (seen === undefined || first === undefined) return undefined;
  const painted = seen.some((each) => each?.paints === true) ? await paintedHash(tab, signal) : '';
  const isHidden = first.value !== undefined && (await isFocusMasked(tab, masks, signal));
  const { focus, value, scroll } = first;
  return {
    mark: JSON.stringify([address, tab.id, seen, painted]),
    address,
    scroll,
    ...(focus !== undefined && { focus }),
    ...(value !== undefined && !isHidden && { value }),
  };
}

/** What is drawn is in no element: a small picture tells whether it has changed. */
async function paintedHash(tab: BrowserTab, signal: AbortSignal): Promise<string> {
  const taken = tab.cdp.send('Page.captureScreenshot', {
    format: 'jpeg',
    quality: 20,
    optimizeForSpeed: true,
  });
  return (await untilAborted(taken, signal)).data;
}

interface Look {
  readonly hash: number;
  readonly paints: boolean;
  readonly scroll: readonly [number, number];
  readonly focus?: string;
  readonly value?: string;
}

/** Runs in the page, so it may use nothing of this file. */
function lookAround(): Look {
  let hash = 0;
  const add = (text: string): void => {
    for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  };
  const whole = document.documentElement?.outerHTML ?? '';
  add(`${whole.length} ${whole.slice(0, 500_000)}`);
  for (const field of document.querySelectorAll<HTMLInputElement>('input, textarea, select')) {
    add(`${field.value}\n${field.checked}`);
    // Not every kind of field has a selection.
    if (field === document.activeElement) add(`${field.selectionStart},${field.selectionEnd}`);
  }
  for (const box of [...document.querySelectorAll('*')].slice(0, 3000))
    if (box.scrollTop !== 0 || box.scrollLeft !== 0) add(`${box.scrollLeft},${box.scrollTop}`);
  add(String(document.getSelection()).slice(0, 10_000));
  const told = (field: HTMLInputElement | null): string =>
    field?.type === 'checkbox' || field?.type === 'radio'
      ? field.checked
        ? 'ticked'
        : 'not ticked'
      : String(field?.value).slice(0, 200);
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  const isField = active !== null && 'value' in active && active instanceof HTMLElement;
  const isSecret = active instanceof HTMLInputElement && active.type === 'password';
  const hasFocus = active !== null && active !== document.body && active !== document.documentElement;
  const named = active as HTMLInputElement | null;
  const label =
    named?.getAttribute('aria-label') ??
    named?.labels?.[0]?.textContent ??
    (named?.placeholder || named?.name || (isField ? '' : named?.textContent) || named?.id || '');
  return {
    hash,
    paints: document.querySelector('canvas, video, embed, object') !== null,
    scroll: [Math.round(scrollX), Math.round(scrollY)],
    ...(hasFocus && {
      focus: `${active?.tagName.toLowerCase()} ${JSON.stringify(label.trim().replaceAll(/\s+/g, ' ').slice(0, 80))}`,
    }),
    ...(hasFocus && isField && !isSecret && { value: told(named) }),
  };
}
