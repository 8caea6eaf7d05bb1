import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Frame } from './frame.ts';

export type Point = readonly [x: number, y: number];

/** Asked by a provider before an action; echoed when a person has agreed. */
export interface SafetyCheck {
  readonly id: string;
  readonly code?: string;
  readonly message?: string;
}

export type Direction = 'up' | 'down' | 'left' | 'right';

/** What one scroll amount counts: pixels, wheel notches, thousandths of the screen, or pages. */
export type ScrollUnit = 'px' | 'notch' | 'norm1000' | 'page';

export type ComputerEnvironment = 'browser' | 'mac' | 'windows' | 'ubuntu' | 'linux' | 'desktop' | 'mobile';

/** What every action may carry. Absent and `null` say the same: the provider gave none. */
export interface ActionBase {
  /** Where the action is to happen. */
  readonly environment?: ComputerEnvironment | null;
  /** What it is to be performed on: a name, or the object itself (which never leaves the process). */
  readonly environmentVariable?: unknown;
  readonly callId?: string | null;
  /** Absent means true. The one field that may be set on an action that exists. */
  requiresLocalExecution?: boolean;
  /** Held down meanwhile, by the names of `keys.ts`: `['Shift']`. */
  readonly modifiers?: readonly string[];
  /** The frame of the points; absent means pixels of the screenshot that the model saw last. */
  readonly frame?: Frame;
  /** Why the model does it, in its own words. */
  readonly intent?: string;
  readonly safety?: SafetyCheck;
  /** An element in place of a point, by the name that a page reading gave it. */
  readonly target?: { readonly ref: string };
  readonly tab?: string | number;
  /** The place among the actions that came together. */
  readonly batch?: { readonly index: number; readonly of: number };
  /** As the provider wrote it. */
  readonly raw?: JsonValue;
}

interface PointerAction<Type extends string> extends ActionBase {
  readonly type: Type;
  /** Absent: where the cursor is, never (0, 0). */
  readonly xy?: Point | null;
}

interface PlainAction<Type extends string> extends ActionBase {
  readonly type: Type;
}

export type LeftMouseDown = PointerAction<'left_mouse_down'>;
export type LeftMouseUp = PointerAction<'left_mouse_up'>;
export type LeftMouseClick = PointerAction<'left_mouse_click'>;
export type LeftMouseDoubleClick = PointerAction<'left_mouse_double_click'>;
export type LeftMouseTripleClick = PointerAction<'left_mouse_triple_click'>;
export type MiddleClick = PointerAction<'middle_click'>;
export type RightClick = PointerAction<'right_click'>;
/** The mouse button that many programs read as "back"; the page history is `Navigate`. */
export type BackClick = PointerAction<'back_click'>;
export type ForwardClick = PointerAction<'forward_click'>;

export interface Drag extends ActionBase {
  readonly type: 'drag';
  /** Only the end, start and end, or the whole path. */
  readonly xy: readonly Point[];
  /** The drag begins where the cursor is: `xy` does not hold the start. */
  readonly fromCursor?: boolean;
}

export interface Keypress extends ActionBase {
  readonly type: 'keypress';
  /** One chord: pressed together, released together. */
  readonly keys: readonly string[];
  readonly repeat?: number;
}

export interface KeypressHold extends ActionBase {
  readonly type: 'keypress_hold';
  readonly keys: readonly string[];
  /** Seconds. */
  readonly duration: number;
}

export interface Move extends ActionBase {
  readonly type: 'move';
  readonly xy: Point;
}

export type Screenshot = PlainAction<'screenshot'>;

export interface Scroll extends ActionBase {
  readonly type: 'scroll';
  readonly startXy?: Point | null;
  /** Pixels, right and down positive. */
  readonly distanceXy?: Point | null;
  readonly magnitude?: number | null;
  readonly direction?: Direction | null;
  /** What `magnitude` counts. */
  readonly unit?: ScrollUnit;
  /** The page itself is scrolled, not a box in it over which the cursor happens to be. */
  readonly document?: boolean;
}

export interface Type extends ActionBase {
  readonly type: 'type';
  readonly text: string;
  /** Click here first. */
  readonly xy?: Point;
  readonly clearFirst?: boolean;
  readonly pressEnter?: boolean;
}

export interface Wait extends ActionBase {
  readonly type: 'wait';
  /** Seconds. */
  readonly duration?: number | null;
}

export type CursorPosition = PlainAction<'cursor_position'>;

/** The eighteen basic actions. */
export type SourceAction =
  | LeftMouseDown
  | LeftMouseUp
  | LeftMouseClick
  | LeftMouseDoubleClick
  | LeftMouseTripleClick
  | MiddleClick
  | RightClick
  | BackClick
  | ForwardClick
  | Drag
  | Keypress
  | KeypressHold
  | Move
  | Screenshot
  | Scroll
  | Type
  | Wait
  | CursorPosition;

export interface KeyDown extends ActionBase {
  readonly type: 'key_down';
  readonly key: string;
}

export interface KeyUp extends ActionBase {
  readonly type: 'key_up';
  readonly key: string;
}

/** A closer look: the region is scaled to the screenshot's size; later points stay in the full screenshot. */
export interface Zoom extends ActionBase {
  readonly type: 'zoom';
  readonly region: readonly [x0: number, y0: number, x1: number, y1: number];
}

export interface Navigate extends ActionBase {
  readonly type: 'navigate';
  /** An address, or a step in the history; exactly one of the two. */
  readonly url?: string;
  readonly history?: 'back' | 'forward' | 'reload';
}

/** Opens the search page; with a query, searches. */
export interface Search extends ActionBase {
  readonly type: 'search';
  readonly query?: string;
}

export type OpenBrowser = PlainAction<'open_browser'>;

export interface OpenApp extends ActionBase {
  readonly type: 'open_app';
  readonly name: string;
}

export type ListApps = PlainAction<'list_apps'>;

export interface LongPress extends ActionBase {
  readonly type: 'long_press';
  readonly xy?: Point | null;
  /** Seconds. */
  readonly duration?: number;
}

export interface ElementFind extends ActionBase {
  readonly type: 'element_find';
  readonly query: string;
}

/** Reads the page as a tree of elements with refs. */
export interface ElementRead extends ActionBase {
  readonly type: 'element_read';
  readonly filter?: string;
  readonly depth?: number;
}

export interface ElementSetValue extends ActionBase {
  readonly type: 'element_set_value';
  readonly target: { readonly ref: string };
  readonly value: JsonValue;
}

export interface ElementUpload extends ActionBase {
  readonly type: 'element_upload';
  readonly target: { readonly ref: string };
  readonly paths?: readonly string[];
  readonly documentIds?: readonly string[];
}

export interface ElementScrollTo extends ActionBase {
  readonly type: 'element_scroll_to';
  readonly target: { readonly ref: string };
}

export type PageText = PlainAction<'page_text'>;
export type PageConsole = PlainAction<'page_console'>;
export type PageNetwork = PlainAction<'page_network'>;

export interface RunScript extends ActionBase {
  readonly type: 'run_script';
  readonly script: string;
}

export type TabList = PlainAction<'tab_list'>;
export type TabNew = PlainAction<'tab_new'>;

export interface TabSwitch extends ActionBase {
  readonly type: 'tab_switch';
  readonly tab: string | number;
}

export interface TabClose extends ActionBase {
  readonly type: 'tab_close';
  readonly tab?: string | number;
}

/** The model says that it has finished. */
export interface Done extends ActionBase {
  readonly type: 'done';
  readonly status?: string;
  readonly answer?: string;
}

export interface AskUser extends ActionBase {
  readonly type: 'ask_user';
  readonly question?: string;
}

export interface Remember extends ActionBase {
  readonly type: 'remember';
  readonly fact: string;
}

/** An action that no other says: kept as the provider gave it, and sent back unchanged. */
export interface OtherAction extends ActionBase {
  readonly type: 'other';
  readonly provider: string;
  readonly name: string;
  readonly args: JsonObject;
  /** Why it is none that can be done, where it looks like one: a field is missing, or is of the wrong kind. */
  readonly problem?: string;
}

/** What providers ask beyond the basic actions. */
export type ExtensionAction =
  | KeyDown
  | KeyUp
  | Zoom
  | Navigate
  | Search
  | OpenBrowser
  | OpenApp
  | ListApps
  | LongPress
  | ElementFind
  | ElementRead
  | ElementSetValue
  | ElementUpload
  | ElementScrollTo
  | PageText
  | PageConsole
  | PageNetwork
  | RunScript
  | TabList
  | TabNew
  | TabSwitch
  | TabClose
  | Done
  | AskUser
  | Remember
  | OtherAction;

/** One action on a computer. */
export type Action = SourceAction | ExtensionAction;

export type ActionType = Action['type'];
