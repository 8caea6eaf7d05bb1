import type { JsonValue } from '../../base/json/value.ts';
import type { Call } from '../../base/message/call.ts';
import type { Message } from '../../base/message/message.ts';
import type { ModelError } from '../../base/message/model.ts';
import type { Finish } from '../../base/message/usage.ts';
import type { ApprovalRequest, CallRecord } from '../tool/call-record.ts';
import type { Late } from '../tool/run-within-deadline.ts';
import type { RunUsage } from './run-usage.ts';

/** Why a run ended. */
export type StopReason =
  /** The model answered and asked for nothing more. */
  | 'done'
  /** A tool with `returnDirect` gave the answer. */
  | 'returned'
  /** Calls wait for an approval, or for the program: see `waiting`. */
  | 'waiting'
  | 'step-limit'
  | 'call-limit'
  | 'token-limit'
  | 'cost-limit'
  | 'time-limit'
  /** A function in `stopWhen` said so. */
  | 'condition'
  | 'aborted'
  /** The reply ended before it was complete: its length, a filter, a refusal. */
  | 'length'
  | 'filter'
  | 'refusal'
  | 'error';

/** How a run ended, and everything that it brought. */
export interface Outcome<Output = JsonValue> {
  readonly runId: string;
  /** The last reply's text, or the result of a tool with `returnDirect`. */
  readonly text: string;
  readonly stop: StopReason;
  readonly finish: Finish | undefined;
  /** Every call with its result, in order. */
  readonly calls: readonly CallRecord[];
  /** The whole history, ready to be sent again to any provider, whatever happened. */
  readonly messages: readonly Message[];
  readonly usage: RunUsage;
  /** How many replies the model gave. */
  readonly steps: number;
  /** The final answer, checked, where the run asked for one with `output`. */
  readonly output: Output | undefined;
  /** What the run waits for when it stopped with `waiting`. */
  readonly waiting: { readonly approvals: readonly ApprovalRequest[]; readonly calls: readonly Call[] };
  /** Answers that came after their deadline. More may come after the run has ended. */
  readonly late: readonly LateAnswer[];
  readonly error?: ModelError;
}

export interface LateAnswer {
  readonly callId: string;
  readonly name: string;
  readonly late: Late;
}
