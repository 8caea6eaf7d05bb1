import type { Clock } from '../../../base/host/clock.ts';
import { RpcError } from '../rpc-error.ts';

export const requestTimeout = -32001;

/** Aborts when nothing was heard for a time. While a person is asked, silence means nothing. */
export class Quiet {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly #ms: number;
  #cancel: () => void = () => undefined;
  #pauses = 0;
  /** Those that wait for the same server. */
  readonly #among: Set<Quiet>;

  constructor(
    clock: Clock,
    ms: number,
    { signal: outer, among = new Set() }: { readonly signal?: AbortSignal; readonly among?: Set<Quiet> } = {},
  ) {
    this.#among = among.add(this);
    this.#clock = clock;
    this.#ms = ms;
    this.signal =
      outer === undefined ? this.#controller.signal : AbortSignal.any([outer, this.#controller.signal]);
    this.heard();
  }

  readonly signal: AbortSignal;

  heard(): void {
    this.#cancel();
    if (this.#pauses > 0) return;
    const ring = (): void =>
      this.#controller.abort(new RpcError(requestTimeout, `Nothing was heard for ${this.#ms} ms`));
    this.#cancel = this.#clock.after(this.#ms, ring, { keepAlive: true });
  }

  pause(): void {
    this.#pauses += 1;
    this.#cancel();
  }

  resume(): void {
    this.#pauses -= 1;
    this.heard();
  }

  end(): void {
    this.#among.delete(this);
    this.#cancel();
  }
}
