import type { JsonValue } from '../../../base/json/value.ts';
import type { Call } from '../../../base/message/call.ts';
import type { Result } from '../../../base/message/result.ts';
import type { ArgumentChange, Note } from '../contract.ts';

/** Why a call ended in an error, for programs. It is the `errorCode` of its result. */
export type CallErrorCode =
  | 'unknown_tool'
  | 'invalid_arguments'
  | 'arguments_not_json'
  | 'truncated'
  | 'failed'
  | 'tool_threw'
  | 'timeout'
  | 'cancelled'
  | 'output_not_json'
  | 'output_invalid'
  | 'rejected'
  | 'limit_reached'
  | 'interrupted'
  | 'needs_approval'
  | 'needs_client';

/** One call with its one result, and what a program may want to know of the way between. */
export interface CallRecord {
  readonly call: Call;
  readonly step: number;
  readonly result: Result;
  readonly success: boolean;
  /** What ran, after reading, repair, coercion and edit. Absent when nothing did. */
  readonly input?: unknown;
  /** What the tool answered, bare; after its `output` schema, where it has one. `valueOf` gives it its type. */
  readonly value?: unknown;
  readonly changes?: readonly ArgumentChange[];
  /** The error behind a result that is one. */
  readonly cause?: unknown;
  readonly notes: readonly Note[];
  /** What a person decided. */
  readonly approval?: ApprovalMade;
  /** An identical call of the same step ran; this one got its result. */
  readonly sameAs?: string;
  /** The call waits for someone outside; until they answer, its result is a stand-in. */
  readonly waitsFor?: 'approval' | 'client';
  readonly request?: ApprovalRequest;
  /** The whole text of a result that was cut. */
  readonly whole?: string;
}

/** What a person is asked. */
export interface ApprovalRequest {
  readonly callId: string;
  readonly name: string;
  /** The arguments that would run, after repair and coercion. */
  readonly arguments: JsonValue;
  /** Of `arguments`: an approval holds for these and no others. */
  readonly hash: string;
  readonly note?: Note;
  /** Proof that the run asked this; present where the run has an `approvalKey`. */
  readonly token?: string;
}

/**
 * What a person answers. `true` and `false` are short for approve and reject. `remember` decides the same for the rest
 * of the run: for this tool with exactly these arguments, or for this tool whatever it is asked. With `scope` that is
 * written down in the run's `approvalMemory`, for this project or for always.
 */
export type Decision =
  | boolean
  /** Nobody can decide now: the call waits with this request. */
  | { readonly wait: ApprovalRequest }
  | {
      readonly decision: 'approve';
      readonly remember?: 'exact' | 'tool';
      readonly scope?: 'run' | 'project' | 'always';
    }
  | { readonly decision: 'edit'; readonly arguments: JsonValue }
  | {
      readonly decision: 'reject';
      readonly reason?: string;
      readonly remember?: 'exact' | 'tool';
      readonly scope?: 'run' | 'project' | 'always';
    };

/** A decision that was carried out. */
export interface ApprovalMade {
  readonly decision: 'approve' | 'edit' | 'reject';
  /** Of the arguments that ran. */
  readonly hash: string;
  readonly reason?: string;
}
