import type { ServerResponse } from 'node:http';

import type { MiddlewareHandler } from 'hono';

import type { Clock } from '../../../base/host/clock.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import type { RateLimit } from '../../api/key.ts';
import type { ServerContext, ServerEnv } from '../context.ts';
import type { Identity } from '../keys.ts';

const minute = 60_000;

/** Takes one request of the caller's minute, before anything is done for it. */
export function limitRate(context: ServerContext): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    takeRate(context, c.var.identity, c.env.outgoing);
    await next();
  };
}

/** Takes one request of the caller's minute; the headers of the answer say what is left. */
export function takeRate(
  context: ServerContext,
  identity: Identity,
  // There is none while a connection becomes a WebSocket.
  outgoing: ServerResponse | undefined,
  count = 1,
): void {
  if (identity.rateLimit === undefined) return;
  const { allowed, rate } = context.limiter.take(identity.caller.id, identity.rateLimit, count);
  outgoing?.setHeader('X-RateLimit-Limit', rate.limit);
  outgoing?.setHeader('X-RateLimit-Remaining', rate.remaining);
  outgoing?.setHeader('X-RateLimit-Reset', rate.reset);
  if (allowed) return;
  context.metrics.count('whet_rate_limited_total', 'Requests refused because a key was over its limit.');
  throw new WhetstoneError('rate_limited', 'Rate limit exceeded', {
    details: { retryAfter: context.limiter.wait(rate) },
  });
}

/** Counts each key's requests in windows of a minute, which begin with its first request. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #windows = new Map<string, { start: number; count: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes one request of a key; undefined when there is none left. */
  take(key: string, limit: number, count = 1): { readonly allowed: boolean; readonly rate: RateLimit } {
    const window = this.#window(key);
    const allowed = window.count + count <= limit;
    if (allowed) window.count += count;
    return { allowed, rate: this.#rate(window, limit) };
  }

  /** What a key has left, without taking of it. */
  look(key: string, limit: number): RateLimit {
    return this.#rate(this.#window(key), limit);
  }

  /** Whole seconds until a key may ask again, at least one. */
  wait(rate: RateLimit): number {
    return Math.max(1, rate.reset - Math.floor(this.#clock.now() / 1000));
  }

  #window(key: string): { start: number; count: number } {
    // Not the time of day, which may be set back or forward.
    const now = this.#clock.monotonic();
    let window = this.#windows.get(key);
    if (window === undefined || now - window.start >= minute) {
      window = { start: now, count: 0 };
      this.#windows.set(key, window);
    }
    return window;
  }

  #rate(window: { readonly start: number; readonly count: number }, limit: number): RateLimit {
    return {
      limit,
      remaining: Math.max(0, limit - window.count),
      reset: Math.ceil((this.#clock.now() + window.start + minute - this.#clock.monotonic()) / 1000),
    };
  }
}
