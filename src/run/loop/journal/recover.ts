import { WhetstoneError } from '../../../base/host/errors.ts';
import type { Call } from '../../../base/message/call.ts';
import { mendHistory } from '../../../base/message/check-history.ts';
import type { Message } from '../../../base/message/message.ts';
import type { Reply } from '../../../base/message/model.ts';
import type { CallRecord } from '../../tool/call/call-record.ts';
import type { JournalEntry } from './journal.ts';
import type { StopReason } from '../outcome.ts';

/** A run as its journal has it. */
export interface Recovered {
  /** The history before the first step. */
  readonly start: readonly Message[];
  readonly steps: readonly RecoveredStep[];
  /** How it ended, if it did. */
  readonly ended: StopReason | undefined;
}

export interface RecoveredStep {
  readonly step: number;
  readonly reply: Reply;
  readonly calls: readonly Call[];
  /** What was answered, by the place of the call. */
  readonly records: ReadonlyMap<number, CallRecord>;
  /** Places of calls whose tool had begun to run. */
  readonly begun: ReadonlySet<number>;
  /** What the run said to the model after the step. */
  readonly said: readonly Message[];
  /** The reply was not written down: it is what had come when its calls began. */
  readonly isLost: boolean;
}

/** Reads a journal back. `undefined` for an empty one: the run has not begun. */
export function recover(runId: string, entries: readonly JournalEntry[]): Recovered | undefined {
  const [first] = entries;
  if (first === undefined) return undefined;
  if (first.type !== 'start') throw unreadable(runId, 'it does not begin with a start');
  const steps: OpenStep[] = [];
  let early: StepEntry[] = [];
  let ended: StopReason | undefined;
  const open = (step: number, reply: Reply, isLost: boolean): void => {
    const opened = openStep(step, reply, isLost);
    for (const entry of early) take(opened, entry);
    early = [];
    steps.push(opened);
  };
  for (const entry of entries.slice(1)) {
    if (entry.type === 'start') throw unreadable(runId, 'it begins twice');
    if (entry.type === 'end') {
      ended = entry.stop;
      continue;
    }
    ended = undefined;
    if (entry.type === 'reply') open(entry.step, entry.reply, false);
    else {
      const step = steps.findLast((known) => known.step === entry.step);
      // Calls begin while their reply still streams.
      if (step === undefined) early.push(entry);
      else take(step, entry);
    }
  }
  const [lost] = early;
  if (lost !== undefined) open(lost.step, lostReply(runId, lost.step, early), true);
  return { start: first.messages, steps, ended };
}

type StepEntry = Exclude<JournalEntry, { type: 'start' | 'end' | 'reply' }>;

/** What a model had written when its calls began, as a reply that broke off. The rest of it nobody has. */
function lostReply(runId: string, step: number, entries: readonly StepEntry[]): Reply {
  const slots = new Map(
    entries.flatMap((entry) => (entry.type === 'part' ? [[entry.slot, entry.part]] : [])),
  );
  if (slots.size === 0) throw unreadable(runId, `step ${step} has no reply`);
  const content = [...slots].sort(([a], [b]) => a - b).map(([, part]) => part);
  return {
    message: { role: 'assistant', content },
    finish: { reason: 'error' },
    complete: false,
    error: { kind: 'other', message: 'The program was interrupted while the reply arrived.' },
  };
}

/** The history that a run had reached, whole: a call that has no result is answered by that. */
export function historyIn({ start, steps }: Recovered): readonly Message[] {
  const messages = [...start];
  for (const { reply, calls, records, said } of steps) {
    if (reply.message.content.length > 0) messages.push(reply.message);
    const results = calls.flatMap((_, place) => records.get(place)?.result ?? []);
    if (results.length > 0) messages.push({ role: 'tool', results });
    messages.push(...said);
  }
  return mendHistory(messages).messages;
}

interface OpenStep extends RecoveredStep {
  readonly records: Map<number, CallRecord>;
  readonly begun: Set<number>;
  readonly said: Message[];
}

function openStep(step: number, reply: Reply, isLost: boolean): OpenStep {
  const calls = reply.message.content.filter(
    (part): part is Call => part.type === 'call' && part.requiresLocalExecution,
  );
  return { step, reply, calls, records: new Map(), begun: new Set(), said: [], isLost };
}

function take(step: OpenStep, entry: StepEntry): void {
  if (entry.type === 'part') return;
  if (entry.type === 'message') {
    step.said.push(entry.message);
    return;
  }
  const places = step.calls.flatMap((call, index) => (call.id === entry.callId ? index : []));
  // Two calls of one id are answered in order; one that waited is answered a second time.
  const free = places.find(
    (place) => !step.records.has(place) || step.records.get(place)?.waitsFor !== undefined,
  );
  const place =
    entry.type === 'call'
      ? (places.find((each) => !step.begun.has(each)) ?? places.at(-1))
      : (free ?? places.at(-1));
  const call = place === undefined ? undefined : step.calls[place];
  if (place === undefined || call === undefined) return;
  if (entry.type === 'call') {
    step.begun.add(place);
    return;
  }
  const { result, success, approval, waitsFor, whole } = entry;
  step.records.set(place, {
    call,
    step: step.step,
    result,
    success,
    notes: [],
    ...(approval && { approval }),
    ...(waitsFor && { waitsFor }),
    ...(whole !== undefined && { whole }),
  });
}

/** Refuses to go on in a journal that holds another run than the one that is asked for. */
export function mustBeSameRun(
  runId: string,
  recovered: Recovered,
  asked: readonly Message[] | undefined,
): void {
  if (asked === undefined || JSON.stringify(asked) === JSON.stringify(recovered.start)) return;
  throw new WhetstoneError(
    'journal_conflict',
    `The journal holds another run under the id ${JSON.stringify(runId)}: it began with other messages than these. Use a new runId, or leave out messages and prompt to continue that run.`,
    { details: { runId } },
  );
}

function unreadable(runId: string, why: string): WhetstoneError {
  return new WhetstoneError(
    'journal_conflict',
    `The journal of the run ${JSON.stringify(runId)} cannot be read: ${why}.`,
    { details: { runId } },
  );
}
