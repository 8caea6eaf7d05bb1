import type { Call } from '../../base/message/call.ts';
import type { ModelEvent } from '../../base/message/model.ts';
import type { JsonValue } from '../../base/json/value.ts';
import { LiveArguments } from '../../base/message/live-arguments.ts';
import type { CallDelta, RunEvent } from './event.ts';

/** Hears what a model sends: passes it on to those who watch the run, and starts calls that are complete. */
export class EventForwarder {
  readonly #step: number;
  readonly #emit: ((event: RunEvent) => void) | undefined;
  readonly #onCall: (call: Call) => void;
  readonly #open = new Map<number, OpenCall>();

  constructor(step: number, emit: ((event: RunEvent) => void) | undefined, onCall: (call: Call) => void) {
    this.#step = step;
    this.#emit = emit;
    this.#onCall = onCall;
  }

  hear(event: ModelEvent): void {
    if (this.#emit !== undefined) this.#tell(event, this.#emit);
    if (event.type === 'call-end') this.#onCall(event.call);
  }

  #tell(event: ModelEvent, emit: (event: RunEvent) => void): void {
    const step = this.#step;
    switch (event.type) {
      case 'text':
      case 'reasoning':
      case 'refusal':
        return emit({ type: event.type, step, slot: event.slot, text: event.text });
      case 'call-start':
        this.#open.set(event.slot, { id: event.id, name: event.name, live: new LiveArguments() });
        return emit({ ...event, step });
      case 'call-delta':
        return emit(this.#delta(event.slot, event.text));
      case 'call-end':
        this.#open.delete(event.slot);
        return emit({ ...event, step });
      case 'retry':
      case 'error':
        return emit({ ...event, step });
      case 'start':
      case 'part':
      case 'usage':
      case 'finish':
        return;
    }
  }

  #delta(slot: number, text: string): CallDelta {
    const open = this.#open.get(slot) ?? { id: '', name: '', live: new LiveArguments() };
    open.live.push(text);
    return new ReadableDelta(this.#step, slot, text, open);
  }
}

interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly live: LiveArguments;
}

class ReadableDelta implements CallDelta {
  readonly type = 'call-delta';
  readonly step: number;
  readonly slot: number;
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly #open: OpenCall;

  constructor(step: number, slot: number, text: string, open: OpenCall) {
    this.step = step;
    this.slot = slot;
    this.text = text;
    this.id = open.id;
    this.name = open.name;
    this.#open = open;
  }

  get arguments(): JsonValue | undefined {
    return this.#open.live.current;
  }
}
