import { untilAborted } from '../../display/deadline.ts';
import type { BrowserTab } from './tab.ts';
import { keyOfSign } from './us-keyboard.ts';

/** Keys that Playwright's keyboard does not have, as the system numbers them. */
const moreKeys: Readonly<Record<string, number>> = {
  ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`F${index + 13}`, 124 + index])),
  BrowserBack: 166,
  BrowserForward: 167,
  BrowserRefresh: 168,
  Help: 47,
  Clear: 12,
};

export async function pressKey(tab: BrowserTab, key: string, isShifted: boolean): Promise<void> {
  const number = moreKeys[key];
  if (number !== undefined) return sendKey(tab, 'rawKeyDown', key, number);
  if (isBeyondKeyboard(key)) return tab.page.keyboard.insertText(key);
  await tab.page.keyboard.down(nameOf(key, isShifted));
}

export async function releaseKey(tab: BrowserTab, key: string, isShifted: boolean): Promise<void> {
  const number = moreKeys[key];
  if (number !== undefined) return sendKey(tab, 'keyUp', key, number);
  if (!isBeyondKeyboard(key)) await tab.page.keyboard.up(nameOf(key, isShifted));
}

/** Playwright heeds Shift where a key is named by its place, and not where it is named by its sign. */
function nameOf(key: string, isShifted: boolean): string {
  return (isShifted ? keyOfSign(key)?.code : undefined) ?? key;
}

/** Text without ends of lines: signs of a US keyboard key by key, all others as the text that they are. */
export async function writeText(tabOf: () => BrowserTab, text: string, signal: AbortSignal): Promise<void> {
  for (const [piece] of text.matchAll(/[\x20-\x7e]+|[^\x20-\x7e]+/g)) {
    if (isBeyondKeyboard(piece)) {
      signal.throwIfAborted();
      await untilAborted(tabOf().page.keyboard.insertText(piece), signal);
      continue;
    }
    for (let at = 0; at < piece.length; at += atOnce) {
      signal.throwIfAborted();
      const tab = tabOf();
      await untilAborted(
        Promise.all([...piece.slice(at, at + atOnce)].flatMap((sign) => strike(tab, sign))),
        signal,
      );
    }
  }
}

/** The browser keeps their order; to wait for each would take five times as long. */
const atOnce = 16;

/** A sign of the keyboard, pressed and let go. */
function strike(tab: BrowserTab, sign: string): readonly Promise<unknown>[] {
  // Every sign of ASCII is on a key.
  const { code, number: windowsVirtualKeyCode } = keyOfSign(sign)!;
  const key = { key: sign, code, windowsVirtualKeyCode };
  return [
    tab.cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', text: sign, unmodifiedText: sign, ...key }),
    tab.cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }),
  ];
}

function isBeyondKeyboard(key: string): boolean {
  return /^[^\x20-\x7e]/.test(key);
}

async function sendKey(
  tab: BrowserTab,
  type: 'rawKeyDown' | 'keyUp',
  key: string,
  windowsVirtualKeyCode: number,
): Promise<void> {
  await tab.cdp.send('Input.dispatchKeyEvent', { type, key, code: key, windowsVirtualKeyCode });
}
