import { systemClock } from '../../base/host/clock.ts';
import { WhetstoneError } from '../../base/host/errors.ts';

/** The promise, unless the signal comes first: then its reason. */
export function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    promise.then(
      (value) => {
        signal.removeEventListener('abort', onAbort);
        resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener('abort', onAbort);
        reject(error as Error);
      },
    );
  });
}

/** A signal that fires after some seconds, or with another one; dispose of it when nobody waits for it any more. */
export class Deadline implements Disposable {
  readonly signal: AbortSignal;
  readonly #cancel: () => void;

  constructor(seconds: number, { unless }: { readonly unless?: AbortSignal | undefined } = {}) {
    const controller = new AbortController();
    const stop = (): void => controller.abort(unless?.reason);
    const message = `This took longer than the ${seconds} s allowed, and was stopped.`;
    const cancel = systemClock.after(
      seconds * 1000,
      () => controller.abort(new WhetstoneError('computer_timeout', message)),
      { keepAlive: true },
    );
    if (unless?.aborted === true) stop();
    else unless?.addEventListener('abort', stop, { once: true });
    this.signal = controller.signal;
    this.#cancel = () => {
      cancel();
      unless?.removeEventListener('abort', stop);
    };
  }

  [Symbol.dispose](): void {
    this.#cancel();
  }
}

/** What a promise comes to within some milliseconds; undefined where it has not come by then. */
export function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = systemClock.after(ms, () => resolve(undefined), { keepAlive: true });
    promise.then(resolve, reject).finally(cancel);
  });
}

/**
 * Does some work, and then what has to be done after it in any case: a key let go, a button. After a failure that is
 * done without waiting long, and the failure is what is told.
 */
export async function finished<Value>(
  work: () => Promise<Value>,
  after: readonly ((signal: AbortSignal) => Promise<void>)[],
  signal: AbortSignal,
): Promise<Value> {
  let left = after;
  try {
    const value = await work();
    for (const each of after) {
      left = left.slice(1);
      await each(signal);
    }
    return value;
  } catch (error) {
    for (const each of left) {
      using grace = new Deadline(1);
      await untilAborted(each(grace.signal), grace.signal).catch(() => undefined);
    }
    throw error;
  }
}
