import type { RunGuards } from './guard.ts';
import type { JsonValue } from '../../base/json/value.ts';
import type { Call } from '../../base/message/call.ts';
import type { ModelError, ModelEvent, Reply } from '../../base/message/model.ts';
import type { Usage } from '../../base/message/usage.ts';
import type { ApprovalRequest, CallRecord } from '../tool/call/call-record.ts';
import type { ArgumentChange, Note, NoteTime } from '../tool/contract.ts';
import type { Late } from '../tool/call/deadlines.ts';
import type { Outcome } from './outcome.ts';

interface InStep<Type extends string> {
  readonly type: Type;
  /** Counted from 1. */
  readonly step: number;
}

interface InSlot<Type extends string> extends InStep<Type> {
  readonly slot: number;
}

interface OfCall<Type extends string> extends InStep<Type> {
  readonly callId: string;
  readonly name: string;
}

/** More of a call's arguments. `arguments` reads what is there so far, as a live view: look, do not keep. */
export interface CallDelta extends InSlot<'call-delta'> {
  readonly id: string;
  readonly name: string;
  /** The new piece, as the model wrote it. */
  readonly text: string;
  /** Valid until the next delta; undefined as long as nothing can be read. */
  readonly arguments: JsonValue | undefined;
}

type CallStart = Omit<Extract<ModelEvent, { type: 'call-start' }>, 'providerData'>;
type Retry = Extract<ModelEvent, { type: 'retry' }>;

/** What happens in a run, as it happens. */
export type RunEvent =
  | { readonly type: 'run-start'; readonly runId: string; readonly model: string }
  | InStep<'step-start'>
  | (InSlot<'text' | 'reasoning' | 'refusal'> & { readonly text: string })
  | (CallStart & { readonly step: number })
  | CallDelta
  | (InSlot<'call-end'> & { readonly call: Call })
  /** More of the final answer that `output` asked for. `output` reads what is there so far: look, do not keep. */
  | (InStep<'output'> & { readonly text: string; readonly output: JsonValue | undefined })
  | (OfCall<'note'> & { readonly on: NoteTime; readonly note: Note })
  | (OfCall<'changes'> & { readonly changes: readonly ArgumentChange[] })
  | (InStep<'approval'> & { readonly request: ApprovalRequest })
  /** The model has given its reply; calls may still run. */
  | (InStep<'reply'> & { readonly reply: Reply })
  /** The tool begins to run. */
  | OfCall<'tool-start'>
  | (OfCall<'progress'> & { readonly progress: unknown })
  | (InStep<'result'> & { readonly record: CallRecord })
  /** What happens in a run inside a tool. */
  | (OfCall<'nested'> & { readonly event: RunEvent })
  /** A tool that had been left behind answered after all. No model sees it. */
  | (OfCall<'late'> & { readonly late: Late })
  | (InStep<'usage'> & { readonly usage: Usage; readonly cost: number | undefined })
  | (Retry & { readonly step: number })
  | (InStep<'error'> & { readonly error: ModelError })
  /** A tool failed outside any call: it is not offered in this step, or could not be stopped at the end. */
  | (InStep<'fault'> & {
      readonly name: string;
      readonly doing: 'isAvailable' | 'stop';
      readonly cause: unknown;
    })
  | (InStep<'step-end'> & { readonly reply: Reply; readonly records: readonly CallRecord[] })
  | { readonly type: 'finish'; readonly outcome: Outcome };

/**
 * Hears every event of a run. It may also be around the work itself, so that what happens within a tool or a model
 * is known to belong to it: `around` must call `go` at once and give back what it gave.
 */
export interface RunListener extends RunGuards {
  (event: RunEvent): void;
  around?<Value>(work: RunWork, go: () => Value): Value;
}

/** The same without a function: guards, and what hears the events where something does. */
export interface RunHooks extends RunGuards {
  readonly event?: (event: RunEvent) => void;
  around?<Value>(work: RunWork, go: () => Value): Value;
}

/** The run as a whole, which may end by throwing what no event tells; a reply of the model, or a tool that runs. */
export type RunWork =
  | { readonly kind: 'run'; readonly runId: string }
  | { readonly kind: 'reply'; readonly step: number }
  | { readonly kind: 'tool'; readonly callId: string };
