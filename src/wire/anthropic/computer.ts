import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Action, Direction, Point } from '../../base/message/action.ts';
import type { Call } from '../../base/message/call.ts';
import { readArguments } from '../../base/message/arguments.ts';
import { readChord, readKeySequence, writeChord } from '../../base/message/keys.ts';
import { convertScroll, scrollAmounts } from '../../base/message/scroll.ts';
import type { ToolBinding } from '../request/bind-tools.ts';
import type { ComputerSpeech } from '../request/computer-history.ts';
import { filled, listOf, numberOf, objectOf, textOf } from '../json-fields.ts';

/** Which computer tool a call belongs to: a toolset says so itself, the older tool is one named `computer`. */
export function readComputerCall(call: Call, isComputer: (name: string) => boolean): Call {
  const toolset = textOf(call.providerData?.['anthropic']?.['toolset_name']);
  const reading = call.invalid === undefined ? readArguments(call) : undefined;
  if (reading?.ok !== true) return call;
  const { value: input } = reading;
  const older = toolset === undefined && typeof input['action'] === 'string' && isComputer(call.name);
  if (toolset !== 'computer' && toolset !== 'browser' && !older) return call;
  const name = older ? String(input['action']) : call.name;
  const read = toolset === 'browser' ? readBrowserMember(name, input) : readMember(name, input);
  const actions = read.map(
    (action, index): Action =>
      filled({
        ...action,
        callId: call.id,
        tab: textOf(input['tab_id']) ?? numberOf(input['tab_id']) ?? action.tab,
        batch: read.length > 1 ? { index, of: read.length } : undefined,
        raw: input,
      }) as Action,
  );
  return { ...call, kind: 'computer', actions };
}

const clicks = {
  left_click: 'left_mouse_click',
  right_click: 'right_click',
  middle_click: 'middle_click',
  double_click: 'left_mouse_double_click',
  triple_click: 'left_mouse_triple_click',
} as const;

/** A member of the computer toolset, or an `action` of the older tool: they share their names and fields. */
function readMember(name: string, input: JsonObject): readonly Action[] {
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
      return [filled({ type: clicks[name], xy, modifiers })];
    case 'left_mouse_down':
    case 'left_mouse_up':
      return [{ type: name }];
    case 'mouse_move':
      return xy === undefined ? other(name, input) : [{ type: 'move', xy }];
    case 'left_click_drag': {
      const start = pointOf(input['start_coordinate']);
      if (xy === undefined) return other(name, input);
      return [
        filled({
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
      return readKeySequence(text).map((keys) => filled({ type: 'keypress' as const, keys, repeat }));
    }
    case 'hold_key':
      if (text === undefined || text === '') return other(name, input);
      return [{ type: 'keypress_hold', keys: readChord(text), duration: duration ?? 1 }];
    case 'type':
      return [{ type: 'type', text: text ?? '' }];
    case 'wait':
      return [filled({ type: 'wait' as const, duration })];
    case 'screenshot':
    case 'cursor_position':
      return [{ type: name }];
    case 'scroll':
      return [
        filled({
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

/** A member of the browser toolset: targets may be elements, and there are pages and tabs. */
function readBrowserMember(name: string, input: JsonObject): readonly Action[] {
  const at = targetOf(input['target']);
  const modifiers = modifiersOf(input['modifiers']);
  const tab = textOf(input['tab_id']) ?? numberOf(input['tab_id']);
  const ref = at.target;
  const text = textOf(input['text']);
  switch (name) {
    case 'left_click':
    case 'right_click':
    case 'middle_click':
    case 'double_click':
    case 'triple_click':
      return [filled({ type: clicks[name], ...at, modifiers })];
    case 'left_mouse_down':
    case 'left_mouse_up':
      return [filled({ type: name, ...at })];
    case 'hover':
    case 'mouse_move':
      return at.xy === undefined
        ? other(name, input)
        : [filled({ type: 'move' as const, xy: at.xy, modifiers })];
    case 'left_click_drag': {
      const from = targetOf(input['from']);
      if (from.xy === undefined || at.xy === undefined) return other(name, input);
      return [filled({ type: 'drag' as const, xy: [from.xy, at.xy], modifiers })];
    }
    case 'scroll':
      return [
        filled({
          type: 'scroll' as const,
          startXy: at.xy,
          target: ref,
          direction: directionOf(input['scroll_direction']),
          magnitude: numberOf(input['scroll_amount']) ?? 3,
          unit: 'notch' as const,
        }),
      ];
    case 'navigate': {
      const word =
        textOf(input['url']) ?? (['back', 'forward', 'reload'] as const).find((each) => input[each] === true);
      if (word === undefined) return other(name, input);
      if (word === 'back' || word === 'forward' || word === 'reload')
        return [{ type: 'navigate', history: word }];
      return [{ type: 'navigate', url: word }];
    }
    case 'list_tabs':
      return [{ type: 'tab_list' }];
    case 'new_tab':
      return [{ type: 'tab_new' }];
    case 'switch_tab':
      return tab === undefined ? other(name, input) : [{ type: 'tab_switch', tab }];
    case 'close_tab':
      return [filled({ type: 'tab_close' as const, tab })];
    case 'read_page':
      return [
        filled({
          type: 'element_read' as const,
          filter: textOf(input['filter']),
          depth: numberOf(input['depth']),
          target: refOf(input['ref']),
        }),
      ];
    case 'get_page_text':
      return [{ type: 'page_text' }];
    case 'read_console':
      return [{ type: 'page_console' }];
    case 'read_network':
      return [{ type: 'page_network' }];
    case 'find':
      return [{ type: 'element_find', query: textOf(input['query']) ?? '' }];
    case 'form_input':
      return ref === undefined
        ? other(name, input)
        : [{ type: 'element_set_value', target: ref, value: input['value'] ?? null }];
    case 'file_upload':
      return ref === undefined
        ? other(name, input)
        : [
            filled({
              type: 'element_upload' as const,
              target: ref,
              paths: input['paths'] as readonly string[] | undefined,
              documentIds: input['document_ids'] as readonly string[] | undefined,
            }),
          ];
    case 'scroll_to':
      return ref === undefined ? other(name, input) : [{ type: 'element_scroll_to', target: ref }];
    case 'javascript_exec':
      return [{ type: 'run_script', script: text ?? '' }];
    default:
      return readMember(name, input);
  }
}

function other(name: string, args: JsonObject): readonly Action[] {
  return [{ type: 'other', provider: 'anthropic', name, args }];
}

/** `[x, y]`; omitted or null means where the cursor is. */
function pointOf(value: JsonValue | undefined): Point | undefined {
  const [x, y] = listOf(value);
  return typeof x === 'number' && typeof y === 'number' ? [x, y] : undefined;
}

function targetOf(value: JsonValue | undefined): {
  readonly xy?: Point;
  readonly target?: { readonly ref: string };
} {
  const target = objectOf(value);
  const x = numberOf(target['x']);
  const y = numberOf(target['y']);
  if (x !== undefined && y !== undefined) return { xy: [x, y] };
  const ref = refOf(target['ref'] ?? value);
  return ref === undefined ? {} : { target: ref };
}

function refOf(value: JsonValue | undefined): { readonly ref: string } | undefined {
  const ref = textOf(value);
  return ref === undefined ? undefined : { ref };
}

function modifiersOf(value: JsonValue | undefined): readonly string[] | undefined {
  const text = Array.isArray(value) ? listOf(value).join('+') : textOf(value);
  return text === undefined || text === '' ? undefined : readChord(text);
}

function directionOf(value: JsonValue | undefined): Direction | undefined {
  return value === 'up' || value === 'down' || value === 'left' || value === 'right' ? value : undefined;
}

/** A toolset has a call for each member; the older tool, and a past without any, one of the name `computer`. */
export function computerSpeech({ tools }: ToolBinding): ComputerSpeech {
  const hosted = tools.flatMap(({ spec }) => (spec.kind === 'hosted' ? [spec] : []));
  if (hosted.some(({ entry }) => String(entry['type']).startsWith('computer_toolset_'))) {
    const providerData = { anthropic: { toolset_name: 'computer' } };
    return {
      batch: false,
      say: (action) =>
        writeMembers(action)?.map(({ name, input }) => ({ name, arguments: input, providerData })),
    };
  }
  const older = hosted.find(({ entry }) => /^computer_\d/.test(String(entry['type'])));
  return {
    batch: false,
    say: (action) =>
      writeMembers(action)?.map((member) => ({
        name: older?.name ?? 'computer',
        arguments: { action: member.name, ...member.input },
      })),
  };
}

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
    input: filled(input) as JsonObject,
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
