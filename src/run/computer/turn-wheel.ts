import type { Scroll } from '../../base/message/action.ts';
import { convertScroll, scrollAmounts } from '../../base/message/scroll.ts';
import { pixelsPerNotch } from './check-action.ts';
import type { Computer } from './computer.ts';

/** Scrolls along each axis that a scroll names: notch by notch where notches were asked, else in one turn. */
export async function turnWheel(scroll: Scroll, computer: Computer, signal: AbortSignal): Promise<void> {
  for (const asked of scrollAmounts(scroll)) {
    const { direction, amount } = convertScroll(asked, 'px', { screen: computer.screen });
    if (scroll.document === true && computer.tabs !== undefined) {
      await computer.tabs.scrollDocument(direction, amount, signal);
      continue;
    }
    const sign = direction === 'up' || direction === 'left' ? -1 : 1;
    const isAcross = direction === 'left' || direction === 'right';
    const step = asked.unit === 'notch' ? pixelsPerNotch : amount;
    for (let left = amount; left > 0; left -= step) {
      const by = sign * Math.min(step, left);
      await computer.wheel(isAcross ? by : 0, isAcross ? 0 : by, signal);
    }
  }
}
