import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { internalError, RpcError } from '../rpc-error.ts';

/** The connection broke, or the server ended, before the answer. */
export const connectionClosed = -32000;

export interface Sending {
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly onNotification: (notification: JsonObject) => void;
}

/** One request and its answer, over HTTP or a pipe. */
export interface Exchange {
  /** The result; rejects with an `RpcError` where the answer is an error. */
  send(message: JsonObject, sending: Sending): Promise<JsonObject>;
  isGone(): boolean;
  close(): Promise<void>;
}

/** The result in an answer, or its error thrown. */
export function resultOf(answer: JsonObject): JsonObject {
  const { result, error } = answer;
  if (isJsonObject(result)) return result;
  const { code, message, data }: Record<string, JsonValue | undefined> = isJsonObject(error) ? error : {};
  throw new RpcError(
    typeof code === 'number' ? code : internalError,
    typeof message === 'string' ? message : 'The server answered with neither a result nor an error.',
    isJsonObject(data) ? { data } : {},
  );
}

/** An answer with more bytes than may be read. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}
