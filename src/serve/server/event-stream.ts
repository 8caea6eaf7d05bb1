import type { Clock } from '../../base/host/clock.ts';

/** One event of a stream; without a name it is the default, `message`. */
export interface ServerEvent {
  readonly event?: string;
  readonly id?: string;
  readonly data: string;
}

export interface EventStreamOptions {
  readonly clock: Clock;
  /** How often a comment keeps the connection alive. */
  readonly pingMs: number;
  /** Aborted when the client has gone away. */
  readonly abandon?: AbortController;
}

/** Answers with server-sent events as they come; each is on its way before the next is asked for. */
export function eventStream(events: AsyncIterable<ServerEvent>, options: EventStreamOptions): Response {
  const encoder = new TextEncoder();
  const iterator = events[Symbol.asyncIterator]();
  let stopPings = (): void => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const ping = (): void => {
        controller.enqueue(encoder.encode(': ping\n\n'));
        stopPings = options.clock.after(options.pingMs, ping);
      };
      stopPings = options.clock.after(options.pingMs, ping);
    },
    async pull(controller) {
      try {
        const next = await iterator.next();
        if (next.done) {
          stopPings();
          controller.close();
        } else controller.enqueue(encoder.encode(writeEvent(next.value)));
      } catch (error) {
        stopPings();
        controller.error(error);
      }
    },
    async cancel() {
      stopPings();
      options.abandon?.abort();
      await iterator.return?.();
    },
  });
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      // Proxies of the nginx kind would hold the events back.
      'x-accel-buffering': 'no',
    },
  });
}

/** An event as text. Its data holds no line break: it is JSON, or a piece of it. */
function writeEvent({ event, id, data }: ServerEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`;
}
