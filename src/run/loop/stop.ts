import type { Reply } from '../../base/message/model.ts';
import type { CallRecord } from '../tool/call/call-record.ts';
import type { StopReason } from './outcome.ts';
import type { RunContext } from './run-context.ts';
import type { Step } from './step.ts';

/** Whether the run ends after this step, and why. */
export async function whyStop(context: RunContext, step: Step): Promise<StopReason | undefined> {
  const { reply, records } = step;
  if (context.cancellation.why !== undefined) return context.cancellation.why;
  if (reply.error !== undefined) return 'error';
  if (context.guards?.ended !== undefined) return 'condition';
  if (records.length > 0) return whyStopAfterCalls(context, reply, records);
  if (step.refused !== undefined) {
    await context.log.say(context.callRunner.step, refusedText(step.refused));
    return undefined;
  }
  const { reason } = reply.finish;
  if (reason === 'pause') return undefined;
  if (reason === 'length' || reason === 'filter' || reason === 'refusal') return reason;
  const wrong = await orStopped(context, context.answer?.read(reply), undefined);
  if (context.cancellation.why !== undefined) return context.cancellation.why;
  if (wrong === undefined) return 'done';
  await context.log.say(context.callRunner.step, wrong);
  return undefined;
}

/** The same for results alone. */
export async function whyStopAfterCalls(
  context: RunContext,
  reply: Reply | undefined,
  records: readonly CallRecord[],
): Promise<StopReason | undefined> {
  if (context.cancellation.why !== undefined) return context.cancellation.why;
  if (context.guards?.ended !== undefined) return 'condition';
  if (records.some((record) => record.waitsFor !== undefined)) return 'waiting';
  if (context.answer?.take(records) === true) return 'done';
  if (records.some((record) => isDirectAnswer(context, record))) return 'returned';
  const { stopWhen } = context.options;
  if (stopWhen === undefined || reply === undefined) return undefined;
  const { messages, records: calls } = context.log;
  const state = { step: context.callRunner.step, messages, reply, records, calls };
  for (const condition of typeof stopWhen === 'function' ? [stopWhen] : stopWhen) {
    if (await orStopped(context, condition(state), false)) return 'condition';
    if (context.cancellation.why !== undefined) return context.cancellation.why;
  }
  return undefined;
}

function refusedText(reason: string): string {
  return `This answer was not passed on. The reason: ${reason}\nAnswer again.`;
}

/** Waits for what a program decides, and no longer than the run: what never answers must not hold up its end. */
async function orStopped<Said>(
  { deadlines, cancellation }: RunContext,
  said: Said | Promise<Said>,
  otherwise: Said,
): Promise<Said> {
  if (!(said instanceof Promise)) return said;
  try {
    return await deadlines.until(said);
  } catch (error) {
    if (cancellation.why === undefined) throw error;
    return otherwise;
  }
}

/** Whether the result of this call is the answer of the run. A failure is none. */
export function isDirectAnswer({ box }: RunContext, record: CallRecord): boolean {
  return record.success && box.findFor(record.call)?.tool.returnDirect === true;
}
