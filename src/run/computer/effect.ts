import { WhetstoneError } from '../../base/host/errors.ts';
import type { Action } from '../../base/message/action.ts';
import type { Size } from '../../base/message/frame.ts';
import type { Computer } from './computer.ts';
import type { Picture } from './picture/picture.ts';

/** What an action answers with, where it answers with something. */
export interface Effect {
  readonly text?: string;
  /** The screen, or a part of it, at its real resolution. */
  readonly picture?: Picture;
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
  return new WhetstoneError(
    'action_unsupported',
    `There is no way to do "${what}" on a ${computer.environment}.`,
    {
      details: { type: action.type },
    },
  );
}
