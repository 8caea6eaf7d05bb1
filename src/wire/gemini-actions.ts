import type { JsonObject } from '../base/json/value.ts';
import type { Action, Direction, Point, SafetyCheck } from '../base/message/action.ts';
import { readArguments } from '../base/message/arguments.ts';
import type { Call } from '../base/message/call.ts';
import { thousandGrid } from '../base/message/frame.ts';
import { readChord, readKeys, writeChord, writeKeys } from '../base/message/keys.ts';
import type { ToolSpec } from '../base/message/model.ts';
import type { Result } from '../base/message/result.ts';
import { convertScroll, scrollAmounts } from '../base/message/scroll.ts';
import type { ComputerSpeech } from './request/computer-history.ts';
import { directionFault, type FieldFault, amountFault, pairFault, said, textFault } from './action-fields.ts';
import { omitUndefined, listOf, numberOf, objectOf, restOf, textOf } from './json-fields.ts';

/** The functions of Google's computer tool come under plain names: they are its own where it was sent along. */
export function actionTest(tools: readonly ToolSpec[] = []): (name: string) => boolean {
  const isSent = tools.some(
    (tool) =>
      tool.kind === 'hosted' && ('computerUse' in tool.entry || tool.entry['type'] === 'computer_use'),
  );
  return (name) => isSent && !tools.some((tool) => tool.name === name);
}

/** A function of the computer use tool as the actions it means: names of both generations, points on a grid of 1000. */
export function readComputerCall(call: Call): Call {
  const reading = call.invalid === undefined ? readArguments(call) : undefined;
  if (reading?.ok !== true) return call;
  const args = restOf(reading.value, ['safety_decision']) ?? {};
  const action = readFunction(call.name, args);
  const safety = readSafety(call.id, objectOf(reading.value['safety_decision']));
  const intent = textOf(args['intent']);
  return omitUndefined({
    ...call,
    kind: 'computer' as const,
    actions: [
      omitUndefined({
        ...action,
        callId: call.id,
        frame: thousandGrid,
        intent,
        safety,
        raw: reading.value,
      }) as Action,
    ],
    safetyChecks: safety === undefined ? undefined : [safety],
  });
}

/** The API gives a decision no id: it belongs to its call. */
function readSafety(callId: string, decision: JsonObject): SafetyCheck | undefined {
  const code = textOf(decision['decision']);
  if (code === undefined || code === 'regular') return undefined;
  return omitUndefined({ id: callId, code, message: textOf(decision['explanation']) });
}

function readFunction(name: string, args: JsonObject): Action {
  const problem = functionFault(name, args);
  if (problem !== undefined) return { type: 'other', provider: 'gemini', name, args, problem };
  const xy = pointOf(args['x'], args['y']);
  const text = textOf(args['text']);
  switch (name) {
    case 'click':
    case 'click_at':
      return omitUndefined({ type: 'left_mouse_click' as const, xy });
    case 'double_click':
      return omitUndefined({ type: 'left_mouse_double_click' as const, xy });
    case 'triple_click':
      return omitUndefined({ type: 'left_mouse_triple_click' as const, xy });
    case 'middle_click':
    case 'right_click':
      return omitUndefined({ type: name, xy });
    case 'mouse_down':
      return omitUndefined({ type: 'left_mouse_down' as const, xy });
    case 'mouse_up':
      return omitUndefined({ type: 'left_mouse_up' as const, xy });
    case 'move':
    case 'move_to':
    case 'hover_at':
      if (xy !== undefined) return { type: 'move', xy };
      break;
    case 'type':
      return omitUndefined({
        type: 'type' as const,
        text: text ?? '',
        pressEnter: args['press_enter'] === true ? true : undefined,
      });
    case 'type_text_at':
      // Without a word about them the older function clears the field and presses Enter.
      return omitUndefined({
        type: 'type' as const,
        text: text ?? '',
        xy,
        clearFirst: args['clear_before_typing'] !== false,
        pressEnter: args['press_enter'] !== false,
      });
    case 'drag_and_drop': {
      const from = pointOf(args['start_x'] ?? args['x'], args['start_y'] ?? args['y']);
      const to = pointOf(args['end_x'] ?? args['destination_x'], args['end_y'] ?? args['destination_y']);
      if (from !== undefined && to !== undefined) return { type: 'drag', xy: [from, to] };
      break;
    }
    case 'wait':
      return { type: 'wait', duration: numberOf(args['seconds']) ?? 1 };
    case 'wait_5_seconds':
      return { type: 'wait', duration: 5 };
    case 'press_key':
      if (textOf(args['key'])) return { type: 'keypress', keys: readChord(textOf(args['key'])!) };
      break;
    case 'key_down':
    case 'key_up':
      if (textOf(args['key'])) return { type: name, key: readChord(textOf(args['key'])!)[0]! };
      break;
    case 'hotkey':
    case 'key_combination': {
      const keys = listOf(args['keys']).filter((key) => typeof key === 'string');
      const chord = textOf(args['keys']);
      if (keys.length > 0) return { type: 'keypress', keys: readKeys(keys) };
      if (chord) return { type: 'keypress', keys: readChord(chord) };
      break;
    }
    case 'take_screenshot':
      return { type: 'screenshot' };
    case 'open_web_browser':
      return { type: 'open_browser' };
    case 'scroll':
    case 'scroll_at':
    case 'scroll_document':
      return readScroll(name, args, xy);
    case 'go_back':
      return { type: 'navigate', history: 'back' };
    case 'go_forward':
      return { type: 'navigate', history: 'forward' };
    case 'navigate':
      return { type: 'navigate', url: textOf(args['url']) ?? '' };
    case 'search':
      return omitUndefined({ type: 'search' as const, query: textOf(args['query']) });
    case 'open_app':
      return { type: 'open_app', name: textOf(args['app_name']) ?? '' };
    case 'list_apps':
      return { type: 'list_apps' };
    case 'long_press':
      return omitUndefined({ type: 'long_press' as const, xy, duration: numberOf(args['seconds']) ?? 2 });
  }
  return { type: 'other', provider: 'gemini', name, args };
}

/** Why a function whose name is known cannot be done. */
function functionFault(name: string, args: JsonObject): FieldFault {
  switch (name) {
    case 'click':
    case 'click_at':
    case 'double_click':
    case 'triple_click':
    case 'middle_click':
    case 'right_click':
    case 'mouse_down':
    case 'mouse_up':
    case 'move':
    case 'move_to':
    case 'hover_at':
      return pairFault(args, 'x', 'y');
    case 'type_text_at':
      return pairFault(args, 'x', 'y') ?? textFault(args, 'text');
    case 'type':
      return textFault(args, 'text');
    case 'drag_and_drop': {
      const from = 'start_x' in args || 'start_y' in args ? ['start_x', 'start_y'] : ['x', 'y'];
      const to = 'end_x' in args || 'end_y' in args ? ['end_x', 'end_y'] : ['destination_x', 'destination_y'];
      return pairFault(args, from[0]!, from[1]!) ?? pairFault(args, to[0]!, to[1]!);
    }
    case 'wait':
      return amountFault(args, 'seconds');
    case 'long_press':
      return pairFault(args, 'x', 'y') ?? amountFault(args, 'seconds');
    case 'press_key':
    case 'key_down':
    case 'key_up':
      return textFault(args, 'key', true);
    case 'hotkey':
    case 'key_combination': {
      const { keys } = args;
      const list = Array.isArray(keys) ? keys : [keys];
      const isChord = list.length > 0 && list.every((key: unknown) => typeof key === 'string' && key !== '');
      return isChord ? undefined : `"keys" must be keys, as a list or as "Control+A"; it is ${said(keys)}.`;
    }
    case 'scroll':
    case 'scroll_at':
    case 'scroll_document':
      return (
        pairFault(args, 'x', 'y', false) ??
        directionFault(args, 'direction') ??
        amountFault(args, 'magnitude_in_pixels') ??
        amountFault(args, 'magnitude_in_wheel_clicks') ??
        amountFault(args, 'magnitude')
      );
    case 'navigate':
      return textFault(args, 'url', true);
    default:
      return undefined;
  }
}

/** Three units are in use; the argument's name says which. */
function readScroll(name: string, args: JsonObject, xy: Point | undefined): Action {
  const direction = textOf(args['direction']) as Direction | undefined;
  const pixels = numberOf(args['magnitude_in_pixels']);
  const notches = numberOf(args['magnitude_in_wheel_clicks']);
  const thousandths = numberOf(args['magnitude']);
  const [magnitude, unit] =
    pixels !== undefined
      ? ([pixels, 'px'] as const)
      : notches !== undefined
        ? ([notches, 'notch'] as const)
        : thousandths !== undefined
          ? ([thousandths, 'norm1000'] as const)
          : name === 'scroll'
            ? ([300, 'px'] as const)
            : ([800, 'norm1000'] as const);
  const isDocument = name === 'scroll_document' ? true : undefined;
  return omitUndefined({
    type: 'scroll' as const,
    startXy: xy,
    direction,
    magnitude,
    unit,
    document: isDocument,
  });
}

/** Numbers of the grid; (0, 0) is a point like any other. */
function pointOf(x: unknown, y: unknown): Point | undefined {
  return typeof x === 'number' && typeof y === 'number' ? [x, y] : undefined;
}

/** Each action is a call of the function of its name. */
export const computerSpeech: ComputerSpeech = {
  frame: thousandGrid,
  batch: false,
  say: (action) =>
    writeFunctions(action)?.map(({ name, args }) => ({
      name,
      arguments: action.intent === undefined ? args : { ...args, intent: action.intent },
    })),
};

export interface FunctionUse {
  readonly name: string;
  readonly args: JsonObject;
}

/** An action as functions of Gemini 3.5 and later, its points on the grid already; undefined where it has no word. */
export function writeFunctions(action: Action): readonly FunctionUse[] | undefined {
  const use = (name: string, args: JsonObject = {}): readonly FunctionUse[] => [{ name, args }];
  const at = 'xy' in action && isPoint(action.xy) ? { x: action.xy[0], y: action.xy[1] } : {};
  switch (action.type) {
    case 'left_mouse_click':
      return use('click', at);
    case 'left_mouse_double_click':
      return use('double_click', at);
    case 'left_mouse_triple_click':
      return use('triple_click', at);
    case 'middle_click':
    case 'right_click':
      return use(action.type, at);
    case 'left_mouse_down':
      return use('mouse_down', at);
    case 'left_mouse_up':
      return use('mouse_up', at);
    case 'move':
      return use('move', at);
    case 'back_click':
      return use('go_back');
    case 'forward_click':
      return use('go_forward');
    case 'drag': {
      const start = action.xy[0];
      const end = action.xy.at(-1);
      if (start === undefined || end === undefined || action.xy.length < 2) return undefined;
      if (action.xy.length === 2)
        return use('drag_and_drop', { start_x: start[0], start_y: start[1], end_x: end[0], end_y: end[1] });
      const moves = action.xy.slice(1).flatMap(([x, y]) => use('move', { x, y }));
      return [
        ...use('mouse_down', { x: start[0], y: start[1] }),
        ...moves,
        ...use('mouse_up', { x: end[0], y: end[1] }),
      ];
    }
    case 'keypress': {
      const keys = writeKeys(action.keys, 'gemini');
      const once = keys.length === 1 ? use('press_key', { key: keys[0]! }) : use('hotkey', { keys });
      return Array.from({ length: action.repeat ?? 1 }, () => once).flat();
    }
    case 'keypress_hold': {
      const keys = writeKeys(action.keys, 'gemini');
      return [
        ...keys.flatMap((key) => use('key_down', { key })),
        ...use('wait', { seconds: Math.max(1, Math.round(action.duration)) }),
        ...keys.toReversed().flatMap((key) => use('key_up', { key })),
      ];
    }
    case 'key_down':
    case 'key_up':
      return use(action.type, { key: writeChord([action.key], 'gemini') });
    case 'screenshot':
      return use('take_screenshot');
    case 'scroll': {
      const [x, y] = action.startXy ?? [500, 500];
      return scrollAmounts(action).flatMap((amount) => {
        const pixels = convertScroll(amount, 'px', { screen: { width: 1000, height: 1000 } });
        return use('scroll', {
          x,
          y,
          direction: pixels.direction,
          magnitude_in_pixels: Math.round(pixels.amount),
        });
      });
    }
    case 'type':
      return [
        ...('x' in at ? use('click', at) : []),
        ...(action.clearFirst === true
          ? [...use('hotkey', { keys: ['control', 'a'] }), ...use('press_key', { key: 'delete' })]
          : []),
        ...use('type', { text: action.text, press_enter: action.pressEnter === true }),
      ];
    case 'wait':
      return use('wait', { seconds: Math.max(1, Math.round(action.duration ?? 1)) });
    case 'navigate':
      if (action.url !== undefined) return use('navigate', { url: action.url });
      return action.history === 'reload'
        ? undefined
        : use(action.history === 'forward' ? 'go_forward' : 'go_back');
    case 'open_app':
      return use('open_app', { app_name: action.name });
    case 'list_apps':
      return use('list_apps');
    case 'long_press':
      return use('long_press', { ...at, seconds: action.duration ?? 2 });
    case 'other':
      return action.provider === 'gemini' ? use(action.name, action.args) : undefined;
    default:
      return undefined;
  }
}

function isPoint(value: unknown): value is Point {
  return Array.isArray(value) && typeof value[0] === 'number';
}

/** What both APIs want to know after an action: the page's address, and whether a person agreed where they asked. */
export function afterAction(result: Result): { readonly url: string; readonly agreed: boolean } {
  const url = objectOf(result.artifact)['url'];
  return {
    url: typeof url === 'string' ? url : 'about:blank',
    agreed: (result.acknowledgedSafetyChecks ?? []).length > 0,
  };
}
