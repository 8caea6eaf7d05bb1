import type { JsonObject } from '../../base/json/value.ts';
import {
  directionFault,
  type FieldFault,
  amountFault,
  optionalTextFault,
  pointFault,
  said,
  textFault,
} from '../action-fields.ts';
import { listOf } from '../json-fields.ts';

/** What makes a member of the computer toolset one that cannot be done, where its name is known. */
export function memberFault(name: string, input: JsonObject): FieldFault {
  const at = pointFault(input, 'coordinate');
  switch (name) {
    case 'left_click':
    case 'right_click':
    case 'middle_click':
    case 'double_click':
    case 'triple_click':
      return at ?? optionalTextFault(input, 'text');
    case 'left_mouse_down':
    case 'left_mouse_up':
      return at;
    case 'mouse_move':
      return pointFault(input, 'coordinate', true);
    case 'left_click_drag':
      return (
        pointFault(input, 'coordinate', true) ??
        pointFault(input, 'start_coordinate') ??
        optionalTextFault(input, 'text')
      );
    case 'key':
      return textFault(input, 'text', true) ?? amountFault(input, 'repeat');
    case 'hold_key':
      return textFault(input, 'text', true) ?? amountFault(input, 'duration');
    case 'type':
      return textFault(input, 'text');
    case 'wait':
      return amountFault(input, 'duration');
    case 'scroll':
      return (
        at ??
        directionFault(input, 'scroll_direction') ??
        amountFault(input, 'scroll_amount') ??
        optionalTextFault(input, 'text')
      );
    case 'zoom': {
      const { region } = input;
      const isRegion =
        listOf(region).length === 4 && listOf(region).every((each) => typeof each === 'number');
      return isRegion ? undefined : `"region" must be four numbers, [x0, y0, x1, y1]; it is ${said(region)}.`;
    }
    default:
      return undefined;
  }
}
