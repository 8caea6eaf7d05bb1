import { WhetstoneError } from '../../../base/host/errors.ts';
import type { Message } from '../../../base/message/message.ts';
import type {
  Model,
  ModelCallOptions,
  ModelError,
  ModelEvent,
  ModelRequest,
  Reply,
} from '../../../base/message/model.ts';

export interface FallbackOptions {
  /** The errors after which the next model is asked: their kinds, or a function of the error. */
  readonly on?: readonly ModelError['kind'][] | ((error: ModelError) => boolean);
  /** Conversations begin with one model after the other, in place of all with the first. */
  readonly spread?: boolean;
  /** A conversation stays with the model that answered it last, so that its cache is of use. True by default. */
  readonly sticky?: boolean;
}

/** What another model may not suffer from. */
const passing: readonly ModelError['kind'][] = [
  ...(['overloaded', 'rate_limit', 'server', 'network', 'timeout'] as const),
  ...(['authentication', 'permission'] as const),
];

/**
 * Several models as one: where one cannot answer, the next is asked, with the whole history. What has begun to arrive
 * is never mixed: a reply that breaks in the middle is an error as it would be with one model.
 * @example const model = fallback([anthropic('claude-…'), openai('gpt-…')]);
 */
export function fallback(models: readonly Model[], options: FallbackOptions = {}): Model {
  const [first] = models;
  if (first === undefined)
    throw new WhetstoneError(
      'run_option_invalid',
      'fallback was given no model. Give it a list of at least one.',
    );
  const order = new Order(models, options);
  const { on = passing } = options;
  const isPassing = (error: ModelError): boolean =>
    typeof on === 'function' ? on(error) : on.includes(error.kind);
  const every = (can: keyof Model['capabilities']): boolean =>
    models.every((model) => model.capabilities[can]);

  async function generate(request: ModelRequest, call?: ModelCallOptions): Promise<Reply> {
    const turns = order.of(request.messages);
    for (;;) {
      const model = turns.next();
      const reply = await model.generate(request, call);
      if (reply.error !== undefined && turns.hasMore && isPassing(reply.error)) continue;
      return { by: model.name, ...reply };
    }
  }

  async function* stream(request: ModelRequest, call?: ModelCallOptions): AsyncGenerator<ModelEvent> {
    const turns = order.of(request.messages);
    for (let attempt = 1; ; attempt++) {
      const model = turns.next();
      const error = yield* streamOnce(model, request, call, (failed) => turns.hasMore && isPassing(failed));
      if (error === undefined) return;
      yield { type: 'retry', attempt, waitMs: 0, error };
    }
  }

  return {
    name: models.map(({ name }) => name).join('|'),
    // A reply that breaks off is nobody's: what only one API can read of it goes to none.
    api: 'fallback',
    capabilities: {
      images: every('images'),
      tools: every('tools'),
      parallelCalls: every('parallelCalls'),
      strict: every('strict'),
    },
    generate,
    stream,
  };
}

/** The events of one model; or, before anything of a reply was told, the error for which another is asked. */
async function* streamOnce(
  model: Model,
  request: ModelRequest,
  call: ModelCallOptions | undefined,
  mayGoOn: (error: ModelError) => boolean,
): AsyncGenerator<ModelEvent, ModelError | undefined> {
  const held: ModelEvent[] = [];
  let begun = false;
  for await (const event of model.stream(request, call)) {
    const error =
      event.type === 'error' ? event.error : event.type === 'finish' ? event.reply.error : undefined;
    if (!begun && error !== undefined && mayGoOn(error)) return error;
    const told: ModelEvent =
      event.type === 'finish' ? { ...event, reply: { by: model.name, ...event.reply } } : event;
    if (event.type === 'retry') yield told;
    else if (!begun && (event.type === 'start' || event.type === 'usage')) held.push(told);
    else {
      if (!begun) yield* held;
      begun = true;
      yield told;
    }
  }
  return undefined;
}

/** Which model is asked first, and which after it. */
class Order {
  readonly #models: readonly Model[];
  readonly #options: FallbackOptions;
  /** By the message that a conversation begins with. */
  readonly #last = new WeakMap<Message, number>();
  #conversations = 0;

  constructor(models: readonly Model[], options: FallbackOptions) {
    this.#models = models;
    this.#options = options;
  }

  of(messages: readonly Message[]): { next(): Model; readonly hasMore: boolean } {
    const { spread = false, sticky = true } = this.#options;
    const key = messages[0];
    const known = sticky && key !== undefined ? this.#last.get(key) : undefined;
    const from = known ?? (spread ? this.#conversations++ % this.#models.length : 0);
    let asked = 0;
    const remember = (at: number): void => {
      if (key !== undefined) this.#last.set(key, at);
    };
    const models = this.#models;
    return {
      next() {
        const at = (from + asked++) % models.length;
        // The one that is asked last is the one that answers.
        remember(at);
        return models[at]!;
      },
      get hasMore() {
        return asked < models.length;
      },
    };
  }
}
