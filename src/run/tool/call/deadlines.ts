import type { Clock } from '../../../base/host/clock.ts';
import type { Call } from '../../../base/message/call.ts';
import type { Message } from '../../../base/message/message.ts';
import type { Model } from '../../../base/message/model.ts';
import type { Usage } from '../../../base/message/usage.ts';
import type { Context, InnerOutcome, InnerRun, Note, RunAround } from '../contract.ts';
import type { Toolbox } from '../toolbox.ts';
import { noRunAround } from './no-run-around.ts';
import type { PreparedTool } from '../prepare-tool.ts';

/** Why a call is left behind before it has answered. */
export type Interruption =
  | { readonly kind: 'timeout'; readonly ms: number }
  | { readonly kind: 'aborted'; readonly reason: unknown };

/** What came after a tool had been left behind. */
export type Late =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown };

/** How a tool ended: with a value, with an error, or left behind. */
export type ToolEnd = Late | { readonly kind: 'interrupted'; readonly why: Interruption };

/** Thrown through a call that was cancelled before its tool ran. */
export class Abandoned extends Error {
  readonly why: Interruption;
  constructor(why: Interruption) {
    super('The call was cancelled.');
    this.why = why;
  }
}

interface Pending {
  /** On the clock's monotonic scale; Infinity for none. */
  readonly deadline: number;
  readonly timeoutMs: number;
  interrupt(why: Interruption): void;
}

interface WaitOptions {
  /** Milliseconds, or Infinity. */
  readonly timeoutMs?: number;
  /** Called when the work is left behind. */
  readonly onInterrupt?: (why: Interruption) => void;
  /** Is given what the work brings after that. */
  readonly onLate?: (late: Late) => void;
}

const longestTimer = 2 ** 31 - 1;

/**
 * The deadlines of all calls in flight, with one timer, which is armed only while some call has a deadline. A timer
 * and an abort listener for each call would cost more than the rest of a step.
 */
export class Deadlines {
  readonly clock: Clock;
  readonly #pending = new Set<Pending>();
  #armedFor = Infinity;
  #disarm: (() => void) | undefined;
  #aborted: Interruption | undefined;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Set once the whole run is cancelled: nothing may start any more. */
  get aborted(): Interruption | undefined {
    return this.#aborted;
  }

  /** Waits until the work settles, its time is over, or all is cancelled, whichever is first. Never rejects. */
  settle(work: Promise<unknown>, options: WaitOptions = {}): Promise<ToolEnd> {
    const { timeoutMs = Infinity, onInterrupt, onLate } = options;
    return new Promise((resolve) => {
      let isOpen = true;
      const end = (how: ToolEnd): void => {
        isOpen = false;
        // The timer stays armed for the calls to come: arming one for each would cost more than the rest of a step.
        this.#pending.delete(pending);
        resolve(how);
      };
      const pending: Pending = {
        timeoutMs,
        deadline: timeoutMs === Infinity ? Infinity : this.clock.monotonic() + timeoutMs,
        interrupt: (why) => {
          end({ kind: 'interrupted', why });
          onInterrupt?.(why);
        },
      };
      work.then(
        (value) => (isOpen ? end({ kind: 'value', value }) : onLate?.({ kind: 'value', value })),
        (error: unknown) => (isOpen ? end({ kind: 'threw', error }) : onLate?.({ kind: 'threw', error })),
      );
      if (this.#aborted !== undefined) return pending.interrupt(this.#aborted);
      this.#pending.add(pending);
      if (pending.deadline < this.#armedFor) this.#arm(pending.deadline);
    });
  }

  /** The same for what is awaited apart from a tool's own run: rejects with `Abandoned` if it is left behind. */
  async until<Value>(work: Promise<Value>, options?: WaitOptions): Promise<Value> {
    const end = await this.settle(work, options);
    if (end.kind === 'value') return end.value as Value;
    throw end.kind === 'threw' ? end.error : new Abandoned(end.why);
  }

  /** Must be called when the run is over: the timer keeps the process alive. */
  close(): void {
    this.#disarm?.();
    this.#disarm = undefined;
    this.#armedFor = Infinity;
  }

  abort(reason: unknown): void {
    if (this.#aborted !== undefined) return;
    this.#aborted = { kind: 'aborted', reason };
    for (const pending of [...this.#pending]) pending.interrupt(this.#aborted);
  }

  #arm(deadline: number): void {
    this.#disarm?.();
    this.#armedFor = deadline;
    const wait = Math.max(0, Math.ceil(deadline - this.clock.monotonic()));
    // A longer timer would ring at once; one that rings early is simply armed again.
    this.#disarm = this.clock.after(Math.min(wait, longestTimer), () => this.#ring(), { keepAlive: true });
  }

  #ring(): void {
    this.close();
    const now = this.clock.monotonic();
    let next = Infinity;
    for (const pending of [...this.#pending]) {
      if (pending.deadline <= now) pending.interrupt({ kind: 'timeout', ms: pending.timeoutMs });
      else if (pending.deadline < next) next = pending.deadline;
    }
    if (next < Infinity) this.#arm(next);
  }
}

/** The context of one call. Its signal is made when a tool asks for it: most never do, and it costs a microsecond. */
export class CallContext implements Context {
  readonly call: Call;
  readonly messages: readonly Message[];
  readonly step: number;
  readonly injected: Readonly<Record<string, unknown>>;
  /** Whatever runs the call, for those who know it. */
  readonly within: RunAround | undefined;
  readonly #onNote: ((note: Note) => void) | undefined;
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;

  constructor(
    call: Call,
    messages: readonly Message[],
    step: number,
    injected: Readonly<Record<string, unknown>>,
    { within, onNote }: { readonly within?: RunAround; readonly onNote?: (note: Note) => void } = {},
  ) {
    this.within = within;
    this.#onNote = onNote;
    this.call = call;
    this.messages = messages;
    this.step = step;
    this.injected = injected;
  }

  get model(): Model | undefined {
    return this.within?.model;
  }

  get tools(): Toolbox | undefined {
    return this.within?.tools;
  }

  get usage(): Usage | undefined {
    return this.within?.usage;
  }

  note(note: Note): void {
    this.#onNote?.(note);
  }

  async run(options: InnerRun): Promise<InnerOutcome> {
    return this.within === undefined ? noRunAround() : this.within.start(this, options);
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

export interface DeadlineOptions {
  readonly deadlines: Deadlines;
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
  { deadlines, timeout, onProgress, onLate }: DeadlineOptions,
): ToolEnd | Promise<ToolEnd> {
  if (deadlines.aborted !== undefined) return { kind: 'interrupted', why: deadlines.aborted };
  let started: unknown;
  try {
    // The arguments were read and checked for this very tool; `never` in `AnyTool` cannot say so.
    started = tool.tool.run?.(input as never, context);
  } catch (error) {
    return { kind: 'threw', error };
  }
  const generator = isGenerator(started) ? started : undefined;
  let isLeft = false;
  const work = generator === undefined ? started : drain(generator, () => isLeft, onProgress);
  if (!isThenable(work)) return { kind: 'value', value: work };
  // What only looks like a promise may throw from its `then`, or settle twice.
  return deadlines.settle(work instanceof Promise ? work : Promise.resolve(work), {
    timeoutMs: timeout,
    onLate,
    onInterrupt: (why) => {
      isLeft = true;
      context.abort(why);
      if (generator !== undefined) leave(generator);
    },
  });
}

type AnyGenerator = Generator<unknown, unknown> | AsyncGenerator<unknown, unknown>;

function isGenerator(value: unknown): value is AnyGenerator {
  if (typeof value !== 'object' || value === null) return false;
  if (!(Symbol.asyncIterator in value || Symbol.iterator in value)) return false;
  return 'next' in value && typeof value.next === 'function' && 'throw' in value;
}

async function drain(
  generator: AnyGenerator,
  isLeft: () => boolean,
  onProgress: (progress: unknown) => void,
): Promise<unknown> {
  for (;;) {
    const { value, done } = await generator.next();
    if (done === true) return value;
    // Once left behind it is ended where it is: it will not answer, and nobody waits for its progress.
    if (isLeft()) return new Promise<never>(() => undefined);
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
