import type { Message, ToolMessage, UserMessage } from '../../../base/message/message.ts';
import type { Reply } from '../../../base/message/model.ts';
import type { PlacedPart } from '../../../base/message/live-reply.ts';
import type { AssistantPart } from '../../../base/message/part.ts';
import type { CallRecord } from '../../tool/call/call-record.ts';
import type { Deadlines } from '../../tool/call/deadlines.ts';
import type { Journal, JournalEntry } from './journal.ts';
import type { LateAnswer } from '../outcome.ts';
import type { StepEntry } from '../run-usage.ts';
import type { PendingStep } from '../approval/pending-calls.ts';

/** What a journal has to write down the rest when a run was ended. */
const graceMs = 2000;

/**
 * What a run has brought so far. It only grows: no step copies what the steps before it wrote. With a journal, nothing
 * is here that would not survive a crash.
 */
export class RunLog {
  readonly runId: string;
  readonly messages: Message[];
  readonly records: CallRecord[] = [];
  readonly entries: StepEntry[] = [];
  readonly late: LateAnswer[] = [];
  readonly #journal: Journal | undefined;
  readonly #deadlines: Deadlines;
  /** Settles when a journal has had its time after the end of the run. */
  #grace: Promise<undefined> | undefined;
  /** The journal ends with an `end`. */
  isEnded = false;

  constructor(
    runId: string,
    messages: Message[],
    { journal, deadlines }: { readonly journal: Journal | undefined; readonly deadlines: Deadlines },
  ) {
    this.runId = runId;
    this.messages = messages;
    this.#journal = journal;
    this.#deadlines = deadlines;
  }

  get isKept(): boolean {
    return this.#journal !== undefined;
  }

  write(entry: JournalEntry): Promise<void> | undefined {
    this.isEnded = entry.type === 'end';
    const written = this.#journal?.append(this.runId, entry);
    return written && this.#answered(written);
  }

  /** What the journal holds of this run. `undefined`: the run was ended, and the journal did not answer. */
  read(): Promise<readonly JournalEntry[] | undefined> {
    return this.#journal === undefined ? Promise.resolve([]) : this.#answered(this.#journal.read(this.runId));
  }

  /** When a run was ended, its journal is given a moment more, and is not waited for after that. */
  async #answered<Value>(work: Promise<Value>): Promise<Value | undefined> {
    const end = await this.#deadlines.settle(work);
    if (end.kind === 'threw') throw end.error;
    if (end.kind === 'value') return end.value as Value;
    this.#grace ??= new Promise((resolve) => {
      this.#deadlines.clock.after(graceMs, () => resolve(undefined), { keepAlive: true });
    });
    return Promise.race([work, this.#grace]);
  }

  /** Writes down what a reply holds so far. What follows it in the journal is not there without it. */
  keepParts(step: number, parts: readonly PlacedPart[]): void {
    for (const { slot, part } of parts) {
      // The entries of the call behind it fail with it, and are waited for.
      this.write({ type: 'part', step, slot, part })?.catch(() => undefined);
    }
  }

  /** An empty reply leaves no message: providers refuse one without content. */
  addReply(step: number, reply: Reply): Promise<void> | undefined {
    const { content } = reply.message;
    if (content.length > 0) this.messages.push(reply.message);
    // What broke off is asked for again after a crash, unless its calls have results already.
    const isKept = reply.error === undefined || content.some(isLocalCall);
    return isKept ? this.write({ type: 'reply', step, reply }) : undefined;
  }

  /** Writes down a result as soon as it is there, before anyone builds on it. */
  keepRecord(record: CallRecord): Promise<void> | undefined {
    if (this.#journal === undefined) return undefined;
    const { step, call, result, success, approval, waitsFor, whole } = record;
    return this.write({
      type: 'result',
      step,
      callId: call.id,
      result,
      success,
      ...(approval && { approval }),
      ...(waitsFor && { waitsFor }),
      ...(whole !== undefined && { whole }),
    });
  }

  /** The results of one step, in call order. */
  addRecords(records: readonly CallRecord[]): void {
    this.messages.push(toolMessageOf(records));
    for (const record of records) this.records.push(record);
  }

  /** Replaces the stand-ins of calls that waited with their answers. */
  replaceRecords(step: PendingStep, records: readonly (CallRecord | undefined)[], at: number): void {
    const results = step.results.map((result, index) => records[index]?.result ?? result);
    this.messages[step.at] = { role: 'tool', results };
    const answered = records.filter((record) => record !== undefined);
    for (const record of answered) putInPlace(this.records, record);
    const place = this.entries.findLastIndex((entry) => entry.step === at);
    const known = this.entries[place];
    if (known === undefined) {
      // The reply that asked for these belongs to an earlier run, and was counted there.
      this.entries.push({ step: at, usage: noTokens, cost: 0, records: answered });
      return;
    }
    const merged = [...known.records];
    for (const record of answered) putInPlace(merged, record);
    this.entries[place] = { ...known, records: merged };
  }

  /** Words that come in between two replies: of the run itself, or of the user. */
  say(step: number, content: UserMessage['content']): Promise<void> | undefined {
    const message: Message = { role: 'user', content };
    this.messages.push(message);
    return this.write({ type: 'message', step, message });
  }
}

function isLocalCall(part: AssistantPart): boolean {
  return part.type === 'call' && part.requiresLocalExecution;
}

function toolMessageOf(records: readonly CallRecord[]): ToolMessage {
  return { role: 'tool', results: records.map((record) => record.result) };
}

const noTokens = { input: 0, output: 0, total: 0 };

function putInPlace(records: CallRecord[], record: CallRecord): void {
  const place = records.findLastIndex((known) => known.call.id === record.call.id);
  if (place === -1) records.push(record);
  else records[place] = record;
}
