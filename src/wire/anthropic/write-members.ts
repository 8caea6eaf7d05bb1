import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Action, Point } from '../../base/message/action.ts';
import { writeChord } from '../../base/message/keys.ts';
import { convertScroll, scrollAmounts } from '../../base/message/scroll.ts';
import { omitUndefined } from '../json-fields.ts';

/** One member call: of a toolset by its name, of the older tool as `{action: name, …input}`. */
export interface MemberCall {
  readonly name: string;
  readonly input: JsonObject;
}

/** An action as members of the computer toolset, in order; undefined where there is no way to say it. */
export function writeMembers(action: Action): readonly MemberCall[] | undefined {
  const text = action.modifiers === undefined ? undefined : writeChord(action.modifiers, 'xdotool');
  const coordinate = 'xy' in action && isPoint(action.xy) ? (action.xy as unknown as JsonValue) : undefined;
  const member = (name: string, input: Readonly<Record<string, JsonValue | undefined>> = {}): MemberCall => ({
    name,
    input: omitUndefined(input) as JsonObject,
  });
  switch (action.type) {
    case 'left_mouse_click':
      return [member('left_click', { coordinate, text })];
    case 'right_click':
    case 'middle_click':
      return [member(action.type, { coordinate, text })];
    case 'left_mouse_double_click':
      return [member('double_click', { coordinate, text })];
    case 'left_mouse_triple_click':
      return [member('triple_click', { coordinate, text })];
    case 'left_mouse_down':
    case 'left_mouse_up':
      // They act at the cursor.
      return [
        ...(coordinate === undefined ? [] : [member('mouse_move', { coordinate })]),
        member(action.type),
      ];
    case 'back_click':
      return [member('key', { text: 'alt+Left' })];
    case 'forward_click':
      return [member('key', { text: 'alt+Right' })];
    case 'drag':
      return writeDrag(action.xy, text, member);
    case 'keypress':
      return [member('key', { text: writeChord(action.keys, 'xdotool'), repeat: action.repeat })];
    case 'keypress_hold':
      return [member('hold_key', { text: writeChord(action.keys, 'xdotool'), duration: action.duration })];
    case 'move':
      return [member('mouse_move', { coordinate })];
    case 'screenshot':
    case 'cursor_position':
      return [member(action.type)];
    case 'scroll':
      return scrollAmounts(action).map((amount) => {
        const notches = convertScroll(amount, 'notch', { screen: { width: 1000, height: 1000 } });
        return member('scroll', {
          scroll_direction: notches.direction,
          scroll_amount: Math.round(notches.amount),
          coordinate: (action.startXy ?? undefined) as JsonValue | undefined,
          text,
        });
      });
    case 'type':
      return [
        ...(coordinate === undefined ? [] : [member('left_click', { coordinate })]),
        ...(action.clearFirst === true
          ? [member('key', { text: 'ctrl+a' }), member('key', { text: 'Delete' })]
          : []),
        member('type', { text: action.text }),
        ...(action.pressEnter === true ? [member('key', { text: 'Return' })] : []),
      ];
    case 'wait':
      return [member('wait', { duration: action.duration ?? 1 })];
    case 'zoom':
      return [member('zoom', { region: action.region })];
    case 'other':
      return action.provider === 'anthropic' ? [{ name: action.name, input: action.args }] : undefined;
    default:
      return undefined;
  }
}

function writeDrag(
  path: readonly Point[],
  text: string | undefined,
  member: (name: string, input?: Readonly<Record<string, JsonValue | undefined>>) => MemberCall,
): readonly MemberCall[] | undefined {
  const [start, ...rest] = path;
  const end = rest.at(-1);
  if (start === undefined) return undefined;
  if (end === undefined) return [member('left_click_drag', { coordinate: start, text })];
  if (rest.length === 1)
    return [member('left_click_drag', { start_coordinate: start, coordinate: end, text })];
  // A longer path is walked with the button down.
  return [
    member('mouse_move', { coordinate: start }),
    member('left_mouse_down'),
    ...rest.map((coordinate) => member('mouse_move', { coordinate })),
    member('left_mouse_up'),
  ];
}

function isPoint(value: unknown): value is Point {
  return Array.isArray(value) && typeof value[0] === 'number';
}
