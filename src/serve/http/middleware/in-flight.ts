import type { MiddlewareHandler } from 'hono';

import { WhetstoneError } from '../../../base/host/errors.ts';
import type { ServerContext, ServerEnv } from '../context.ts';

/** Work that clients wait for: a server that stops does not leave it half done. */
export class InFlight {
  #count = 0;
  #waiting: (() => void)[] = [];

  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    this.#count += 1;
    try {
      return await work();
    } finally {
      this.#count -= 1;
      if (this.#count === 0) for (const tell of this.#waiting.splice(0)) tell();
    }
  }

  /** Resolves when nothing is being done. */
  async idle(): Promise<void> {
    while (this.#count > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

/** How many requests of each caller are being answered: one of them cannot take all the room. */
export class InFlightByCaller {
  readonly #limit: number;
  readonly #counts = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  async run<Value>(caller: string, work: () => Promise<Value>): Promise<Value> {
    const count = this.#counts.get(caller) ?? 0;
    if (count >= this.#limit)
      throw new WhetstoneError(
        'server_busy',
        `This key has ${count} requests in flight, and may have no more. Wait until some of them are answered.`,
      );
    this.#counts.set(caller, count + 1);
    try {
      return await work();
    } finally {
      const left = this.#counts.get(caller)! - 1;
      if (left === 0) this.#counts.delete(caller);
      else this.#counts.set(caller, left);
    }
  }
}

/** Refuses a caller that has too many requests in flight already. */
export function limitInFlight({ inFlightByCaller }: ServerContext): MiddlewareHandler<ServerEnv> {
  return (c, next) => inFlightByCaller.run(c.var.identity.caller.id, next);
}

/** A server that stops waits for what comes after this. */
export function finishBeforeStop({ inFlight }: ServerContext): MiddlewareHandler<ServerEnv> {
  return (_, next) => inFlight.run(next);
}
