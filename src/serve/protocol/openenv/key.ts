import type { IncomingMessage } from 'node:http';

import type { Context } from 'hono';

import type { ServerEnv } from '../../http/context.ts';
import { bearerKey, headerKey } from '../../http/middleware/identify.ts';

/** OpenEnv's own clients set no headers, and take a key only in their address; addresses are never logged. */
export function openEnvKey(c: Context<ServerEnv>): string | undefined {
  const { incoming } = c.env;
  return bearerKey(incoming) ?? addressKey(incoming) ?? headerKey(incoming) ?? c.req.query('api_key');
}

/** The key from `http://key:lab_…@host` or `http://lab_…:@host`: libraries send that as basic credentials. */
function addressKey({ headers }: IncomingMessage): string | undefined {
  const coded = /^basic +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (coded === undefined) return undefined;
  const [user, ...password] = Buffer.from(coded, 'base64').toString('utf8').split(':');
  return password.join(':') || user;
}
