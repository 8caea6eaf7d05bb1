import { WhetstoneError } from '../../base/host/errors.ts';
import { show } from '../../base/host/show.ts';
import type { Action, Point, Scroll } from '../../base/message/action.ts';
import type { Frame, Size } from '../../base/message/frame.ts';
import { canonicalKey, isKey, isModifier } from '../../base/message/keys.ts';
import { scrollAmounts, scrollDistance } from '../../base/message/scroll.ts';
import type { Pace } from './computer.ts';

/** What an action is measured by before it is begun. */
export interface ActionBounds {
  /** The pictures that the model is shown, in whose pixels it counts. */
  readonly display: Size;
  readonly screen: Size;
  readonly pace: Pace;
  /** Seconds. */
  readonly timeout: number;
}

const longestWait = 300;
const mostRepeats = 100;
export const pixelsPerNotch = 100;

/** Throws where an action cannot be done as it was asked, before anything of it is done. */
export function checkAction(action: Action, bounds: ActionBounds): void {
  for (const point of pointsOf(action)) checkPoint(point, action.frame, bounds.display);
  for (const key of action.modifiers ?? []) checkModifier(key);
  switch (action.type) {
    case 'keypress':
    case 'keypress_hold':
      if (!Array.isArray(action.keys) || action.keys.length === 0)
        throw invalid(action, 'keys', action.keys, 'a list of keys');
      for (const key of action.keys) checkKey(key);
      if (action.type === 'keypress_hold') checkSeconds(action, action.duration);
      else if (action.repeat !== undefined && !isWhole(action.repeat, 1, mostRepeats))
        throw invalid(action, 'repeat', action.repeat, `a whole number from 1 to ${mostRepeats}`);
      return;
    case 'key_down':
    case 'key_up':
      return checkKey(action.key);
    case 'wait':
    case 'long_press':
      if (action.duration !== undefined && action.duration !== null) checkSeconds(action, action.duration);
      return;
    case 'type':
      return checkText(action.text, bounds);
    case 'drag':
      return checkPath(action.xy, bounds);
    case 'scroll':
      return checkScroll(action, bounds);
    case 'zoom':
      return checkRegion(action.region, bounds.display);
    case 'other':
      throw new WhetstoneError(
        'action_invalid',
        action.problem ?? `There is no action ${show(action.name)} that a computer can do.`,
        { details: { name: action.name } },
      );
    default:
  }
}

/** The seconds that an action asks for by itself: what it may take beyond the time-out. */
export function ownSeconds(action: Action): number {
  const seconds =
    action.type === 'wait'
      ? (action.duration ?? 1)
      : action.type === 'keypress_hold'
        ? action.duration
        : action.type === 'long_press'
          ? (action.duration ?? 2)
          : 0;
  return seconds >= 0 && seconds <= longestWait ? seconds : 0;
}

function pointsOf(action: Action): readonly unknown[] {
  const points: unknown[] = [];
  if ('xy' in action && action.xy !== undefined && action.xy !== null)
    points.push(...(action.type === 'drag' ? (action.xy as readonly unknown[]) : [action.xy]));
  if (action.type === 'scroll' && action.startXy !== undefined && action.startXy !== null)
    points.push(action.startXy);
  return points;
}

function checkPoint(point: unknown, frame: Frame | undefined, display: Size): void {
  const [x, y] = (Array.isArray(point) ? point : []) as readonly unknown[];
  const isGrid = frame?.kind === 'grid';
  const size = isGrid ? { width: frame.size, height: frame.size } : display;
  const bounds = `x goes from 0 to ${size.width - 1}, y from 0 to ${size.height - 1}`;
  if (!Array.isArray(point) || point.length !== 2 || !Number.isFinite(x) || !Number.isFinite(y))
    throw new WhetstoneError(
      'point_invalid',
      `A point must be two numbers: ${bounds}. This is ${show(point)}.`,
      {
        details: { point },
      },
    );
  const [across, down] = point as unknown as Point;
  if (across >= 0 && down >= 0 && across <= size.width - 1 && down <= size.height - 1) return;
  throw new WhetstoneError(
    'point_outside',
    `(${across}, ${down}) is outside the ${isGrid ? 'grid' : 'screen'}: ${bounds}.`,
    { details: { point } },
  );
}

function checkRegion(region: readonly number[], display: Size): void {
  const [x0, y0, x1, y1] = region as readonly [number, number, number, number];
  const bounds = `x goes from 0 to ${display.width}, y from 0 to ${display.height}`;
  if (!Array.isArray(region) || region.length !== 4 || !region.every(Number.isFinite))
    throw new WhetstoneError(
      'point_invalid',
      `A region must be four numbers: ${bounds}. This is ${show(region)}.`,
    );
  const shown = `The region (${x0}, ${y0}) to (${x1}, ${y1})`;
  if (Math.min(x0, y0, x1, y1) < 0 || Math.max(x0, x1) > display.width || Math.max(y0, y1) > display.height)
    throw new WhetstoneError('point_outside', `${shown} is outside the screen: ${bounds}.`, {
      details: { region },
    });
  if (x1 <= x0 || y1 <= y0)
    throw new WhetstoneError(
      'action_invalid',
      `${shown} is empty or upside down: its second corner must be to the right of the first, and below it.`,
      { details: { region } },
    );
}

function checkKey(key: string): void {
  if (typeof key === 'string' && key !== '' && isKey(canonicalKey(key))) return;
  throw new WhetstoneError(
    'key_unknown',
    `There is no key ${show(key)}. Keys have names such as "Enter", "ctrl", "F5" or "a"; a chord is written "ctrl+a".`,
    { details: { key } },
  );
}

function checkModifier(key: string): void {
  if (typeof key === 'string' && key !== '' && isModifier(canonicalKey(key))) return;
  throw new WhetstoneError(
    'key_unknown',
    `${show(key)} is not a key to hold during a click, drag or scroll: those are ctrl, alt, shift and super. Text is typed by an action of its own.`,
    { details: { key } },
  );
}

function checkSeconds(action: Action, seconds: unknown): void {
  if (typeof seconds === 'number' && seconds >= 0 && seconds <= longestWait) return;
  throw invalid(action, 'duration', seconds, `a number of seconds from 0 to ${longestWait}`);
}

function checkText(text: unknown, { pace, timeout }: ActionBounds): void {
  if (typeof text !== 'string')
    throw new WhetstoneError('action_invalid', `The text to type must be a text; this is ${show(text)}.`);
  const most = Math.floor((timeout * 1000) / pace.character);
  if (text.length > most) throw tooLong(`A text of ${text.length} characters`, `${most} characters`, timeout);
}

function checkPath(path: readonly Point[], { pace, timeout }: ActionBounds): void {
  if (!Array.isArray(path) || path.length === 0)
    throw new WhetstoneError(
      'action_invalid',
      `A drag must have at least its end; its path is ${show(path)}.`,
    );
  const most = Math.floor((timeout * 1000) / pace.move / 2);
  if (path.length > most) throw tooLong(`A drag through ${path.length} points`, `${most} points`, timeout);
}

function checkScroll(scroll: Scroll, { screen, pace, timeout }: ActionBounds): void {
  const direction: unknown = scroll.direction;
  if (!scroll.distanceXy && !['up', 'down', 'left', 'right', null, undefined].includes(direction as string))
    throw invalid(scroll, 'direction', direction, 'up, down, left or right');
  const most = Math.floor((timeout * 1000) / pace.notch);
  const [x, y] = scrollDistance(scroll, { screen });
  const notches = (Math.abs(x) + Math.abs(y)) / pixelsPerNotch;
  const [first] = scrollAmounts(scroll);
  if (notches <= most) return;
  const asked = first?.unit === 'px' ? `${Math.abs(x) + Math.abs(y)} pixels` : `${notches} notches`;
  throw tooLong(`A scroll by ${asked}`, `${most} notches (${most * pixelsPerNotch} pixels)`, timeout);
}

function tooLong(what: string, limit: string, timeout: number): WhetstoneError {
  return new WhetstoneError(
    'action_too_long',
    `${what} cannot be done within the time-out of ${timeout} s: at most ${limit} at once.`,
  );
}

function invalid(action: Action, field: string, found: unknown, wanted: string): WhetstoneError {
  return new WhetstoneError(
    'action_invalid',
    `The ${field} of "${action.type}" must be ${wanted}; this is ${show(found)}.`,
    { details: { field } },
  );
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
