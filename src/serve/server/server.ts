import { createServer, type IncomingMessage, type Server } from 'node:http';

import { createAdaptorServer, type WebSocketServerLike } from '@hono/node-server';
import { Hono } from 'hono';
import { WebSocketServer } from 'ws';

import { systemClock, type Clock } from '../../base/host/clock.ts';
import { WhetstoneError } from '../../base/host/errors.ts';
import { randomId } from '../../base/host/random.ts';
import { version } from '../../base/host/version.ts';
import { limits } from '../api/limit.ts';
import { EpisodeEngine } from '../../grade/episode/engine.ts';
import { TaskBook } from '../../grade/episode/task-book.ts';
import type { Judge } from '../../grade/episode/judge.ts';
import type { Voice } from '../../grade/episode/voice.ts';
import type { Catalog } from '../../grade/scenario/load/catalog.ts';
import type { Store } from '../../grade/store/store.ts';
import type { NodeBindings, RewardMode, ServerContext } from './context.ts';
import { answerError, Gate, guard } from './guard.ts';
import { serveHealth } from './health.ts';
import { HeldBytes } from './held-bytes.ts';
import { labsDoor } from './labs/serve-labs.ts';
import { noLog, type Log } from './log.ts';
import { Metrics } from './metrics.ts';
import { openEnvApp } from './openenv/serve-openenv.ts';
import { orsApp } from './ors/serve-ors.ts';
import { noteRequest } from './note-request.ts';
import { answerFile, readPageFiles } from './page-files.ts';
import { OpenConnections } from './open-connections.ts';
import { RateLimiter } from './rate-limit.ts';
import { methodRefused, refusalOf } from './refusal.ts';
import { Underway } from './underway.ts';

export interface ServerOptions {
  readonly store: Store;
  readonly catalog: Catalog;
  /** 127.0.0.1 when left out. */
  readonly host?: string;
  /** 0, or left out: any free one. */
  readonly port?: number;
  /** The folder of the built page. */
  readonly page?: string;
  /** Whoever reaches the server needs no key. By default only on loopback, and only while no key was ever made. */
  readonly open?: boolean;
  /** Requests a minute of the local person, while the server is open; none when left out. */
  readonly rateLimit?: number;
  /** Which trainers' protocol stands at the root besides its own prefix; the Labs API is always there. */
  readonly protocol?: Protocol;
  readonly rewardMode?: RewardMode;
  /** How long an episode may stand idle. */
  readonly idleMs?: number;
  /** Finds the words of persons; the rules' own when left out. */
  readonly voice?: Voice;
  /** Asked when an episode ends, for what only a model can judge; without one it stays not judged. */
  readonly judge?: Judge;
  /** Requests that may be in flight at once. */
  readonly maxInFlight?: number;
  /** Bytes of bodies and messages that may be worked on at once; 128 MiB when left out. */
  readonly maxHeldBytes?: number;
  /** Sockets that may be open at once, and event streams as many again; 5,000 when left out. */
  readonly maxConnections?: number;
  readonly log?: Log;
  readonly clock?: Clock;
}

export type Protocol = 'labs' | 'ors' | 'openenv';

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** Whether it runs open, without keys: until the first one was made, unless it was told to. */
  readonly open: boolean;
  readonly engine: EpisodeEngine;
  /** Finishes what is in flight, takes nothing new, and ends. The store is the caller's to close. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const reapEveryMs = 10_000;
/** How soon a server that runs open sees that a key was made: asking at each request would cost all of them. */
const lookEveryMs = 1000;

/** Starts the reward server; resolves once it listens. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { store, catalog, host = '127.0.0.1', clock = systemClock, maxConnections = 5000 } = options;
  const { protocol = 'labs' } = options;
  let open = await mayRunOpen(store, host, options.open);
  const log = options.log ?? noLog;
  const metrics = new Metrics();
  const engine = new EpisodeEngine({
    store,
    tasks: new TaskBook(catalog),
    clock,
    ...(options.idleMs !== undefined && { idleMs: options.idleMs }),
    ...(options.voice && { voice: options.voice }),
    ...(options.judge && { judge: options.judge }),
    onFault: (who, { collection, scenario, variant }, message) => {
      const help =
        'Models that failed as a person or as a judge, worlds that broke, and scenarios that could not be played.';
      metrics.count('whet_faults_total', help, { who });
      log('warn', `${who}_fault`, { collection, scenario, ...(message && { variant, message }) });
    },
    onJudged: ({ calls, input, output }) => {
      metrics.count('whet_judge_calls_total', 'Requests to the model that judges.', {}, calls);
      const help = 'Tokens of the model that judges, as far as its provider tells them.';
      for (const [kind, by] of Object.entries({ input, output }))
        metrics.count('whet_judge_tokens_total', help, { kind }, by);
    },
  });
  let stopping = false;
  const context: ServerContext = {
    engine,
    clock,
    metrics,
    limiter: new RateLimiter(clock),
    held: new HeldBytes(options.maxHeldBytes ?? 2 ** 27),
    sockets: new OpenConnections(maxConnections),
    streams: new OpenConnections(maxConnections),
    log,
    get open() {
      return open;
    },
    rateLimit: options.rateLimit,
    rewardMode: options.rewardMode ?? 'final',
    underway: new Underway(),
    stopping: () => stopping,
  };

  const app = new Hono<{ Bindings: NodeBindings }>();
  app.notFound((c) => {
    const { method, path } = c.req;
    const here = app.routes.filter((route) => route.path === path && route.method !== 'ALL');
    const error =
      here.length === 0
        ? new WhetstoneError('endpoint_unknown', `There is nothing at ${path}.`)
        : methodRefused(
            method,
            here.map((route) => route.method),
          );
    const [, first] = path.split('/');
    const requestId = randomId('req');
    const { status, code } = refusalOf(error);
    // A client that was given a wrong address is found in the log.
    noteRequest(context, {
      ...{ requestId, operation: 'none', status, code },
      protocol: first === 'ors' || first === 'openenv' ? first : protocol,
      incoming: c.env.incoming,
      started: clock.monotonic(),
    });
    return answerError(c, error, requestId);
  });
  app.onError((error, c) => {
    log('error', 'unhandled', { method: c.req.method, error: String(error) });
    return answerError(c, error);
  });
  const gate = new Gate(context, { host, maxInFlight: options.maxInFlight ?? 1000 });
  app.use(guard(gate));
  if (protocol === 'labs') serveHealth(app, context);
  const doors = { ors: orsApp(context, gate), openenv: openEnvApp(context, version) };
  for (const [name, door] of Object.entries(doors)) app.route(`/${name}`, door);
  if (protocol !== 'labs') {
    app.route('/', doors[protocol]);
    serveHealth(app, context);
  }
  const files = readPageFiles(options.page ?? '');
  app.get('*', (c, next) => {
    const file = files.get(c.req.path);
    return file === undefined ? next() : Promise.resolve(answerFile(file));
  });

  const labs = labsDoor(context, gate);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: limits.bodyBytes });
  const server = createAdaptorServer({
    fetch: app.fetch as never,
    // For requests that name no host, as those of HTTP/1.0 may: many a proxy asks /health that way.
    hostname: 'localhost',
    // Their types differ only in what `exactOptionalPropertyTypes` makes of an optional field.
    websocket: { server: sockets as unknown as WebSocketServerLike },
    // The Labs API is served on Node's own objects; Hono has what is left.
    createServer: ((settings, others) =>
      createServer({ ...settings, shouldUpgradeCallback: isSocket }, (incoming, outgoing) => {
        if (labs(incoming, outgoing)) return;
        // A door that has an id of its own says that.
        outgoing.setHeader('X-Request-ID', randomId('req'));
        others?.(incoming, outgoing);
      })) as typeof createServer,
    serverOptions: {
      // Clients of the reward doors ping every 10 seconds; proxies in front keep connections for about 60.
      keepAliveTimeout: 65_000,
      headersTimeout: 30_000,
      requestTimeout: 60_000,
    },
  }) as Server;
  const port = await listen(server, host, options.port ?? 0);
  const stopReaping = every(clock, reapEveryMs, async () => {
    try {
      const count = await engine.reap();
      if (count > 0) log('info', 'reaped', { episodes: count });
    } catch (error) {
      log('error', 'reap_failed', { error: String(error) });
    }
  });

  const stopLooking = every(clock, lookEveryMs, async () => {
    if (!(await hasKeys(store))) return;
    open = false;
    stopLooking();
    log('info', 'key_needed', {});
  });
  if (!open || options.open === true) stopLooking();

  let closed: Promise<void> | undefined;
  const close = (): Promise<void> =>
    (closed ??= (async () => {
      stopping = true;
      stopReaping();
      stopLooking();
      const ended = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const settled = async (): Promise<void> => {
        await engine.idle();
        await context.underway.idle();
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
    })());
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    get open() {
      return open;
    },
    engine,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function mayRunOpen(store: Store, host: string, wanted: boolean | undefined): Promise<boolean> {
  const keys = await store.listKeys();
  if (isLoopback(host)) return wanted ?? keys.length === 0;
  if (keys.length === 0 || wanted === true)
    throw new WhetstoneError(
      'keys_needed',
      `The server would be open to everyone who reaches ${host}. Create a key with \`whet keys create\`, or listen on 127.0.0.1.`,
      { details: { host } },
    );
  return false;
}

async function hasKeys(store: Store): Promise<boolean> {
  try {
    return (await store.listKeys()).length > 0;
  } catch {
    // A store that is away is told to whoever asks; here the next look will see.
    return false;
  }
}

/** Whether an address can only be reached from this machine. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/**
 * Whether a connection is to become a WebSocket. Whoever offers something else, such as h2c, gets a plain answer; so does
 * who asks for what is no address.
 */
function isSocket({ headers, method, url = '' }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    URL.canParse(url, 'http://localhost')
  );
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenFault(error, host, port)));
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function listenFault(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const more = { details: { host, port }, cause: error };
  if (error.code === 'EADDRINUSE')
    return new WhetstoneError(
      'address_taken',
      `Port ${port} on ${host} is taken by another program. Choose another, or 0 for any that is free.`,
      more,
    );
  const reason = unusable[error.code ?? ''];
  if (reason === undefined) return error;
  return new WhetstoneError(
    'address_unusable',
    `No server can listen on ${host}, port ${port}: ${reason}.`,
    more,
  );
}

const foreign = 'it is no address of this machine, which 127.0.0.1 and 0.0.0.0 are';
const unusable: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: foreign,
  ENOTFOUND: foreign,
  EAI_AGAIN: foreign,
  EACCES: 'this user may not use that port; those from 1024 are free to all',
};

/** Repeats work, each time so long after the last one ended; the answer stops it. */
function every(clock: Clock, ms: number, work: () => Promise<void>): () => void {
  let stopped = false;
  let cancel = (): void => {};
  const round = async (): Promise<void> => {
    await work();
    wait();
  };
  const wait = (): void => {
    if (!stopped) cancel = clock.after(ms, () => void round());
  };
  wait();
  return () => {
    stopped = true;
    cancel();
  };
}
