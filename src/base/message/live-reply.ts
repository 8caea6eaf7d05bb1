import type { JsonValue } from '../json/value.ts';
import { completePartial } from './complete.ts';
import { expectObject, expectText } from './expect.ts';
import { LiveArguments } from './live-arguments.ts';
import type { ModelError, ModelEvent, Reply } from './model.ts';
import type { AssistantPart } from './part.ts';
import { argumentsSoFar, partialCall } from './partial-message.ts';
import type { PartialCall, PartialPart, PartialText } from './partial-message.ts';
import type { Usage } from './usage.ts';

/** What is in a slot: a part that is whole, or one that still grows. */
type Slot = { readonly whole: AssistantPart } | Growing;

interface Growing {
  readonly head: Omit<PartialText, 'text'> | Omit<PartialCall, 'argumentsText'>;
  text: string;
  live?: LiveArguments;
}

/** A part, and where in its reply it is. */
export interface PlacedPart {
  readonly slot: number;
  readonly part: AssistantPart;
}

/**
 * Follows the events of one reply and can say at any time what has come: for showing a reply while it arrives,
 * keeps it in a journal, or was left with a stream that broke off.
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
  readonly #fresh = new Set<number>();
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
        this.#fresh.add(event.slot);
        return this.#grow(event.slot, event.type, event.text);
      case 'reasoning':
      case 'refusal':
        return this.#grow(event.slot, event.type, event.text);
      case 'call-start': {
        const { slot, ...head } = event;
        this.#slots.set(slot, { head: { ...head, type: 'call' }, text: '' });
        return;
      }
      case 'call-delta':
        return this.#grow(event.slot, 'call', event.text);
      case 'call-end':
        return this.#put(event.slot, event.call);
      case 'part':
        return this.#put(event.slot, event.part);
      case 'usage':
        this.#usage = event.usage;
        return;
      case 'error':
        this.#error = event.error;
        return;
      case 'retry':
        // What had come before belongs to the attempt that failed.
        this.#slots.clear();
        this.#fresh.clear();
        return;
      case 'finish':
        this.#reply = event.reply;
    }
  }

  get id(): string | undefined {
    return this.#id;
  }

  get usage(): Usage | undefined {
    return this.#usage;
  }

  get error(): ModelError | undefined {
    return this.#error;
  }

  /** The parts so far, in the order of their slots. A copy: what is given out does not grow. */
  get parts(): readonly (AssistantPart | PartialPart)[] {
    return this.#inOrder().map(([, slot]) => ('whole' in slot ? slot.whole : partialOf(slot)));
  }

  /** The parts that are whole, in the order of their slots. */
  get wholeParts(): readonly AssistantPart[] {
    return this.#inOrder().flatMap(([, slot]) => ('whole' in slot ? [slot.whole] : []));
  }

  /** All text so far. */
  get text(): string {
    return this.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  }

  /** The arguments of the call in this slot, so far: a live view, valid until the next event. */
  argumentsAt(slot: number): JsonValue | undefined {
    const at = this.#slots.get(slot);
    if (at === undefined) return undefined;
    if ('whole' in at) return at.whole.type === 'call' ? argumentsSoFar(partialFrom(at.whole)) : undefined;
    if (at.head.type !== 'call') return undefined;
    if (at.head.kind === 'custom') return { input: at.text };
    if (at.live === undefined) {
      at.live = new LiveArguments();
      at.live.push(at.text);
    }
    return at.live.current;
  }

  /** What has come or grown since this was asked last, and can be kept: text so far, and parts that are whole. */
  takeFresh(): readonly PlacedPart[] {
    const fresh = [...this.#fresh].sort((a, b) => a - b);
    this.#fresh.clear();
    return fresh.flatMap((slot) => {
      const at = this.#slots.get(slot);
      if (at === undefined) return [];
      return { slot, part: 'whole' in at ? at.whole : { type: 'text', text: at.text } };
    });
  }

  /** Another reply begins in this one: of what has come, only the calls that are whole stay. */
  restart(): void {
    this.#id = undefined;
    for (const [slot, at] of this.#slots)
      if (!('whole' in at && at.whole.type === 'call' && at.whole.invalid === undefined))
        this.#slots.delete(slot);
  }

  /**
   * The reply: the one that the last event brought, else what has come, with every open call marked as cut off and
   * without a thought that broke off, since providers refuse one without its signature.
   */
  end(): Reply {
    if (this.#reply !== undefined) return this.#reply;
    const content = this.#inOrder().flatMap(([, slot]) => {
      if ('whole' in slot) return [slot.whole];
      if (slot.head.type === 'reasoning') return [];
      return completePartial({ role: 'assistant', content: [partialOf(slot)] }, { cut: true }).content;
    });
    return {
      message: { role: 'assistant', content },
      finish: { reason: 'error' },
      complete: false,
      ...(this.#id === undefined ? undefined : { id: this.#id }),
      ...(this.#usage === undefined ? undefined : { usage: this.#usage }),
      ...(this.#error === undefined ? undefined : { error: this.#error }),
    };
  }

  #grow(slot: number, type: Growing['head']['type'], text: string): void {
    expectText(text, 'event.text');
    const at = this.#slots.get(slot);
    if (at === undefined || 'whole' in at || at.head.type !== type) {
      this.#slots.set(slot, { head: { type }, text });
      return;
    }
    at.text += text;
    at.live?.push(text);
  }

  #put(slot: number, whole: AssistantPart): void {
    this.#slots.set(slot, { whole });
    this.#fresh.add(slot);
  }

  #inOrder(): readonly (readonly [number, Slot])[] {
    return [...this.#slots].sort(([a], [b]) => a - b);
  }
}

function partialOf({ head, text }: Growing): PartialCall | PartialText {
  return head.type === 'call' ? { ...head, argumentsText: text } : { ...head, text };
}

function partialFrom(call: AssistantPart & { readonly type: 'call' }): PartialCall {
  return typeof call.arguments === 'string'
    ? partialCall({ argumentsText: call.arguments, kind: call.kind })
    : partialCall({ argumentsObject: call.arguments });
}
