import type { ServerResponse } from 'node:http';

import type { Clock } from '../../base/host/clock.ts';

/** One event of a stream; without a name it is the default, `message`. */
export interface ServerEvent {
  readonly event?: string;
  readonly id?: string;
  readonly data: string;
  /** Nothing comes behind it: the end of the answer goes out with it. */
  readonly last?: boolean;
}

export interface EventStreamOptions {
  readonly clock: Clock;
  /** How often a comment keeps the connection alive. */
  readonly pingMs: number;
  /** Aborted when the client has gone away. */
  readonly abandon?: AbortController;
}

export const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  // Proxies of the nginx kind would hold the events back.
  'X-Accel-Buffering': 'no',
};

/** Answers with server-sent events as they come; each is with the system before the next is asked for. */
export async function sendEvents(
  outgoing: ServerResponse,
  events: AsyncIterable<ServerEvent>,
  { clock, pingMs, abandon }: EventStreamOptions,
): Promise<void> {
  // Nobody hears them, so nothing is begun: a client that left was told no id, and asks as if for the first time.
  if (outgoing.destroyed) return abandon?.abort();
  const iterator = events[Symbol.asyncIterator]();
  let stopPings = (): void => {};
  const ping = (): void => {
    outgoing.write(': ping\n\n');
    stopPings = clock.after(pingMs, ping);
  };
  stopPings = clock.after(pingMs, ping);
  const closed = new Promise<void>((resolve) => outgoing.once('close', resolve));
  void closed.then(() => {
    stopPings();
    abandon?.abort();
    return iterator.return?.();
  });
  outgoing.writeHead(200, streamHeaders);
  // Headers go out with the first event where it is there at once, and by themselves where it is waited for.
  const flush = setImmediate(() => outgoing.flushHeaders());
  try {
    while (!outgoing.destroyed) {
      const next = await iterator.next();
      if (next.done) break;
      clearImmediate(flush);
      if (next.value.last === true) {
        outgoing.end(writeEvent(next.value));
        return void (await iterator.return?.());
      }
      const written = new Promise<void>((resolve) => {
        outgoing.write(writeEvent(next.value), () => resolve());
      });
      await Promise.race([written, closed]);
    }
    outgoing.end();
  } catch {
    clearImmediate(flush);
    // The client sees that the stream broke off, and asks again.
    outgoing.destroy();
  }
}

/** An event as text. Its data holds no line break: it is JSON, or a piece of it. */
function writeEvent({ event, id, data }: ServerEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`;
}
