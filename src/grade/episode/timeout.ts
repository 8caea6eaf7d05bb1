import type { Clock } from '../../base/host/clock.ts';

/** How long something may take, and what takes its place when it takes longer. */
export interface Limit<Value> {
  readonly clock: Clock;
  readonly ms: number;
  readonly late: () => Value;
}

/** Waits for work no longer than its limit. What ignores its signal is left behind. */
export async function withTimeout<Value>(
  { clock, ms, late }: Limit<Value>,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const stop = new AbortController();
  let cancel = (): void => {};
  const tooLate = new Promise<Value>((resolve) => {
    const callback = (): void => {
      resolve(late());
      stop.abort();
    };
    cancel = clock.after(ms, callback, { keepAlive: true });
  });
  try {
    return await Promise.race([work(stop.signal), tooLate]);
  } finally {
    cancel();
  }
}
