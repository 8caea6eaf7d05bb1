import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { Action, ActionType } from '../../base/message/action.ts';
import { readAction } from '../../base/message/read-message.ts';

const point = {
  type: 'array',
  items: { type: 'integer', minimum: 0 },
  minItems: 2,
  maxItems: 2,
};

/** What a field of a function for actions takes, whichever of them the action needs. */
const fields: Readonly<Record<string, JsonObject>> = {
  target: {
    type: 'object',
    description: 'an element in place of a point',
    properties: {
      ref: { type: 'string', description: 'as the page was read: "e3", or: button "Send"' },
    },
    required: ['ref'],
  },
  value: {
    type: ['string', 'boolean', 'number'],
    description: 'element_set_value: a text, the option of a list, whether a box is ticked',
  },
  text: { type: 'string', maxLength: 2000, description: 'type: what is typed, where the focus is' },
  clearFirst: { type: 'boolean' },
  pressEnter: { type: 'boolean' },
  keys: {
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    maxItems: 4,
    description: 'keypress: one chord, such as ["Control", "a"]',
  },
  xy: {
    anyOf: [point, { type: 'array', items: point, minItems: 1, maxItems: 20 }],
    description: 'pixels of the screen as it is shown; for a drag the points of its path',
  },
  direction: { type: 'string', enum: ['up', 'down', 'left', 'right'] },
  magnitude: { type: 'number', minimum: 0, maximum: 100, description: 'scroll: clicks of the wheel' },
  query: { type: 'string', maxLength: 200, description: 'element_find: words of the element' },
  duration: { type: 'number', minimum: 0, maximum: 3, description: 'wait: seconds' },
  history: { type: 'string', enum: ['back', 'forward', 'reload'], description: 'navigate' },
};

/** One action as the input of a function: of these types, with what they need. */
export function actionInput(types: readonly ActionType[], more: JsonObject = {}): JsonObject {
  return {
    type: 'object',
    properties: {
      type: { type: 'string', enum: [...types], description: 'what is to be done' },
      ...fields,
      ...more,
    },
    required: ['type'],
    additionalProperties: false,
  };
}

/** The action that such an input means; throws where it is none. */
export function readActionInput(input: JsonValue): Action {
  const { xy, magnitude, ...rest } = isJsonObject(input) ? input : {};
  if (rest['type'] !== 'scroll') return readAction({ ...rest, ...(xy !== undefined && { xy }) });
  const startXy = xy === undefined ? {} : { startXy: xy };
  return readAction({ ...rest, ...startXy, magnitude: magnitude ?? 3, unit: 'notch' });
}
