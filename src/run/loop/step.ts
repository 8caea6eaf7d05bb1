import type { Call } from '../../base/message/call.ts';
import { LiveReply } from '../../base/message/live-reply.ts';
import type { Model, ModelError, ModelRequest, Reply } from '../../base/message/model.ts';
import type { CallRecord } from '../tool/call/call-record.ts';
import { askModel } from './request/ask-model.ts';
import type { BrokenReply } from './request/ask-model.ts';
import { choiceOf } from './request/bind.ts';
import { prepareStep, withSystem } from './request/prepare-step.ts';
import { withoutOldImages } from './request/old-images.ts';
import type { StepChange } from './request/prepare-step.ts';
import { selectTools } from './request/select-tools.ts';
import type { RunContext } from './run-context.ts';
import { answerChoice, toolChoiceAt } from './request/request.ts';
import { StepCalls } from './step-calls.ts';

export interface Step {
  readonly reply: Reply;
  readonly records: readonly CallRecord[];
  /** Why a guard did not let the reply pass. */
  readonly refused?: string | undefined;
}

/** What every request of a run says, in addition to its history and tools. */
export type RequestSettings = Partial<ModelRequest>;

/** One reply of the model with its results. With `answering`, its tools are taken away. */
export async function takeStep(
  context: RunContext,
  settings: RequestSettings,
  answering: boolean,
): Promise<Step> {
  const { log, callRunner, emitter } = context;
  const { step } = callRunner;
  emitter()?.({ type: 'step-start', step });
  const prepares = context.options.prepareStep !== undefined;
  let asking = await begin(context, settings, answering, prepares ? await prepareStep(context) : unchanged);
  let reply = await askUntilSound(context, asking);
  const tooLong = prepares && reply.error?.kind === 'context_too_long' ? reply.error : undefined;
  if (tooLong !== undefined && context.cancellation.why === undefined) {
    const change = await prepareStep(context, tooLong);
    if (change.messages !== undefined && change.messages.length < asking.request.messages.length) {
      emitter()?.({ type: 'retry', step, attempt: 1, waitMs: 0, error: tooLong });
      asking = await begin(context, settings, answering, change);
      reply = await askUntilSound(context, asking);
    }
  }
  const { calls, model } = asking;
  const { guards } = context;
  let refused: string | undefined;
  if (guards !== undefined)
    ({ reply, refused } = await guards.checkReply(reply, { step, messages: log.messages }));
  emitter()?.({ type: 'reply', step, reply });
  const kept = log.addReply(step, reply);
  if (kept !== undefined) await kept;
  const records = await answerCalls(context, reply, calls);
  const cost = countStep(context, { reply, records }, model);
  const emit = emitter();
  if (emit !== undefined) {
    if (reply.usage !== undefined) emit({ type: 'usage', step, usage: reply.usage, cost });
    emit({ type: 'step-end', step, reply, records });
  }
  return { reply, records, refused };
}

/** One question to a model, and who runs the calls of its answer. */
interface Asking {
  readonly model: Model;
  readonly request: ModelRequest;
  readonly calls: StepCalls;
}

const unchanged: StepChange = {};

async function begin(
  context: RunContext,
  settings: RequestSettings,
  answering: boolean,
  change: StepChange,
): Promise<Asking> {
  const { log, callRunner, options } = context;
  const wanted = change.toolChoice ?? toolChoiceAt(callRunner.step, choiceOf(options));
  const choice = answering ? answerChoice(context.answer) : wanted;
  const { shown, runnable } = await selectTools(context, choice, change.tools);
  const request: ModelRequest = {
    ...settings,
    // The same array in every step, so that an adapter can go on where it stopped. It grows between replies only.
    messages: withSystem(withoutOldImages(change.messages ?? log.messages, context.box), change.system),
    // A model that is bound to tools must hear that none of them is there now.
    ...(context.box.size > 0 && { tools: shown.specs }),
    ...(shown.size > 0 && choice !== undefined && { toolChoice: choice }),
  };
  return { model: change.model ?? options.model, request, calls: new StepCalls(callRunner, runnable) };
}

/** What a step has used, added up. Its cost, where its price is known. */
export function countStep(
  context: RunContext,
  { reply, records }: Step,
  model = context.options.model,
): number | undefined {
  const { log, limits, callRunner } = context;
  const cost = limits.countReply(reply.usage, reply.by ?? model.name);
  log.entries.push({ step: callRunner.step, usage: reply.usage, cost, records });
  return cost;
}

/** Asks again, as often as the run allows, where the model itself failed to bring a reply about. */
async function askUntilSound(context: RunContext, asking: Asking): Promise<BrokenReply> {
  const { options, callRunner, cancellation, emitter } = context;
  const { replyRetries = 1 } = options;
  for (let attempt = 1; ; attempt++) {
    const reply = await ask(context, asking);
    const error = faultOf(reply);
    if (error === undefined) return reply;
    if (attempt > replyRetries || cancellation.why !== undefined) return { ...reply, error };
    emitter()?.({ type: 'retry', step: callRunner.step, attempt, waitMs: 0, error });
    countStep(context, { reply, records: none }, asking.model);
  }
}

/** A reply that its provider ended in good order and that is none: a call the model could not write, or nothing. */
function faultOf({ message, finish, error }: Reply): ModelError | undefined {
  const { content } = message;
  if (error !== undefined || content.some((part) => part.type === 'call')) return undefined;
  const { reason, raw } = finish;
  const isEmpty = content.every((part) => part.type === 'reasoning');
  const why = raw === undefined ? 'without saying why' : `with ${JSON.stringify(raw)}`;
  if (reason === 'error') return { kind: 'other', message: `The model ended its reply ${why}.` };
  if (!isEmpty) return undefined;
  if (reason === 'calls')
    return {
      kind: 'other',
      message: `The model said that it would call a tool, but no call came: it ended ${why}.`,
    };
  if (reason === 'other')
    return { kind: 'other', message: `The model gave an empty reply, and ended it ${why}.` };
  return undefined;
}

/** Asks the model, and starts each call as soon as it is complete. */
function ask(context: RunContext, { calls, request, model }: Asking): Promise<BrokenReply> {
  const { log, callRunner, emitter, cancellation, options } = context;
  const soFar = new LiveReply();
  const { step } = callRunner;
  const onCall = (call: Call): void => {
    if (!call.requiresLocalExecution || call.invalid !== undefined) return;
    // Nothing of a call may be on disk before what the model wrote up to it: after a crash, that is its reply.
    if (log.isKept) log.keepParts(step, soFar.takeFresh());
    void calls.start(call);
  };
  const around = options.on?.around;
  const work = (): Promise<BrokenReply> =>
    askModel(request, {
      model,
      step,
      signal: cancellation.signal,
      soFar,
      answer: context.answer,
      emit: emitter(),
      onCall,
      onWait: (leave) => cancellation.onWait(leave),
    });
  return around === undefined ? work() : around({ kind: 'reply', step }, work);
}

/** Every call of the reply gets its one result; the results become one message, in call order. */
async function answerCalls(
  context: RunContext,
  reply: Reply,
  calls: StepCalls,
): Promise<readonly CallRecord[]> {
  const { log, callRunner, cancellation } = context;
  const local = reply.message.content.filter(
    (part): part is Call => part.type === 'call' && part.requiresLocalExecution,
  );
  if (local.length === 0) return none;
  for (const call of local) {
    if (calls.has(call)) continue;
    if (cancellation.why !== undefined) {
      void calls.answer(call, callRunner.refuse(call, 'cancelled', stoppedText(call)));
    } else if (isSafeToRun(reply, call)) void calls.start(call);
    else void calls.answer(call, callRunner.refuse(call, 'truncated', cutText(call, reply)));
  }
  const records = await calls.settle(local);
  log.addRecords(records);
  return records;
}

const none: readonly CallRecord[] = [];

/** A call runs when its provider said that it is complete: by itself while streaming, or with a reply that is whole. */
function isSafeToRun(reply: Reply, call: Call): boolean {
  if (call.invalid?.reason === 'truncated' || !reply.complete || reply.error !== undefined) return false;
  const { reason } = reply.finish;
  return reason !== 'length' && reason !== 'filter' && reason !== 'refusal' && reason !== 'error';
}

function cutText(call: Call, reply: Reply): string {
  const why = reply.error?.message ?? `it ended with "${reply.finish.reason}"`;
  return `The call of "${call.name}" was not run: the reply broke off before the call was known to be complete (${why}). Send it again if you still want it.`;
}

function stoppedText(call: Call): string {
  return `The run was stopped before this call of "${call.name}" was run.`;
}
