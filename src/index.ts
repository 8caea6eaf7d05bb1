export { isWhetstoneError, WhetstoneError } from './base/host/errors.ts';
export type { ErrorCode } from './base/host/errors.ts';

export type { Call } from './base/message/call.ts';
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
  textPart,
  type TextPart,
  type UserPart,
} from './base/message/part.ts';
export { errorResult, type Result, textResult } from './base/message/result.ts';
export { addUsage, type Finish, noUsage, type Usage } from './base/message/usage.ts';

export type { ApprovalRule } from './run/tool/call/approval-rule.ts';
export type { Approver } from './run/tool/call/ask-approval.ts';
export type { ApprovalRequest, CallErrorCode, CallRecord, Decision } from './run/tool/call/call-record.ts';
export { commandTool, commandTools } from './run/tool/command-tool.ts';
export type { AnyTool, Context, Given, Note, Output, ToolSettings } from './run/tool/contract.ts';
export { type FunctionTool, tool, type ToolDefinition } from './run/tool/define-tool.ts';
export { failCall, invalidArgument } from './run/tool/failure.ts';
export { toolOutput } from './run/tool/output.ts';
export { runCall, type RunCallOptions } from './run/tool/call/run-call.ts';
export { Tool } from './run/tool/tool-class.ts';
export { type Toolbox, toolbox, type ToolSource } from './run/tool/toolbox.ts';
export { valueOf } from './run/tool/call/value-of.ts';
export { eventOf } from './run/loop/tool-event.ts';
export type { ToolEvent } from './run/loop/tool-event.ts';
export { toolsFrom } from './run/tool/tools-from.ts';
export { toolsOf, type ToolsOfOptions } from './run/tool/tools-of.ts';

export { agentTool, type AgentTool } from './run/loop/agent/agent-tool.ts';
export type { Approval } from './run/loop/approval/approval.ts';
export {
  approvalFiles,
  type ApprovalMemory,
  type ApprovalScope,
} from './run/loop/approval/approval-memory.ts';
export { bind, type BindOptions, type BoundModel } from './run/loop/request/bind.ts';
export { fallback, type FallbackOptions } from './run/loop/request/fallback.ts';
export type { RunEvent, RunHooks, RunListener } from './run/loop/event.ts';
export type {
  Conversation,
  ConversationRunOptions,
  ForkOptions,
} from './run/loop/conversation/conversation.ts';
export type {
  ConversationChange,
  ConversationQuery,
  ConversationRecord,
  ConversationRows,
  ConversationStore,
} from './run/loop/conversation/conversation-store.ts';
export { conversations, type Conversations } from './run/loop/conversation/conversations.ts';
export { fileJournal } from './run/loop/journal/file-journal.ts';
export type { Journal, JournalEntry } from './run/loop/journal/journal.ts';
export type {
  ClientAnswer,
  Limits,
  OutputFor,
  OutputRequest,
  RunOptions,
  RunState,
  StopCondition,
  WantedOutput,
} from './run/loop/option/options.ts';
export type { Outcome, StopReason } from './run/loop/outcome.ts';
export { compact, type CompactOptions } from './run/loop/request/compact.ts';
export type { NestedOptions } from './run/loop/agent/nested.ts';
export { runWithin } from './run/loop/agent/run-within.ts';
export type { PrepareStep, StepChange, StepState } from './run/loop/request/prepare-step.ts';
export { type Run, run } from './run/loop/run.ts';
export type { Price, PriceTable } from './run/loop/price.ts';
export { priceOf, pricesAsOf } from './run/loop/published-prices.ts';
export type { RunUsage } from './run/loop/run-usage.ts';
