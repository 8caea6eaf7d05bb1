import type { JsonObject } from '../json/value.ts';
import type { ActionType } from './action.ts';

const text = { type: 'string' };
const orNull = (schema: JsonObject): JsonObject => ({ ...schema, type: [schema['type'] as string, 'null'] });
const number = { type: 'number' };
const count = { type: 'integer', minimum: 0 };
const flag = { type: 'boolean' };
const texts = { type: 'array', items: text };
const point = { type: 'array', items: number, minItems: 2, maxItems: 2 };
const pointOrNull = { anyOf: [point, { type: 'null' }] };
const target = { type: 'object', properties: { ref: text }, required: ['ref'] };
const tab: JsonObject = { type: ['string', 'number'] };

/** What every action may carry. */
const common: JsonObject = {
  environment: { enum: ['browser', 'mac', 'windows', 'ubuntu', 'linux', 'desktop', 'mobile', null] },
  environmentVariable: true,
  callId: orNull(text),
  requiresLocalExecution: flag,
  modifiers: texts,
  frame: { $ref: '#/$defs/Frame' },
  intent: text,
  safety: { $ref: '#/$defs/SafetyCheck' },
  target,
  tab,
  batch: { type: 'object', properties: { index: count, of: count }, required: ['index', 'of'] },
  raw: {},
};

interface Fields {
  readonly needed?: JsonObject;
  readonly optional?: JsonObject;
}

const pointer: Fields = { optional: { xy: pointOrNull } };
const plain: Fields = {};

/** The fields of each action; the first eighteen are the basic ones. */
const fieldsOf: Readonly<Record<ActionType, Fields>> = {
  left_mouse_down: pointer,
  left_mouse_up: pointer,
  left_mouse_click: pointer,
  left_mouse_double_click: pointer,
  left_mouse_triple_click: pointer,
  middle_click: pointer,
  right_click: pointer,
  back_click: pointer,
  forward_click: pointer,
  drag: { needed: { xy: { type: 'array', items: point, minItems: 1 } }, optional: { fromCursor: flag } },
  keypress: { needed: { keys: texts }, optional: { repeat: count } },
  keypress_hold: { needed: { keys: texts, duration: number } },
  move: { needed: { xy: point } },
  screenshot: plain,
  scroll: {
    optional: {
      startXy: pointOrNull,
      distanceXy: pointOrNull,
      magnitude: orNull(number),
      direction: { enum: ['up', 'down', 'left', 'right', null] },
      unit: { enum: ['px', 'notch', 'norm1000', 'page'] },
      document: flag,
    },
  },
  type: { needed: { text }, optional: { xy: point, clearFirst: flag, pressEnter: flag } },
  wait: { optional: { duration: orNull(number) } },
  cursor_position: plain,
  key_down: { needed: { key: text } },
  key_up: { needed: { key: text } },
  zoom: { needed: { region: { type: 'array', items: number, minItems: 4, maxItems: 4 } } },
  navigate: { optional: { url: text, history: { enum: ['back', 'forward', 'reload'] } } },
  search: { optional: { query: text } },
  open_browser: plain,
  open_app: { needed: { name: text } },
  list_apps: plain,
  long_press: { optional: { xy: pointOrNull, duration: number } },
  element_find: { needed: { query: text } },
  element_read: { optional: { filter: text, depth: count } },
  element_set_value: { needed: { target, value: {} } },
  element_upload: { needed: { target }, optional: { paths: texts, documentIds: texts } },
  element_scroll_to: { needed: { target } },
  page_text: plain,
  page_console: plain,
  page_network: plain,
  run_script: { needed: { script: text } },
  tab_list: plain,
  tab_new: plain,
  tab_switch: { needed: { tab } },
  tab_close: plain,
  done: { optional: { status: text, answer: text } },
  ask_user: { optional: { question: text } },
  remember: { needed: { fact: text } },
  other: { needed: { provider: text, name: text, args: { type: 'object' } }, optional: { problem: text } },
};

/** Every type an action can have. */
export const actionTypes = Object.keys(fieldsOf) as readonly ActionType[];

/** One schema for each action. */
export const actionSchemas: readonly JsonObject[] = actionTypes.map((type) => {
  const { needed = {}, optional = {} } = fieldsOf[type];
  return {
    type: 'object',
    properties: { type: { const: type }, ...common, ...optional, ...needed },
    required: ['type', ...Object.keys(needed)],
  };
});

/** The fields that a basic action has as `null` where nothing is given. */
export function nullFields(type: ActionType): readonly string[] {
  return Object.entries(fieldsOf[type].optional ?? {})
    .filter(([, schema]) => JSON.stringify(schema).includes('null'))
    .map(([field]) => field);
}
