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
  const { xy, clearFirst, pressEnter } = action;
  const rest = plain(action);
  // The end of a line is Enter, which some APIs ask for separately.
  const ends = /(?:\r\n|\r|\n)+$/.exec(action.text)?.[0] ?? '';
  const text = action.text.slice(0, action.text.length - ends.length);
  const enters = (ends.match(/\r\n|\r|\n/g)?.length ?? 0) + (pressEnter === true ? 1 : 0);
  return [
    ...(xy === undefined ? [] : [{ ...rest, type: 'left_mouse_click', xy } as const]),
    ...(clearFirst === true
      ? [
          { ...rest, type: 'keypress', keys: ['Control', 'a'] } as const,
          { ...rest, type: 'keypress', keys: ['Delete'] } as const,
        ]
      : []),
    ...(text === '' && enters > 0 ? [] : [{ ...rest, type: 'type', text } as const]),
    ...Array.from({ length: enters }, () => ({ ...rest, type: 'keypress', keys: ['Enter'] }) as const),
  ];
}

/** What an action carries apart from what it does. */
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
  const { width, height } = place.display;
  return (
    first.points.length === second.points.length &&
    first.points.every((point, index) => isNear(point, second.points[index]!, nearness)) &&
    // As near as thousandths of the screen can tell.
    isNear(first.distance ?? [0, 0], second.distance ?? [0, 0], Math.max(width, height) / 2000) &&
    first.rest === second.rest
  );
}

interface Meaning {
  /** Of a scroll. */
  readonly distance?: Point;
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
      const distance = scrollDistance(inPixels, { screen: display });
      return { ...say(inPixels.document === true, [inPixels.startXy ?? cursor]), distance };
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

function isNear(one: Point, other: Point, by: number): boolean {
  return Math.abs(one[0] - other[0]) <= by && Math.abs(one[1] - other[1]) <= by;
}
