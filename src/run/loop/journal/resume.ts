import type { Call } from '../../../base/message/call.ts';
import type { Message } from '../../../base/message/message.ts';
import type { Reply } from '../../../base/message/model.ts';
import type { CallRecord } from '../../tool/call/call-record.ts';
import { readCall } from '../../tool/call/read-call.ts';
import { choiceOf } from '../request/bind.ts';
import { approverFor } from '../approval/approver.ts';
import type { JournalEntry } from './journal.ts';
import { selectTools } from '../request/select-tools.ts';
import type { StopReason } from '../outcome.ts';
import type { RunContext } from '../run-context.ts';
import { mustBeSameRun, recover } from './recover.ts';
import type { RecoveredStep } from './recover.ts';
import { toolChoiceAt } from '../request/request.ts';
import { countStep } from '../step.ts';
import { StepCalls } from '../step-calls.ts';
import { whyStop, whyStopAfterCalls } from '../stop.ts';
import {
  answeredRecord,
  checkAnswers,
  isStandIn,
  pairUp,
  standingRecord,
  waitingAtEnd,
} from '../approval/pending-calls.ts';
import type { PendingStep } from '../approval/pending-calls.ts';

/** How a run ends that has no more to do. */
export interface Ended {
  readonly stop: StopReason;
  /** The last reply, where this run has it. */
  readonly reply?: Reply | undefined;
}

/** Takes up what was there before this process: a journal, and calls that waited. How the run ends, if that is all. */
export async function resumeRun(context: RunContext): Promise<Ended | undefined> {
  const { log, options, box } = context;
  const ended = log.isKept ? await takeUpJournal(context) : undefined;
  const { approvals = [], answers = [] } = options;
  const waiting = waitingAtEnd(log.messages, approvals.length + answers.length > 0);
  await checkAnswers(waiting, log.messages, box, options);
  if (ended !== undefined && ended.stop !== 'waiting') return ended;
  if (waiting === undefined) return undefined;
  const records = await answerWaiting(context, waiting);
  const stop = await whyStopAfterCalls(context, replyAt(log.messages, waiting.replyAt), records);
  return stop && { stop };
}

/** The reply that made the calls that waited, as far as a history has it. */
function replyAt(messages: readonly Message[], at: number): Reply | undefined {
  const message = messages[at];
  return message?.role === 'assistant' ? { message, finish: { reason: 'calls' }, complete: true } : undefined;
}

async function takeUpJournal(context: RunContext): Promise<Ended | undefined> {
  const { log, deadlines, cancellation } = context;
  const entries = await log.read();
  if (entries === undefined) return cancellation.why && { stop: cancellation.why };
  if (entries.length > 0) return goOn(context, entries);
  await log.write({ type: 'start', at: deadlines.clock.now(), messages: log.messages });
  return undefined;
}

/** Goes on where the journal ends: nothing that is written there is asked for, or run, again. */
async function goOn(context: RunContext, entries: readonly JournalEntry[]): Promise<Ended | undefined> {
  const { options, log, callRunner, limits, answer } = context;
  const { runId, messages } = log;
  const recovered = recover(runId, entries);
  if (recovered === undefined) return undefined;
  const answers = options.approvals !== undefined || options.answers !== undefined;
  mustBeSameRun(runId, recovered, messages.length === 0 || answers ? undefined : messages);
  messages.splice(0, messages.length, ...recovered.start);
  let stop: StopReason | undefined;
  for (const step of recovered.steps) {
    const { reply, said } = step;
    callRunner.beginStep(step.step, messages.length);
    if (step.isLost) await log.write({ type: 'reply', step: step.step, reply });
    if (reply.message.content.length > 0) messages.push(reply.message);
    const records = await completeStep(context, step);
    limits.recall(records);
    countStep(context, { reply, records });
    messages.push(...said);
    if (step !== recovered.steps.at(-1)) continue;
    const isAnswered = recovered.ended === 'done' || options.atLimit === 'answer';
    if (recovered.ended !== undefined && isAnswered) await answer?.readLast({ reply, records });
    if (recovered.ended !== undefined || said.length > 0) continue;
    // A reply that broke off is behind us: its calls have their results, and the model is asked to go on.
    stop =
      reply.error === undefined
        ? await whyStop(context, { reply, records })
        : await whyStopAfterCalls(context, reply, records);
  }
  log.isEnded = recovered.ended !== undefined;
  stop ??= recovered.ended;
  return stop && { stop, reply: recovered.steps.at(-1)?.reply };
}

/** The results of a step that a journal has, and those that a crash prevented. */
async function completeStep(context: RunContext, step: RecoveredStep): Promise<readonly CallRecord[]> {
  if (step.calls.length === 0) return [];
  const { callRunner, reader, log, options } = context;
  const { shown, runnable } = await selectTools(context, toolChoiceAt(step.step, choiceOf(options)));
  const calls = new StepCalls(callRunner, runnable);
  const pending = step.calls.map((call, place) => {
    const known = step.records.get(place);
    if (known?.whole !== undefined) reader.keep(call.id, known.whole);
    const isInterrupted = step.begun.has(place) && shown.findFor(call)?.tool.idempotent !== true;
    const ended = known
      ? withAnswer(context, known)
      : isInterrupted && callRunner.refuse(call, 'interrupted', interruptedText(call));
    // An identical call that had not got its result yet shares this one.
    return ended ? calls.answer(call, ended) : calls.start(call);
  });
  const records = await Promise.all(pending);
  log.addRecords(records);
  return records;
}

/** An answer that came as a call is read again: the journal has the call, and not what was read from it. */
async function withAnswer({ answer, box, options }: RunContext, record: CallRecord): Promise<CallRecord> {
  const { call, success } = record;
  const tool = success && call.name === answer?.tool?.name ? box.find(call.name) : undefined;
  if (tool === undefined) return record;
  const { repair = false, coerce = false } = options;
  const read = await readCall(call, tool, { injected: {}, repair, coerce });
  return read.ok ? { ...record, input: read.input } : record;
}

/** Runs or refuses the calls that waited, as decided; those still open keep waiting. */
async function answerWaiting(context: RunContext, step: PendingStep): Promise<readonly CallRecord[]> {
  const { callRunner, log } = context;
  const { approvals = [], answers = [] } = context.options;
  const { shown } = await selectTools(context);
  callRunner.beginStep(callRunner.step, step.replyAt);
  const pending = pairUp(step).map(({ call, result }) => {
    if (call === undefined || !isStandIn(result)) return undefined;
    const answer = answers.find((given) => given.callId === call.id);
    if (answer !== undefined) return callRunner.keep(answeredRecord(call, answer, callRunner.step));
    if (result.errorCode === 'needs_client') return standingRecord(call, result, callRunner.step);
    const approval = approvals.find((given) => given.callId === call.id);
    return callRunner.resume(call, shown, approval && approverFor(approval));
  });
  const records = await Promise.all(pending.map(async (record) => record));
  log.replaceRecords(step, records, callRunner.step);
  return records.filter((record) => record !== undefined);
}

function interruptedText(call: Call): string {
  return `The program was interrupted while "${call.name}" was running. Whether it took effect is not known: look before you call it again.`;
}
