import type { Clock } from '../../base/host/clock.ts';

/** How long a watcher sleeps at most: another server may have changed the episode. */
const longestMs = 1000;

/** Who waits for a change of one episode, or of any episode of an owner. */
export class Watchers {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when the episode, or one of the owner, is told to have changed, after a second, or when the signal aborts. */
  changed(id: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(id) ?? new Set();
      this.#waiting.set(id, waiting);
      const done = (): void => {
        waiting.delete(done);
        if (waiting.size === 0) this.#waiting.delete(id);
        cancel();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const cancel = this.#clock.after(longestMs, done);
      signal.addEventListener('abort', done);
      waiting.add(done);
    });
  }

  tell(...ids: readonly string[]): void {
    for (const id of ids) for (const done of this.#waiting.get(id) ?? []) done();
  }
}
