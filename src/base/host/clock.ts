/** The only door to the clock: everything that must replay takes a `Clock`. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that only ever grow, for durations. */
  monotonic(): number;
  /** Calls back once after `ms`; the answer cancels. The timer keeps a process alive only where it is asked to. */
  after(ms: number, callback: () => void, options?: { readonly keepAlive?: boolean }): () => void;
}

/** A timer that is set for longer rings at once. */
const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, callback, options) {
    if (ms > longestTimer) {
      const goOn = (): void => {
        cancel = systemClock.after(ms - longestTimer, callback, options);
      };
      let cancel = systemClock.after(longestTimer, goOn, options);
      return () => cancel();
    }
    const timer = setTimeout(callback, ms);
    if (typeof timer === 'object' && options?.keepAlive !== true) timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Waits `ms` and keeps the process alive meanwhile; rejects with the signal's reason when aborted. */
export function sleep(
  ms: number,
  { signal, clock = systemClock }: { readonly signal?: AbortSignal | undefined; readonly clock?: Clock } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason as Error);
    };
    const rung = (): void => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    };
    const cancel = clock.after(ms, rung, { keepAlive: true });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
