import type { LiveReply } from '../../base/message/live-reply.ts';
import type { Model, ModelError, ModelEvent, ModelRequest, Reply } from '../../base/message/model.ts';

/** A reply that broke off, with the error behind it. */
export interface BrokenReply extends Reply {
  readonly cause?: unknown;
}

export interface AskOptions {
  readonly model: Model;
  readonly signal: AbortSignal;
  /** Follows the reply. */
  readonly soFar: LiveReply;
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
  const { model, soFar } = options;
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
        options.onEvent(event);
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
