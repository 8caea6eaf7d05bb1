import { systemClock } from '../../base/host/clock.ts';

const watchMs = 300;

/** What asks a process to stop, and the exit code that tells so. */
export interface Stop extends Disposable {
  readonly signal: AbortSignal;
  /** 0 while nobody has asked. */
  readonly code: () => number;
}

/**
 * Comes when the process is asked to stop: by Ctrl-C, by a polite kill, or because its parent process has gone.
 * `npm run` does not hand a signal on to the program that it runs: only its shell ends.
 */
export function untilStopped(): Stop {
  const controller = new AbortController();
  let code = 0;
  const stop = (asked: number): void => {
    code ||= asked;
    controller.abort(new Error('The command was asked to stop.'));
  };
  const onInterrupt = (): void => stop(130);
  const onEnd = (): void => stop(143);
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onEnd);
  process.on('SIGHUP', onEnd);
  const parent = process.ppid;
  let cancel = (): void => undefined;
  const watch = (): void => {
    if (process.ppid === parent) cancel = systemClock.after(watchMs, watch);
    else onEnd();
  };
  watch();
  return {
    signal: controller.signal,
    code: () => code,
    [Symbol.dispose]: () => {
      cancel();
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onEnd);
      process.off('SIGHUP', onEnd);
    },
  };
}
