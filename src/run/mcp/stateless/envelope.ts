import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { invalidParams, RpcError } from '../rpc-error.ts';

/** The protocol without sessions: every request says who asks, every result says what it is. */
export const statelessVersion = '2026-07-28';
/** What a server of both eras names when it is asked; the last one with sessions represents all before it. */
export const spokenVersions = [statelessVersion, '2025-11-25', '2025-06-18', '2025-03-26'];

export const metaKey = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const;

export const headerMismatch = -32020;
export const missingCapability = -32021;
export const unsupportedVersion = -32022;

/** Who asks, as each request says it. */
export interface Envelope {
  readonly capabilities: JsonObject;
  readonly progressToken: string | number | undefined;
  /** The least grave words that it wants to hear of a call; none where it does not say. */
  readonly logLevel: JsonValue | undefined;
}

export function metaOf(message: JsonValue | undefined): JsonObject {
  const params = isJsonObject(message) ? message['params'] : undefined;
  const meta = isJsonObject(params) ? params['_meta'] : undefined;
  return isJsonObject(meta) ? meta : {};
}

/** Whether a message is of the protocol without sessions: it names its version itself, or only that protocol has it. */
export function isStateless(message: JsonValue | undefined): message is JsonObject {
  if (!isJsonObject(message)) return false;
  return metaKey.version in metaOf(message) || message['method'] === 'server/discover';
}

/** Reads and checks what every request must say of its client. */
export function readEnvelope(message: JsonObject): Envelope {
  const meta = metaOf(message);
  const { [metaKey.version]: version, [metaKey.capabilities]: capabilities, progressToken } = meta;
  if (typeof version !== 'string') throw missing(metaKey.version);
  if (version !== statelessVersion)
    throw new RpcError(unsupportedVersion, `This server does not speak MCP ${version} in this way.`, {
      status: 400,
      data: { supported: spokenVersions, requested: version },
    });
  if (!isJsonObject(capabilities)) throw missing(metaKey.capabilities);
  const token = typeof progressToken === 'string' || typeof progressToken === 'number';
  return { capabilities, progressToken: token ? progressToken : undefined, logLevel: meta[metaKey.logLevel] };
}

function missing(key: string): RpcError {
  return new RpcError(invalidParams, `params._meta["${key}"] is missing: every request must have it.`, {
    status: 400,
  });
}
