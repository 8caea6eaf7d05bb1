import { systemClock } from '../../base/host/clock.ts';
import { randomId } from '../../base/host/random.ts';
import { mendHistory } from '../../base/message/check-history.ts';
import type { Message, UserMessage } from '../../base/message/message.ts';
import type { Reply } from '../../base/message/model.ts';
import { readMessages } from '../../base/message/read-message.ts';
import { ToolUse } from '../tool/lifecycle.ts';
import { toolbox } from '../tool/toolbox.ts';
import { Deadlines } from '../tool/call/deadlines.ts';
import { choiceOf, toolsOf } from './request/bind.ts';
import { CallRunner } from './call-runner.ts';
import { checkOptions } from './option/check-options.ts';
import { Cancellation } from './cancellation.ts';
import type { RunEvent } from './event.ts';
import { GuardPost } from './guard.ts';
import { FinalAnswer } from './final-answer.ts';
import { RunLog } from './journal/run-log.ts';
import { LimitCounter } from './limits.ts';
import type { RunOptions } from './option/options.ts';
import { failedRun, outcomeOf } from './outcome.ts';
import type { Outcome, StopReason } from './outcome.ts';
import type { RunContext } from './run-context.ts';
import { ResultReader } from './read-result.ts';
import { mustHaveChosen, requestSettings } from './request/request.ts';
import type { Run } from './run.ts';
import { takeStep } from './step.ts';
import type { RequestSettings } from './step.ts';
import { lockRun } from './journal/run-lock.ts';
import { isDirectAnswer, whyStop } from './stop.ts';
import { resumeRun } from './journal/resume.ts';

/** Steps until the end. Nothing is copied from step to step: histories, records and counts only grow. */
export class Runner {
  readonly #context: RunContext;
  readonly #settings: RequestSettings;
  readonly #use = new ToolUse();
  #listeners: readonly ((event: RunEvent) => void)[];
  /** What a listener threw first. */
  #broken: { readonly error: unknown } | undefined;
  #isOver = false;
  /** The model is not asked again. */
  #isClosed = false;
  /** What the user has said since the last request. */
  #said: UserMessage['content'][] = [];

  constructor(options: RunOptions, start: (options: RunOptions) => Run) {
    checkOptions(options);
    const { on } = options;
    const hears = typeof on === 'function' ? on : on?.event?.bind(on);
    this.#listeners = hears === undefined ? [] : [hears];
    const own = toolbox(options.tools ?? toolsOf(options.model) ?? []);
    const answer = options.output === undefined ? undefined : new FinalAnswer(options.output);
    const box = answer?.tool === undefined ? own : own.with(answer.tool);
    mustHaveChosen(box, choiceOf(options));
    const deadlines = new Deadlines(options.clock ?? systemClock);
    const cancellation = new Cancellation(deadlines);
    const isGuarded =
      on?.beforeCall !== undefined || on?.afterCall !== undefined || on?.beforeReply !== undefined;
    const shared = {
      options,
      start,
      box,
      answer,
      deadlines,
      use: this.#use,
      limits: new LimitCounter(options),
      reader: new ResultReader(box),
      log: new RunLog(options.runId ?? randomId('run'), historyOf(options), {
        journal: options.journal,
        deadlines,
      }),
      cancellation,
      guards: isGuarded ? new GuardPost(on, deadlines, cancellation.signal) : undefined,
      emitter: () => (this.#listeners.length === 0 ? undefined : this.#tell),
    };
    this.#context = { ...shared, callRunner: new CallRunner(shared) };
    this.#settings = requestSettings(options, answer?.request);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Tells a listener of what happens from now on, until the answer is called. */
  listen(listener: (event: RunEvent) => void): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== listener);
    };
  }

  /** Keeps words for the next request. False when there will be none. */
  say(words: UserMessage['content']): boolean {
    if (this.#isClosed || this.#isOver) return false;
    this.#said.push(words);
    return true;
  }

  abort(reason?: unknown): void {
    this.#context.cancellation.end('aborted', reason);
  }

  go(): Promise<Outcome> {
    const { options, log } = this.#context;
    const around = options.on?.around;
    return around === undefined ? this.#go() : around({ kind: 'run', runId: log.runId }, () => this.#go());
  }

  async #go(): Promise<Outcome> {
    const { options, deadlines, log, cancellation, callRunner, emitter } = this.#context;
    const { signal, limits } = options;
    let release: (() => void) | undefined;
    const onAbort = (): void => this.abort(signal?.reason);
    if (signal?.aborted === true) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    const stopTimer =
      limits?.time === undefined
        ? undefined
        : deadlines.clock.after(limits.time, () => cancellation.end('time-limit'), { keepAlive: true });
    try {
      release = lockRun(options.journal, log.runId);
      emitter()?.({ type: 'run-start', runId: log.runId, model: options.model.name });
      const ended = await resumeRun(this.#context);
      const outcome = ended === undefined ? await this.#steps() : await this.#finish(ended.stop, ended.reply);
      this.#mustBeHeard();
      return outcome;
    } catch (error) {
      deadlines.abort(error);
      this.#mustBeHeard();
      throw error;
    } finally {
      this.#isOver = true;
      release?.();
      signal?.removeEventListener('abort', onAbort);
      stopTimer?.();
      deadlines.close();
      // What a run has brought must not be lost because a tool could not be stopped.
      await this.#use.release(deadlines.clock, ({ name }, cause) => {
        emitter()?.({ type: 'fault', step: callRunner.step, name, doing: 'stop', cause });
      });
    }
  }

  async #steps(): Promise<Outcome> {
    const { cancellation, limits, callRunner, log, options, answer } = this.#context;
    let answering = false;
    for (;;) {
      if (cancellation.why !== undefined) return this.#finish(cancellation.why, undefined);
      const limit = limits.reached(callRunner.step);
      if (limit !== undefined) {
        if (answering || options.atLimit !== 'answer') return this.#finish(limit, undefined);
        answering = true;
      }
      callRunner.beginStep(callRunner.step + 1, log.messages.length);
      const step = await takeStep(this.#context, this.#settings, answering);
      const { reply } = step;
      if (answering && limit !== undefined && !hasEnded(cancellation) && reply.error === undefined) {
        await answer?.readLast(step);
        return this.#finish(limit, reply);
      }
      const stop = await whyStop(this.#context, step);
      const goesOn = stop === undefined || (stop === 'done' && this.#said.length > 0);
      if (!goesOn) return this.#finish(stop, reply);
      if (this.#said.length > 0) await this.#takeWords();
    }
  }

  /** What was said is behind the results of the step. */
  async #takeWords(): Promise<void> {
    const { log, callRunner } = this.#context;
    const said = this.#said;
    this.#said = [];
    for (const content of said)
      // Before the first reply there is nothing that a journal could put them behind.
      if (callRunner.step === 0) log.messages.push({ role: 'user', content });
      else await log.say(callRunner.step, content);
  }

  async #finish(stop: StopReason, reply: Reply | undefined): Promise<Outcome> {
    const { log, callRunner, answer, deadlines, options, emitter, guards } = this.#context;
    const direct =
      stop === 'returned'
        ? log.records.findLast((record) => isDirectAnswer(this.#context, record))
        : undefined;
    // What came too late for the model is still in the history, for the run that continues it.
    if (this.#said.length > 0) await this.#takeWords();
    this.#isClosed = true;
    const outcome = outcomeOf(log, {
      ...{ stop, reply, direct, guards },
      steps: callRunner.step,
      output: answer?.value,
    });
    // Who was interrupted may go on; everyone else is done, and is told the same when asked again.
    const isDone = stop !== 'error' && stop !== 'aborted' && stop !== 'time-limit';
    if (isDone && !log.isEnded) {
      await log.write({ type: 'end', at: deadlines.clock.now(), stop });
    }
    emitter()?.({ type: 'finish', outcome });
    if (stop === 'error') throw failedRun(options.model.name, reply, outcome);
    return outcome;
  }

  readonly #tell = (event: RunEvent): void => {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        // Events come from the middle of replies and tools, which must not be taken for the ones that broke.
        if (this.#isOver) throw error;
        this.#broken ??= { error };
        this.abort(error);
      }
    }
  };

  /** A run whose listener broke ends as if it were aborted, and throws what the listener threw. */
  #mustBeHeard(): void {
    if (this.#broken !== undefined) throw this.#broken.error;
  }
}

/** The history a run begins with, whole, in an array of its own. */
function historyOf({ messages = [], system, prompt }: RunOptions): Message[] {
  const hasSystem = system === undefined || messages[0]?.role === 'system';
  return [
    ...(hasSystem ? [] : [{ role: 'system', content: system } as const]),
    ...mendHistory(readMessages(messages)).messages,
    ...(prompt === undefined ? [] : [{ role: 'user', content: prompt } as const]),
  ];
}

/** Asked again after a wait: the compiler would hold on to what it saw before. */
function hasEnded(cancellation: Cancellation): boolean {
  return cancellation.why !== undefined;
}
