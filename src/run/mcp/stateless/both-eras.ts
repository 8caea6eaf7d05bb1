import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import type { Transport } from '../sdk.ts';
import type { StatelessServer } from './answer.ts';
import { isStateless } from './envelope.ts';

/**
 * One pipe for both protocols: requests that say who asks are answered here, and all else goes on to the session of
 * the SDK, which never hears of them.
 */
export function bothEras(pipe: Transport, server: StatelessServer): Transport {
  const underWay = new Map<unknown, AbortController>();
  const answer = async (message: JsonObject): Promise<void> => {
    const { id } = message;
    if (typeof id !== 'string' && typeof id !== 'number') return;
    const cancelled = new AbortController();
    underWay.set(id, cancelled);
    const notify = (notification: JsonObject): void =>
      void pipe.send(notification as never).catch(() => undefined);
    const { body } = await server.answer(message, { signal: cancelled.signal, notify });
    underWay.delete(id);
    // Who cancelled a request wants no answer to it, and who has gone hears none.
    if (!cancelled.signal.aborted) await pipe.send(body as never).catch(() => undefined);
  };
  const session: Transport = {
    start: async () => {
      // oxlint-disable unicorn/prefer-add-event-listener -- The SDK's transports are not EventTargets.
      pipe.onclose = () => {
        for (const each of underWay.values()) each.abort(new Error('The client has gone.'));
        session.onclose?.();
      };
      pipe.onerror = (error) => session.onerror?.(error);
      pipe.onmessage = (message, extra) => {
        const received = message as unknown as JsonObject;
        const { method, params } = received;
        const cancelled = isJsonObject(params) ? underWay.get(params['requestId']) : undefined;
        if (method === 'notifications/cancelled' && cancelled !== undefined) cancelled.abort();
        else if (isStateless(received)) void answer(received);
        else session.onmessage?.(message, extra);
      };
      // oxlint-enable unicorn/prefer-add-event-listener
      await pipe.start();
    },
    send: (message, options) => pipe.send(message, options),
    close: () => pipe.close(),
  };
  return session;
}
