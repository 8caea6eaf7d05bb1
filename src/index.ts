export { isWhetstoneError, WhetstoneError } from './base/host/errors.ts';
export type { ErrorCode } from './base/host/errors.ts';
export { JsonBytes } from './base/json/bytes.ts';
export { canonicalJson } from './base/json/canonical.ts';
export { jsonEqual } from './base/json/equal.ts';
export type { JsonEvent, JsonPathEvent } from './base/json/events.ts';
export { type JsonLimits, networkLimits } from './base/json/limits.ts';
export { NumberToken } from './base/json/number-token.ts';
export { parseJson, type ParseJsonOptions } from './base/json/parse.ts';
export type { JsonPath } from './base/json/path.ts';
export { formatPointer, getByPointer, parsePointer } from './base/json/pointer.ts';
export { JsonReader, type JsonReaderOptions } from './base/json/reader.ts';
export { repairJson, type Repaired, type RepairChange } from './base/json/repair.ts';
export { hashJson, sha256 } from './base/json/sha256.ts';
export { anyKey, type PathListener, type PathPattern } from './base/json/subscription.ts';
export type { ExactJson, JsonObject, JsonValue } from './base/json/value.ts';
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
} from './base/message/action.ts';
export { safeAsObject } from './base/message/action-object.ts';
export {
  type ArgumentsReading,
  argumentsAsObject,
  argumentsAsText,
  readArguments,
} from './base/message/arguments.ts';
export { asCall, type Call, type CallOrAction, requiresLocalExecution } from './base/message/call.ts';
export { actionToScreen, type Frame, fromScreen, type Size, toScreen } from './base/message/frame.ts';
export {
  argumentsSoFar,
  complete,
  halfCall,
  type HalfCall,
  halfMessage,
  type HalfMessage,
  type HalfPart,
  halfText,
  type HalfText,
  merge,
  mergeAll,
} from './base/message/half.ts';
export {
  checkHistory,
  type HistoryChange,
  type HistoryProblem,
  mendHistory,
} from './base/message/history.ts';
export {
  type KeyDialect,
  readChord,
  readKeys,
  readKeySequence,
  writeChord,
  writeKeys,
} from './base/message/keys.ts';
export { LiveReply } from './base/message/live-reply.ts';
export {
  type AssistantMessage,
  assistantMessage,
  callsOf,
  type Message,
  reasoningOf,
  refusalOf,
  type SystemMessage,
  systemMessage,
  textOf,
  type ToolMessage,
  toolMessage,
  type UserMessage,
  userMessage,
} from './base/message/message.ts';
export { messageSchema, wordSchema } from './base/message/message-schema.ts';
export type {
  Capabilities,
  Model,
  ModelCallOptions,
  ModelError,
  ModelEvent,
  ModelRequest,
  Reply,
  ToolChoice,
  ToolSpec,
} from './base/message/model.ts';
export {
  type AssistantPart,
  type DocumentPart,
  type HostedResultPart,
  image,
  type ImagePart,
  type OtherPart,
  type ProviderData,
  type ReasoningPart,
  type RefusalPart,
  type ResultPart,
  text,
  type TextPart,
  type UserPart,
} from './base/message/part.ts';
export { makeAction, readAction, readCall, readMessages, readResult } from './base/message/read-message.ts';
export { errorResult, type Result, textResult } from './base/message/result.ts';
export { convertScroll, type ScrollAmount, scrollAmounts, scrollDistance } from './base/message/scroll.ts';
export { addUsage, type Finish, noUsage, type Usage } from './base/message/usage.ts';
