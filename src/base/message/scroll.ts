import { WhetstoneError } from '../host/errors.ts';
import type { Direction, Point, Scroll, ScrollUnit } from './action.ts';
import type { Size } from './frame.ts';
import { expectList, expectObject } from './expect.ts';

/** A scroll along one axis. Zero is legal and does nothing. */
export interface ScrollAmount {
  readonly direction: Direction;
  readonly amount: number;
  readonly unit: ScrollUnit;
}

export interface ScrollScale {
  /** What one notch of the wheel moves; 100 unless told. */
  readonly pixelsPerNotch?: number;
  /** Needed for the units that are parts of the screen: `norm1000` and `page`. */
  readonly screen?: Size;
}

/** How far a scroll goes that names only its direction. */
const unsaidNotches = 3;

/**
 * What a scroll asks for, one axis at a time: a distance along both axes is two scrolls, the vertical one first.
 * There is always at least one; a scroll by nothing is one of zero.
 */
export function scrollAmounts(scroll: Scroll): readonly ScrollAmount[] {
  expectObject(scroll, 'scroll');
  const { distanceXy, direction, magnitude, unit = 'notch' } = scroll;
  if (distanceXy) {
    expectList(distanceXy, 'scroll.distanceXy');
    const [x, y] = distanceXy.map(finite) as [number, number];
    const vertical: ScrollAmount = { direction: y < 0 ? 'up' : 'down', amount: Math.abs(y), unit: 'px' };
    const horizontal: ScrollAmount = { direction: x < 0 ? 'left' : 'right', amount: Math.abs(x), unit: 'px' };
    return x === 0 ? [vertical] : y === 0 ? [horizontal] : [vertical, horizontal];
  }
  if (magnitude === undefined || magnitude === null) {
    return [{ direction: direction ?? 'down', amount: unsaidNotches, unit: 'notch' }];
  }
  const amount = finite(magnitude);
  const along = direction ?? 'down';
  return [{ direction: amount < 0 ? opposite[along] : along, amount: Math.abs(amount), unit }];
}

/** The same scroll counted in another unit. Not rounded: the writer knows what its provider takes. */
export function convertScroll(amount: ScrollAmount, unit: ScrollUnit, scale: ScrollScale = {}): ScrollAmount {
  expectObject(amount, 'amount');
  if (amount.unit === unit) return amount;
  const pixels = amount.amount * pixelsIn(amount.unit, amount.direction, scale);
  return { ...amount, amount: pixels / pixelsIn(unit, amount.direction, scale), unit };
}

/** The scroll in pixels, right and down positive. */
export function scrollDistance(scroll: Scroll, scale: ScrollScale = {}): Point {
  let x = 0;
  let y = 0;
  for (const each of scrollAmounts(scroll)) {
    const { direction, amount } = convertScroll(each, 'px', scale);
    if (direction === 'left' || direction === 'right') x += direction === 'left' ? -amount : amount;
    else y += direction === 'up' ? -amount : amount;
  }
  return [x, y];
}

const opposite = { up: 'down', down: 'up', left: 'right', right: 'left' } as const satisfies Record<
  Direction,
  Direction
>;

function pixelsIn(unit: ScrollUnit, direction: Direction, scale: ScrollScale): number {
  const { pixelsPerNotch = 100, screen } = scale ?? {};
  if (unit === 'px') return 1;
  if (unit === 'notch') return pixelsPerNotch;
  const size = direction === 'left' || direction === 'right' ? screen?.width : screen?.height;
  if (size === undefined) {
    throw new WhetstoneError(
      'scroll_invalid',
      `A scroll counted in "${unit}" is a part of the screen; pass the screen's size as \`screen\`.`,
      { details: { unit } },
    );
  }
  return unit === 'page' ? size : size / 1000;
}

function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new WhetstoneError(
    'scroll_invalid',
    `A scroll amount must be a finite number; this is ${String(value)}.`,
    {
      details: { amount: value },
    },
  );
}
