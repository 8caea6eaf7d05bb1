import type { Clock } from '../../../base/host/clock.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import type { JsonSchema } from '../../../base/schema/json-schema.ts';
import type { Message } from '../../../base/message/message.ts';
import type { Model, ModelRequest, Reply, ToolChoice } from '../../../base/message/model.ts';
import type { ResultPart, UserPart } from '../../../base/message/part.ts';
import type { ApprovalRule } from '../../tool/call/approval-rule.ts';
import type { Approver } from '../../tool/call/ask-approval.ts';
import type { CallRecord } from '../../tool/call/call-record.ts';
import type { InputSchema, Output } from '../../tool/contract.ts';
import type { Editable } from '../../tool/call/may-edit.ts';
import type { ToolSource } from '../../tool/toolbox.ts';
import type { Approval } from '../approval/approval.ts';
import type { ApprovalMemory } from '../approval/approval-memory.ts';
import type { RunHooks, RunListener } from '../event.ts';
import type { Journal } from '../journal/journal.ts';
import type { PrepareStep } from '../request/prepare-step.ts';
import type { PriceTable } from '../price.ts';

/** Settings of the request that a run passes on as they are. */
type ModelSettings = Pick<
  ModelRequest,
  | 'maxOutputTokens'
  | 'temperature'
  | 'topP'
  | 'seed'
  | 'stop'
  | 'reasoning'
  | 'tokens'
  | 'providerOptions'
  | 'parallelCalls'
  | 'cache'
>;

export interface RunOptions<Wanted extends WantedOutput = WantedOutput> extends ModelSettings {
  readonly model: Model;
  readonly tools?: ToolSource;
  readonly system?: string;
  /** What the user says; after `messages`, where both are given. */
  readonly prompt?: string | readonly UserPart[];
  /** A history to go on from. Mended first, if it is broken. */
  readonly messages?: readonly Message[];
  /** What tools get as `context.injected`, and as the properties they name in `inject`. No model sees it. */
  readonly injected?: Readonly<Record<string, unknown>>;
  /** A choice that forces a call holds for the first step only: it would force the loop round for ever. */
  readonly toolChoice?: ToolChoice;
  readonly limits?: Limits;
  /** At a limit: end with what there is, or take the tools away and ask once more for the answer. */
  readonly atLimit?: 'stop' | 'answer';
  /** Asked after each step with calls; the first that says true ends the run. */
  readonly stopWhen?: StopCondition | readonly StopCondition[];
  /** Asked before each step: another model, other messages, fewer tools. Several are asked in order. */
  readonly prepareStep?: PrepareStep | readonly PrepareStep[];
  readonly signal?: AbortSignal;
  /** How often a reply that is none (a call that the model could not write, nothing at all) is asked for again. 1 by default. */
  readonly replyRetries?: number;
  /** Milliseconds for tools that set no time of their own; `false` for none. Ten minutes by default. */
  readonly toolTimeout?: number | false;
  /** How many calls run at the same time. 16 by default. */
  readonly concurrency?: number;
  /** Mend arguments that are almost JSON, for tools that do not say it themselves. Off by default. */
  readonly repair?: boolean;
  /** Take `"3"` for `3` and the like, for tools that do not say it themselves. Off by default. */
  readonly coerce?: boolean;
  /** What a person may change of a call's arguments, for tools that do not say it themselves. */
  readonly editable?: Editable;
  /** Asks a person. Without it, calls that need one wait, and the run ends with `waiting`. */
  readonly approve?: Approver;
  /** Milliseconds that `approve` may take. After that the call is refused, or waits as if nobody could be asked. */
  readonly approvalTimeout?: number | { readonly after: number; readonly then: 'reject' | 'wait' };
  /** Asked before any person; the first that fits decides. */
  readonly approvalRules?: readonly ApprovalRule[];
  /** Decisions that hold beyond this run: asked after `approvalRules`, and told what a person wants remembered. */
  readonly approvalMemory?: ApprovalMemory;
  /** Decisions on calls that wait at the end of `messages`. */
  readonly approvals?: readonly Approval[];
  /** Signs requests for approval, and demands the signature back: for approvals and histories that leave the process. */
  readonly approvalKey?: string;
  /** Answers to calls that were handed to the program and wait at the end of `messages`. */
  readonly answers?: readonly ClientAnswer[];
  /** Survives a crash: with the same `runId`, a run goes on where its journal ends. */
  readonly journal?: Journal;
  readonly runId?: string;
  /** The final answer must be JSON of this schema. */
  readonly output?: Wanted;
  /** What models cost, where it is not what their makers published. */
  readonly prices?: PriceTable;
  /** Hears every event, without iterating; its guards (`beforeCall`, `afterCall`, `beforeReply`) may change, refuse or end. */
  readonly on?: RunListener | RunHooks;
  readonly clock?: Clock;
}

export interface Limits {
  /** Replies of the model. 20 by default. */
  readonly steps?: number;
  /** Calls that run, all together. */
  readonly calls?: number;
  /** Calls of each tool: one number for all, or one by name. */
  readonly callsPerTool?: number | Readonly<Record<string, number>>;
  readonly tokens?: number;
  /** In dollars, or the currency of `prices`. */
  readonly cost?: number;
  /** Milliseconds. */
  readonly time?: number;
}

export interface RunState {
  readonly step: number;
  readonly messages: readonly Message[];
  readonly reply: Reply;
  /** The calls of this step. */
  readonly records: readonly CallRecord[];
  /** All calls so far. */
  readonly calls: readonly CallRecord[];
}

export type StopCondition = (state: RunState) => boolean | Promise<boolean>;

/** What the program answers for a call that was handed to it. */
export interface ClientAnswer {
  readonly callId: string;
  readonly content: string | readonly ResultPart[] | JsonValue;
  readonly isError?: boolean;
  readonly artifact?: JsonValue;
}

/** A schema, or a schema and how it is asked for. */
export type WantedOutput = InputSchema | OutputRequest;

/** What the final answer is once it is checked: what a library's schema gives back, or else JSON. */
export type OutputFor<Wanted> = WantedOutput extends Wanted
  ? JsonValue
  : Wanted extends OutputRequest<infer Schema>
    ? OutputFor<Schema>
    : Wanted extends JsonSchema
      ? JsonValue
      : Output<Wanted>;

export interface OutputRequest<Schema extends InputSchema = InputSchema> {
  readonly schema: Schema;
  /** `answer` by default. */
  readonly name?: string;
  /** By the provider's own means, or by a call that carries the answer. */
  readonly by?: 'provider' | 'call';
  /** How often an answer that does not fit is sent back. 2 by default. */
  readonly retries?: number;
}
