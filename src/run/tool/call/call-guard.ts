import type { JsonValue } from '../../../base/json/value.ts';
import type { Call } from '../../../base/message/call.ts';
import type { Message } from '../../../base/message/message.ts';
import type { CallRecord } from './call-record.ts';
import type { ResultPart } from '../../../base/message/part.ts';

/** What a guard says of something: it is refused, with a reason that the model reads, or the run ends with it. */
export type Objection = { readonly refuse: string } | { readonly end: string };

/** Nothing, or what is to be otherwise. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a guard that only looks answers nothing
type Verdict<Change> = Change | Objection | undefined | void;

/** A call that is about to run. */
export interface GuardedCall {
  readonly call: Call;
  /** What would run, after repair and coercion. */
  readonly arguments: JsonValue;
  readonly step: number;
  /** The history up to the reply that made the call. */
  readonly messages: readonly Message[];
  readonly signal: AbortSignal;
}

/** Asked of each call that fits its schema, before any person. Changed arguments are checked like any others. */
export type BeforeCall = (
  asked: GuardedCall,
) => Verdict<{ readonly arguments: JsonValue }> | Promise<Verdict<{ readonly arguments: JsonValue }>>;

/** A call that has ended. */
export interface GuardedResult {
  readonly record: CallRecord;
  readonly step: number;
  readonly signal: AbortSignal;
}

/** What a model is to read in place of a result. */
export interface ChangedResult {
  readonly content: string | readonly ResultPart[];
}

/** Asked of each result before it is written down and before the model reads it. */
export type AfterCall = (ended: GuardedResult) => Verdict<ChangedResult> | Promise<Verdict<ChangedResult>>;
