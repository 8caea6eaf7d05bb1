import type { ToolCall } from '../../../src/serve/api/message.ts';

type Action = NonNullable<ToolCall['actions']>[number];

/** What an action does, in a few words: `click at (213, 151)`, `type "hello"`, `press Control+a`. */
export function actionWords(action: Action): string {
  const type = String(action['type']);
  const parts = [names[type] ?? type.replaceAll('_', ' '), ...details(action)];
  const held = Array.isArray(action['modifiers']) ? action['modifiers'].join('+') : '';
  return [...parts, ...(held === '' ? [] : [`with ${held}`])].join(' ');
}

const names: Readonly<Record<string, string>> = {
  left_mouse_click: 'click',
  left_mouse_double_click: 'double click',
  left_mouse_triple_click: 'triple click',
  left_mouse_down: 'press the button',
  left_mouse_up: 'let the button go',
  keypress: 'press',
  keypress_hold: 'hold',
  screenshot: 'look at the screen',
  cursor_position: 'ask where the pointer is',
  run_script: 'run a script',
};

function details(action: Action): readonly string[] {
  const { keys, key, text, value, url, history, query, direction, magnitude, duration, name, target } =
    action as Readonly<Record<string, unknown>>;
  const ref = (target as { readonly ref?: unknown } | undefined)?.ref;
  const said = [
    Array.isArray(keys) ? keys.join('+') : key,
    [text, value, query].map(quoted).find((words) => words !== undefined),
    url ?? history ?? name,
    direction,
    magnitude,
    typeof duration === 'number' ? `${duration} s` : undefined,
    ref === undefined ? undefined : `on ${String(ref)}`,
  ];
  const points = pointsOf(action).map(([x, y]) => `(${x}, ${y})`);
  const [first, ...rest] = points;
  const place = first === undefined ? [] : rest.length === 0 ? [`at ${first}`] : [points.join(' → ')];
  return [...said.filter((words) => words !== undefined && words !== null).map(String), ...place];
}

function quoted(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : JSON.stringify(value).slice(0, 200);
}

export type Point = readonly [x: number, y: number];

/** The points of an action in their order, in whatever its model counted. */
export function pointsOf(action: Action): readonly Point[] {
  const { xy, startXy, region } = action as Readonly<Record<string, unknown>>;
  const given = [startXy, xy, region].find(Array.isArray) as readonly unknown[] | undefined;
  if (given === undefined) return [];
  const flat = (given.flat() as readonly unknown[]).filter((one) => typeof one === 'number');
  return Array.from({ length: Math.floor(flat.length / 2) }, (_, at) => [flat[2 * at]!, flat[2 * at + 1]!]);
}
