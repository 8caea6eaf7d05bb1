import type { ModelEvent } from '../../base/message/model.ts';
import type { AssistantPart } from '../../base/message/part.ts';

/** A part of a reply, with its place in it. */
export interface PlacedPart {
  readonly slot: number;
  readonly part: AssistantPart;
}

/**
 * The parts of a reply that still streams, for its journal: what must be on disk before a call of it may start. Half a
 * thought is left out, because it has no signature, and half a call, because it will never run.
 */
export class PartsSoFar {
  readonly #slots = new Map<number, AssistantPart>();
  readonly #fresh = new Set<number>();

  take(event: ModelEvent): void {
    if (event.type === 'text') {
      const before = this.#slots.get(event.slot);
      const text = before?.type === 'text' ? before.text + event.text : event.text;
      this.#put(event.slot, { type: 'text', text });
    } else if (event.type === 'part') this.#put(event.slot, event.part);
    else if (event.type === 'call-end') this.#put(event.slot, event.call);
    else if (event.type === 'retry') {
      this.#slots.clear();
      this.#fresh.clear();
    }
  }

  /** What has come or grown since this was asked last. */
  takeFresh(): readonly PlacedPart[] {
    const fresh = [...this.#fresh].sort((a, b) => a - b);
    this.#fresh.clear();
    return fresh.flatMap((slot) => {
      const part = this.#slots.get(slot);
      return part === undefined ? [] : { slot, part };
    });
  }

  #put(slot: number, part: AssistantPart): void {
    this.#slots.set(slot, part);
    this.#fresh.add(slot);
  }
}
