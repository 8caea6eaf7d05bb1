import type { Call } from '../../base/message/call.ts';
import type { Message } from '../../base/message/message.ts';
import type { Context } from './contract.ts';
import type { PreparedTool } from './prepare-tool.ts';
import type { Interruption, Deadlines, Deadline } from './deadlines.ts';

/** How a tool ended: with a value, with an error, or left behind. */
export type ToolEnd =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'interrupted'; readonly why: Interruption };

/** What came after a tool had been left behind. */
export type Late =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown };

export interface DeadlineOptions {
  readonly watch: Deadlines;
  /** Milliseconds, or Infinity. */
  readonly timeout: number;
  readonly onProgress: (progress: unknown) => void;
  readonly onLate: (late: Late) => void;
}

/**
 * Runs a tool until it answers, throws, passes its deadline or is cancelled, whichever is first. A tool that ignores
 * its signal is left behind; what it answers then goes to `onLate` and nowhere else.
 */
export function runWithinDeadline(
  tool: PreparedTool,
  input: unknown,
  context: CallContext,
  options: DeadlineOptions,
): ToolEnd | Promise<ToolEnd> {
  const { watch } = options;
  if (watch.aborted !== undefined) return { kind: 'interrupted', why: watch.aborted };
  let started: unknown;
  try {
    // The arguments were read and checked for this very tool; `never` in `AnyTool` cannot say so.
    started = tool.tool.run?.(input as never, context);
  } catch (error) {
    return { kind: 'threw', error };
  }
  let open = true;
  const work = isGenerator(started) ? drain(started, () => open, options.onProgress) : started;
  if (!isThenable(work)) return { kind: 'value', value: work };
  // What only looks like a promise may throw from its `then`, or settle twice.
  const settling = work instanceof Promise ? work : Promise.resolve(work);
  return new Promise((resolve) => {
    const end = (performed: ToolEnd): void => {
      open = false;
      watch.remove(watched);
      resolve(performed);
    };
    const watched: Deadline = {
      timeoutMs: options.timeout,
      deadline: options.timeout === Infinity ? Infinity : watch.clock.monotonic() + options.timeout,
      interrupt(why) {
        end({ kind: 'interrupted', why });
        context.abort(why);
        if (isGenerator(started)) leave(started);
      },
    };
    watch.add(watched);
    settling.then(
      (value) => (open ? end({ kind: 'value', value }) : options.onLate({ kind: 'value', value })),
      (error: unknown) => (open ? end({ kind: 'threw', error }) : options.onLate({ kind: 'threw', error })),
    );
  });
}

/** The context of one call. Its signal is made when a tool asks for it: most never do, and it costs a microsecond. */
export class CallContext implements Context {
  readonly call: Call;
  readonly messages: readonly Message[];
  readonly step: number;
  readonly injected: Readonly<Record<string, unknown>>;
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;

  constructor(
    call: Call,
    messages: readonly Message[],
    step: number,
    injected: Readonly<Record<string, unknown>>,
  ) {
    this.call = call;
    this.messages = messages;
    this.step = step;
    this.injected = injected;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }

  abort(why: Interruption): void {
    const reason =
      why.kind === 'timeout'
        ? new DOMException(`The tool did not answer within ${why.ms} ms.`, 'TimeoutError')
        : (why.reason ?? new DOMException('The call was cancelled.', 'AbortError'));
    this.#aborted = { reason };
    this.#controller?.abort(reason);
  }
}

type AnyGenerator = Generator<unknown, unknown> | AsyncGenerator<unknown, unknown>;

function isGenerator(value: unknown): value is AnyGenerator {
  if (typeof value !== 'object' || value === null) return false;
  if (!(Symbol.asyncIterator in value || Symbol.iterator in value)) return false;
  return 'next' in value && typeof value.next === 'function' && 'throw' in value;
}

async function drain(
  generator: AnyGenerator,
  isOpen: () => boolean,
  onProgress: (progress: unknown) => void,
): Promise<unknown> {
  for (;;) {
    const { value, done } = await generator.next();
    if (done === true) return value;
    // Left behind, it is ended where it stands: it will not answer, and nobody waits for its progress.
    if (!isOpen()) return new Promise<never>(() => undefined);
    onProgress(value);
  }
}

/** Lets a generator run its `finally`. It may be in the middle of something that never ends: nobody waits for it. */
function leave(generator: AnyGenerator): void {
  void Promise.resolve()
    .then(() => generator.return(undefined))
    .catch(() => undefined);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
