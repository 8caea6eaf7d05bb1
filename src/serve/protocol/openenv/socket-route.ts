import { upgradeWebSocket } from '@hono/node-server';
import type { Context, Hono, Next } from 'hono';

import { randomId } from '../../../base/host/random.ts';
import type { ServerContext, ServerEnv } from '../../http/context.ts';
import type { Identity } from '../../http/keys.ts';
import { causeOf, logAccess } from '../../http/middleware/access-log.ts';
import { asPlayer, identityOf } from '../../http/middleware/identify.ts';
import { takeRate } from '../../http/middleware/rate-limit.ts';
import { refusalOf } from '../../http/refusal.ts';
import { Connection, type Socket } from './connection.ts';
import { openEnvKey } from './key.ts';
import { OpenEnvSession } from './session.ts';
import { answerMessage, answerRpcText, failure } from './socket.ts';

/** The sockets of OpenEnv: one environment a connection, in its own messages or in those of MCP. */
export function serveSockets(app: Hono<ServerEnv>, context: ServerContext): void {
  app.get('/ws', (c, next) => connect(context, c, next, answerMessage));
  app.get('/mcp', (c, next) => connect(context, c, next, answerRpcText));
}

async function connect(
  context: ServerContext,
  c: Context<ServerEnv>,
  next: Next,
  answerText: typeof answerMessage | typeof answerRpcText,
): Promise<Response> {
  if (c.req.header('upgrade')?.toLowerCase() !== 'websocket' || c.req.method === 'HEAD')
    return c.json({ detail: 'This is a WebSocket.' }, 426);
  let identity: Identity;
  try {
    identity = asPlayer(await identityOf(context, openEnvKey(c)), c.env.incoming);
    takeRate(context, identity, c.env.outgoing);
  } catch (error) {
    return refuse(context, c, error);
  }
  const session = new OpenEnvSession(context, identity.caller, {
    session: c.req.query('session_id') || undefined,
  });
  const connection = new Connection(context, {
    identity,
    answer: (text, admit) => answerText(text, session, { admit, onBroken: onBroken(context) }),
    onAnswered: () =>
      context.metrics.count('whet_requests_total', 'Requests answered, by operation and status.', {
        protocol: 'openenv',
        operation: 'message',
        status: '200',
      }),
  });
  const { sockets } = context;
  let giveBack: (() => void) | undefined;
  const upgrade = upgradeWebSocket(() => ({
    onOpen: (_event, ws) => {
      try {
        giveBack = sockets.take(identity.key?.id);
      } catch (error) {
        const more = { active_sessions: sockets.count, max_sessions: sockets.limit };
        ws.send(JSON.stringify(failure('CAPACITY_REACHED', refusalOf(error).message, more)));
        ws.close();
      }
    },
    onMessage: (event, { raw }) =>
      // What the client sent before it heard that there is no room is not done.
      giveBack &&
      connection.receive(
        typeof event.data === 'string' ? event.data : '',
        // The server's sockets are those of `ws`.
        raw as unknown as Socket,
      ),
    onClose: () => giveBack?.(),
  }));
  return (await upgrade(c, next)) ?? c.body(null, 500);
}

function refuse(context: ServerContext, c: Context<ServerEnv>, error: unknown): Response {
  const { status, code, message, retryAfter } = refusalOf(error);
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
  logAccess(context, {
    ...{ requestId: randomId('req'), protocol: 'openenv', operation: 'connect', status, code, error },
    ...{ incoming: c.env.incoming, started: context.clock.monotonic() },
  });
  return c.json({ detail: message }, status);
}

/** Logs what broke behind a call, whose client is told less. */
export function onBroken({ log }: ServerContext): (error: unknown) => void {
  return (error) =>
    log('error', 'call_broken', { protocol: 'openenv', error: String(error), cause: causeOf(error) });
}
