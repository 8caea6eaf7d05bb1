import { AsyncLocalStorage } from 'node:async_hooks';

import { type Fetch, platformFetch } from '../../../base/host/fetch.ts';
import { limits } from '../../api/limit.ts';
import type { Exchange } from '../../api/usage.ts';

/** What a turn exchanged with its provider, as far as it is listened to. */
const listening = new AsyncLocalStorage<Kept[]>();

interface Kept {
  readonly url: string;
  readonly request: string;
  status: number;
  reply: string;
}

const { exchangesOfTurn, exchangeText } = limits;

/** The network, with listeners that hear each request and reply. Headers are not kept: they carry the keys. */
export const heardFetch: Fetch = async (input, init) => {
  const kept = listening.getStore();
  if (kept === undefined) return platformFetch(input, init);
  const body = typeof init?.body === 'string' ? init.body : '';
  const exchange: Kept = { url: withoutSecrets(String(input)), request: body, status: 0, reply: '' };
  kept.push(exchange);
  const response = await platformFetch(input, init);
  exchange.status = response.status;
  if (response.body === null) return response;
  const text = new TextDecoder();
  const heard = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, onward) {
      if (exchange.reply.length < mostHeard) exchange.reply += text.decode(bytes, { stream: true });
      onward.enqueue(bytes);
    },
  });
  return new Response(response.body.pipeThrough(heard), response);
};

/** Does a work, and answers what it exchanged in the meantime. */
export async function listenTo<Value>(
  work: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly exchanges: readonly Exchange[] }> {
  const kept: Kept[] = [];
  const value = await listening.run(kept, work);
  const exchanges = kept.slice(-exchangesOfTurn).map(({ request, reply, ...rest }) => ({
    ...rest,
    request: cut(request),
    reply: cut(reply),
  }));
  // A turn that is too long for the server would be refused: what came first is then left out.
  while (Buffer.byteLength(JSON.stringify(exchanges)) > mostBytes) exchanges.shift();
  return { value, exchanges };
}

/** How much of a longer reply is kept. */
const mostHeard = 1_000_000;
const mostBytes = 600_000;

/** An address whose values are none of anybody's business: some providers take the key there. */
function withoutSecrets(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  for (const name of url.searchParams.keys()) if (name !== 'alt') url.searchParams.set(name, '***');
  return url.href;
}

/** A long text by its beginning and its end, with how much is missing between them. */
function cut(text: string): string {
  if (text.length <= exchangeText) return text;
  const half = Math.floor((exchangeText - 100) / 2);
  const missing = text.length - 2 * half;
  return `${text.slice(0, half)}\n… ${missing} characters are left out here …\n${text.slice(-half)}`.toWellFormed();
}
