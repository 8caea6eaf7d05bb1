import type { JsonObject } from '../../base/json/value.ts';

export const parseError = -32700;
export const invalidRequest = -32600;
export const methodNotFound = -32601;
export const invalidParams = -32602;
export const internalError = -32603;

/** An error as JSON-RPC answers it. It never leaves this room: users of the library meet `WhetstoneError`. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: JsonObject | undefined;
  /** The status over HTTP, where it is not 200. */
  readonly status: number;

  constructor(code: number, message: string, options: { data?: JsonObject; status?: number } = {}) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = options.data;
    this.status = options.status ?? 200;
  }
}
