import type { ModelError } from '../../base/message/model.ts';
import type { Deadlines } from '../tool/call/deadlines.ts';

/** The end that comes to a run from outside: it was aborted, or its time is over. */
export class Cancellation {
  readonly #deadlines: Deadlines;
  readonly #controller = new AbortController();
  #why: 'aborted' | 'time-limit' | undefined;
  #leaveModel: ((error: ModelError) => void) | undefined;

  constructor(deadlines: Deadlines) {
    this.#deadlines = deadlines;
  }

  /** Undefined as long as the run goes on. */
  get why(): 'aborted' | 'time-limit' | undefined {
    return this.#why;
  }

  /** What a model is told. One that does not listen is left behind. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Leaves behind what is in flight: the model, and every call. */
  end(why: 'aborted' | 'time-limit', reason?: unknown): void {
    if (this.#why !== undefined) return;
    this.#why = why;
    this.#controller.abort(reason);
    this.#leaveModel?.(leftBehind(why));
    this.#deadlines.abort(reason);
  }

  /** While a model is waited for: how to stop waiting. */
  onWait(leave: (error: ModelError) => void): void {
    this.#leaveModel = leave;
    if (this.#why !== undefined) leave(leftBehind(this.#why));
  }
}

function leftBehind(why: 'aborted' | 'time-limit'): ModelError {
  return why === 'aborted'
    ? { kind: 'aborted', message: 'The run was aborted.' }
    : { kind: 'timeout', message: 'The time of the run was up.' };
}
