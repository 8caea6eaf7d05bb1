import type { JsonValue } from '../../base/json/value.ts';
import type { Call } from '../../base/message/call.ts';
import type { ModelError, Reply } from '../../base/message/model.ts';
import type { Usage } from '../../base/message/usage.ts';
import type { ApprovalRequest, CallRecord } from '../tool/call-record.ts';
import type { ArgumentChange, Note } from '../tool/contract.ts';
import type { Late } from '../tool/deadlines.ts';
import type { Outcome } from './outcome.ts';

/** More of a call's arguments. `arguments` reads what is there so far, as a live view: look, do not keep. */
export interface CallDelta {
  readonly type: 'call-delta';
  readonly step: number;
  readonly slot: number;
  readonly id: string;
  readonly name: string;
  /** The new piece, as the model wrote it. */
  readonly text: string;
  /** Valid until the next delta; undefined as long as nothing can be read. */
  readonly arguments: JsonValue | undefined;
}

/** What happens in a run, as it happens. `step` counts from 1. */
export type RunEvent =
  | { readonly type: 'run-start'; readonly runId: string; readonly model: string }
  | { readonly type: 'step-start'; readonly step: number }
  | {
      readonly type: 'text' | 'reasoning' | 'refusal';
      readonly step: number;
      readonly slot: number;
      readonly text: string;
    }
  | {
      readonly type: 'call-start';
      readonly step: number;
      readonly slot: number;
      readonly id: string;
      readonly name: string;
      readonly kind: Call['kind'];
      readonly requiresLocalExecution: boolean;
    }
  | CallDelta
  | { readonly type: 'call-end'; readonly step: number; readonly slot: number; readonly call: Call }
  | {
      readonly type: 'note';
      readonly step: number;
      readonly callId: string;
      readonly name: string;
      readonly on: 'request' | 'result' | 'failure';
      readonly note: Note;
    }
  | {
      readonly type: 'changes';
      readonly step: number;
      readonly callId: string;
      readonly name: string;
      readonly changes: readonly ArgumentChange[];
    }
  | { readonly type: 'approval'; readonly step: number; readonly request: ApprovalRequest }
  /** The model has given its reply; calls may still run. */
  | { readonly type: 'reply'; readonly step: number; readonly reply: Reply }
  /** The tool begins to run. */
  | { readonly type: 'tool-start'; readonly step: number; readonly callId: string; readonly name: string }
  | {
      readonly type: 'progress';
      readonly step: number;
      readonly callId: string;
      readonly name: string;
      readonly progress: unknown;
    }
  | { readonly type: 'result'; readonly step: number; readonly record: CallRecord }
  /** A tool that had been left behind answered after all. No model sees it. */
  | {
      readonly type: 'late';
      readonly step: number;
      readonly callId: string;
      readonly name: string;
      readonly late: Late;
    }
  | {
      readonly type: 'usage';
      readonly step: number;
      readonly usage: Usage;
      readonly cost: number | undefined;
    }
  | {
      readonly type: 'retry';
      readonly step: number;
      readonly attempt: number;
      readonly waitMs: number;
      readonly error: ModelError;
    }
  | { readonly type: 'error'; readonly step: number; readonly error: ModelError }
  /** A tool failed outside any call: it is not offered in this step, or could not be stopped at the end. */
  | {
      readonly type: 'fault';
      readonly step: number;
      readonly name: string;
      readonly doing: 'isAvailable' | 'stop';
      readonly cause: unknown;
    }
  | {
      readonly type: 'step-end';
      readonly step: number;
      readonly reply: Reply;
      readonly records: readonly CallRecord[];
    }
  | { readonly type: 'finish'; readonly outcome: Outcome };

/**
 * Hears every event of a run. It may also stand around the work itself, so that what happens within a tool or a model
 * is known to belong to it: `around` must call `go` at once and give back what it gave.
 */
export interface RunListener {
  (event: RunEvent): void;
  around?<Value>(work: RunWork, go: () => Value): Value;
}

/** The run as a whole, which may end by throwing what no event tells; a reply of the model, or a tool that runs. */
export type RunWork =
  | { readonly kind: 'run'; readonly runId: string }
  | { readonly kind: 'reply'; readonly step: number }
  | { readonly kind: 'tool'; readonly callId: string };
