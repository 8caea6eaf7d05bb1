import type { Server } from 'node:http';

import type { WebSocketServer } from 'ws';

import { WhetstoneError } from '../../base/host/errors.ts';
import { systemClock, type Clock } from '../../base/host/clock.ts';
import { EpisodeEngine } from '../../grade/episode/engine.ts';
import type { Judge } from '../../grade/episode/judge/judge.ts';
import { TaskBook } from '../../grade/episode/task-book.ts';
import type { Hearing } from '../../grade/episode/hearing/hearing.ts';
import type { Voice } from '../../grade/episode/voice/voice.ts';
import type { Catalog } from '../../grade/scenario/load/catalog.ts';
import type { Store } from '../../grade/store/store.ts';
import { type Protocol, serverApp } from './app.ts';
import type { RewardMode, ServerContext } from '../http/context.ts';
import { every } from './every.ts';
import { httpServer } from './http-server.ts';
import { type RunningHud, serveHud } from '../protocol/hud/serve-hud.ts';
import { HudSessions } from '../protocol/hud/sessions.ts';
import { listen } from '../http/listen.ts';
import { type Log, noLog } from '../http/log.ts';
import { Metrics } from '../http/metrics.ts';
import { BodyBudget } from '../http/middleware/body-budget.ts';
import { Gate } from '../http/middleware/gate.ts';
import { InFlight, InFlightByCaller } from '../http/middleware/in-flight.ts';
import { wordsAtOnce } from './rest/read-filter.ts';
import { RateLimiter } from '../http/middleware/rate-limit.ts';
import type { TrialPlayer } from '../http/trial-player.ts';
import { type View, viewApp } from './view/view-app.ts';
import { OpenConnections } from '../http/open-connections.ts';
import { hasKeys, mayRunOpen } from './runs-open.ts';

export interface ServerOptions {
  readonly store: Store;
  readonly catalog: Catalog;
  /** 127.0.0.1 when left out. */
  readonly host?: string;
  /** 0, or left out: any free one. */
  readonly port?: number;
  /** The folder of the built page. */
  readonly page?: string;
  /** Nobody needs a key. By default only on loopback, and only while no key has ever been made. */
  readonly open?: boolean;
  /** Requests a minute of the local person, while the server is open; none when left out. */
  readonly rateLimit?: number;
  /** Which trainers' protocol is also at the root, in addition to its own prefix; the Labs API is always there. */
  readonly protocol?: Protocol;
  readonly rewardMode?: RewardMode;
  /** The port of HUD's control channel, 0 for any free one; not served when left out. */
  readonly hud?: number;
  /** HUD listens on `host` although keys are needed: its protocol has none, so anyone who reaches it can play. */
  readonly hudOpen?: boolean;
  /** Only shows what its store has, and logs, and takes nothing: no door but the page and what it reads. */
  readonly view?: View;
  /** Who plays trials of trainers here (`POST /api/v1/rollouts`), by name. */
  readonly players?: Readonly<Record<string, TrialPlayer>>;
  /** The hosts, with their port if it is not the usual one, that such a trial may ask, apart from this machine. */
  readonly trainers?: readonly string[];
  /** How long an episode may be idle. */
  readonly idleMs?: number;
  /** Finds the words of persons; the rules' own when left out. */
  readonly voice?: Voice;
  /** Hears what is asked for; the rules do when left out. */
  readonly hearing?: Hearing;
  /** Asked when an episode ends, for what only a model can judge; without one it stays not judged. */
  readonly judge?: Judge;
  /** Requests that may be in flight at once, and half as many of one caller; 1,000 when left out. */
  readonly maxInFlight?: number;
  /** Bytes of bodies and messages that may be worked on at once; 128 MiB when left out. */
  readonly maxHeldBytes?: number;
  /** Sockets that may be open at once, and event streams as many again; 5,000 when left out. */
  readonly maxConnections?: number;
  readonly log?: Log;
  readonly clock?: Clock;
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** The port of HUD's control channel, where it is served. */
  readonly hudPort?: number;
  /** Whether it runs open, without keys: until the first one was made, unless it was told to. */
  readonly open: boolean;
  readonly engine: EpisodeEngine;
  /** Finishes what is in flight, takes nothing new, and ends. The store is the caller's to close. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const defaultInFlight = 1000;
const reapEveryMs = 10_000;
/** How many episodes are summed up before other requests get their turn. */
const sumsAtOnce = 500;
/** How soon a server that runs open sees that a key was made: asking at each request would cost all of them. */
const lookEveryMs = 1000;

/** Starts the reward server; resolves once it listens. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { store, host = '127.0.0.1', clock = systemClock, log = noLog } = options;
  const stop = new AbortController();
  const standing = { open: await mayRunOpen(store, host, options.open), stopped: stop.signal };
  const context = contextOf(options, { clock, log }, standing);
  const { engine } = context;
  const gate = new Gate(context, { host, maxInFlight: options.maxInFlight ?? defaultInFlight });
  const { protocol = 'labs', page = '' } = options;
  const sessions = options.hud === undefined ? undefined : new HudSessions(context);
  const { view } = options;
  const { server, sockets } = httpServer(
    view === undefined
      ? serverApp(context, gate, { protocol, page, hud: sessions })
      : viewApp(context, gate, { view, page }),
  );
  const port = await listen(server, host, options.port ?? 0);
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const hud = sessions && (await listenHud(context, sessions, { options, http: server, port }));
  // What is only shown ends for nobody.
  const keepUp = view === undefined ? reap : readEnded;
  const stopReaping = every(clock, reapEveryMs, () => keepUp(context));
  const stopLooking = every(clock, lookEveryMs, async () => {
    if (!(await hasKeys(store))) return;
    standing.open = false;
    stopLooking();
    log('info', 'key_needed', {});
  });
  if (!standing.open || options.open === true) stopLooking();
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    stop.abort(new WhetstoneError('server_stopping', 'The server is stopping.'));
    stopReaping();
    stopLooking();
    return (closed ??= stopServing(context, server, sockets).finally(() => hud?.close()));
  };
  return {
    url,
    port,
    ...(hud && { hudPort: hud.port }),
    get open() {
      return standing.open;
    },
    engine,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Opens HUD's channel. It knows no keys: where some are needed, it is for this machine alone, unless it was told. */
async function listenHud(
  context: ServerContext,
  sessions: HudSessions,
  { options, http, port }: { readonly options: ServerOptions; readonly http: Server; readonly port: number },
): Promise<RunningHud> {
  const { host = '127.0.0.1', hud = 0, hudOpen = false } = options;
  try {
    return await serveHud(context, sessions, {
      host: context.open || hudOpen ? host : '127.0.0.1',
      ...{ port: hud, http, address: `http://127.0.0.1:${port}` },
    });
  } catch (error) {
    http.close();
    throw error;
  }
}

/** What the handlers share. */
function contextOf(
  options: ServerOptions,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  standing: { readonly open: boolean; readonly stopped: AbortSignal },
): ServerContext {
  const { maxConnections = 5000, maxInFlight = defaultInFlight } = options;
  const metrics = new Metrics();
  return {
    engine: engineOf(options, { clock, log, metrics }),
    clock,
    metrics,
    limiter: new RateLimiter(clock),
    bodies: new BodyBudget(options.maxHeldBytes ?? 2 ** 27),
    sockets: new OpenConnections(maxConnections),
    streams: new OpenConnections(maxConnections),
    log,
    get open() {
      return standing.open;
    },
    rateLimit: options.rateLimit,
    rewardMode: options.rewardMode ?? 'final',
    inFlight: new InFlight(),
    inFlightByCaller: new InFlightByCaller(Math.ceil(maxInFlight / 2)),
    players: options.players ?? {},
    trainers: options.trainers ?? [],
    stopped: standing.stopped,
    stopping: () => standing.stopped.aborted,
  };
}

/** The engine, whose faults and costs are logged and counted. */
function engineOf(
  { store, catalog, idleMs, voice, hearing, judge }: ServerOptions,
  { clock, log, metrics }: Pick<ServerContext, 'clock' | 'log' | 'metrics'>,
): EpisodeEngine {
  return new EpisodeEngine({
    store,
    tasks: new TaskBook(catalog),
    clock,
    ...(idleMs !== undefined && { idleMs }),
    ...(voice && { voice }),
    ...(hearing && { hearing }),
    ...(judge && { judge }),
    onFault: (who, { collection, scenario, variant }, message) => {
      const help =
        'Models that failed as a person or as a judge, worlds that broke, and scenarios that could not be played.';
      metrics.count('whet_faults_total', help, { who });
      log('warn', `${who}_fault`, { collection, scenario, ...(message && { variant, message }) });
    },
    onJudged: ({ calls, input, output }) => {
      metrics.count('whet_judge_calls_total', 'Requests to the model that judges.', {}, calls);
      const help = 'Tokens of the model that judges, as far as its provider reports them.';
      for (const [kind, by] of Object.entries({ input, output }))
        metrics.count('whet_judge_tokens_total', help, { kind }, by);
    },
  });
}

async function reap(context: ServerContext): Promise<void> {
  const { engine, log } = context;
  try {
    const count = await engine.reap();
    if (count > 0) log('info', 'reaped', { episodes: count });
  } catch (error) {
    log('error', 'reap_failed', { error: String(error) });
  }
  await readEnded(context);
  await makeMonths(context);
}

/** Makes ready for the episodes of this month and the next. */
async function makeMonths({ engine: { store }, clock, log }: ServerContext): Promise<void> {
  try {
    await store.months?.make(clock.now());
  } catch (error) {
    log('error', 'months_failed', { error: String(error) });
  }
}

/** Makes what has ended ready to be found and summed up. */
async function readEnded({ engine: { store }, log }: ServerContext): Promise<void> {
  try {
    while ((await store.readWords(wordsAtOnce)) === wordsAtOnce);
    while ((await store.sums.add(sumsAtOnce)) === sumsAtOnce);
  } catch (error) {
    log('error', 'ended_unread', { error: String(error) });
  }
}

/** Finishes what has begun, and closes every connection. */
async function stopServing(
  { engine, inFlight, clock }: ServerContext,
  server: Server,
  sockets: WebSocketServer,
): Promise<void> {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const settled = async (): Promise<void> => {
    await engine.idle();
    await inFlight.idle();
  };
  await settled();
  for (const socket of sockets.clients) socket.close(1001);
  // Streams and slow clients get a moment to take what they were promised, and what began meanwhile is finished.
  const cut = clock.after(2000, () => {
    void settled().then(() => {
      server.closeAllConnections();
      for (const socket of sockets.clients) socket.terminate();
    });
  });
  await ended;
  cut();
  await engine[Symbol.asyncDispose]();
}
