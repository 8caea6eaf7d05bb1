import { readArgumentsText } from '../../base/message/arguments.ts';
import type { ModelError, ModelEvent } from '../../base/message/model.ts';
import type { Finish } from '../../base/message/usage.ts';
import type { ReplyAssembler } from '../reply/assemble-reply.ts';
import type { MockReplyFields } from './script.ts';

/** A moment of an answer: something happens, or time passes. */
export type Moment = { readonly event: ModelEvent } | { readonly pauseMs: number };

export interface PlayOptions {
  readonly model: string;
  readonly id: string;
  /** Names the calls to which the script gives no id. */
  readonly callId: (index: number) => string;
  /** The reply breaks off after this many characters. */
  readonly cutAfter?: number | undefined;
}

/** A scripted reply as the events of a model, `finish` last. */
export function* playReply(
  reply: MockReplyFields,
  assembler: ReplyAssembler,
  options: PlayOptions,
): Generator<Moment> {
  const budget = { left: options.cutAfter ?? Infinity };
  assembler.start(options.id, options.model);
  const told = function* (): Generator<Moment> {
    for (const event of assembler.take()) yield { event };
  };
  for (const [part, text] of proseOf(reply))
    for (const piece of pieces(text, reply.chunk, budget)) {
      assembler[part](part, piece);
      yield* told();
    }
  const calls = budget.left > 0 ? (reply.calls ?? []) : [];
  for (const [index, call] of calls.entries()) {
    if (call.pauseMs !== undefined) yield { pauseMs: call.pauseMs };
    if (budget.left <= 0) break;
    assembler.call(index, {
      id: call.id ?? options.callId(index),
      name: call.name,
      kind: call.kind ?? 'function',
    });
    const last = index === calls.length - 1;
    const text = argumentsOf(call.arguments ?? {}, reply, last);
    for (const piece of pieces(text, reply.chunk, budget)) {
      assembler.arguments(index, piece);
      yield* told();
    }
    // Whether the call is whole shows, as with a provider, at what comes next.
    assembler.end(index);
    yield* told();
  }
  endReply(assembler, reply, budget.left <= 0);
  yield* told();
}

/** A reply that ends here, with what had come of it. */
export function* playError(
  error: ModelError,
  assembler: ReplyAssembler,
): Generator<{ readonly event: ModelEvent }> {
  assembler.error(error);
  assembler.close(false);
  for (const event of assembler.take()) yield { event };
}

function endReply(assembler: ReplyAssembler, reply: MockReplyFields, cut: boolean): void {
  if (cut) {
    assembler.error({ kind: 'network', message: 'The connection broke off in the middle of the reply.' });
    assembler.close(false);
    return;
  }
  const { input = 10, output = 10, cachedRead } = reply.usage ?? {};
  assembler.usage({
    input,
    output,
    total: input + output,
    ...(cachedRead === undefined ? {} : { cachedRead }),
  });
  assembler.stop({ reason: finishOf(reply) });
  assembler.close(true);
}

function finishOf(reply: MockReplyFields): Finish['reason'] {
  if (reply.finish !== undefined) return reply.finish;
  if (reply.fault?.lengthInCall === true) return 'length';
  if ((reply.calls ?? []).length > 0) return 'calls';
  return reply.refusal === undefined ? 'stop' : 'refusal';
}

function proseOf(reply: MockReplyFields): readonly (readonly ['text' | 'reasoning' | 'refusal', string])[] {
  return (['reasoning', 'text', 'refusal'] as const).flatMap((part) => {
    const text = reply[part];
    return text === undefined ? [] : [[part, text] as const];
  });
}

function argumentsOf(given: object | string, reply: MockReplyFields, last: boolean): string {
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  const broken = reply.fault?.brokenArguments === true || (reply.fault?.lengthInCall === true && last);
  if (!broken) return text;
  const half = text.slice(0, Math.max(1, Math.floor(text.length / 2)));
  return readArgumentsText(half).ok ? text.slice(0, 1) : half;
}

function* pieces(text: string, size = 16, budget: { left: number }): Generator<string> {
  for (let at = 0; at < text.length && budget.left > 0; at += size) {
    const piece = text.slice(at, at + Math.min(size, budget.left));
    budget.left -= piece.length;
    yield piece;
  }
}
