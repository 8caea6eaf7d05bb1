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

/** A signal that comes after some seconds, or with another one; dispose of it when it is no longer waited for. */
export class Deadline implements Disposable {
  readonly signal: AbortSignal;
  readonly #cancel: () => void;

  constructor(seconds: number, { unless }: { readonly unless?: AbortSignal | undefined } = {}) {
    const controller = new AbortController();
    const stop = (): void => controller.abort(unless?.reason);
    const message = `This took longer than the ${seconds} s that it may take, and was broken off.`;
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

/** Does what must be done also after a failure (a key let go, a button), without waiting long and without failing. */
export async function always(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  using grace = new Deadline(1);
  // The failure that comes before it is the one to tell.
  await untilAborted(work(grace.signal), grace.signal).catch(() => undefined);
}
