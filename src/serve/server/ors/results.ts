import type { Clock } from '../../../base/host/clock.ts';

/** How long a result is kept for a client that lost its connection. */
const keptMs = 120_000;

/** Results of calls by their task id, while they run and for a while after: a client may come back for them. */
export class Results {
  readonly #clock: Clock;
  readonly #results = new Map<string, Promise<string>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs a call and keeps its result under this id. */
  run(id: string, work: () => Promise<string>): Promise<string> {
    const result = work();
    this.#results.set(id, result);
    const forget = (): void => void this.#clock.after(keptMs, () => this.#results.delete(id));
    result.then(forget, forget);
    return result;
  }

  get(id: string): Promise<string> | undefined {
    return this.#results.get(id);
  }
}
