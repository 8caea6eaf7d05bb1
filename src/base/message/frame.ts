import { WhetstoneError } from '../host/errors.ts';
import { show } from '../host/show.ts';
import type { Action, Point } from './action.ts';
import { expectList, expectObject } from './expect.ts';

/**
 * What the numbers of a point count: pixels of an image that the model saw (or of a display that it was told of),
 * or cells of a square grid laid over the screen whatever its shape.
 */
export type Frame =
  | { readonly kind: 'image' | 'display'; readonly width: number; readonly height: number }
  | { readonly kind: 'grid'; readonly size: number };

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The grid of Gemini and of Qwen3-VL: 0 to 999 along both sides. */
export const thousandGrid: Frame = { kind: 'grid', size: 1000 };

/** A point that a model gave, in pixels of the real screen. Beyond the edge is the edge; (0, 0) is a point. */
export function toScreen(point: Point, frame: Frame, screen: Size): Point {
  expectObject(frame, 'frame');
  const [x, y] = checked(point);
  checkSize(screen);
  if (frame.kind === 'grid') {
    checkSize({ width: frame.size, height: frame.size });
    return [
      clamp(Math.floor((x / frame.size) * screen.width), screen.width),
      clamp(Math.floor((y / frame.size) * screen.height), screen.height),
    ];
  }
  checkSize(frame);
  return [
    clamp(Math.round((x * screen.width) / frame.width), screen.width),
    clamp(Math.round((y * screen.height) / frame.height), screen.height),
  ];
}

/** A pixel of the real screen, as a model that works in `frame` would name it. */
export function fromScreen(point: Point, frame: Frame, screen: Size): Point {
  expectObject(frame, 'frame');
  const [x, y] = checked(point);
  checkSize(screen);
  const { width, height } = frame.kind === 'grid' ? { width: frame.size, height: frame.size } : frame;
  checkSize({ width, height });
  return [
    clamp(Math.round((x * width) / screen.width), width),
    clamp(Math.round((y * height) / screen.height), height),
  ];
}

/** The action with every point passed through `change`, and without the frame that no longer holds. */
export function mapPoints(action: Action, change: (point: Point) => Point): Action {
  expectObject(action, 'action');
  const mapped: { -readonly [Key in keyof Action]?: unknown } & Record<string, unknown> = { ...action };
  delete mapped['frame'];
  for (const field of ['xy', 'startXy'] as const) {
    const value = mapped[field];
    if (!Array.isArray(value)) continue;
    mapped[field] = isPoint(value) ? change(value) : (value as readonly Point[]).map(change);
  }
  if (action.type === 'zoom') {
    expectList(action.region, 'action.region');
    const [x0, y0, x1, y1] = action.region;
    mapped['region'] = [...change([x0, y0]), ...change([x1, y1])];
  }
  return mapped as unknown as Action;
}

/** The action in pixels of the real screen, whatever frame its model worked in. */
export function actionToScreen(
  action: Action,
  screen: Size,
  unsaid: Frame = { kind: 'image', ...screen },
): Action {
  expectObject(action, 'action');
  const frame = action.frame ?? unsaid;
  return mapPoints(action, (point) => toScreen(point, frame, screen));
}

export interface ImageLimits {
  readonly longEdge?: number;
  readonly pixels?: number;
  /** The image is cut into squares of this side, and no more than this many are taken. */
  readonly patches?: { readonly side: number; readonly count: number };
}

/** The largest size of the same shape that a provider takes; the size itself where it fits. */
export function fitImage(size: Size, limits: ImageLimits): Size {
  checkSize(size);
  const fits = ({ width, height }: Size): boolean =>
    Math.max(width, height) <= (limits.longEdge ?? Infinity) &&
    width * height <= (limits.pixels ?? Infinity) &&
    (limits.patches === undefined ||
      Math.ceil(width / limits.patches.side) * Math.ceil(height / limits.patches.side) <=
        limits.patches.count);
  if (fits(size)) return size;
  // The long edge decides the other, so the largest that fits is found by halving.
  const long = Math.max(size.width, size.height);
  const ofLongEdge = (edge: number): Size => ({
    width: Math.max(1, Math.floor((size.width * edge) / long)),
    height: Math.max(1, Math.floor((size.height * edge) / long)),
  });
  let low = 1;
  let high = long;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (fits(ofLongEdge(middle))) low = middle;
    else high = middle;
  }
  return ofLongEdge(low);
}

function clamp(value: number, size: number): number {
  return Math.min(Math.max(value, 0), size - 1);
}

function isPoint(value: readonly unknown[]): value is Point {
  return typeof value[0] === 'number';
}

function checked(point: Point): Point {
  expectList(point, 'point');
  const [x, y] = point;
  if (Number.isFinite(x) && Number.isFinite(y) && x >= 0 && y >= 0) return point;
  throw new WhetstoneError(
    'point_invalid',
    `A point must be two numbers from 0 on; this is (${[x, y].map(show).join(', ')}).`,
    { details: { point } },
  );
}

function checkSize(size: Size): void {
  expectObject(size, 'size');
  if (size.width >= 1 && size.height >= 1 && Number.isFinite(size.width * size.height)) return;
  throw new WhetstoneError(
    'point_invalid',
    `A screen, image or grid must be at least one pixel wide and high; this is ${show(size.width)}×${show(size.height)}.`,
    { details: { size } },
  );
}
