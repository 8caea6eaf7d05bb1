/** Every action in the words of every API that has words for it, and what must arrive on a screen of 900x700. */
import type { JsonObject } from '../../../base/json/value.ts';

/** Blocks as one API writes them, mostly one, with the version of the tool that they belong to. */
export interface Spelling {
  readonly api: string;
  readonly tool?: string;
  readonly blocks: readonly JsonObject[];
}

/** What some blocks mean, all of them alike. */
export interface Meaning {
  readonly means: string;
  readonly said: readonly Spelling[];
  /** In the words of `words` in the test: `press left 450,350`, `down Control`, `wheel down 200`. */
  readonly arrives: readonly string[];
  /** The seconds between the first arrival and the last. */
  readonly holds?: number;
}

// Points whose cells in the grid of a thousand are exact.
const middle = { px: [450, 350], cell: [500, 500] } as const;
const right = { px: [540, 420], cell: [600, 600] } as const;
const left = { px: [360, 420], cell: [400, 600] } as const;
type Place = typeof middle | typeof left | typeof right;
const at = (point: Place): string => point.px.join(',');

/** In the preview, alone and in a batch of the tool since. */
const gpt = (action: JsonObject): readonly Spelling[] => {
  const rest = { type: 'computer_call', id: 'cu', call_id: 'call', status: 'completed' };
  return [
    { tool: 'computer_use_preview', blocks: [{ ...rest, action, pending_safety_checks: [] }] },
    { tool: 'computer', blocks: [{ ...rest, actions: [{ keys: null, ...action }] }] },
  ].map((each) => ({ api: 'openai-responses', ...each }));
};
const older = (tools: readonly string[], action: string, input: JsonObject = {}): readonly Spelling[] =>
  tools.map((tool) => ({
    api: 'anthropic',
    tool,
    blocks: [{ type: 'tool_use', id: 'toolu', name: 'computer', input: { action, ...input } }],
  }));
const first = (action: string, input?: JsonObject): readonly Spelling[] =>
  older(['computer_20241022'], action, input);
const member = (name: string, input: JsonObject = {}, toolset = 'computer'): readonly Spelling[] => [
  {
    api: 'anthropic',
    tool: `${toolset}_toolset_20260801`,
    blocks: [{ type: 'tool_use', id: 'toolu', name, toolset_name: toolset, input }],
  },
];
/** In both versions that say the action inside, and as a member of the toolset. */
const claude = (name: string, input?: JsonObject): readonly Spelling[] => [
  ...older(['computer_20250124', 'computer_20251124'], name, input),
  ...member(name, input),
];
const browser = (name: string, input?: JsonObject): readonly Spelling[] => member(name, input, 'browser');
/** Over both of its APIs. */
const gemini = (name: string, args: JsonObject = {}): readonly Spelling[] => [
  { api: 'gemini', blocks: [{ functionCall: { id: 'fc', name, args: { ...args, intent: 'to see' } } }] },
  { api: 'gemini-interactions', blocks: [{ type: 'function_call', id: 'fc', name, arguments: args }] },
];

/** One after the other, in the words of each. */
const sequence = (
  begin: readonly Spelling[],
  ...rest: readonly (readonly Spelling[])[]
): readonly Spelling[] =>
  begin.map((each, index) => ({
    ...each,
    blocks: [...each.blocks, ...rest.flatMap((then) => then[index]!.blocks)],
  }));

const px = ({ px: [x, y] }: Place): JsonObject => ({ x, y });
const cell = ({ cell: [x, y] }: Place): JsonObject => ({ x, y });
const coordinate = ({ px: pair }: Place): JsonObject => ({
  coordinate: [...pair],
});
const target = (point: Place): JsonObject => ({
  target: { type: 'coordinate', ...px(point) },
});

const clicks = (button: string, count = 1, held = ''): readonly string[] => [
  ...(held === '' ? [] : held.split('+').map((key) => `down ${key}`)),
  ...Array.from({ length: count }, (_, index) =>
    ['press', 'release'].map((kind) => `${kind} ${button} ${at(middle)} ${held}`.trim() + ` x${index + 1}`),
  ).flat(),
  ...(held === ''
    ? []
    : held
        .split('+')
        .toReversed()
        .map((key) => `up ${key}`)),
];
const drags = (...path: readonly Place[]): readonly string[] => [
  `press left ${at(path[0]!)} x1`,
  ...path.slice(1).map((point) => `drag ${at(point)}`),
  `release left ${at(path.at(-1)!)} x1`,
];
const keys = (...names: readonly string[]): readonly string[] => [
  ...names.map((key) => `down ${key}`),
  ...names.toReversed().map((key) => `up ${key}`),
];
const typed = (text: string): readonly string[] => [...text].flatMap((sign) => keys(sign));

export const meanings: readonly Meaning[] = [
  {
    means: 'a left click',
    said: [
      ...gpt({ type: 'click', button: 'left', ...px(middle) }),
      ...claude('left_click', coordinate(middle)),
      ...browser('left_click', target(middle)),
      ...gemini('click', cell(middle)),
      ...gemini('click_at', cell(middle)),
    ],
    arrives: clicks('left'),
  },
  {
    means: 'a left click where the cursor is',
    said: [
      ...first('left_click'),
      ...claude('left_click'),
      ...claude('left_click', { coordinate: null }),
      ...browser('left_click'),
    ],
    arrives: clicks('left'),
  },
  {
    means: 'a right click',
    said: [
      ...gpt({ type: 'click', button: 'right', ...px(middle) }),
      ...claude('right_click', coordinate(middle)),
      ...browser('right_click', target(middle)),
      ...gemini('right_click', cell(middle)),
    ],
    arrives: clicks('right'),
  },
  {
    means: 'a middle click',
    said: [
      ...gpt({ type: 'click', button: 'wheel', ...px(middle) }),
      ...claude('middle_click', coordinate(middle)),
      ...browser('middle_click', target(middle)),
      ...gemini('middle_click', cell(middle)),
    ],
    arrives: clicks('middle'),
  },
  {
    means: 'the button for back',
    said: gpt({ type: 'click', button: 'back', ...px(middle) }),
    arrives: clicks('back'),
  },
  {
    means: 'the button for forward',
    said: gpt({ type: 'click', button: 'forward', ...px(middle) }),
    arrives: clicks('forward'),
  },
  {
    means: 'a double click',
    said: [
      ...gpt({ type: 'double_click', ...px(middle) }),
      ...claude('double_click', coordinate(middle)),
      ...browser('double_click', target(middle)),
      ...gemini('double_click', cell(middle)),
    ],
    arrives: clicks('left', 2),
  },
  {
    means: 'a triple click',
    said: [
      ...claude('triple_click', coordinate(middle)),
      ...browser('triple_click', target(middle)),
      ...gemini('triple_click', cell(middle)),
    ],
    arrives: clicks('left', 3),
  },
  {
    means: 'a click with Control and Shift held',
    said: [
      ...gpt({ type: 'click', button: 'left', ...px(middle), keys: ['CTRL', 'SHIFT'] }),
      ...claude('left_click', { ...coordinate(middle), text: 'ctrl+shift' }),
      // As the reference demo names it.
      ...older(['computer_20250124'], 'left_click', { ...coordinate(middle), key: 'ctrl+shift' }),
      ...browser('left_click', { ...target(middle), modifiers: 'ctrl+shift' }),
    ],
    arrives: clicks('left', 1, 'Control+Shift'),
  },
  {
    means: 'a double click with Shift held',
    said: [
      ...gpt({ type: 'double_click', ...px(middle), keys: ['SHIFT'] }),
      ...claude('double_click', { ...coordinate(middle), text: 'shift' }),
    ],
    arrives: clicks('left', 2, 'Shift'),
  },
  {
    means: 'a press at a place, a move with the button down, and a release where the cursor is',
    said: [
      ...sequence(
        claude('mouse_move', coordinate(middle)),
        claude('left_mouse_down'),
        claude('mouse_move', coordinate(right)),
        claude('left_mouse_up'),
      ),
      ...sequence(
        browser('left_mouse_down', target(middle)),
        browser('mouse_move', target(right)),
        browser('left_mouse_up'),
      ),
      ...sequence(
        browser('left_mouse_down', target(middle)),
        browser('hover', target(right)),
        browser('left_mouse_up'),
      ),
    ],
    arrives: drags(middle, right),
  },
  {
    means: 'a press at a place, and a release at another',
    said: [
      ...sequence(claude('left_mouse_down', coordinate(middle)), claude('left_mouse_up', coordinate(right))),
      ...sequence(browser('left_mouse_down', target(middle)), browser('left_mouse_up', target(right))),
      ...sequence(gemini('mouse_down', cell(middle)), gemini('mouse_up', cell(right))),
    ],
    arrives: drags(middle, right),
  },
  ...(['move', 'move_to', 'hover_at'] as const).map((name): Meaning => ({
    means: `a press, ${name}, and a release where it went`,
    said: sequence(
      gemini('mouse_down', cell(middle)),
      gemini(name, cell(right)),
      gemini('mouse_up', cell(right)),
    ),
    arrives: drags(middle, right),
  })),
  {
    means: 'a move',
    said: [
      ...gpt({ type: 'move', ...px(left) }),
      ...first('mouse_move', coordinate(left)),
      ...claude('mouse_move', coordinate(left)),
      ...browser('mouse_move', target(left)),
      ...browser('hover', target(left)),
      ...gemini('move', cell(left)),
    ],
    arrives: [],
  },
  {
    means: 'a click where it moved to',
    said: first('left_click'),
    arrives: [`press left ${at(left)} x1`, `release left ${at(left)} x1`],
  },
  {
    means: 'a drag from one point to another',
    said: [
      ...gpt({ type: 'drag', path: [px(middle), px(right)] }),
      ...claude('left_click_drag', { start_coordinate: [...middle.px], ...coordinate(right) }),
      ...browser('left_click_drag', { from: { type: 'coordinate', ...px(middle) }, ...target(right) }),
      ...gemini('drag_and_drop', { start_x: 500, start_y: 500, end_x: 600, end_y: 600 }),
      ...gemini('drag_and_drop', { ...cell(middle), destination_x: 600, destination_y: 600 }),
    ],
    arrives: drags(middle, right),
  },
  {
    means: 'a drag along a path',
    said: gpt({ type: 'drag', path: [px(middle), px(right), px(left)] }),
    arrives: drags(middle, right, left),
  },
  {
    means: 'a drag from the cursor',
    said: sequence(first('mouse_move', coordinate(left)), first('left_click_drag', coordinate(middle))),
    arrives: drags(left, middle),
  },
  {
    means: 'a drag with Shift held',
    said: [
      ...gpt({ type: 'drag', path: [px(middle), px(right)], keys: ['SHIFT'] }),
      ...claude('left_click_drag', {
        start_coordinate: [...middle.px],
        ...coordinate(right),
        text: 'shift',
      }),
    ],
    arrives: [
      'down Shift',
      `press left ${at(middle)} Shift x1`,
      `drag ${at(right)}`,
      `release left ${at(right)} Shift x1`,
      'up Shift',
    ],
  },
  ...(['down', 'up', 'left', 'right'] as const).map((way): Meaning => ({
    means: `a scroll ${way} by two notches`,
    said: [
      ...gpt({
        type: 'scroll',
        ...px(middle),
        scroll_x: { left: -200, right: 200 }[way as string] ?? 0,
        scroll_y: { up: -200, down: 200 }[way as string] ?? 0,
      }),
      ...claude('scroll', { ...coordinate(middle), scroll_direction: way, scroll_amount: 2 }),
      ...browser('scroll', { ...target(middle), scroll_direction: way, scroll_amount: 2 }),
      ...gemini('scroll', { ...cell(middle), direction: way, magnitude_in_pixels: 200 }),
      ...gemini('scroll', { ...cell(middle), direction: way, magnitude_in_wheel_clicks: 2 }),
    ],
    arrives: [`wheel ${way} 200`],
  })),
  {
    means: 'a scroll without its amount: three notches',
    said: [
      ...browser('scroll', { ...target(middle), scroll_direction: 'down' }),
      ...gemini('scroll', { ...cell(middle), direction: 'down' }),
    ],
    arrives: ['wheel down 300'],
  },
  {
    means: 'a scroll by thousandths of the screen',
    said: [
      ...gemini('scroll_at', { ...cell(middle), direction: 'down', magnitude: 500 }),
      ...gemini('scroll', { ...cell(middle), direction: 'down', magnitude: 500 }),
    ],
    arrives: ['wheel down 350'],
  },
  {
    means: 'a scroll along both axes',
    said: gpt({ type: 'scroll', ...px(middle), scroll_x: -100, scroll_y: 300 }),
    arrives: ['wheel down 300', 'wheel left 100'],
  },
  {
    means: 'a scroll by less than a notch',
    said: gpt({ type: 'scroll', ...px(middle), scroll_x: 0, scroll_y: 40 }),
    arrives: ['wheel down 40'],
  },
  {
    means: 'a scroll with Control held',
    said: [
      ...gpt({ type: 'scroll', ...px(middle), scroll_x: 0, scroll_y: 100, keys: ['CTRL'] }),
      ...claude('scroll', {
        ...coordinate(middle),
        scroll_direction: 'down',
        scroll_amount: 1,
        text: 'ctrl',
      }),
    ],
    arrives: ['down Control', 'wheel down 100 Control', 'up Control'],
  },
  {
    means: 'a scroll where the cursor is',
    said: [
      ...claude('scroll', { scroll_direction: 'up', scroll_amount: 1 }),
      ...browser('scroll', { scroll_direction: 'up', scroll_amount: 1 }),
    ],
    arrives: ['wheel up 100'],
  },
  {
    means: 'a chord',
    said: [
      ...gpt({ type: 'keypress', keys: ['CTRL', 'A'] }),
      ...gpt({ type: 'keypress', keys: ['ctrl+a'] }),
      ...first('key', { text: 'ctrl+a' }),
      ...claude('key', { text: 'Control_L+a' }),
      ...browser('key', { text: 'ctrl+a' }),
      ...gemini('hotkey', { keys: ['control', 'a'] }),
      ...gemini('key_combination', { keys: 'Control+A' }),
      // As Playwright names it: Meta on a Mac.
      ...gemini('hotkey', { keys: ['ControlOrMeta', 'a'] }),
    ],
    arrives: keys('Control', 'a'),
  },
  {
    means: 'a chord of three',
    said: [
      ...gpt({ type: 'keypress', keys: ['CTRL', 'SHIFT', 'ARROWLEFT'] }),
      ...claude('key', { text: 'ctrl+shift+Left' }),
      ...gemini('hotkey', { keys: ['shift', 'control', 'left'] }),
      ...gemini('key_combination', { keys: 'Control+Shift+ArrowLeft' }),
    ],
    arrives: keys('Control', 'Shift', 'ArrowLeft'),
  },
  {
    means: 'chords one after the other',
    said: [...claude('key', { text: 'ctrl+c Delete' }), ...browser('key', { text: 'ctrl+c Delete' })],
    arrives: [...keys('Control', 'c'), ...keys('Delete')],
  },
  {
    means: 'a key three times',
    said: [...member('key', { text: 'Tab', repeat: 3 }), ...browser('key', { text: 'Tab', repeat: 3 })],
    arrives: [...keys('Tab'), ...keys('Tab'), ...keys('Tab')],
  },
  {
    means: 'a key that is held for its time',
    said: [
      ...claude('hold_key', { text: 'F8', duration: 0.3 }),
      ...browser('hold_key', { text: 'F8', duration: 0.3 }),
    ],
    arrives: keys('F8'),
    holds: 0.3,
  },
  {
    means: 'a long press',
    said: gemini('long_press', { ...cell(middle), seconds: 0.3 }),
    arrives: clicks('left'),
  },
  {
    means: 'a key that stays down',
    said: [...gemini('key_down', { key: 'shift' }), ...gemini('key_down', { key: 'Shift_L' })],
    arrives: ['down Shift'],
  },
  { means: 'a key that is let go', said: gemini('key_up', { key: 'shift' }), arrives: ['up Shift'] },
  {
    means: 'a text',
    said: [
      ...gpt({ type: 'type', text: 'ab c9' }),
      ...first('type', { text: 'ab c9' }),
      ...claude('type', { text: 'ab c9' }),
      ...browser('type', { text: 'ab c9' }),
      ...gemini('type', { text: 'ab c9' }),
    ],
    arrives: typed('ab c9'),
  },
  {
    means: 'a text and Enter',
    said: [
      ...gpt({ type: 'type', text: 'ab\n' }),
      ...claude('type', { text: 'ab\n' }),
      ...gemini('type', { text: 'ab', press_enter: true }),
    ],
    arrives: [...typed('ab'), ...keys('Enter')],
  },
  {
    means: 'a text at a place, which is cleared first, and Enter',
    said: gemini('type_text_at', { ...cell(middle), text: 'ab' }),
    arrives: [
      ...clicks('left'),
      ...keys('Control', 'a'),
      ...keys('Delete'),
      ...typed('ab'),
      ...keys('Enter'),
    ],
  },
  {
    means: 'a text at a place, and no more',
    said: gemini('type_text_at', {
      ...cell(middle),
      text: 'ab',
      clear_before_typing: false,
      press_enter: false,
    }),
    arrives: [...clicks('left'), ...typed('ab')],
  },
  ...Object.entries({
    Enter: ['Return', 'ENTER', 'enter', 'Enter', 'KP_Enter'],
    Escape: ['Escape', 'ESC', 'escape', 'Escape', 'esc'],
    Backspace: ['BackSpace', 'BACKSPACE', 'backspace', 'Backspace', 'back_space'],
    Delete: ['Delete', 'DELETE', 'delete', 'Delete', 'del'],
    Insert: ['Insert', 'INSERT', 'insert', 'Insert', 'KP_Insert'],
    Home: ['Home', 'HOME', 'home', 'Home', 'KP_Home'],
    End: ['End', 'END', 'end', 'End', 'KP_End'],
    PageUp: ['Page_Up', 'PAGEUP', 'pageup', 'PageUp', 'Prior'],
    PageDown: ['Page_Down', 'PAGEDOWN', 'pagedown', 'PageDown', 'Next'],
    ArrowUp: ['Up', 'ARROWUP', 'up', 'ArrowUp', 'KP_Up'],
    ArrowDown: ['Down', 'ARROWDOWN', 'down', 'ArrowDown', 'arrow_down'],
    ArrowRight: ['Right', 'RIGHT', 'right', 'ArrowRight', 'rightarrow'],
    ' ': ['space', 'SPACE', 'space', 'Space', ' '],
    '+': ['plus', '+', 'add', '+', 'KP_Add'],
    '-': ['minus', '-', 'subtract', '-', 'KP_Subtract'],
    '/': ['slash', '/', 'slash', '/', 'slash'],
    ';': ['semicolon', ';', 'semicolon', ';', ';'],
    F5: ['F5', 'F5', 'f5', 'F5', 'f5'],
  }).map(([key, [xdotool, openai, newest, playwright, uiTars]]): Meaning => ({
    means: `the key ${key === ' ' ? 'Space' : key}`,
    said: [
      ...gpt({ type: 'keypress', keys: [openai!] }),
      ...claude('key', { text: xdotool! }),
      ...gemini('press_key', { key: newest! }),
      ...gemini('key_combination', { keys: playwright! }),
      ...gemini('hotkey', { keys: [uiTars!] }),
    ],
    arrives: keys(key),
  })),
];
