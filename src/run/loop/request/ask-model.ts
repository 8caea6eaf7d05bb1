import type { Call } from '../../../base/message/call.ts';
import type { LiveReply } from '../../../base/message/live-reply.ts';
import type { Model, ModelError, ModelEvent, ModelRequest, Reply } from '../../../base/message/model.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import type { CallDelta, RunEvent } from '../event.ts';
import type { FinalAnswer } from '../final-answer.ts';

/** A reply that broke off, with the error behind it. */
export interface BrokenReply extends Reply {
  readonly cause?: unknown;
}

export interface AskOptions {
  readonly model: Model;
  readonly step: number;
  readonly signal: AbortSignal;
  /** Follows the reply. */
  readonly soFar: LiveReply;
  /** Where the run wants an answer of a given shape: what is told of it while it arrives. */
  readonly answer: FinalAnswer | undefined;
  /** Undefined while nobody listens to the run. */
  readonly emit: ((event: RunEvent) => void) | undefined;
  /** Is given each call as soon as its provider has said that it is complete. */
  readonly onCall: (call: Call) => void;
  /** Is given a function that ends the waiting; what has arrived by then is the reply. */
  readonly onWait: (leave: (error: ModelError) => void) => void;
}

/**
 * One reply of a model. Never rejects, and never waits for a model that ignores its signal: what had arrived when the
 * waiting ended, or when the model broke, is a reply too, marked as incomplete.
 */
export function askModel(request: ModelRequest, options: AskOptions): Promise<BrokenReply> {
  const { model, soFar, emit } = options;
  const forward = emit === undefined ? undefined : eventForwarder(options, emit);
  let left = false;
  return new Promise((resolve) => {
    options.onWait((error) => {
      left = true;
      resolve(brokenReply(soFar, model, error));
    });
    const consume = async (): Promise<Reply> => {
      for await (const event of model.stream(request, { signal: options.signal })) {
        if (left) break;
        if (event.type === 'finish') return event.reply;
        soFar.take(event);
        forward?.(event);
        if (event.type === 'call-end') options.onCall(event.call);
      }
      return brokenReply(soFar, model, {
        kind: 'network',
        message: 'The reply ended without saying that it was complete.',
      });
    };
    consume().then(resolve, (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      resolve(brokenReply(soFar, model, { kind: 'other', message }, error));
    });
  });
}

/** Passes on what a model sends to those who listen to the run. */
function eventForwarder(
  { step, soFar, answer }: AskOptions,
  emit: (event: RunEvent) => void,
): (event: ModelEvent) => void {
  const open = new Map<number, { readonly id: string; readonly name: string }>();
  let follow = answer?.follow(step);
  const tell = (name: string | undefined, text: string): void => {
    const told = follow?.(name, text);
    if (told !== undefined) emit(told);
  };
  return (event) => {
    switch (event.type) {
      case 'call-delta': {
        const { slot, text } = event;
        const { id = '', name = '' } = open.get(slot) ?? {};
        emit(new ReadableDelta({ step, slot, id, name, text }, soFar));
        return tell(name, text);
      }
      case 'call-start':
        open.set(event.slot, event);
        return emit({ ...event, step });
      case 'text':
        emit({ ...event, step });
        return tell(undefined, event.text);
      case 'retry':
        // What had come before belongs to the attempt that failed.
        follow = answer?.follow(step);
        return emit({ ...event, step });
      case 'reasoning':
      case 'refusal':
      case 'call-end':
      case 'error':
        return emit({ ...event, step });
      case 'start':
      case 'part':
      case 'usage':
      case 'finish':
        return;
    }
  };
}

/** Reads the arguments so far only where somebody asks for them. */
class ReadableDelta implements CallDelta {
  readonly type = 'call-delta';
  readonly step: number;
  readonly slot: number;
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly #reply: LiveReply;

  constructor(of: Omit<CallDelta, 'type' | 'arguments'>, reply: LiveReply) {
    this.step = of.step;
    this.slot = of.slot;
    this.id = of.id;
    this.name = of.name;
    this.text = of.text;
    this.#reply = reply;
  }

  get arguments(): JsonValue | undefined {
    return this.#reply.argumentsAt(this.slot);
  }
}

/** What has come so far as a reply, with the error that ended it. */
function brokenReply(soFar: LiveReply, model: Model, error: ModelError, cause?: unknown): BrokenReply {
  const reply = soFar.end();
  return {
    ...reply,
    message: { ...reply.message, from: { api: model.api, model: model.name } },
    error: reply.error ?? error,
    ...(cause !== undefined && { cause }),
  };
}
