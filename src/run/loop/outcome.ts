import { WhetstoneError } from '../../base/host/errors.ts';
import type { JsonValue } from '../../base/json/value.ts';
import type { Call } from '../../base/message/call.ts';
import { textOf } from '../../base/message/message.ts';
import type { Message } from '../../base/message/message.ts';
import type { ModelError, Reply } from '../../base/message/model.ts';
import { resultText } from '../../base/message/result.ts';
import type { Finish } from '../../base/message/usage.ts';
import type { ApprovalRequest, CallRecord } from '../tool/call/call-record.ts';
import type { Late } from '../tool/call/deadlines.ts';
import type { GuardPost } from './guard.ts';
import type { RunLog } from './journal/run-log.ts';
import { usageOf } from './run-usage.ts';
import type { RunUsage } from './run-usage.ts';

/** Why a run ended. */
export type StopReason =
  /** The model answered and asked for nothing more. */
  | 'done'
  /** A tool with `returnDirect` gave the answer. */
  | 'returned'
  /** Calls wait for an approval, or for the program: see `waiting`. */
  | 'waiting'
  | 'step-limit'
  | 'call-limit'
  | 'token-limit'
  | 'cost-limit'
  | 'time-limit'
  /** A function in `stopWhen`, or a guard, said so. */
  | 'condition'
  | 'aborted'
  /** The reply ended before it was complete: its length, a filter, a refusal. */
  | 'length'
  | 'filter'
  | 'refusal'
  | 'error';

/** How a run ended, and everything that it brought. */
export interface Outcome<Output = JsonValue> {
  readonly runId: string;
  /** The last reply's text, or the result of a tool with `returnDirect`. */
  readonly text: string;
  readonly stop: StopReason;
  /** The same in a sentence for a person. */
  readonly reason: string;
  readonly finish: Finish | undefined;
  /** Every call with its result, in order. */
  readonly calls: readonly CallRecord[];
  /** The whole history, ready to be sent again to any provider, whatever happened. */
  readonly messages: readonly Message[];
  readonly usage: RunUsage;
  /** How many replies the model gave. */
  readonly steps: number;
  /** The final answer, checked, where the run asked for one with `output`. */
  readonly output: Output | undefined;
  /** What the run waits for when it stopped with `waiting`. */
  readonly waiting: { readonly approvals: readonly ApprovalRequest[]; readonly calls: readonly Call[] };
  /** Answers that came after their deadline. More may come after the run has ended. */
  readonly late: readonly LateAnswer[];
  readonly error?: ModelError;
}

export interface LateAnswer {
  readonly callId: string;
  readonly name: string;
  readonly late: Late;
}

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
    readonly guards: GuardPost | undefined;
  },
): Outcome {
  const { stop, reply, direct, steps, guards } = ending;
  const waiting = stop === 'waiting' ? log.records.filter((record) => record.waitsFor !== undefined) : [];
  return {
    runId: log.runId,
    text:
      direct !== undefined
        ? resultText(direct.result)
        : guards?.isWithheld === true
          ? ''
          : textOfLast(log.messages),
    stop,
    reason:
      stop === 'condition' && guards?.ended !== undefined
        ? `A guard ended the run: ${guards.ended}`
        : sentences[stop](steps),
    finish: reply?.finish,
    calls: log.records,
    messages: log.messages,
    usage: usageOf(log.entries),
    steps,
    output: ending.output as JsonValue | undefined,
    waiting: {
      approvals: waiting.flatMap((record) => record.request ?? []),
      calls: waiting.flatMap((record) => (record.waitsFor === 'client' ? record.call : [])),
    },
    late: log.late,
    ...(reply?.error !== undefined && { error: reply.error }),
  };
}

const sentences: Readonly<Record<StopReason, (steps: number) => string>> = {
  done: () => 'The model answered.',
  returned: () => 'A tool gave the answer.',
  waiting: () => 'Calls wait for an approval, or for an answer of the program.',
  'step-limit': (steps) => `The run ended at its limit of ${steps} replies, before the model had answered.`,
  'call-limit': () => 'The run ended at its limit of calls, before the model had answered.',
  'token-limit': () => 'The run ended at its limit of tokens, before the model had answered.',
  'cost-limit': () => 'The run ended at its limit of cost, before the model had answered.',
  'time-limit': () => 'The run ended when its time was up.',
  condition: () => 'A condition in stopWhen ended the run.',
  aborted: () => 'The run was aborted.',
  length: () => 'The last reply was cut off: it was longer than the model may write.',
  filter: () => 'The provider held back the last reply.',
  refusal: () => 'The model declined.',
  error: () => 'The model gave no whole reply.',
};

function textOfLast(messages: readonly Message[]): string {
  const last = messages.findLast((message) => message.role === 'assistant');
  return last === undefined ? '' : textOf(last);
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
