import type { Clock } from '../../base/host/clock.ts';

/** Why a call is left behind before it has answered. */
export type Interruption =
  | { readonly kind: 'timeout'; readonly ms: number }
  | { readonly kind: 'aborted'; readonly reason: unknown };

/** A call in flight. */
export interface Deadline {
  /** On the clock's monotonic scale; Infinity for none. */
  readonly deadline: number;
  interrupt(why: Interruption): void;
  readonly timeoutMs: number;
}

/** Thrown through a call that was cancelled before its tool ran. */
export class Abandoned extends Error {
  readonly why: Interruption;
  constructor(why: Interruption) {
    super('The call was cancelled.');
    this.why = why;
  }
}

const longestTimer = 2 ** 31 - 1;

/**
 * Watches over all calls in flight with one timer, which is armed only while some call has a deadline. A timer and an
 * abort listener for each call would cost more than the rest of a step.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #calls = new Set<Deadline>();
  #armedFor = Infinity;
  #disarm: (() => void) | undefined;
  #aborted: Interruption | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get clock(): Clock {
    return this.#clock;
  }

  /** Set once the whole run is cancelled: nothing may start any more. */
  get aborted(): Interruption | undefined {
    return this.#aborted;
  }

  add(call: Deadline): void {
    this.#calls.add(call);
    if (call.deadline < this.#armedFor) this.#arm(call.deadline);
  }

  remove(call: Deadline): void {
    // The timer stays armed for the calls to come: arming one for each would cost more than the rest of the step.
    this.#calls.delete(call);
  }

  /** Waits for something beside a tool's own run; rejects with `Left` when all is cancelled, or its time is over. */
  until<Value>(
    work: Promise<Value>,
    onInterrupt: (why: Interruption) => void,
    timeoutMs = Infinity,
  ): Promise<Value> {
    if (this.#aborted !== undefined) return Promise.reject(new Abandoned(this.#aborted));
    return new Promise((resolve, reject) => {
      const watched: Deadline = {
        timeoutMs,
        deadline: timeoutMs === Infinity ? Infinity : this.#clock.monotonic() + timeoutMs,
        interrupt: (why) => {
          this.remove(watched);
          onInterrupt(why);
          reject(new Abandoned(why));
        },
      };
      this.add(watched);
      work.then(resolve, reject).finally(() => this.remove(watched));
    });
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
    for (const call of [...this.#calls]) call.interrupt(this.#aborted);
  }

  #arm(deadline: number): void {
    this.#disarm?.();
    this.#armedFor = deadline;
    const wait = Math.max(0, Math.ceil(deadline - this.#clock.monotonic()));
    // A longer timer would ring at once; one that rings early is simply armed again.
    this.#disarm = this.#clock.after(Math.min(wait, longestTimer), () => this.#ring(), { keepAlive: true });
  }

  #ring(): void {
    this.close();
    const now = this.#clock.monotonic();
    let next = Infinity;
    for (const call of [...this.#calls]) {
      if (call.deadline <= now) call.interrupt({ kind: 'timeout', ms: call.timeoutMs });
      else if (call.deadline < next) next = call.deadline;
    }
    if (next < Infinity) this.#arm(next);
  }
}
