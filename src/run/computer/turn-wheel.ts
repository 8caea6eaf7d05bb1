import type { Scroll } from '../../base/message/action.ts';
import { scrollAmounts, scrollDistance } from '../../base/message/scroll.ts';
import { pixelsPerNotch } from './check-action.ts';
import type { Computer } from './computer.ts';

/** Scrolls notch by notch where notches were asked, else in one turn, along both axes at once. */
export async function turnWheel(scroll: Scroll, computer: Computer, signal: AbortSignal): Promise<void> {
  const { screen, tabs } = computer;
  const [x, y] = scrollDistance(scroll, { screen });
  if (scroll.document === true && tabs !== undefined) return tabs.scrollDocument([x, y], signal);
  const whole = Math.abs(x) + Math.abs(y);
  if (whole > 0 && scrollAmounts(scroll)[0]?.unit !== 'notch') return computer.wheel(x, y, signal);
  for (let left = whole; left > 0; left -= pixelsPerNotch) {
    const by = Math.min(pixelsPerNotch, left);
    await computer.wheel(Math.sign(x) * by, Math.sign(y) * by, signal);
  }
}
