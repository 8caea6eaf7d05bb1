import { systemClock } from '../../base/host/clock.ts';
import { randomId } from '../../base/host/random.ts';
import type { Call } from '../../base/message/call.ts';
import type { ModelError, ModelRequest, Reply } from '../../base/message/model.ts';
import type { CallRecord } from '../tool/call-record.ts';
import { ToolUse } from '../tool/lifecycle.ts';
import { toolbox } from '../tool/toolbox.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import { Watch } from '../tool/watch.ts';
import { askModel } from './ask-model.ts';
import { toolsOf } from './bind.ts';
import { Caller } from './caller.ts';
import { approverFor } from './decide.ts';
import type { RunEvent } from './event.ts';
import { FinalAnswer } from './final-answer.ts';
import { historyOf, mustHaveAsk } from './history.ts';
import { Ledger } from './ledger.ts';
import { LimitCounter } from './limits.ts';
import { ModelEars } from './model-ears.ts';
import type { RunOptions } from './options.ts';
import { failedRun, outcomeOf } from './outcome-of.ts';
import type { Outcome, StopReason } from './outcome.ts';
import { ResultReader } from './read-result.ts';
import { mustBeSameRun, recover } from './recover.ts';
import type { RecoveredStep } from './recover.ts';
import { requestSettings, toolChoiceAt } from './request.ts';
import { costOf } from './run-usage.ts';
import { StepCalls } from './step-calls.ts';
import { answeredRecord, checkAnswers, isStandIn, pairUp, standingRecord, waitingAtEnd } from './waiting.ts';
import type { WaitingStep } from './waiting.ts';

/** Steps until the end. Nothing is copied from step to step: histories, records and counts only grow. */
export class Runner {
  readonly #options: RunOptions;
  readonly #watch: Watch;
  readonly #limits: LimitCounter;
  readonly #box: Toolbox;
  readonly #answer: FinalAnswer | undefined;
  readonly #reader: ResultReader;
  readonly #use = new ToolUse();
  readonly #ledger: Ledger;
  readonly #caller: Caller;
  readonly #controller = new AbortController();
  readonly #settings: Partial<ModelRequest>;
  readonly #listeners: ((event: RunEvent) => void)[];
  #step = 0;
  /** Why the run was ended from outside, once it was. */
  #ended: 'aborted' | 'time-limit' | undefined;
  #leaveModel: ((error: ModelError) => void) | undefined;

  constructor(options: RunOptions) {
    mustHaveAsk(options);
    this.#options = options;
    this.#watch = new Watch(options.clock ?? systemClock);
    this.#limits = new LimitCounter(options);
    this.#listeners = options.on === undefined ? [] : [options.on];
    const own = toolbox(options.tools ?? toolsOf(options.model) ?? []);
    this.#answer = options.output === undefined ? undefined : new FinalAnswer(options.output);
    this.#box = this.#answer?.tool === undefined ? own : own.with(this.#answer.tool);
    this.#reader = new ResultReader(this.#box);
    this.#settings = requestSettings(options, this.#answer?.request);
    this.#ledger = new Ledger(options.runId ?? randomId('run'), historyOf(options), options.journal);
    this.#caller = new Caller(options, {
      ledger: this.#ledger,
      limits: this.#limits,
      reader: this.#reader,
      watch: this.#watch,
      use: this.#use,
      emitter: () => this.#emitter,
    });
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
        : this.#watch.clock.after(limits.time, () => this.#end('time-limit'), { keepAlive: true });
    try {
      this.#emitter?.({ type: 'run-start', runId: this.#ledger.runId, model: this.#options.model.name });
      return (await this.#begin()) ?? (await this.#steps());
    } catch (error) {
      this.#watch.abort(error);
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      stopTimer?.();
      this.#watch.close();
      await this.#use.release();
    }
  }

  /** Takes up what was there before this process: a journal, and calls that waited. An outcome, if that is the end. */
  async #begin(): Promise<Outcome | undefined> {
    const { journal } = this.#options;
    let stop: StopReason | undefined;
    if (journal !== undefined) {
      const entries = await journal.read(this.#ledger.runId);
      if (entries.length > 0) stop = await this.#goOn(entries);
      else
        await this.#ledger.write({
          type: 'start',
          at: this.#watch.clock.now(),
          messages: this.#ledger.messages,
        });
    }
    const waiting = waitingAtEnd(this.#ledger.messages);
    await checkAnswers(waiting, this.#box, this.#options);
    if (stop !== undefined && stop !== 'waiting') return this.#finish(stop, undefined);
    if (waiting === undefined) return undefined;
    const records = await this.#answerWaiting(waiting);
    const decided = await this.#decideAfterCalls(undefined, records);
    return decided === undefined ? undefined : this.#finish(decided, undefined);
  }

  /** Goes on where the journal ends: nothing that is written there is asked for, or run, again. */
  async #goOn(entries: Parameters<typeof recover>[1]): Promise<StopReason | undefined> {
    const { runId, messages } = this.#ledger;
    const recovered = recover(runId, entries);
    if (recovered === undefined) return undefined;
    const { approvals, answers: given } = this.#options;
    const answers = approvals !== undefined || given !== undefined;
    mustBeSameRun(runId, recovered, messages.length === 0 || answers ? undefined : messages);
    messages.splice(0, messages.length, ...recovered.start);
    let stop: StopReason | undefined;
    for (const step of recovered.steps) {
      this.#step = step.step;
      this.#caller.step = step.step;
      if (step.reply.message.content.length > 0) messages.push(step.reply.message);
      const records = await this.#completeStep(step);
      this.#limits.recall(records);
      this.#count(step.reply, records);
      messages.push(...step.said);
      if (step === recovered.steps.at(-1) && recovered.ended === undefined && step.said.length === 0) {
        stop = await this.#decide(step.reply, records);
      }
    }
    return recovered.ended ?? stop;
  }

  /** The results of a step that a journal has, and those that a crash prevented. */
  async #completeStep(step: RecoveredStep): Promise<readonly CallRecord[]> {
    if (step.calls.length === 0) return none;
    const { shown } = await this.#offer(false);
    const missing = new StepCalls(this.#caller, shown);
    const pending = step.calls.map((call, place) => {
      const known = step.records.get(place);
      if (known !== undefined) {
        if (known.whole !== undefined) this.#reader.keep(call.id, known.whole);
        return known;
      }
      if (step.begun.has(place) && shown.find(call.name)?.tool.idempotent !== true) {
        return this.#caller.refuse(call, 'interrupted', interruptedText(call));
      }
      return missing.start(call);
    });
    const records = await Promise.all(pending.map(async (record) => record));
    this.#ledger.addRecords(records);
    return records;
  }

  /** Runs or refuses what waited, as was decided; what is still open goes on waiting. */
  async #answerWaiting(step: WaitingStep): Promise<readonly CallRecord[]> {
    const { approvals = [], answers = [] } = this.#options;
    const { shown } = await this.#offer(false);
    const pending = pairUp(step).map(({ call, result }) => {
      if (call === undefined || !isStandIn(result)) return undefined;
      const answer = answers.find((given) => given.callId === call.id);
      if (answer !== undefined) return this.#caller.keep(answeredRecord(call, answer, this.#step));
      if (result.errorCode === 'needs_client') return standingRecord(call, result, this.#step);
      const approval = approvals.find((given) => given.callId === call.id);
      return this.#caller.resume(call, shown, approval && approverFor(approval));
    });
    const records = await Promise.all(pending.map(async (record) => record));
    this.#ledger.replaceRecords(step, records, this.#step);
    return records.filter((record) => record !== undefined);
  }

  async #steps(): Promise<Outcome> {
    let answering = false;
    for (;;) {
      if (this.#ended !== undefined) return this.#finish(this.#ended, undefined);
      const limit = this.#limits.reached(this.#step);
      if (limit !== undefined) {
        if (answering || this.#options.atLimit !== 'answer') return this.#finish(limit, undefined);
        answering = true;
      }
      this.#step++;
      this.#caller.step = this.#step;
      const { reply, records } = await this.#takeStep(answering);
      if (answering && limit !== undefined && this.#ended === undefined && reply.error === undefined) {
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
    this.#emitter?.({ type: 'step-start', step: this.#step });
    const offered = await this.#offer(answering);
    const calls = new StepCalls(this.#caller, offered.runnable);
    const complete: Call[] = [];
    const reply = await this.#ask(offered.shown, answering, calls, complete);
    this.#emitter?.({ type: 'reply', step: this.#step, reply });
    const kept = this.#ledger.addReply(this.#step, reply);
    if (kept !== undefined) await kept;
    const records = await this.#answerCalls(reply, calls, complete);
    const cost = this.#count(reply, records);
    if (this.#emitter !== undefined) {
      if (reply.usage !== undefined) {
        this.#emitter({ type: 'usage', step: this.#step, usage: reply.usage, cost });
      }
      this.#emitter({ type: 'step-end', step: this.#step, reply, records });
    }
    return { reply, records };
  }

  #count(reply: Reply, records: readonly CallRecord[]): number | undefined {
    const cost = costOf(reply.usage, this.#options.prices?.[this.#options.model.name]);
    this.#ledger.entries.push({ step: this.#step, usage: reply.usage, cost, records });
    this.#limits.countReply(reply.usage?.total, cost);
    return cost;
  }

  /** The tools of this request: what the model is shown, and what of that may run. */
  async #offer(answering: boolean): Promise<{ readonly shown: Toolbox; readonly runnable: Toolbox }> {
    const box = this.#reader.isNeeded ? this.#reader.box : this.#box;
    if (!box.varies) return { shown: box, runnable: answering ? nothing : box };
    const injected = this.#options.injected ?? {};
    const shown = await box.available({ step: this.#step, messages: this.#ledger.messages, injected });
    return { shown, runnable: answering ? nothing : shown };
  }

  #ask(shown: Toolbox, answering: boolean, calls: StepCalls, complete: Call[]): Promise<Reply> {
    const ears = new ModelEars(this.#step, this.#emitter, (call) => {
      if (!call.requiresLocalExecution || call.invalid !== undefined) return;
      // With a journal, a call waits until its reply is written down: after a crash in between, the model is asked again,
      // and what had run already would run a second time.
      if (this.#ledger.isKept) complete.push(call);
      else void calls.start(call);
    });
    const choice = answering ? 'none' : toolChoiceAt(this.#step, this.#options.toolChoice);
    const request: ModelRequest = {
      ...this.#settings,
      // The same array in every step, so that an adapter can go on where it stopped. It grows between replies only.
      messages: this.#ledger.messages,
      ...(shown.size > 0 && { tools: shown.specs }),
      ...(shown.size > 0 && choice !== undefined && { toolChoice: choice }),
    };
    return askModel(request, {
      model: this.#options.model,
      signal: this.#controller.signal,
      onEvent: (event) => ears.hear(event),
      onWait: (leave) => {
        this.#leaveModel = leave;
        if (this.#ended !== undefined) leave(leftBehind(this.#ended));
      },
    });
  }

  /** Every call of the reply gets its one result; the results become one message, in call order. */
  async #answerCalls(
    reply: Reply,
    calls: StepCalls,
    complete: readonly Call[],
  ): Promise<readonly CallRecord[]> {
    const local = reply.message.content.filter(
      (part): part is Call => part.type === 'call' && part.requiresLocalExecution,
    );
    if (local.length === 0) return none;
    for (const call of local) {
      if (calls.has(call)) continue;
      const isComplete = complete.some((whole) => whole.id === call.id) || isSafeToRun(reply, call);
      if (this.#ended !== undefined) {
        calls.answer(call, this.#caller.refuse(call, 'cancelled', stoppedText(call)));
      } else if (isComplete) void calls.start(call);
      else calls.answer(call, this.#caller.refuse(call, 'truncated', cutText(call, reply)));
    }
    const records = await calls.settle(local);
    this.#ledger.addRecords(records);
    return records;
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
    await this.#ledger.say(this.#step, wrong);
    return undefined;
  }

  async #decideAfterCalls(
    reply: Reply | undefined,
    records: readonly CallRecord[],
  ): Promise<StopReason | undefined> {
    if (this.#ended !== undefined) return this.#ended;
    if (records.some((record) => record.waitsFor !== undefined)) return 'waiting';
    if (this.#answer?.take(records) === true) return 'done';
    if (records.some((record) => record.success && this.#isDirect(record))) return 'returned';
    const { stopWhen } = this.#options;
    if (stopWhen === undefined || reply === undefined) return undefined;
    const { messages, records: calls } = this.#ledger;
    for (const condition of typeof stopWhen === 'function' ? [stopWhen] : stopWhen) {
      if (await condition({ step: this.#step, messages, reply, records, calls })) return 'condition';
    }
    return undefined;
  }

  #isDirect(record: CallRecord): boolean {
    return this.#box.find(record.call.name)?.tool.returnDirect === true;
  }

  async #finish(stop: StopReason, reply: Reply | undefined): Promise<Outcome> {
    const { records } = this.#ledger;
    const direct = stop === 'returned' ? records.findLast((record) => this.#isDirect(record)) : undefined;
    const steps = this.#step;
    const outcome = outcomeOf(this.#ledger, { stop, reply, direct, steps, output: this.#answer?.value });
    // Who was interrupted may go on; everyone else is done, and is told the same when asked again.
    if (stop !== 'error' && stop !== 'aborted' && stop !== 'time-limit') {
      await this.#ledger.write({ type: 'end', at: this.#watch.clock.now(), stop });
    }
    this.#emitter?.({ type: 'finish', outcome });
    if (stop === 'error') throw failedRun(this.#options.model.name, reply, outcome);
    return outcome;
  }

  #end(why: 'aborted' | 'time-limit', reason?: unknown): void {
    if (this.#ended !== undefined) return;
    this.#ended = why;
    this.#controller.abort(reason);
    this.#leaveModel?.(leftBehind(why));
    this.#watch.abort(reason);
  }

  /** Undefined while nobody listens: then no event is made. */
  get #emitter(): ((event: RunEvent) => void) | undefined {
    return this.#listeners.length === 0 ? undefined : this.#tell;
  }

  readonly #tell = (event: RunEvent): void => {
    for (const listener of this.#listeners) listener(event);
  };
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

function interruptedText(call: Call): string {
  return `The program was interrupted while "${call.name}" was running. Whether it took effect is not known: look before you call it again.`;
}

function leftBehind(why: 'aborted' | 'time-limit'): ModelError {
  return why === 'aborted'
    ? { kind: 'aborted', message: 'The run was aborted.' }
    : { kind: 'timeout', message: 'The time of the run was over.' };
}
