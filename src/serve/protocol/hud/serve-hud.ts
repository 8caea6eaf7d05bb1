import { createServer, type Server as NetServer, type Socket } from 'node:net';
import type { Server } from 'node:http';

import { isJsonObject, type JsonObject } from '../../../base/json/value.ts';
import type { ServerContext } from '../../http/context.ts';
import { listen } from '../../http/listen.ts';
import { ordinaryBody, readJsonText } from '../../http/middleware/json-body.ts';
import { takeRate } from '../../http/middleware/rate-limit.ts';
import { refusalOf } from '../../http/refusal.ts';
import { rpcFailure } from '../session/mcp.ts';
import { Control, ControlError, toolsCapability } from './control.ts';
import { LineReader, LineTooLong } from './lines.ts';
import type { HudSessions } from './sessions.ts';

/** The longest line that the client can read. */
const longestAnswer = 65_536;
const unreadMs = 10_000;
const keepAliveMs = 60_000;

/** Where HUD's control channel listens. */
export interface RunningHud {
  readonly port: number;
  /** Takes no new connections, and ends those there are. */
  close(): void;
}

/** Serves the control channel of HUD: lines of JSON-RPC on a TCP port, and tunnels from there to the HTTP server. */
export async function serveHud(
  context: ServerContext,
  sessions: HudSessions,
  {
    host,
    port,
    http,
    address,
  }: { readonly host: string; readonly port: number; readonly http: Server; readonly address: string },
): Promise<RunningHud> {
  const open = new Set<Socket>();
  const server: NetServer = createServer(
    { keepAlive: true, keepAliveInitialDelay: keepAliveMs },
    (socket) => {
      let giveBack: () => void;
      try {
        giveBack = context.sockets.take();
      } catch (error) {
        socket.end(line(rpcFailure(null, -32000, refusalOf(error).message)));
        return;
      }
      open.add(socket);
      socket.on('close', () => {
        open.delete(socket);
        giveBack();
      });
      // A connection that breaks also closes; what it was doing is parked there.
      socket.on('error', () => socket.destroy());
      void converse(context, sessions, { socket, http, address });
    },
  );
  const listening = await listen(server, host, port);
  return {
    port: listening,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

async function converse(
  context: ServerContext,
  sessions: HudSessions,
  { socket, http, address }: { readonly socket: Socket; readonly http: Server; readonly address: string },
): Promise<void> {
  const lines = new LineReader(socket, context.bodies);
  const control = new Control(context, sessions, { peer: socket.remoteAddress ?? '', address });
  let faults = 0;
  let isFirst = true;
  try {
    for (let text = await lines.next(); text !== undefined; text = await lines.next(), isFirst = false) {
      const request = readRequest(text);
      if (request === undefined) {
        faults += 1;
        await send(context, socket, rpcFailure(null, -32700, 'This is not a JSON object on one line.'));
        if (faults === 2) break;
        continue;
      }
      faults = 0;
      if (isFirst && request['method'] === 'tunnel.open') {
        const answer = openTunnel(request);
        await send(context, socket, answer);
        if (answer['error'] !== undefined) break;
        return joinHttp(socket, http, await lines.leave());
      }
      const answer = await context.inFlight.run(() => answerOne(context, control, request));
      if (answer !== undefined) await send(context, socket, answer);
      if (request['method'] === 'bye' || context.stopping()) break;
    }
    socket.end();
  } catch (error) {
    if (error instanceof LineTooLong) socket.end(line(rpcFailure(null, -32700, 'This line is too long.')));
    else socket.destroy();
  } finally {
    control.leave();
  }
}

function readRequest(text: string): JsonObject | undefined {
  try {
    const value = readJsonText(text, ordinaryBody);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // The client is told so.
  }
}

/** A request without an id gets no answer. */
async function answerOne(
  context: ServerContext,
  control: Control,
  { id, method, params }: JsonObject,
): Promise<JsonObject | undefined> {
  let answer: JsonObject;
  try {
    takeRate(context, { caller: { id: 'local', explain: false }, rateLimit: context.rateLimit }, undefined);
    const result = await control.run(
      typeof method === 'string' ? method : String(method),
      isJsonObject(params) ? params : {},
    );
    answer = { jsonrpc: '2.0', id: id ?? null, result };
  } catch (error) {
    const code = error instanceof ControlError ? error.code : -32000;
    const message = error instanceof ControlError ? error.message : refusalOf(error).message;
    answer = rpcFailure(id ?? null, code, message);
  }
  context.metrics.count('whet_requests_total', 'Requests answered, by operation and status.', {
    ...{ protocol: 'hud', operation: 'message', status: answer['error'] === undefined ? '200' : '400' },
  });
  return id === undefined ? undefined : answer;
}

function openTunnel({ id = null, params }: JsonObject): JsonObject {
  const capability = isJsonObject(params) ? params['capability'] : undefined;
  if (capability !== toolsCapability)
    return rpcFailure(id, -32602, `unknown capability. Known: ${toolsCapability}.`);
  return { jsonrpc: '2.0', id, result: { capability } };
}

/** From here on the bytes are HTTP: the connection is one of the HTTP server's, with its limits. */
function joinHttp(socket: Socket, http: Server, rest: Buffer): void {
  if (socket.destroyed) return;
  if (rest.length > 0) socket.unshift(rest);
  http.emit('connection', socket);
}

/** A client that does not read is waited for, and then left. */
async function send(context: ServerContext, socket: Socket, answer: JsonObject): Promise<void> {
  let text = line(answer);
  if (Buffer.byteLength(text) > longestAnswer)
    text = line(rpcFailure(answer['id'] ?? null, -32000, 'The answer is longer than a line may be.'));
  if (socket.destroyed || socket.write(text)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.once('drain', resolve);
  socket.once('close', resolve);
  const cancel = context.clock.after(unreadMs, () => socket.destroy());
  await promise;
  cancel();
}

function line(value: JsonObject): string {
  return `${JSON.stringify(value)}\n`;
}
