import type { MiddlewareHandler } from 'hono';

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

/** A server that stops waits for what comes after this. */
export function finishBeforeStop({ inFlight }: ServerContext): MiddlewareHandler<ServerEnv> {
  return (_, next) => inFlight.run(next);
}
