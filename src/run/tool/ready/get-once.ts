import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';

import { failCall, Failure } from '../failure.ts';
import { isInternalAddress } from './internal-address.ts';

/** What one request brought. */
export interface Got {
  readonly status: number;
  readonly mediaType: string;
  /** Where it leads on. */
  readonly location?: string;
  readonly body: Buffer;
  readonly isCut: boolean;
}

export interface GetOptions {
  readonly internal?: boolean;
  readonly maxBytes?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * One GET, without following anything. Not with `fetch`: there, a name is looked up again after it was checked, and
 * its owner can answer differently the second time.
 */
export async function getOnce(url: URL, options: GetOptions): Promise<Got> {
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  const { isIP } = await import('node:net');
  if (options.internal !== true && isIP(literal) !== 0 && isInternalAddress(literal)) throw refused(url);
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const lookup = options.internal === true ? undefined : await guardedLookup(url);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(url, {
      method: 'GET',
      // A connection of an earlier request was checked for another.
      agent: false,
      signal: options.signal,
      headers: {
        'user-agent': 'whetstone',
        accept: '*/*',
        ...options.headers,
        'accept-encoding': 'identity',
      },
      ...(lookup && { lookup }),
    });
    asked.on('response', resolve);
    asked.on('error', reject);
    asked.end();
  }).catch((error: unknown) => {
    options.signal.throwIfAborted();
    throw error instanceof Failure ? error : unreachable(url, error);
  });
  return read(response, url, options);
}

async function read(response: IncomingMessage, url: URL, options: GetOptions): Promise<Got> {
  const { statusCode: status = 0, headers } = response;
  const { location } = headers;
  const isMoved = status >= 300 && status < 400 && location !== undefined;
  const most = options.maxBytes ?? 1_000_000;
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    if (!isMoved) {
      const encoding = headers['content-encoding'] ?? 'identity';
      if (encoding !== 'identity')
        throw failCall(`${url.href} answers in ${encoding}, which was not asked for.`);
      for await (const chunk of response as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        length += chunk.length;
        if (length > most) break;
      }
    }
  } catch (error) {
    options.signal.throwIfAborted();
    throw error instanceof Failure ? error : unreachable(url, error);
  } finally {
    response.destroy();
  }
  const mediaType = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  return {
    status,
    mediaType,
    ...(isMoved && { location }),
    body: Buffer.concat(chunks).subarray(0, most),
    isCut: length > most,
  };
}

/** Gives the connection only addresses that are not internal: what was checked is what is connected to. */
async function guardedLookup(url: URL): Promise<LookupFunction> {
  const { lookup } = await import('node:dns');
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      const outer = addresses.filter(({ address }) => !isInternalAddress(address));
      const [first] = outer;
      if (first === undefined) return callback(refused(url), '', 0);
      if (options.all === true) callback(null, outer);
      else callback(null, first.address, first.family);
    });
  };
}

function refused(url: URL): Error {
  return failCall(`${url.hostname} is an address inside this network, and may not be opened.`);
}

function unreachable(url: URL, error: unknown): Error {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  return failCall(`${url.host} cannot be reached (${code ?? message ?? String(error)}).`);
}
