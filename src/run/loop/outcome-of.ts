import { WhetstoneError } from '../../base/host/errors.ts';
import type { JsonValue } from '../../base/json/value.ts';
import type { Reply } from '../../base/message/model.ts';
import type { CallRecord } from '../tool/call-record.ts';
import { textOfLast } from './run-history.ts';
import type { RunLog } from './run-log.ts';
import type { Outcome, StopReason } from './outcome.ts';
import { usageOf } from './run-usage.ts';

/** How a run ended, read from what it brought. */
export function outcomeOf(
  log: RunLog,
  ending: {
    readonly stop: StopReason;
    readonly reply: Reply | undefined;
    /** The call whose result is the answer. */
    readonly direct: CallRecord | undefined;
    readonly steps: number;
    readonly output: unknown;
  },
): Outcome {
  const { stop, reply } = ending;
  const waiting = stop === 'waiting' ? log.records.filter((record) => record.waitsFor !== undefined) : [];
  return {
    runId: log.runId,
    text: textOfLast(log.messages, ending.direct),
    stop,
    finish: reply?.finish,
    calls: log.records,
    messages: log.messages,
    usage: usageOf(log.entries),
    steps: ending.steps,
    output: ending.output as JsonValue | undefined,
    waiting: {
      approvals: waiting.flatMap((record) => record.request ?? []),
      calls: waiting.flatMap((record) => (record.waitsFor === 'client' ? record.call : [])),
    },
    late: log.late,
    ...(reply?.error !== undefined && { error: reply.error }),
  };
}

/** What is thrown when the model gave no whole reply. What was reached comes along. */
export function failedRun(model: string, reply: Reply | undefined, outcome: Outcome): WhetstoneError {
  const error = reply?.error;
  return new WhetstoneError(
    'model_failed',
    `The model ${model} gave no whole reply: ${error?.message ?? 'no reason given'}`,
    {
      details: { kind: error?.kind, status: error?.status, outcome },
      ...(reply !== undefined && 'cause' in reply && { cause: reply.cause }),
    },
  );
}
