import { systemClock } from '../../base/host/clock.ts';
import type { Clock } from '../../base/host/clock.ts';
import { WhetstoneError } from '../../base/host/errors.ts';
import { randomId } from '../../base/host/random.ts';
import type { JsonValue } from '../../base/json/value.ts';
import type { Call } from '../../base/message/call.ts';
import type { Message } from '../../base/message/message.ts';
import type { ModelError, ModelRequest, Reply } from '../../base/message/model.ts';
import { errorResult } from '../../base/message/result.ts';
import type { ApprovalRule } from '../tool/approval-rule.ts';
import type { Approver } from '../tool/ask-approval.ts';
import type { CallErrorCode, CallRecord } from '../tool/call-record.ts';
import { ToolUse } from '../tool/lifecycle.ts';
import { runCall } from '../tool/run-call.ts';
import type { CallEvent, RunCallOptions } from '../tool/run-call.ts';
import { toolbox } from '../tool/toolbox.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import { Watch } from '../tool/watch.ts';
import { askModel } from './ask-model.ts';
import { toolsOf } from './bind.ts';
import { approverOf } from './decide.ts';
import type { RunEvent } from './event.ts';
import { FinalAnswer } from './final-answer.ts';
import { LimitCounter } from './limits.ts';
import { ModelEars } from './model-ears.ts';
import type { RunOptions } from './options.ts';
import type { LateAnswer, Outcome, StopReason } from './outcome.ts';
import { ResultReader } from './read-result.ts';
import { costOf, usageOf } from './run-usage.ts';
import type { StepEntry } from './run-usage.ts';
import { beginHistory, textOfLast } from './history.ts';
import { StepCalls } from './step-calls.ts';
import type { CallRunner } from './step-calls.ts';

/** Steps until the end. Nothing is copied from step to step: histories, records and counts only grow. */
export class Runner implements CallRunner {
  readonly concurrency: number;
  readonly #options: RunOptions;
  readonly #clock: Clock;
  readonly #watch: Watch;
  readonly #limits: LimitCounter;
  readonly #box: Toolbox;
  readonly #answer: FinalAnswer | undefined;
  readonly #reader: ResultReader;
  readonly #use = new ToolUse();
  readonly #approver: Approver;
  readonly #callOptions: RunCallOptions;
  readonly #controller = new AbortController();
  readonly #runId: string;
  #listeners: ((event: RunEvent) => void)[];
  readonly #messages: Message[];
  readonly #records: CallRecord[] = [];
  readonly #entries: StepEntry[] = [];
  readonly #late: LateAnswer[] = [];
  #step = 0;
  /** Why the run was ended from outside, once it was. */
  #ended: 'aborted' | 'time-limit' | undefined;
  #leaveModel: ((error: ModelError) => void) | undefined;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#watch = new Watch(this.#clock);
    this.#limits = new LimitCounter(options);
    this.#messages = beginHistory(options);
    this.concurrency = options.concurrency ?? 16;
    this.#runId = options.runId ?? randomId('run');
    this.#listeners = options.on === undefined ? [] : [options.on];
    const own = toolbox(options.tools ?? toolsOf(options.model) ?? []);
    this.#answer = options.output === undefined ? undefined : new FinalAnswer(options.output);
    this.#box = this.#answer?.tool === undefined ? own : own.with(this.#answer.tool);
    this.#reader = new ResultReader(this.#box);
    const rules: ApprovalRule[] = [...(options.approvalRules ?? [])];
    this.#approver = approverOf(options, rules, (request) => {
      this.#emit({ type: 'approval', step: this.#step, request });
    });
    this.#callOptions = {
      watch: this.#watch,
      use: this.#use,
      mistakes: new Map(),
      outputReader: this.#reader.name,
      on: (event, call) => this.#hearCall(event, call),
      ...(options.injected && { injected: options.injected }),
      ...(options.toolTimeout !== undefined && { toolTimeout: options.toolTimeout }),
      approver: this.#approver,
    };
  }

  listen(listener: (event: RunEvent) => void): void {
    this.#listeners.push(listener);
  }

  abort(reason?: unknown): void {
    this.#end('aborted', reason);
  }

  async go(): Promise<Outcome> {
    const { signal, limits } = this.#options;
    const onAbort = (): void => this.abort(signal?.reason);
    if (signal?.aborted === true) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    const stopTimer =
      limits?.time === undefined
        ? undefined
        : this.#clock.after(limits.time, () => this.#end('time-limit'), { keepAlive: true });
    try {
      return await this.#steps();
    } finally {
      signal?.removeEventListener('abort', onAbort);
      stopTimer?.();
      this.#watch.close();
      await this.#use.release();
    }
  }

  async #steps(): Promise<Outcome> {
    if (this.#listening) {
      this.#emit({ type: 'run-start', runId: this.#runId, model: this.#options.model.name });
    }
    let answering = false;
    for (;;) {
      if (this.#ended !== undefined) return this.#finish(this.#ended, undefined);
      const limit = this.#limits.reached(this.#step);
      if (limit !== undefined) {
        if (answering || this.#options.atLimit !== 'answer') return this.#finish(limit, undefined);
        answering = true;
      }
      this.#step++;
      const { reply, records } = await this.#takeStep(answering);
      if (limit !== undefined && this.#ended === undefined && reply.error === undefined) {
        return this.#finish(limit, reply);
      }
      const stop = await this.#decide(reply, records);
      if (stop !== undefined) return this.#finish(stop, reply);
    }
  }

  /** One reply of the model with its results. */
  async #takeStep(
    answering: boolean,
  ): Promise<{ readonly reply: Reply; readonly records: readonly CallRecord[] }> {
    if (this.#listening) this.#emit({ type: 'step-start', step: this.#step });
    const offered = await this.#offer(answering);
    const calls = new StepCalls(this, offered.runnable);
    const reply = await this.#ask(offered.shown, answering, calls);
    if (reply.message.content.length > 0) this.#messages.push(reply.message);
    const records = await this.#answerCalls(reply, calls);
    const cost = costOf(reply.usage, this.#options.prices?.[this.#options.model.name]);
    this.#limits.countReply(reply.usage?.total, cost);
    this.#entries.push({ step: this.#step, usage: reply.usage, cost, records });
    if (this.#listening) {
      if (reply.usage !== undefined) {
        this.#emit({ type: 'usage', step: this.#step, usage: reply.usage, cost });
      }
      this.#emit({ type: 'step-end', step: this.#step, reply, records });
    }
    return { reply, records };
  }

  /** The tools of this request: what the model is shown, and what of that may run. */
  async #offer(answering: boolean): Promise<{ readonly shown: Toolbox; readonly runnable: Toolbox }> {
    const box = this.#reader.isNeeded ? this.#reader.box : this.#box;
    let shown = box;
    if (box.varies) {
      const injected = this.#options.injected ?? {};
      shown = await box.available({ step: this.#step, messages: this.#messages, injected });
    }
    return { shown, runnable: answering ? nothing : shown };
  }

  #ask(shown: Toolbox, answering: boolean, calls: StepCalls): Promise<Reply> {
    const ears = new ModelEars(
      this.#step,
      this.#listening ? (event) => this.#emit(event) : undefined,
      (call) => {
        if (call.requiresLocalExecution && call.invalid === undefined) calls.start(call);
      },
    );
    return askModel(this.#request(shown, answering), {
      model: this.#options.model,
      signal: this.#controller.signal,
      onEvent: (event) => ears.hear(event),
      onWait: (leave) => {
        this.#leaveModel = leave;
        if (this.#ended !== undefined) leave(leftBehind(this.#ended));
      },
    });
  }

  #request(shown: Toolbox, answering: boolean): ModelRequest {
    const { maxOutputTokens, temperature, topP, seed, stop, reasoning, providerOptions, parallelCalls } =
      this.#options;
    const choice = answering ? 'none' : this.#toolChoice();
    const output = this.#answer?.request;
    return {
      // The same array in every step, so that an adapter can go on where it stopped. It grows between replies only.
      messages: this.#messages,
      ...(shown.size > 0 && { tools: shown.specs }),
      ...(shown.size > 0 && choice !== undefined && { toolChoice: choice }),
      ...(parallelCalls !== undefined && { parallelCalls }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(temperature !== undefined && { temperature }),
      ...(topP !== undefined && { topP }),
      ...(seed !== undefined && { seed }),
      ...(stop !== undefined && { stop }),
      ...(reasoning !== undefined && { reasoning }),
      ...(providerOptions !== undefined && { providerOptions }),
      ...(output !== undefined && { output }),
    };
  }

  /** What forces a call is let go after the first step. */
  #toolChoice(): ModelRequest['toolChoice'] {
    const choice = this.#options.toolChoice;
    if (choice === undefined || this.#step === 1 || choice === 'auto' || choice === 'none') return choice;
    if (typeof choice === 'object' && 'allowed' in choice) return { ...choice, mode: 'auto' };
    return 'auto';
  }

  /** Every call of the reply gets its one result; the results become one message, in call order. */
  async #answerCalls(reply: Reply, calls: StepCalls): Promise<readonly CallRecord[]> {
    const local = reply.message.content.filter(
      (part): part is Call => part.type === 'call' && part.requiresLocalExecution,
    );
    if (local.length === 0) return none;
    for (const call of local) {
      if (calls.has(call)) continue;
      if (this.#ended !== undefined) calls.refuse(call, this.#refuse(call, 'cancelled', stoppedText(call)));
      else if (isSafeToRun(reply, call)) calls.start(call);
      else calls.refuse(call, this.#refuse(call, 'truncated', cutText(call, reply)));
    }
    const records = await calls.settle(local);
    this.#messages.push({ role: 'tool', results: records.map((record) => record.result) });
    for (const record of records) this.#records.push(record);
    return records;
  }

  async run(call: Call, offered: Toolbox): Promise<CallRecord> {
    const limit = offered.find(call.name) === undefined ? undefined : this.#limits.admit(call.name);
    if (limit !== undefined) return this.#refuse(call, limit.code, limit.text);
    const record = await runCall(call, offered, {
      ...this.#callOptions,
      messages: this.#messages,
      step: this.#step,
    });
    if (record.whole !== undefined) this.#reader.keep(call.id, record.whole);
    if (this.#listening) this.#emit({ type: 'result', step: this.#step, record });
    return record;
  }

  #refuse(call: Call, code: CallErrorCode, text: string): CallRecord {
    const record: CallRecord = {
      call,
      step: this.#step,
      result: errorResult(call, code, text),
      success: false,
      notes: [],
    };
    if (this.#listening) this.#emit({ type: 'result', step: this.#step, record });
    return record;
  }

  /** Whether the run ends after this step, and why. */
  async #decide(reply: Reply, records: readonly CallRecord[]): Promise<StopReason | undefined> {
    if (this.#ended !== undefined) return this.#ended;
    if (reply.error !== undefined) return 'error';
    if (records.length > 0) return this.#decideAfterCalls(reply, records);
    const { reason } = reply.finish;
    if (reason === 'pause') return undefined;
    if (reason === 'length' || reason === 'filter' || reason === 'refusal') return reason;
    const wrong = await this.#answer?.read(reply);
    if (wrong === undefined) return 'done';
    this.#messages.push({ role: 'user', content: wrong });
    return undefined;
  }

  async #decideAfterCalls(reply: Reply, records: readonly CallRecord[]): Promise<StopReason | undefined> {
    if (records.some((record) => record.waitsFor !== undefined)) return 'waiting';
    if (this.#answer?.take(records) === true) return 'done';
    if (records.some((record) => record.success && this.#isDirect(record))) return 'returned';
    const { stopWhen } = this.#options;
    if (stopWhen === undefined) return undefined;
    const state = {
      step: this.#step,
      messages: this.#messages,
      reply,
      records,
      calls: this.#records,
    };
    for (const condition of typeof stopWhen === 'function' ? [stopWhen] : stopWhen) {
      if (await condition(state)) return 'condition';
    }
    return undefined;
  }

  #isDirect(record: CallRecord): boolean {
    return this.#box.find(record.call.name)?.tool.returnDirect === true;
  }

  #finish(stop: StopReason, reply: Reply | undefined): Outcome {
    const direct =
      stop === 'returned' ? this.#records.findLast((record) => this.#isDirect(record)) : undefined;
    const waiting =
      stop === 'waiting' ? this.#records.filter((record) => record.waitsFor !== undefined) : none;
    const outcome: Outcome = {
      runId: this.#runId,
      text: textOfLast(this.#messages, direct),
      stop,
      finish: reply?.finish,
      calls: this.#records,
      messages: this.#messages,
      usage: usageOf(this.#entries),
      steps: this.#step,
      output: this.#answer?.value as JsonValue | undefined,
      waiting: {
        approvals: waiting.flatMap((record) => record.request ?? []),
        calls: waiting.flatMap((record) => (record.waitsFor === 'client' ? record.call : [])),
      },
      late: this.#late,
      ...(reply?.error !== undefined && { error: reply.error }),
    };
    if (this.#listening) this.#emit({ type: 'finish', outcome });
    if (stop !== 'error') return outcome;
    const error = reply?.error;
    throw new WhetstoneError(
      'model_failed',
      `The model ${this.#options.model.name} gave no whole reply: ${error?.message ?? 'no reason given'}`,
      {
        details: { kind: error?.kind, status: error?.status, outcome },
        ...(reply !== undefined && 'cause' in reply && { cause: reply.cause }),
      },
    );
  }

  #end(why: 'aborted' | 'time-limit', reason?: unknown): void {
    if (this.#ended !== undefined) return;
    this.#ended = why;
    this.#controller.abort(reason);
    this.#leaveModel?.(leftBehind(why));
    this.#watch.abort(reason);
  }

  get #listening(): boolean {
    return this.#listeners.length > 0;
  }

  #emit(event: RunEvent): void {
    if (event.type === 'finish') this.#listeners = [...this.#listeners];
    for (const listener of this.#listeners) listener(event);
  }

  #hearCall(event: CallEvent, call: Call): void {
    const where = { step: this.#step, callId: call.id, name: call.name };
    if (event.type === 'late') this.#late.push({ callId: call.id, name: call.name, late: event.late });
    if (this.#listening) this.#emit({ ...where, ...event });
  }
}

const none: readonly CallRecord[] = [];
const nothing = toolbox();

/** A call runs when its provider said that it is complete: by itself while streaming, or with a reply that is whole. */
function isSafeToRun(reply: Reply, call: Call): boolean {
  if (call.invalid?.reason === 'truncated' || !reply.complete || reply.error !== undefined) return false;
  const { reason } = reply.finish;
  return reason !== 'length' && reason !== 'filter' && reason !== 'refusal' && reason !== 'error';
}

function cutText(call: Call, reply: Reply): string {
  const why = reply.error?.message ?? `it ended with "${reply.finish.reason}"`;
  return `The call of "${call.name}" was not run: the reply broke off before the call was known to be complete (${why}). Send it again if it is still wanted.`;
}

function stoppedText(call: Call): string {
  return `The run was stopped before this call of "${call.name}" was run.`;
}

function leftBehind(why: 'aborted' | 'time-limit'): ModelError {
  return why === 'aborted'
    ? { kind: 'aborted', message: 'The run was aborted.' }
    : { kind: 'timeout', message: 'The time of the run was over.' };
}
