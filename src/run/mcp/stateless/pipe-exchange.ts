import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import type { PeerOptions } from '../client/peer.ts';
import { methodNotFound, RpcError } from '../rpc-error.ts';
import { connectionClosed, resultOf } from './exchange.ts';
import type { Exchange, Sending } from './exchange.ts';

/** What a transport of the SDK is here: messages both ways, and nothing of what they mean. */
export interface Pipe {
  start(): Promise<void>;
  send(message: never): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: never) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
}

interface Waiting extends Sending {
  readonly resolve: (answer: JsonObject) => void;
  readonly reject: (error: unknown) => void;
}

/** Requests over the standard input and output of a server that was started here. */
export async function pipeExchange(
  pipe: Pipe,
  { onError, onClose, briefly }: Pick<PeerOptions, 'onError' | 'onClose' | 'briefly'>,
): Promise<Exchange> {
  const waiting = new Map<unknown, Waiting>();
  let gone = false;
  const ended = Promise.withResolvers<void>();
  // oxlint-disable unicorn/prefer-add-event-listener -- The SDK's transports are not EventTargets.
  pipe.onerror = onError;
  pipe.onclose = () => {
    gone = true;
    ended.resolve();
    for (const each of waiting.values()) each.reject(new RpcError(connectionClosed, 'Connection closed'));
    waiting.clear();
    onClose();
  };
  pipe.onmessage = (received) => {
    const message: JsonObject = received;
    const { id, method, params } = message;
    const token = isJsonObject(params) ? params['progressToken'] : undefined;
    if (method === undefined) waiting.get(id)?.resolve(message);
    else if (id === undefined)
      for (const each of token === undefined ? waiting.values() : [waiting.get(token)])
        each?.onNotification(message);
    else {
      const error = { code: methodNotFound, message: 'This client answers no requests.' };
      pipe.send({ jsonrpc: '2.0', id, error } as never).catch(() => undefined);
    }
  };
  // oxlint-enable unicorn/prefer-add-event-listener
  await pipe.start();
  return {
    send: async (message, sending) => {
      const { id } = message;
      sending.signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
      waiting.set(id, { ...sending, resolve, reject });
      const abort = (): void => {
        const params = { requestId: id };
        pipe
          .send({ jsonrpc: '2.0', method: 'notifications/cancelled', params } as never)
          .catch(() => undefined);
        reject(sending.signal.reason);
      };
      sending.signal.addEventListener('abort', abort, { once: true });
      try {
        if (gone) throw new RpcError(connectionClosed, 'Not connected');
        await pipe.send(message as never);
        return resultOf(await promise);
      } finally {
        sending.signal.removeEventListener('abort', abort);
        waiting.delete(id);
      }
    },
    isGone: () => gone,
    close: async () => {
      if (gone) return;
      await pipe.close();
      await briefly(ended.promise);
    },
  };
}
