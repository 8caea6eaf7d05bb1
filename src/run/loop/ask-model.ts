import { LiveReply } from '../../base/message/live-reply.ts';
import type { Model, ModelError, ModelEvent, ModelRequest, Reply } from '../../base/message/model.ts';

/** A reply that broke off, with the error behind it. */
export interface BrokenReply extends Reply {
  readonly cause?: unknown;
}

export interface AskOptions {
  readonly model: Model;
  readonly signal: AbortSignal;
  /** Hears each event as it comes. */
  readonly onEvent: (event: ModelEvent) => void;
  /** Is given a function that ends the waiting; what has arrived by then is the reply. */
  readonly onWait: (leave: (error: ModelError) => void) => void;
}

/**
 * One reply of a model. Never rejects, and never waits for a model that ignores its signal: what had arrived when the
 * waiting ended, or when the model broke, is a reply too, marked as incomplete.
 */
export function askModel(request: ModelRequest, options: AskOptions): Promise<BrokenReply> {
  const seen: ModelEvent[] = [];
  let left = false;
  return new Promise((resolve) => {
    options.onWait((error) => {
      left = true;
      resolve(partialReply(seen, options.model, error));
    });
    const consume = async (): Promise<Reply> => {
      for await (const event of options.model.stream(request, { signal: options.signal })) {
        if (left) break;
        if (event.type === 'finish') return event.reply;
        seen.push(event);
        options.onEvent(event);
      }
      return partialReply(seen, options.model, {
        kind: 'network',
        message: 'The reply ended without saying that it was complete.',
      });
    };
    consume().then(resolve, (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      resolve(partialReply(seen, options.model, { kind: 'other', message }, error));
    });
  });
}

/** The reply that half a stream makes: whole parts as they are, text so far, and calls marked as cut off. */
function partialReply(
  seen: readonly ModelEvent[],
  model: Model,
  error: ModelError,
  cause?: unknown,
): BrokenReply {
  const live = new LiveReply();
  for (const event of seen) live.take(event);
  const reply = live.end();
  // Half a thought has no signature, and providers refuse thoughts without theirs.
  const whole = new Set(seen.flatMap((event) => (event.type === 'part' ? [event.part] : [])));
  const content = reply.message.content.filter(
    (part) => (part.type !== 'reasoning' || whole.has(part)) && (part.type !== 'text' || part.text !== ''),
  );
  const from = { api: model.api, model: model.name };
  return {
    ...reply,
    message: { ...reply.message, content, from },
    error: reply.error ?? error,
    ...(cause !== undefined && { cause }),
  };
}
