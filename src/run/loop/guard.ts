import type { Message } from '../../base/message/message.ts';
import type { Reply } from '../../base/message/model.ts';
import { errorResult } from '../../base/message/result.ts';
import type { AfterCall, BeforeCall, ChangedResult, Objection } from '../tool/call/call-guard.ts';
import type { CallRecord } from '../tool/call/call-record.ts';
import { Abandoned } from '../tool/call/deadlines.ts';
import type { Deadlines } from '../tool/call/deadlines.ts';

/** A reply that would end the run. */
export interface GuardedReply {
  readonly reply: Reply;
  readonly step: number;
  readonly messages: readonly Message[];
  readonly signal: AbortSignal;
}

/** Nothing, other words, or an objection: after a refusal the model reads the reason and answers again. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a guard that only looks answers nothing
type ReplyVerdict = { readonly text: string } | Objection | undefined | void;

/** Asked of each reply without calls, before it is written down and before it is the answer. */
export type BeforeReply = (asked: GuardedReply) => ReplyVerdict | Promise<ReplyVerdict>;

/** What is between a model and what it does: each may change, refuse, or end the run. */
export interface RunGuards {
  readonly beforeCall?: BeforeCall;
  readonly afterCall?: AfterCall;
  readonly beforeReply?: BeforeReply;
}

/** A reply as its guard left it. */
export interface CheckedReply<Given extends Reply = Reply> {
  readonly reply: Given;
  /** Why the model must answer again. */
  readonly refused?: string;
}

/** The guards of a run, and what they have said. Who fails to answer has refused. */
export class GuardPost {
  /** Why a guard has ended the run. */
  ended: string | undefined;
  /** The last reply was refused: its words are not the answer. */
  isWithheld = false;
  readonly #guards: RunGuards;
  readonly #deadlines: Deadlines;
  readonly #signal: AbortSignal;

  constructor(guards: RunGuards, deadlines: Deadlines, signal: AbortSignal) {
    this.#guards = guards;
    this.#deadlines = deadlines;
    this.#signal = signal;
  }

  /** Asked where a call was read; an end is remembered here, and also refuses the call. */
  get beforeCall(): BeforeCall | undefined {
    const { beforeCall } = this.#guards;
    if (beforeCall === undefined) return undefined;
    return async (asked) => {
      if (this.ended !== undefined) return { refuse: this.ended };
      const verdict = await beforeCall(asked);
      if (verdict && 'end' in verdict) this.ended = verdict.end;
      return verdict;
    };
  }

  /** A record as the guard of results leaves it. */
  async checkRecord(record: CallRecord): Promise<CallRecord> {
    const { afterCall } = this.#guards;
    if (afterCall === undefined || record.waitsFor !== undefined) return record;
    try {
      const asking = (async () => afterCall({ record, step: record.step, signal: this.#signal }))();
      const verdict = await this.#deadlines.until(asking);
      if (!verdict) return record;
      if ('content' in verdict) return changed(record, verdict);
      if ('end' in verdict) this.ended = verdict.end;
      return withheld(record, 'end' in verdict ? verdict.end : verdict.refuse);
    } catch (cause) {
      return withheld(record, 'it could not be checked', cause instanceof Abandoned ? undefined : cause);
    }
  }

  /** A reply that would be the answer, as its guard leaves it. */
  async checkReply<Given extends Reply>(
    reply: Given,
    about: { readonly step: number; readonly messages: readonly Message[] },
  ): Promise<CheckedReply<Given>> {
    const { beforeReply } = this.#guards;
    this.isWithheld = false;
    const { content } = reply.message;
    if (beforeReply === undefined || reply.error !== undefined) return { reply };
    if (content.some((part) => part.type === 'call' && part.requiresLocalExecution)) return { reply };
    // Withheld until it is known to be allowed, also where the guard throws.
    this.isWithheld = true;
    const asking = (async () => beforeReply({ reply, ...about, signal: this.#signal }))();
    let verdict: ReplyVerdict;
    try {
      verdict = await this.#deadlines.until(asking);
    } catch (error) {
      // The run was stopped meanwhile, and ends for that.
      if (error instanceof Abandoned) return { reply };
      throw error;
    }
    if (verdict && 'end' in verdict) {
      this.ended = verdict.end;
      return { reply };
    }
    if (verdict && 'refuse' in verdict) return { reply, refused: verdict.refuse };
    this.isWithheld = false;
    if (!verdict) return { reply };
    const { from } = reply.message;
    // What a provider wants back of a reply belongs to the words that it wrote.
    const message = {
      role: 'assistant',
      content: [{ type: 'text', text: verdict.text }],
      ...(from && { from }),
    } as const;
    return { reply: { ...reply, message } };
  }
}

function changed(record: CallRecord, { content }: ChangedResult): CallRecord {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  // Neither the whole text of a result that was cut, nor the value that a page may show, tells what was taken out.
  const { whole: _whole, value: _value, ...rest } = record;
  const { truncated: _cut, ...result } = record.result;
  return { ...rest, result: { ...result, content: parts } };
}

function withheld(record: CallRecord, reason: string, cause?: unknown): CallRecord {
  const { call, step, notes, input, approval, changes } = record;
  const text = `The result of "${call.name}" is withheld. The reason: ${reason}`;
  return {
    call,
    step,
    notes,
    result: errorResult(call, 'rejected', text),
    success: false,
    ...(input !== undefined && { input }),
    ...(approval && { approval }),
    ...(changes && { changes }),
    ...(cause !== undefined && { cause }),
  };
}

/** The guards of a run inside a tool: those of the run around it are asked first, and an end of theirs ends both. */
export function guardsWithin(own: RunGuards, around: RunGuards, end: (reason: string) => void): RunGuards {
  const { beforeReply } = own;
  const before = around.beforeCall;
  const after = around.afterCall;
  const heard = <Said>(verdict: Said): Said => {
    if (typeof verdict === 'object' && verdict !== null && 'end' in verdict) end(String(verdict.end));
    return verdict;
  };
  const beforeCall: BeforeCall | undefined =
    before === undefined
      ? own.beforeCall
      : async (asked) => {
          const first = heard(await before(asked));
          if (own.beforeCall === undefined || (first && !('arguments' in first))) return first;
          return (await own.beforeCall(first ? { ...asked, arguments: first.arguments } : asked)) ?? first;
        };
  const afterCall: AfterCall | undefined =
    after === undefined
      ? own.afterCall
      : async (ended) => {
          const first = heard(await after(ended));
          if (own.afterCall === undefined || (first && !('content' in first))) return first;
          const record = first ? changed(ended.record, first) : ended.record;
          return (await own.afterCall({ ...ended, record })) ?? first;
        };
  return {
    ...(beforeReply && { beforeReply }),
    ...(beforeCall && { beforeCall }),
    ...(afterCall && { afterCall }),
  };
}
