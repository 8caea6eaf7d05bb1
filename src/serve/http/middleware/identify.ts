import type { IncomingMessage } from 'node:http';

import type { Context, MiddlewareHandler } from 'hono';

import type { ServerContext, ServerEnv } from '../context.ts';
import { identify, localCaller, type Identity } from '../keys.ts';
import { playerIn } from '../player.ts';

/** Finds out who asks, by the key that the request carries. */
export function identifyCaller(
  context: ServerContext,
  keyOf: (c: Context<ServerEnv>) => string | undefined = (c) => bearerKey(c.env.incoming),
): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    c.set('identity', asPlayer(await identityOf(context, keyOf(c)), c.env.incoming));
    await next();
  };
}

/** A client that says in a header who plays says so for each episode that it opens. */
export function asPlayer(identity: Identity, incoming: IncomingMessage): Identity {
  const player = playerIn(incoming);
  return player === undefined ? identity : { ...identity, caller: { ...identity.caller, player } };
}

/** Who a key belongs to; everyone who reaches an open server is the local person. */
export async function identityOf(context: ServerContext, key: string | undefined): Promise<Identity> {
  if (context.open) return { caller: localCaller, rateLimit: context.rateLimit };
  return identify(context.engine.store, key, context.clock);
}

/** The key of an `Authorization: Bearer` header. */
export function bearerKey(incoming: IncomingMessage): string | undefined {
  return /^bearer +(\S+)$/i.exec(incoming.headers.authorization ?? '')?.[1];
}

/** The key of an `X-Api-Key` header. */
export function headerKey({ headers }: IncomingMessage): string | undefined {
  const header = headers['x-api-key'];
  return Array.isArray(header) ? header[0] : header;
}
