import type { Clock } from '../../base/host/clock.ts';

/** Repeats work, each time so long after the last one ended; the answer stops it. */
export function every(clock: Clock, ms: number, work: () => Promise<void>): () => void {
  let stopped = false;
  let cancel = (): void => {};
  const round = async (): Promise<void> => {
    await work();
    wait();
  };
  const wait = (): void => {
    if (!stopped) cancel = clock.after(ms, () => void round());
  };
  wait();
  return () => {
    stopped = true;
    cancel();
  };
}
