import type { Action, Point } from '../../../base/message/action.ts';
import { mapPoints, toScreen } from '../../../base/message/frame.ts';
import type { Size } from '../../../base/message/frame.ts';
import { canonicalKey } from '../../../base/message/keys.ts';
import { scrollDistance } from '../../../base/message/scroll.ts';
import { isWhetstoneError } from '../../../base/host/errors.ts';

/** An action as the single things that are done for it, so that records of all providers have the same words. */
export function singleSteps(action: Action): readonly Action[] {
  if (action.type === 'open_browser') return [{ ...plain(action), type: 'screenshot' }];
  if (action.type !== 'type') return [action];
  const { xy, clearFirst, pressEnter, text } = action;
  const rest = plain(action);
  return [
    ...(xy === undefined ? [] : [{ ...rest, type: 'left_mouse_click', xy } as const]),
    ...(clearFirst === true
      ? [
          { ...rest, type: 'keypress', keys: ['Control', 'a'] } as const,
          { ...rest, type: 'keypress', keys: ['Delete'] } as const,
        ]
      : []),
    { ...rest, type: 'type', text },
    ...(pressEnter === true ? [{ ...rest, type: 'keypress', keys: ['Enter'] } as const] : []),
  ];
}

/** What an action has besides what it does. */
function plain({
  frame,
  tab,
  callId,
  requiresLocalExecution,
}: Action): Pick<Action, 'frame' | 'tab' | 'callId' | 'requiresLocalExecution'> {
  return {
    ...(frame !== undefined && { frame }),
    ...(tab !== undefined && { tab }),
    ...(callId !== undefined && { callId }),
    ...(requiresLocalExecution !== undefined && { requiresLocalExecution }),
  };
}

export interface StepPlace {
  /** The pictures in whose pixels points are counted. */
  readonly display: Size;
  /** Where the cursor is, in the same pixels. */
  readonly cursor: Point;
}

/** Points of two providers may lie this far apart, since some count in cells of a grid. */
const nearness = 16;

/** Whether two actions mean the same, in whatever words they were said. */
export function isSameStep(one: Action, other: Action, place: StepPlace): boolean {
  const first = meaning(one, place);
  const second = meaning(other, place);
  return (
    first.points.length === second.points.length &&
    first.points.every((point, index) => isNear(point, second.points[index]!)) &&
    first.rest === second.rest
  );
}

interface Meaning {
  readonly points: readonly Point[];
  readonly rest: string;
}

/** Points in pixels of the picture, and all else that counts, in one text. */
function meaning(action: Action, { display, cursor }: StepPlace): Meaning {
  const inPixels = pixels(action, display);
  const modifiers = (action.modifiers ?? []).map(canonicalKey).toSorted().join('+');
  const target = action.target?.ref ?? '';
  const say = (rest: unknown, points: readonly Point[] = []): Meaning => ({
    points,
    rest: JSON.stringify([inPixels.type, modifiers, target, rest]),
  });
  switch (inPixels.type) {
    case 'drag': {
      const isFromCursor = inPixels.fromCursor === true || inPixels.xy.length === 1;
      return say('', isFromCursor ? [cursor, ...inPixels.xy] : inPixels.xy);
    }
    case 'scroll': {
      const [x, y] = scrollDistance(inPixels, { screen: display });
      return say([Math.round(x), Math.round(y), inPixels.document === true], [inPixels.startXy ?? cursor]);
    }
    // One provider cannot say how long.
    case 'wait':
      return say('');
    case 'keypress':
      return say([inPixels.keys.map(canonicalKey), inPixels.repeat ?? 1]);
    case 'zoom': {
      const [x0, y0, x1, y1] = inPixels.region;
      return say('', [
        [x0, y0],
        [x1, y1],
      ]);
    }
    default: {
      const {
        xy,
        modifiers: _modifiers,
        target: _target,
        callId: _callId,
        raw: _raw,
        batch: _batch,
        intent: _intent,
        safety: _safety,
        type: _type,
        ...rest
      } = inPixels as Action & { readonly xy?: Point | null };
      const isPointer = /click|mouse|^move$|long_press$/.test(inPixels.type);
      const hasPlace = isPointer && action.target === undefined;
      return say(sorted(rest), hasPlace ? [xy ?? cursor] : []);
    }
  }
}

function sorted(rest: object): unknown {
  return Object.entries(rest)
    .filter(([, value]) => value !== undefined && value !== null)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** A point that is none is compared as it is: it failed when it was recorded, and fails again. */
function pixels(action: Action, display: Size): Action {
  const frame = action.frame ?? { kind: 'image' as const, ...display };
  try {
    return mapPoints(action, (point) => toScreen(point, frame, display));
  } catch (error) {
    if (isWhetstoneError(error)) return action;
    throw error;
  }
}

function isNear(one: Point, other: Point): boolean {
  return Math.abs(one[0] - other[0]) <= nearness && Math.abs(one[1] - other[1]) <= nearness;
}
