/**
 * `whetstone/computer`: actions on a computer, performed on a browser page or an X display, recorded and replayed; and
 * their keys, scrolls and points as each system writes them.
 */
export type {
  Action,
  ActionType,
  ComputerEnvironment,
  Direction,
  ExtensionAction,
  Point,
  SafetyCheck,
  ScrollUnit,
  SourceAction,
} from '../../base/message/action.ts';
export { safeAsObject } from '../../base/message/action-object.ts';
export { actionToScreen, type Frame, fromScreen, type Size, toScreen } from '../../base/message/frame.ts';
export {
  type KeyDialect,
  readChord,
  readKeys,
  readKeySequence,
  writeChord,
  writeKeys,
} from '../../base/message/keys.ts';
export { makeAction, readAction } from '../../base/message/read-message.ts';
export {
  convertScroll,
  type ScrollAmount,
  scrollAmounts,
  scrollDistance,
} from '../../base/message/scroll.ts';
export { openBrowser } from './browser/browser.ts';
export type { BrowserAtOptions, BrowserOptions, OwnBrowserOptions } from './browser/browser-options.ts';
export type { Mask } from './browser/mask.ts';
export { computerTool, type ComputerToolOptions } from './computer-tool.ts';
export type { Button, Computer, ComputerEvent, Pace } from './computer.ts';
export { type DesktopOptions, type DisplayOptions, openDesktop } from './desktop/desktop.ts';
export type { VncOptions } from './desktop/vnc-desktop.ts';
export { handOver } from './hand-over.ts';
export { type HandOverOptions, type HandOverRequest, handOverTool } from './hand-over-tool.ts';
export type { Elements, Tab, Tabs } from './page.ts';
export type { Picture, Region } from '../display/picture/picture.ts';
export { type ComputerRecord, readRecord, type RecordedStep } from './record/record.ts';
export { Recorder } from './record/recorder.ts';
export { Replay } from './record/replay.ts';
export {
  type CallFailure,
  type CallOutcome,
  type CallPerformer,
  type CallRequest,
  ComputerSession,
  type SessionOptions,
} from './session.ts';
