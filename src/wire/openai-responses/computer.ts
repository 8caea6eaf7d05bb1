import { show } from '../../base/host/show.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Action, OtherAction, Point, SafetyCheck } from '../../base/message/action.ts';
import { readKeys, writeKeys } from '../../base/message/keys.ts';
import { scrollDistance } from '../../base/message/scroll.ts';
import type { ToolBinding } from '../request/bind-tools.ts';
import type { ComputerSpeech } from '../request/computer-history.ts';
import { type FieldFault, numberFault, pairFault, said, textFault } from '../action-fields.ts';
import { omitUndefined, listOf, numberOf, objectOf, objectsOf, textOf } from '../json-fields.ts';

/** The actions of a `computer_call`: one in the preview, a batch since. */
export function readActions(item: JsonObject): readonly Action[] {
  const given = item['actions'] === undefined ? [objectOf(item['action'])] : objectsOf(item['actions']);
  const callId = textOf(item['call_id']);
  return given.map(
    (action, index) =>
      omitUndefined({
        ...readAction(action),
        callId,
        batch: given.length > 1 ? { index, of: given.length } : undefined,
        raw: action,
      }) as Action,
  );
}

/** What must be agreed to before the next request; live answers leave the field out. */
export function readSafetyChecks(item: JsonObject): readonly SafetyCheck[] {
  return objectsOf(item['pending_safety_checks']).map((check) =>
    omitUndefined({
      id: textOf(check['id']) ?? '',
      code: textOf(check['code']),
      message: textOf(check['message']),
    }),
  );
}

const clicks = {
  left: 'left_mouse_click',
  right: 'right_click',
  wheel: 'middle_click',
  back: 'back_click',
  forward: 'forward_click',
} as const;

function readAction(action: JsonObject): Action {
  const problem = actionFault(action);
  if (problem !== undefined) return { ...other(action), problem };
  const held = readHeld(action['keys']);
  const xy = pointOf(action);
  switch (action['type']) {
    case 'click': {
      const type = clicks[(textOf(action['button']) ?? 'left') as keyof typeof clicks];
      if (type !== undefined) return omitUndefined({ type, xy, modifiers: held });
      break;
    }
    case 'double_click':
      return omitUndefined({ type: 'left_mouse_double_click' as const, xy, modifiers: held });
    case 'drag':
      return omitUndefined({
        type: 'drag' as const,
        xy: objectsOf(action['path']).flatMap((each) =>
          [pointOf(each)].filter((point) => point !== undefined),
        ),
        modifiers: held,
      });
    case 'keypress': {
      const keys = listOf(action['keys']).filter((key) => typeof key === 'string');
      if (keys.length > 0) return { type: 'keypress', keys: readKeys(keys) };
      break;
    }
    case 'move':
      if (xy !== undefined) return omitUndefined({ type: 'move' as const, xy, modifiers: held });
      break;
    case 'screenshot':
      return { type: 'screenshot' };
    case 'scroll': {
      const distanceXy: Point = [numberOf(action['scroll_x']) ?? 0, numberOf(action['scroll_y']) ?? 0];
      return omitUndefined({ type: 'scroll' as const, startXy: xy, distanceXy, modifiers: held });
    }
    case 'type':
      return { type: 'type', text: textOf(action['text']) ?? '' };
    case 'wait':
      return { type: 'wait' };
  }
  return other(action);
}

function other(action: JsonObject): OtherAction {
  return { type: 'other', provider: 'openai', name: textOf(action['type']) ?? '', args: action };
}

/** Why an action whose type is known cannot be done. */
function actionFault(action: JsonObject): FieldFault {
  switch (action['type']) {
    case 'click': {
      const button = textOf(action['button']) ?? 'left';
      const known = Object.keys(clicks);
      if (!known.includes(button))
        return `"button" must be one of ${known.join(', ')}; it is ${show(button)}.`;
      return pairFault(action, 'x', 'y');
    }
    case 'double_click':
    case 'move':
      return pairFault(action, 'x', 'y');
    case 'scroll':
      return (
        pairFault(action, 'x', 'y', false) ??
        numberFault(action, 'scroll_x') ??
        numberFault(action, 'scroll_y')
      );
    case 'drag': {
      const path = listOf(action['path']);
      if (path.length === 0) return `"path" must be a list of points; it is ${said(action['path'])}.`;
      return path.map((point) => pairFault(objectOf(point), 'x', 'y')).find((fault) => fault !== undefined);
    }
    case 'keypress': {
      const keys = listOf(action['keys']);
      const isChord = keys.length > 0 && keys.every((key) => typeof key === 'string' && key !== '');
      return isChord ? undefined : `"keys" must be a list of keys; it is ${said(action['keys'])}.`;
    }
    case 'type':
      return textFault(action, 'text');
    default:
      return undefined;
  }
}

function pointOf(object: JsonObject): Point | undefined {
  const x = numberOf(object['x']);
  const y = numberOf(object['y']);
  return x === undefined || y === undefined ? undefined : [x, y];
}

/** `keys` on a pointer action are held meanwhile; it is null when there are none. */
function readHeld(keys: JsonValue | undefined): readonly string[] | undefined {
  const held = listOf(keys).filter((key) => typeof key === 'string');
  return held.length > 0 ? readKeys(held) : undefined;
}

/** The tool in preview takes one action a call; since then a call holds them all, and one screenshot answers it. */
export function computerSpeech({ tools }: ToolBinding): ComputerSpeech | undefined {
  const types = tools.map(({ spec }) => (spec.kind === 'hosted' ? spec.entry['type'] : undefined));
  const isPreview = types.includes('computer_use_preview');
  if (!isPreview && !types.includes('computer')) return undefined;
  return {
    batch: !isPreview,
    say: (action) =>
      writeAction(action)?.map((said) => ({
        name: 'computer',
        arguments: isPreview ? { action: said } : said,
      })),
  };
}

/** Actions as this API says them; what it has no word for is told in `lost`. */
export function writeActions(actions: readonly Action[]): {
  readonly actions: readonly JsonObject[];
  readonly lost: readonly string[];
} {
  const lost: string[] = [];
  const written = actions.flatMap((action): readonly JsonObject[] => {
    const said = writeAction(action);
    if (said === undefined) lost.push(action.type);
    return said ?? [];
  });
  return { actions: written, lost };
}

function writeAction(action: Action): readonly JsonObject[] | undefined {
  const keys = action.modifiers === undefined ? undefined : writeKeys(action.modifiers, 'openai');
  const held = keys === undefined ? {} : { keys };
  const at = 'xy' in action && action.xy && !Array.isArray(action.xy[0]) ? place(action.xy as Point) : {};
  switch (action.type) {
    case 'left_mouse_click':
      return [{ type: 'click', button: 'left', ...at, ...held }];
    case 'right_click':
      return [{ type: 'click', button: 'right', ...at, ...held }];
    case 'middle_click':
      return [{ type: 'click', button: 'wheel', ...at, ...held }];
    case 'back_click':
      return [{ type: 'click', button: 'back', ...at, ...held }];
    case 'forward_click':
      return [{ type: 'click', button: 'forward', ...at, ...held }];
    case 'left_mouse_double_click':
      return [{ type: 'double_click', ...at, ...held }];
    case 'left_mouse_triple_click':
      // There is no triple click: the third follows at once.
      return [
        { type: 'double_click', ...at, ...held },
        { type: 'click', button: 'left', ...at, ...held },
      ];
    case 'drag':
      return [{ type: 'drag', path: action.xy.map(place), ...held }];
    case 'keypress':
    case 'keypress_hold':
      return [{ type: 'keypress', keys: writeKeys(action.keys, 'openai') }];
    case 'move':
      return [{ type: 'move', ...place(action.xy), ...held }];
    case 'screenshot':
      return [{ type: 'screenshot' }];
    case 'scroll': {
      const [scroll_x, scroll_y] = scrollDistance(action, { screen: { width: 1000, height: 1000 } });
      const start = action.startXy ? place(action.startXy) : { x: 0, y: 0 };
      return [{ type: 'scroll', ...start, scroll_x, scroll_y, ...held }];
    }
    case 'type': {
      const enter = action.pressEnter === true ? [{ type: 'keypress', keys: ['ENTER'] }] : [];
      return [{ type: 'type', text: action.text }, ...enter];
    }
    case 'wait':
      return [{ type: 'wait' }];
    case 'other':
      return action.provider === 'openai' ? [action.args] : undefined;
    default:
      return undefined;
  }
}

function place([x, y]: Point): { readonly x: number; readonly y: number } {
  return { x, y };
}
