import type { Call } from '../../base/message/call.ts';
import { errorResult } from '../../base/message/result.ts';
import type { Approver } from '../tool/call/ask-approval.ts';
import type { CallErrorCode, CallRecord } from '../tool/call/call-record.ts';
import type { CallEvent, RunCallOptions } from '../tool/call/run-call.ts';
import { prepareCall } from '../tool/call/prepare-call.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import { RunView } from './agent/run-view.ts';
import { approverOf } from './approval/approver.ts';
import type { RunContext } from './run-context.ts';

/** Runs the calls of a run within its limits, and writes down what became of them. */
export class CallRunner {
  readonly concurrency: number;
  #step = 0;
  /** How long the history was when the reply of this step was asked for. */
  #askedAt = 0;
  readonly #context: Omit<RunContext, 'callRunner'>;
  readonly #options: RunCallOptions;

  constructor(context: Omit<RunContext, 'callRunner'>) {
    const { options, log, deadlines, use, reader, emitter, guards } = context;
    const beforeCall = guards?.beforeCall;
    this.concurrency = options.concurrency ?? 16;
    this.#context = context;
    const around = options.on?.around;
    this.#options = {
      deadlines,
      within: new RunView(context),
      use,
      messages: log.messages,
      mistakes: new Map(),
      outputReader: reader.name,
      on: (event, call) => this.#hear(event, call),
      approver: approverOf(options, {
        clock: deadlines.clock,
        onAsk: (request) => emitter()?.({ type: 'approval', step: this.step, request }),
        before: () => log.messages.slice(0, this.#askedAt),
      }),
      ...(log.isKept && {
        beforeRun: (call: Call) => log.write({ type: 'call', step: this.step, callId: call.id }),
      }),
      ...(around && { around: (call, go) => around({ kind: 'tool', callId: call.id }, go) }),
      ...(beforeCall && { beforeCall }),
      ...(options.injected && { injected: options.injected }),
      ...(options.repair !== undefined && { repair: options.repair }),
      ...(options.coerce !== undefined && { coerce: options.coerce }),
      ...(options.editable !== undefined && { editable: options.editable }),
      ...(options.toolTimeout !== undefined && { toolTimeout: options.toolTimeout }),
    };
  }

  /** The step that is under way. */
  get step(): number {
    return this.#step;
  }

  /** What runs from now on was asked for in the reply of this step, which is at `at` of the history. */
  beginStep(step: number, at: number): void {
    this.#step = step;
    this.#askedAt = at;
  }

  run(call: Call, offered: Toolbox): CallRecord | Promise<CallRecord> {
    const { limits, answer } = this.#context;
    const tool = offered.findFor(call)?.tool;
    // The answer may always be given: without it, all calls that a limit allows were for nothing.
    const limit = tool === undefined || tool === answer?.tool ? undefined : limits.admit(call.name);
    if (limit !== undefined) return this.refuse(call, limit.code, limit.text);
    return this.#take(call, offered, this.#options.approver);
  }

  /** Runs a call that waited; it was counted when it was made. */
  resume(call: Call, offered: Toolbox, approver: Approver | undefined): CallRecord | Promise<CallRecord> {
    return this.#take(call, offered, approver ?? this.#options.approver);
  }

  /** A call that does not run still gets its one result. */
  refuse(call: Call, code: CallErrorCode, text: string): CallRecord | Promise<CallRecord> {
    const result = errorResult(call, code, text);
    return this.keep({ call, step: this.step, result, success: false, notes: [] });
  }

  /** Writes a record down, and tells of it. */
  keep(record: CallRecord): CallRecord | Promise<CallRecord> {
    const { log, reader } = this.#context;
    if (record.whole !== undefined) reader.keep(record.call.id, record.whole);
    const kept = log.keepRecord(record);
    if (kept !== undefined) return kept.then(() => this.#tell(record));
    return this.#tell(record);
  }

  #tell(record: CallRecord): CallRecord {
    this.#context.emitter()?.({ type: 'result', step: this.step, record });
    return record;
  }

  #take(call: Call, offered: Toolbox, approver: Approver | undefined): CallRecord | Promise<CallRecord> {
    const options = { ...this.#options, step: this.step, approver };
    const record = prepareCall(call, offered, this.#context.deadlines, options);
    const { guards } = this.#context;
    if (guards !== undefined)
      return Promise.resolve(record)
        .then((made) => guards.checkRecord(made))
        .then((made) => this.keep(made));
    return record instanceof Promise ? record.then((made) => this.keep(made)) : this.keep(record);
  }

  #hear(event: CallEvent, call: Call): void {
    const { log, emitter } = this.#context;
    if (event.type === 'late') log.late.push({ callId: call.id, name: call.name, late: event.late });
    const emit = emitter();
    if (emit !== undefined) emit({ step: this.step, callId: call.id, name: call.name, ...event });
  }
}
