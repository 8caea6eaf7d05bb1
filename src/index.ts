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
export { stripImages } from './base/message/strip-images.ts';
export { asCall, type Call, type CallOrAction, requiresLocalExecution } from './base/message/call.ts';
export { actionToScreen, type Frame, fromScreen, type Size, toScreen } from './base/message/frame.ts';
export { completePartial } from './base/message/complete.ts';
export {
  argumentsSoFar,
  partialCall,
  type PartialCall,
  partialMessage,
  type PartialMessage,
  type PartialPart,
  partialText,
  type PartialText,
  mergePartials,
  mergeAllPartials,
} from './base/message/partial-message.ts';
export {
  checkHistory,
  type HistoryChange,
  type HistoryProblem,
  mendHistory,
} from './base/message/check-history.ts';
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
export { messageSchema, messageSchemaVersion, wordSchema } from './base/message/message-schema.ts';
export type {
  Capabilities,
  Model,
  ModelCallOptions,
  ModelError,
  ModelEvent,
  ModelRequest,
  Reply,
  ReplyTokens,
  TokenLogprob,
  ToolChoice,
  ToolSpec,
} from './base/message/model.ts';
export {
  type AssistantPart,
  type DocumentPart,
  type HostedResultPart,
  imagePart,
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
export { bind } from './run/loop/bind.ts';
export type { BindOptions, BoundModel } from './run/loop/bind.ts';
export type { RunEvent, RunListener } from './run/loop/event.ts';
export type {
  Limits,
  OutputFor,
  OutputRequest,
  RunOptions,
  RunState,
  StopCondition,
  WantedOutput,
} from './run/loop/options.ts';
export type { Outcome, StopReason } from './run/loop/outcome.ts';
export type { Price, PriceTable, RunUsage } from './run/loop/run-usage.ts';
export { run } from './run/loop/run.ts';
export type { Run } from './run/loop/run.ts';
export type { ApprovalRule } from './run/tool/approval-rule.ts';
export type { Approver } from './run/tool/ask-approval.ts';
export type { ApprovalRequest, CallErrorCode, CallRecord, Decision } from './run/tool/call-record.ts';
export type { AnyTool, Context, Given, Note, Output, ToolSettings } from './run/tool/contract.ts';
export { tool } from './run/tool/define-tool.ts';
export type { FunctionTool, ToolDefinition } from './run/tool/define-tool.ts';
export { failCall, invalid } from './run/tool/failure.ts';
export { output } from './run/tool/output.ts';
export { runCall } from './run/tool/run-call.ts';
export type { RunCallOptions } from './run/tool/run-call.ts';
export { Tool } from './run/tool/tool-class.ts';
export { toolbox } from './run/tool/toolbox.ts';
export { toolsFrom } from './run/tool/tools-from.ts';
export { toolsOf, type ToolsOfOptions } from './run/tool/tools-of.ts';
export type { Toolbox, ToolSource } from './run/tool/toolbox.ts';
export type { Approval } from './run/loop/approval.ts';
export { fileJournal } from './run/loop/file-journal.ts';
export type { Journal, JournalEntry } from './run/loop/journal.ts';
export type { ClientAnswer } from './run/loop/options.ts';
export {
  type AcceptedSchema,
  type InputOf,
  type OutputOf,
  readSchema,
} from './base/schema/lower/read-schema.ts';
export { type CheckOptions, checkValue, loadChecker } from './base/schema/check/check.ts';
export { coerce, type Coerced, type Coercion } from './base/schema/check/coerce.ts';
export { type Dialect, dialects } from './base/schema/lower/dialect.ts';
export { describeIssues, type Issue } from './base/schema/check/issue.ts';
export type { JsonSchema } from './base/schema/json-schema.ts';
export { lower, type Lowered, type LowerOptions } from './base/schema/lower/lower.ts';
export { callIds, type NameMap, type NameOptions, type NameRules, toolNames } from './base/schema/name.ts';
export type { Plan, Report } from './base/schema/lower/plan.ts';
export { encodeValue } from './base/schema/lower/encode-value.ts';
export { decodeValue } from './base/schema/lower/decode-value.ts';
export { callArguments, type Injected } from './base/schema/signature/call-arguments.ts';
export { readSignatures, type ReadSignaturesOptions } from './base/schema/signature/read-signatures.ts';
export type { Refusal } from './base/schema/signature/signature.ts';
export type { SignatureFile } from './base/schema/signature/signature-file.ts';
export type {
  SignatureParameter,
  StoredSignature,
  ToolSignature,
} from './base/schema/signature/signature.ts';
export { commandTool, commandTools } from './run/tool/command-tool.ts';
