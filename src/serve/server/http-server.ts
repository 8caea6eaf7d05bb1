import { createServer, type IncomingMessage, type Server } from 'node:http';

import { createAdaptorServer, type WebSocketServerLike } from '@hono/node-server';
import type { Hono } from 'hono';
import { WebSocketServer } from 'ws';

import { randomId } from '../../base/host/random.ts';
import { limits } from '../api/limit.ts';
import type { ServerEnv } from '../http/context.ts';

/** Node's server before the application, with the sockets that were opened through it. */
export function httpServer(app: Hono<ServerEnv>): {
  readonly server: Server;
  readonly sockets: WebSocketServer;
} {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: limits.bodyBytes });
  const server = createAdaptorServer({
    fetch: app.fetch as never,
    // For requests that name no host, as those of HTTP/1.0 may: many a proxy asks /health that way.
    hostname: 'localhost',
    // Their types differ only in what `exactOptionalPropertyTypes` makes of an optional field.
    websocket: { server: sockets as unknown as WebSocketServerLike },
    createServer: ((settings, answer) =>
      createServer({ ...settings, shouldUpgradeCallback: isSocket }, (incoming, outgoing) => {
        // A client's own request id is used instead.
        outgoing.setHeader('X-Request-ID', randomId('req'));
        outgoing.setHeader('X-Content-Type-Options', 'nosniff');
        outgoing.setHeader('Cache-Control', 'no-store');
        answer?.(incoming, outgoing);
      })) as typeof createServer,
    serverOptions: {
      // Clients of the reward protocols ping every 10 seconds; proxies in front keep connections for about 60.
      keepAliveTimeout: 65_000,
      headersTimeout: 30_000,
      requestTimeout: 60_000,
      // Of two hosts, or two keys, Node would take the first where a proxy may look at the last: together they are neither.
      joinDuplicateHeaders: true,
    },
  }) as Server;
  return { server, sockets };
}

/**
 * Whether a connection is to become a WebSocket. An offer of something else, such as h2c, gets a plain answer; so does
 * who asks for what is not an address.
 */
function isSocket({ headers, method, url = '' }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    URL.canParse(url, 'http://localhost')
  );
}
