import { systemClock } from '../../../base/host/clock.ts';
import { asCall, type Call, type CallOrAction } from '../../../base/message/call.ts';
import type { Message } from '../../../base/message/message.ts';
import type { Approver } from './ask-approval.ts';
import type { BeforeCall } from './call-guard.ts';
import type { CallRecord } from './call-record.ts';
import type { ArgumentChange, Note, NoteTime, RunAround } from '../contract.ts';
import type { ToolUse } from '../lifecycle.ts';
import type { Editable } from './may-edit.ts';
import { prepareCall } from './prepare-call.ts';
import { toolbox } from '../toolbox.ts';
import type { Toolbox, ToolSource } from '../toolbox.ts';
import { Deadlines } from './deadlines.ts';
import type { Late } from './deadlines.ts';

/** What happens on the way of one call, for those who show it. */
export type CallEvent =
  | { readonly type: 'note'; readonly on: NoteTime; readonly note: Note }
  | { readonly type: 'changes'; readonly changes: readonly ArgumentChange[] }
  | { readonly type: 'tool-start' }
  | { readonly type: 'progress'; readonly progress: unknown }
  | { readonly type: 'late'; readonly late: Late };

export interface RunCallOptions {
  readonly messages?: readonly Message[];
  readonly step?: number;
  /** What tools get and no model sees. */
  readonly injected?: Readonly<Record<string, unknown>>;
  /** The run around the call, for tools that look at it or run something within it. */
  readonly within?: RunAround;
  /** Milliseconds for tools that set no time of their own; `false` for none. */
  readonly toolTimeout?: number | false;
  /** Mend arguments that are almost JSON, for tools that do not say it themselves. */
  readonly repair?: boolean;
  /** Take `"3"` for `3` and the like, for tools that do not say it themselves. */
  readonly coerce?: boolean;
  /** Decides on calls that need a person. Without one they wait: the result says so. */
  readonly approver?: Approver | undefined;
  /** What a person may change of the arguments, for tools that do not say it themselves. Everything by default. */
  readonly editable?: Editable;
  /** Asked of each call that fits its schema, before any person. */
  readonly beforeCall?: BeforeCall;
  readonly signal?: AbortSignal;
  /** Shared by the calls of a run; alone, a call has its own. */
  readonly deadlines?: Deadlines;
  /** How often a call that was wrong came again, by its text. Shared by the calls of a run. */
  readonly mistakes?: Map<string, number>;
  /** The tool that reads on in results that were cut. */
  readonly outputReader?: string | undefined;
  readonly on?: ((event: CallEvent, call: Call) => void) | undefined;
  /** Wraps the tool while it runs: calls `go` at once and returns what it returned. */
  readonly around?: (<Value>(call: Call, go: () => Value) => Value) | undefined;
  /** Starts tools, and stops them when the run ends. */
  readonly use?: ToolUse;
  /** Awaited after the call was found good and before the tool runs: where a journal writes it down. */
  readonly beforeRun?: ((call: Call) => Promise<void> | undefined) | undefined;
}

/**
 * Runs one call: find, read, check, approve, run, report. Never throws for what a model or a tool did wrong: every way
 * ends in a record with exactly one result. An action on a computer is taken as the call that holds it.
 * @example const { result } = await runCall(call, toolbox(weather));
 */
export async function runCall(
  asked: CallOrAction,
  tools: Toolbox | ToolSource,
  options: RunCallOptions = {},
): Promise<CallRecord> {
  const call = asCall(asked, 'call');
  const box = toolbox(tools as ToolSource);
  if (options.deadlines !== undefined) return prepareCall(call, box, options.deadlines, options);
  const deadlines = new Deadlines(systemClock);
  const abort = (): void => deadlines.abort(options.signal?.reason);
  if (options.signal?.aborted) abort();
  options.signal?.addEventListener('abort', abort, { once: true });
  try {
    return await prepareCall(call, box, deadlines, options);
  } finally {
    options.signal?.removeEventListener('abort', abort);
    deadlines.close();
  }
}
