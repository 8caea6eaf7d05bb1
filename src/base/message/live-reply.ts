import type { JsonValue } from '../json/value.ts';
import { completePartial } from './complete.ts';
import { argumentsSoFar, partialCall, partialText, mergePartials } from './partial-message.ts';
import type { PartialCall, PartialPart } from './partial-message.ts';
import type { ModelError, ModelEvent, Reply } from './model.ts';
import type { AssistantPart } from './part.ts';
import { expectObject } from './expect.ts';
import type { Usage } from './usage.ts';

/** What stands in a slot: a part that is whole, or one that still grows. */
type Slot = { readonly whole: AssistantPart } | { readonly half: PartialPart };

/**
 * Follows the events of one reply and can say at any time what has come: for whoever shows a reply while it arrives,
 * or was left with a stream that broke off.
 *
 * @example
 * const reply = new LiveReply();
 * for await (const event of model.stream(request)) {
 *   reply.take(event);
 *   if (event.type === 'call-delta') show(reply.argumentsAt(event.slot));
 * }
 * const { message } = reply.end();
 */
export class LiveReply {
  readonly #slots = new Map<number, Slot>();
  #id: string | undefined;
  #usage: Usage | undefined;
  #error: ModelError | undefined;
  #reply: Reply | undefined;

  take(event: ModelEvent): void {
    expectObject(event, 'event');
    switch (event.type) {
      case 'start':
        this.#id = event.id ?? this.#id;
        return;
      case 'text':
      case 'reasoning':
      case 'refusal':
        return this.#grow(event.slot, partialText(event.text, { type: event.type }));
      case 'call-start': {
        const { type: _type, slot, ...head } = event;
        return this.#grow(slot, partialCall(head));
      }
      case 'call-delta':
        return this.#grow(event.slot, partialCall({ argumentsText: event.text }));
      case 'call-end':
        this.#slots.set(event.slot, { whole: event.call });
        return;
      case 'part':
        this.#slots.set(event.slot, { whole: event.part });
        return;
      case 'usage':
        this.#usage = event.usage;
        return;
      case 'error':
        this.#error = event.error;
        return;
      case 'retry':
        // What had come before belongs to the attempt that failed.
        this.#slots.clear();
        return;
      case 'finish':
        this.#reply = event.reply;
    }
  }

  /** The parts so far, in the order of their slots. A copy: what is given out does not grow. */
  get parts(): readonly (AssistantPart | PartialPart)[] {
    return this.#inOrder().map((slot) => ('whole' in slot ? slot.whole : slot.half));
  }

  /** All text so far. */
  get text(): string {
    return this.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  }

  /** The arguments of the call in this slot, so far: a live view, valid until the next event. */
  argumentsAt(slot: number): JsonValue | undefined {
    const at = this.#slots.get(slot);
    if (at === undefined) return undefined;
    if ('half' in at) return at.half.type === 'call' ? argumentsSoFar(at.half) : undefined;
    return at.whole.type === 'call' ? argumentsSoFar(halfOf(at.whole)) : undefined;
  }

  /** The reply: the one that the last event brought, else what has come, with every open call marked as cut off. */
  end(): Reply {
    if (this.#reply !== undefined) return this.#reply;
    const content = this.#inOrder().flatMap((slot) =>
      'whole' in slot
        ? [slot.whole]
        : completePartial({ role: 'assistant', content: [slot.half] }, { cut: true }).content,
    );
    return {
      message: { role: 'assistant', content },
      finish: { reason: 'error' },
      complete: false,
      ...(this.#id === undefined ? undefined : { id: this.#id }),
      ...(this.#usage === undefined ? undefined : { usage: this.#usage }),
      ...(this.#error === undefined ? undefined : { error: this.#error }),
    };
  }

  #grow(slot: number, more: PartialPart): void {
    const before = this.#slots.get(slot);
    const merged =
      before !== undefined && 'half' in before
        ? mergePartials(before.half as PartialCall, more as PartialCall)
        : more;
    this.#slots.set(slot, { half: merged });
  }

  #inOrder(): Slot[] {
    return [...this.#slots].sort(([a], [b]) => a - b).map(([, slot]) => slot);
  }
}

function halfOf(call: AssistantPart & { readonly type: 'call' }): PartialCall {
  return typeof call.arguments === 'string'
    ? partialCall({ argumentsText: call.arguments, kind: call.kind })
    : partialCall({ argumentsObject: call.arguments });
}
