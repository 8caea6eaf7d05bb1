import { show } from '../../base/host/show.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Action, Point } from '../../base/message/action.ts';
import { readChord } from '../../base/message/keys.ts';
import { omitUndefined, listOf, numberOf, objectOf, textOf } from '../json-fields.ts';
import { directionFault, amountFault, said, textFault } from '../action-fields.ts';
import { clicks, directionOf, other, readMember } from './read-member.ts';

/** A member of the browser toolset: targets may be elements, and there are pages and tabs. */
export function readBrowserMember(name: string, input: JsonObject): readonly Action[] {
  const fault = targetFault(input['target'], 'target') ?? targetFault(input['from'], 'from');
  if (fault !== undefined) return other(name, input, fault);
  const at = targetOf(input['target']);
  const modifiers = modifiersOf(input['modifiers']);
  const tab = textOf(input['tab_id']) ?? numberOf(input['tab_id']);
  const ref = at.target;
  const text = textOf(input['text']);
  const missing = missingFault(name, input);
  if (missing !== undefined) return other(name, input, missing);
  switch (name) {
    case 'left_click':
    case 'right_click':
    case 'middle_click':
    case 'double_click':
    case 'triple_click':
      return [omitUndefined({ type: clicks[name], ...at, modifiers })];
    case 'left_mouse_down':
    case 'left_mouse_up':
      return [omitUndefined({ type: name, ...at })];
    case 'hover':
    case 'mouse_move':
      // With a reference in its place there is no point to give.
      if (at.xy === undefined && ref === undefined)
        return other(name, input, '"target" must be a coordinate or a ref; there is none.');
      return [omitUndefined({ type: 'move' as const, xy: at.xy, target: ref, modifiers }) as Action];
    case 'left_click_drag': {
      const from = targetOf(input['from']);
      if (from.xy === undefined || at.xy === undefined)
        return other(name, input, '"from" and "target" must both be coordinates: a drag has no refs.');
      return [omitUndefined({ type: 'drag' as const, xy: [from.xy, at.xy], modifiers })];
    }
    case 'scroll': {
      const wrong = directionFault(input, 'scroll_direction') ?? amountFault(input, 'scroll_amount');
      if (wrong !== undefined) return other(name, input, wrong);
      return [
        omitUndefined({
          type: 'scroll' as const,
          startXy: at.xy,
          target: ref,
          direction: directionOf(input['scroll_direction']),
          magnitude: numberOf(input['scroll_amount']) ?? 3,
          unit: 'notch' as const,
        }),
      ];
    }
    case 'navigate': {
      const word =
        textOf(input['url']) ?? (['back', 'forward', 'reload'] as const).find((each) => input[each] === true);
      if (word === undefined) return other(name, input, '"url" must be an address; there is none.');
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
      return [omitUndefined({ type: 'tab_close' as const, tab })];
    case 'read_page':
      return [
        omitUndefined({
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
        ? other(name, input, '"target" must be a ref; there is none.')
        : [{ type: 'element_set_value', target: ref, value: input['value'] ?? null }];
    case 'file_upload':
      return ref === undefined
        ? other(name, input, '"target" must be a ref; there is none.')
        : [
            omitUndefined({
              type: 'element_upload' as const,
              target: ref,
              paths: input['paths'] as readonly string[] | undefined,
              documentIds: input['document_ids'] as readonly string[] | undefined,
            }),
          ];
    case 'scroll_to':
      return ref === undefined
        ? other(name, input, '"target" must be a ref; there is none.')
        : [{ type: 'element_scroll_to', target: ref }];
    case 'javascript_exec':
      return [{ type: 'run_script', script: text ?? '' }];
    default:
      return readMember(name, input);
  }
}

/** What these members cannot do without. */
function missingFault(name: string, input: JsonObject): string | undefined {
  if (name === 'find') return textFault(input, 'query', true);
  if (name === 'javascript_exec') return textFault(input, 'text', true);
  if (name !== 'switch_tab') return undefined;
  const { tab_id: tab } = input;
  return typeof tab === 'string' || typeof tab === 'number'
    ? undefined
    : `"tab_id" must be the number of a tab; it is ${said(tab)}.`;
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

/** A target is a coordinate or a ref, whole; anything else is no place at all. */
function targetFault(value: JsonValue | undefined, field: string): string | undefined {
  if (value === undefined || value === null || typeof value === 'string') return undefined;
  const { x, y, ref } = objectOf(value);
  if (textOf(ref) !== undefined || (typeof x === 'number' && typeof y === 'number')) return undefined;
  return `"${field}" must be {"type":"coordinate","x":…,"y":…} or {"type":"ref","ref":…}; it is ${show(value)}.`;
}

function refOf(value: JsonValue | undefined): { readonly ref: string } | undefined {
  const ref = textOf(value);
  return ref === undefined ? undefined : { ref };
}

function modifiersOf(value: JsonValue | undefined): readonly string[] | undefined {
  const text = Array.isArray(value) ? listOf(value).join('+') : textOf(value);
  return text === undefined || text === '' ? undefined : readChord(text);
}
