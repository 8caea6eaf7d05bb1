/** `whetstone/computer`: actions on a computer, and their keys, scrolls and points as each system writes them. */
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
