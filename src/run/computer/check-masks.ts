import { WhetstoneError } from '../../base/host/errors.ts';
import type { Size } from '../../base/message/frame.ts';
import type { Region } from '../display/picture/picture.ts';

/** Throws if a mask covers no part of the screen: its author would believe that something is hidden. */
export function checkMaskRegions(
  masks: readonly (Region | { readonly selector: string })[],
  screen: Size,
): void {
  for (const mask of masks) {
    if ('selector' in mask) continue;
    const { x, y, width, height } = mask;
    if (x < screen.width && y < screen.height && x + width > 0 && y + height > 0) continue;
    throw new WhetstoneError(
      'computer_option_invalid',
      `The mask ${x},${y},${width},${height} is outside the screen: x goes from 0 to ${screen.width - 1}, y from 0 to ${screen.height - 1}.`,
    );
  }
}
