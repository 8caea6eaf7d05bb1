import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Action, Direction, Point } from '../../base/message/action.ts';
import { readChord, readKeySequence } from '../../base/message/keys.ts';
import { omitUndefined, listOf, numberOf, textOf } from '../json-fields.ts';
import { memberFault } from './member-fault.ts';

/** A member of the computer toolset, or an `action` of the older tool: they share their names and fields. */
export function readMember(name: string, input: JsonObject): readonly Action[] {
  const fault = memberFault(name, input);
  if (fault !== undefined) return other(name, input, fault);
  const text = textOf(input['text']);
  const xy = pointOf(input['coordinate']);
  // On pointer actions `text` is what is held down (older demos call it `key`), never something to type.
  const held = text ?? textOf(input['key']);
  const modifiers = held === undefined || held === '' ? undefined : readChord(held);
  const duration = numberOf(input['duration']);
  switch (name) {
    case 'left_click':
    case 'right_click':
    case 'middle_click':
    case 'double_click':
    case 'triple_click':
      return [omitUndefined({ type: clicks[name], xy, modifiers })];
    case 'left_mouse_down':
    case 'left_mouse_up':
      // They have no place of their own; one that is given all the same is where it is meant.
      return [omitUndefined({ type: name, xy })];
    case 'mouse_move':
      return xy === undefined ? other(name, input) : [{ type: 'move', xy }];
    case 'left_click_drag': {
      const start = pointOf(input['start_coordinate']);
      if (xy === undefined) return other(name, input);
      return [
        omitUndefined({
          type: 'drag' as const,
          xy: start === undefined ? [xy] : [start, xy],
          fromCursor: start === undefined ? true : undefined,
          modifiers,
        }),
      ];
    }
    case 'key': {
      if (text === undefined || text === '') return other(name, input);
      const repeat = numberOf(input['repeat']);
      return readKeySequence(text).map((keys) => omitUndefined({ type: 'keypress' as const, keys, repeat }));
    }
    case 'hold_key':
      if (text === undefined || text === '') return other(name, input);
      return [{ type: 'keypress_hold', keys: readChord(text), duration: duration ?? 1 }];
    case 'type':
      return [{ type: 'type', text: text ?? '' }];
    case 'wait':
      return [omitUndefined({ type: 'wait' as const, duration })];
    case 'screenshot':
    case 'cursor_position':
      return [{ type: name }];
    case 'scroll':
      return [
        omitUndefined({
          type: 'scroll' as const,
          startXy: xy,
          direction: directionOf(input['scroll_direction']),
          magnitude: numberOf(input['scroll_amount']),
          unit: 'notch' as const,
          modifiers,
        }),
      ];
    case 'zoom': {
      const region = listOf(input['region']).filter((each) => typeof each === 'number');
      if (region.length !== 4) return other(name, input);
      return [{ type: 'zoom', region: region as unknown as [number, number, number, number] }];
    }
    default:
      return other(name, input);
  }
}

export const clicks = {
  left_click: 'left_mouse_click',
  right_click: 'right_click',
  middle_click: 'middle_click',
  double_click: 'left_mouse_double_click',
  triple_click: 'left_mouse_triple_click',
} as const;

export function other(name: string, args: JsonObject, problem?: string): readonly Action[] {
  return [omitUndefined({ type: 'other' as const, provider: 'anthropic', name, args, problem })];
}

/** `[x, y]`; omitted or null means where the cursor is. */
function pointOf(value: JsonValue | undefined): Point | undefined {
  const [x, y] = listOf(value);
  return typeof x === 'number' && typeof y === 'number' ? [x, y] : undefined;
}

export function directionOf(value: JsonValue | undefined): Direction | undefined {
  return value === 'up' || value === 'down' || value === 'left' || value === 'right' ? value : undefined;
}
