import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Clock } from '../../base/host/clock.ts';
import type { EpisodeEngine } from '../../grade/episode/engine.ts';
import type { BodyBudget } from './middleware/body-budget.ts';
import type { Identity } from './keys.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { OpenConnections } from './open-connections.ts';
import type { RateLimiter } from './middleware/rate-limit.ts';
import type { TrialPlayer } from './trial-player.ts';
import type { InFlight, InFlightByCaller } from './middleware/in-flight.ts';

/** When a trainer's doors tell the reward: only at the end, as differences, or as its current value. */
export type RewardMode = 'final' | 'delta' | 'running';

/** What every door of the server shares. */
export interface ServerContext {
  readonly engine: EpisodeEngine;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly limiter: RateLimiter;
  readonly bodies: BodyBudget;
  readonly sockets: OpenConnections;
  readonly streams: OpenConnections;
  readonly log: Log;
  /** Open: everyone who reaches the server is the local person. It ends with the first key. */
  readonly open: boolean;
  /** Requests a minute of the local person; a key has its own. */
  readonly rateLimit: number | undefined;
  readonly rewardMode: RewardMode;
  readonly inFlight: InFlight;
  readonly inFlightByCaller: InFlightByCaller;
  /** Who plays trials of trainers here, by name. */
  readonly players: Readonly<Record<string, TrialPlayer>>;
  /** The hosts, in addition to this machine, that may be asked for their models. */
  readonly trainers: readonly string[];
  /** Aborted when the server was asked to stop: what would take long is given up. */
  readonly stopped: AbortSignal;
  /** True from the moment the server was asked to stop. */
  readonly stopping: () => boolean;
}

/** A request and its answer, as Node has them. */
export interface NodeBindings {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** What Hono hands on with a request: Node's objects, and what the middleware found out. */
export interface ServerEnv {
  readonly Bindings: NodeBindings;
  readonly Variables: {
    requestId: string;
    identity: Identity;
    /** The JSON of the body; undefined where there was none. */
    body: unknown;
  };
}
