import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Clock } from '../../base/host/clock.ts';
import { WhetstoneError } from '../../base/host/errors.ts';
import type { EpisodeEngine } from '../../grade/episode/engine.ts';
import type { HeldBytes } from './held-bytes.ts';
import { identify, localCaller, type Identity } from './keys.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { OpenConnections } from './open-connections.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { Underway } from './underway.ts';

/** When a trainer's doors tell the reward: at the end only, as differences, or as it stands. */
export type RewardMode = 'final' | 'delta' | 'running';

/** What every door of the server shares. */
export interface ServerContext {
  readonly engine: EpisodeEngine;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly limiter: RateLimiter;
  readonly held: HeldBytes;
  readonly sockets: OpenConnections;
  readonly streams: OpenConnections;
  readonly log: Log;
  /** Open: whoever reaches the server is the local person. It ends with the first key. */
  readonly open: boolean;
  /** Requests a minute of the local person; a key has its own. */
  readonly rateLimit: number | undefined;
  readonly rewardMode: RewardMode;
  readonly underway: Underway;
  /** True from the moment the server was asked to stop. */
  readonly stopping: () => boolean;
}

/** A request and its answer, as Node has them. */
export interface NodeBindings {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Who sends a request, by the key it carries. */
export async function identityOf(context: ServerContext, key: string | undefined): Promise<Identity> {
  if (context.open) return { caller: localCaller, rateLimit: context.rateLimit };
  return identify(context.engine.store, key, context.clock);
}

/** The key of an `Authorization: Bearer` header. */
export function bearerKey(incoming: IncomingMessage): string | undefined {
  return /^bearer +(\S+)$/i.exec(incoming.headers.authorization ?? '')?.[1];
}

/** Takes one request of the caller's minute; the headers of the answer say what is left. */
export function takeRate(
  context: ServerContext,
  identity: Identity,
  // There is none while a connection becomes a WebSocket.
  outgoing: ServerResponse | undefined,
): void {
  if (identity.rateLimit === undefined) return;
  const { allowed, rate } = context.limiter.take(identity.caller.id, identity.rateLimit);
  outgoing?.setHeader('X-RateLimit-Limit', rate.limit);
  outgoing?.setHeader('X-RateLimit-Remaining', rate.remaining);
  outgoing?.setHeader('X-RateLimit-Reset', rate.reset);
  if (allowed) return;
  context.metrics.count('whet_rate_limited_total', 'Requests refused because a key was over its limit.');
  throw new WhetstoneError('rate_limited', 'Rate limit exceeded', {
    details: { retryAfter: context.limiter.wait(rate) },
  });
}
