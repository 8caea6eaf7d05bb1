/** Who is to read the keys: each spells them its own way. */
export type KeyDialect =
  | 'xdotool'
  | 'openai'
  | 'gemini'
  /** Gemini 2.5: one text, `Control+A`. */
  | 'gemini-combination'
  | 'qwen'
  | 'ui-tars'
  | 'playwright';

/** In the order in which a chord names them. */
export const modifierKeys: readonly string[] = [
  'ControlOrMeta',
  'Control',
  'Alt',
  'AltGraph',
  'Shift',
  'Meta',
];

/** Every spelling that was seen, lower-case and without `_`, `-` and spaces, and the canonical key it means. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  ControlOrMeta: ['controlormeta', 'cmdorctrl', 'commandorcontrol'],
  Control: ['ctrl', 'control', 'controll', 'controlr', 'ctrll', 'ctrlr', 'ctrlleft', 'ctrlright', 'leftctrl'],
  Alt: [
    'alt',
    'option',
    'opt',
    'altl',
    'altr',
    'altleft',
    'altright',
    'optionleft',
    'optionright',
    'leftalt',
  ],
  AltGraph: ['altgraph', 'altgr', 'isolevel3shift', 'modeswitch'],
  Shift: ['shift', 'shiftl', 'shiftr', 'shiftleft', 'shiftright', 'leftshift'],
  Meta: [
    ...['meta', 'metal', 'metar', 'super', 'superl', 'superr', 'cmd', 'command', 'win', 'windows', 'os'],
    ...['winleft', 'winright', 'cmdleft', 'cmdright', 'metaleft', 'metaright', 'hyper'],
  ],
  Enter: ['enter', 'return', 'kpenter', 'numpadenter'],
  Escape: ['escape', 'esc'],
  Backspace: ['backspace', 'bksp'],
  Tab: ['tab', 'isolefttab', 'kptab'],
  ' ': ['space', 'spacebar', 'kpspace'],
  Delete: ['delete', 'del', 'kpdelete', 'forwarddelete'],
  Insert: ['insert', 'ins', 'kpinsert'],
  Home: ['home', 'kphome'],
  End: ['end', 'kpend'],
  PageUp: ['pageup', 'pgup', 'prior', 'kppageup', 'kpprior'],
  PageDown: ['pagedown', 'pgdn', 'pgdown', 'next', 'kppagedown', 'kpnext'],
  ArrowUp: ['arrowup', 'up', 'uparrow', 'kpup'],
  ArrowDown: ['arrowdown', 'down', 'downarrow', 'kpdown'],
  ArrowLeft: ['arrowleft', 'left', 'leftarrow', 'kpleft'],
  ArrowRight: ['arrowright', 'right', 'rightarrow', 'kpright'],
  CapsLock: ['capslock', 'caps'],
  NumLock: ['numlock'],
  ScrollLock: ['scrolllock'],
  PrintScreen: ['printscreen', 'print', 'prtsc', 'prtscr', 'prntscrn', 'sysrq'],
  Pause: ['pause', 'break'],
  ContextMenu: ['contextmenu', 'menu', 'apps'],
  Clear: ['clear'],
  Help: ['help'],
  AudioVolumeUp: ['audiovolumeup', 'volumeup', 'xf86audioraisevolume'],
  AudioVolumeDown: ['audiovolumedown', 'volumedown', 'xf86audiolowervolume'],
  AudioVolumeMute: ['audiovolumemute', 'volumemute', 'xf86audiomute'],
  MediaPlayPause: ['mediaplaypause', 'playpause', 'xf86audioplay'],
  MediaTrackNext: ['mediatracknext', 'nexttrack', 'xf86audionext'],
  MediaTrackPrevious: ['mediatrackprevious', 'prevtrack', 'xf86audioprev'],
  BrowserBack: ['browserback', 'xf86back'],
  BrowserForward: ['browserforward', 'xf86forward'],
  BrowserRefresh: ['browserrefresh', 'xf86reload', 'xf86refresh'],
  '+': ['plus', 'add', 'kpadd'],
  '-': ['minus', 'subtract', 'kpsubtract', 'hyphen', 'dash'],
  '*': ['asterisk', 'multiply', 'kpmultiply', 'star'],
  '/': ['slash', 'divide', 'kpdivide'],
  '.': ['period', 'decimal', 'kpdecimal', 'dot'],
  ',': ['comma', 'separator', 'kpseparator'],
  '=': ['equal', 'equals', 'kpequal'],
  ';': ['semicolon'],
  ':': ['colon'],
  "'": ['apostrophe', 'quote', 'quoteright', 'singlequote'],
  '"': ['quotedbl', 'doublequote'],
  '`': ['grave', 'backquote', 'quoteleft', 'backtick'],
  '~': ['asciitilde', 'tilde'],
  '\\': ['backslash'],
  '|': ['bar', 'pipe'],
  '[': ['bracketleft', 'leftbracket', 'openbracket'],
  ']': ['bracketright', 'rightbracket', 'closebracket'],
  '{': ['braceleft'],
  '}': ['braceright'],
  '(': ['parenleft', 'leftparen'],
  ')': ['parenright', 'rightparen'],
  '<': ['less'],
  '>': ['greater'],
  '?': ['question', 'questionmark'],
  '!': ['exclam', 'exclamationmark'],
  '@': ['at'],
  '#': ['numbersign', 'hash'],
  $: ['dollar'],
  '%': ['percent'],
  '^': ['asciicircum', 'caret'],
  '&': ['ampersand'],
  _: ['underscore'],
};

/** From a folded spelling to the canonical name. */
export const keyAliases: ReadonlyMap<string, string> = new Map([
  ...Object.entries(spellings).flatMap(([key, names]) => names.map((name): [string, string] => [name, key])),
  ...['⌘', '⌃', '⌥', '⇧', '↵', '⏎', '⌫', '⌦', '⎋', '⇥', '↑', '↓', '←', '→', '␣'].map(
    (sign, index): [string, string] => [
      sign,
      [
        ...['Meta', 'Control', 'Alt', 'Shift', 'Enter', 'Enter', 'Backspace', 'Delete', 'Escape', 'Tab'],
        ...['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', ' '],
      ][index] as string,
    ],
  ),
  ...Array.from({ length: 10 }, (_, digit): [string, string] => [`kp${digit}`, String(digit)]),
  ...Array.from({ length: 10 }, (_, digit): [string, string] => [`numpad${digit}`, String(digit)]),
]);

/** How a dialect writes: names of its own, what it does with the case of the others, and what joins a chord. */
export interface KeySpelling {
  readonly special: Readonly<Record<string, string>>;
  readonly other: 'lower' | 'upper' | 'as-is';
  readonly joint: '+' | ' ';
}

const arrows = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' };

export const keySpellings: Readonly<Record<KeyDialect, KeySpelling>> = {
  xdotool: {
    special: {
      ...{ ControlOrMeta: 'ctrl', Control: 'ctrl', Alt: 'alt', AltGraph: 'ISO_Level3_Shift', Shift: 'shift' },
      ...{ Meta: 'super', Enter: 'Return', Backspace: 'BackSpace', ' ': 'space', PageUp: 'Page_Up' },
      ...{ PageDown: 'Page_Down', ArrowUp: 'Up', ArrowDown: 'Down', ArrowLeft: 'Left', ArrowRight: 'Right' },
      ...{ CapsLock: 'Caps_Lock', NumLock: 'Num_Lock', ScrollLock: 'Scroll_Lock', PrintScreen: 'Print' },
      ...{
        ContextMenu: 'Menu',
        AudioVolumeUp: 'XF86AudioRaiseVolume',
        AudioVolumeDown: 'XF86AudioLowerVolume',
      },
      ...{
        AudioVolumeMute: 'XF86AudioMute',
        MediaPlayPause: 'XF86AudioPlay',
        MediaTrackNext: 'XF86AudioNext',
      },
      ...{ MediaTrackPrevious: 'XF86AudioPrev', BrowserBack: 'XF86Back', BrowserForward: 'XF86Forward' },
      ...{ BrowserRefresh: 'XF86Reload', '+': 'plus', '-': 'minus', '*': 'asterisk', '/': 'slash' },
      ...{ '.': 'period', ',': 'comma', '=': 'equal', ';': 'semicolon', ':': 'colon', "'": 'apostrophe' },
      ...{
        '"': 'quotedbl',
        '`': 'grave',
        '~': 'asciitilde',
        '\\': 'backslash',
        '|': 'bar',
        '[': 'bracketleft',
      },
      ...{ ']': 'bracketright', '{': 'braceleft', '}': 'braceright', '(': 'parenleft', ')': 'parenright' },
      ...{ '<': 'less', '>': 'greater', '?': 'question', '!': 'exclam', '@': 'at', '#': 'numbersign' },
      ...{ $: 'dollar', '%': 'percent', '^': 'asciicircum', '&': 'ampersand', _: 'underscore' },
    },
    other: 'as-is',
    joint: '+',
  },
  openai: {
    special: { ControlOrMeta: 'CTRL', Control: 'CTRL', Escape: 'ESC', ' ': 'SPACE' },
    other: 'upper',
    joint: '+',
  },
  gemini: {
    special: {
      ...{ ControlOrMeta: 'control', Meta: 'command', ' ': 'space', ...arrows },
      ...{ '+': 'add', '*': 'multiply', ';': 'semicolon', '=': 'equals' },
    },
    other: 'lower',
    joint: '+',
  },
  'gemini-combination': { special: { ControlOrMeta: 'Control', ' ': 'Space' }, other: 'as-is', joint: '+' },
  qwen: {
    special: { ControlOrMeta: 'ctrl', Control: 'ctrl', Meta: 'win', Escape: 'esc', ' ': 'space', ...arrows },
    other: 'lower',
    joint: '+',
  },
  'ui-tars': {
    special: { ControlOrMeta: 'ctrl', Control: 'ctrl', Meta: 'win', Escape: 'esc', ' ': 'space', ...arrows },
    other: 'lower',
    joint: ' ',
  },
  playwright: { special: { ' ': 'Space' }, other: 'as-is', joint: '+' },
};
