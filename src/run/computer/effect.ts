import { WhetstoneError } from '../../base/host/errors.ts';
import type { Action } from '../../base/message/action.ts';
import type { Size } from '../../base/message/frame.ts';
import type { Picture } from '../display/picture/picture.ts';
import type { Computer } from './computer.ts';

/** What an action answers with, where it answers with something. */
export interface Effect {
  readonly text?: string;
  /** The screen, or a part of it, at its real resolution. */
  readonly picture?: Picture;
}

/** What is to be seen of a screen without a picture of it. */
export interface Glance {
  /** Two that are alike say that nothing has changed. */
  readonly mark: string;
  readonly address?: string;
  /** What has the focus, and its value if that is a field which may be told. */
  readonly focus?: string;
  readonly value?: string;
  readonly scroll?: readonly [number, number];
}

export const nothingChanged = 'Nothing changed.';

/** What came of an action, in words: a model that is told of success where nothing happened does not look again. */
export function effectText(before: Glance, after: Glance): string {
  if (before.mark === after.mark) return nothingChanged;
  const said: string[] = [];
  if (after.address !== before.address) said.push(`The address is now ${after.address}.`);
  if (after.focus !== before.focus)
    said.push(after.focus === undefined ? 'Nothing has the focus.' : `The focus is on ${after.focus}.`);
  if (after.value !== before.value && after.value !== undefined)
    said.push(`Its value is ${JSON.stringify(after.value)}.`);
  const [x, y] = after.scroll ?? [];
  if (x !== before.scroll?.[0] || y !== before.scroll?.[1]) said.push(`The page is scrolled to ${x}, ${y}.`);
  return said.length === 0 ? 'The screen changed.' : said.join(' ');
}

/** What came of several actions, as one. */
export function joinEffects(effects: readonly (string | undefined)[]): string | undefined {
  const told = [...new Set(effects.filter((each) => each !== undefined))];
  const changes = told.filter((each) => each !== nothingChanged);
  return told.length === 0 ? undefined : changes.join(' ') || nothingChanged;
}

export interface PerformContext {
  readonly signal: AbortSignal;
  /** The pictures that the model is shown, in whose pixels it counts. */
  readonly display: Size;
  /** Scripts of the model may run in the page. */
  readonly javascript: boolean;
}

/** There are no pages on a display, and no programs in a page. */
export function noWay(action: Action, computer: Computer): WhetstoneError {
  const what = action.type === 'other' ? action.name : action.type;
  return new WhetstoneError('action_unsupported', `"${what}" cannot be done on a ${computer.environment}.`, {
    details: { type: action.type },
  });
}
