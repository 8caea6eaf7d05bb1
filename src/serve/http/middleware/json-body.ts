import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

import type { MiddlewareHandler } from 'hono';

import type { Clock } from '../../../base/host/clock.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import { limits } from '../../api/limit.ts';
import type { NodeBindings, ServerContext, ServerEnv } from '../context.ts';
import { yieldToEventLoop } from '../yield-to-event-loop.ts';

export interface BodyLimits {
  readonly bytes: number;
  readonly members: number;
}

export const ordinaryBody: BodyLimits = { bytes: limits.bodyBytes, members: limits.members };
/** A batch may hold as many times more members as it may have bytes. */
export const batchBody: BodyLimits = {
  bytes: limits.batchBodyBytes,
  members: limits.members * (limits.batchBodyBytes / limits.bodyBytes),
};

/** Reads the JSON body of a request. */
export function jsonBody(context: ServerContext, allowed: BodyLimits): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    c.set('body', await readJsonBody(c.env, allowed, context));
    await next();
  };
}

/**
 * Reads a JSON body, and refuses it before it costs more than its limits allow. An empty one is undefined. What it
 * weighs is held until its answer is sent; one that does not say how long it is weighs as much as it may.
 */
export async function readJsonBody(
  { incoming, outgoing }: NodeBindings,
  allowed: BodyLimits,
  { bodies, clock }: Pick<ServerContext, 'bodies' | 'clock'>,
): Promise<unknown> {
  const { 'content-length': length, 'transfer-encoding': coding } = incoming.headers;
  const declared = coding === undefined ? Number(length ?? 0) : allowed.bytes;
  if (declared > allowed.bytes) throw tooLarge(allowed.bytes);
  // The client left while its key was looked up: no event would end the reading, or give back what is held.
  if (outgoing.destroyed) throw notJson('The body broke off.');
  if (declared > 0) outgoing.once('close', bodies.take(declared));
  const bytes = await readBytes(incoming, allowed.bytes, clock);
  await yieldToEventLoop();
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw notJson('The body is not UTF-8.');
  return readJsonText(bytes.toString('utf8'), allowed);
}

/** A client that sends more slowly than this holds a place that others want. */
const bodyMs = 10_000;

/** Whether a body, or the rest of one, was not read: it would be taken for the next request of its connection. */
export function leavesBody({ complete, headers }: IncomingMessage): boolean {
  return (
    !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)
  );
}

/** Reads JSON that arrived whole, as a body or as a message of a socket. A byte order mark before it is let be. */
export function readJsonText(written: string, allowed: BodyLimits): unknown {
  const text = written.charCodeAt(0) === 0xfeff ? written.slice(1) : written;
  checkShape(text, allowed.members);
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch (cause) {
    throw notJson(`The body is not JSON: ${(cause as Error).message}`);
  }
  if (hugeNumber.test(text) && !isFinite(value)) throw notJson('The body has a number that is too large.');
  return value;
}

function readBytes(incoming: IncomingMessage, limit: number, clock: Clock): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const late = clock.after(bodyMs, () => {
      incoming.removeAllListeners('data').pause();
      reject(notJson(`The body did not arrive within ${bodyMs / 1000} seconds.`));
    });
    incoming.on('close', late);
    incoming.on('end', late);
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        incoming.removeAllListeners('data').pause();
        reject(tooLarge(limit));
      } else chunks.push(chunk);
    });
    incoming.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    incoming.on('error', (cause) => reject(notJson(`The body broke off: ${cause.message}`)));
    incoming.on('close', () => {
      if (!incoming.complete) reject(notJson('The body broke off.'));
    });
  });
}

/** A number that no double holds becomes Infinity, which no JSON and no store knows. */
const hugeNumber = /\d[eE]\+?\d{3}|\d{309}/;

function isFinite(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isFinite);
}

/** Counts depth, members and items without building anything. Text that is not JSON is left to the parser. */
function checkShape(text: string, members: number): void {
  let depth = 0;
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case 0x22: // "
        index = endOfString(text, index);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (!isEmptyAt(text, index)) count += 1;
        if (depth > limits.nesting)
          throw notJson(`The body is nested more than ${limits.nesting} levels deep.`);
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      case 0x2c: // ,
        count += 1;
        break;
    }
  }
  // Each container that is not empty and each comma brings one member more.
  if (count > members) throw notJson(`The body has more than ${members} members and items.`);
}

/** Whether the container that begins here ends without a member. */
function isEmptyAt(text: string, start: number): boolean {
  let next = start + 1;
  while (text.charCodeAt(next) <= 0x20) next += 1;
  const code = text.charCodeAt(next);
  return code === 0x5d || code === 0x7d;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

function notJson(message: string): WhetstoneError {
  return new WhetstoneError('request_not_json', message);
}

function tooLarge(limit: number): WhetstoneError {
  return new WhetstoneError('request_too_large', `The body is larger than ${limit} bytes.`, {
    details: { limit },
  });
}
