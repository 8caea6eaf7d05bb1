import { isWhetstoneError } from '../../../base/host/errors.ts';
import { version } from '../../../base/host/version.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import type { FunctionOffer } from './offer.ts';

/** What a door does for its clients that play over MCP. */
export interface McpDoor {
  /** What the server is called there. */
  readonly name: string;
  readonly listTools: () => Promise<readonly FunctionOffer[]>;
  /** The text for the model; throws what the model did wrong, which it is told. */
  readonly callTool: (call: { readonly name: string; readonly input: JsonValue }) => Promise<string>;
}

/** Answers one message of stateless MCP; a notification gets nothing. */
export async function answerMcp(door: McpDoor, message: unknown): Promise<JsonObject | undefined> {
  if (!isJsonObject(message) || message['jsonrpc'] !== '2.0' || typeof message['method'] !== 'string')
    return rpcFailure(null, -32600, 'This is not a JSON-RPC 2.0 request.');
  const { id, method } = message;
  if (id === undefined) return undefined;
  const params = isJsonObject(message['params']) ? message['params'] : {};
  const success = (result: JsonObject): JsonObject => ({ jsonrpc: '2.0', id, result });
  switch (method) {
    case 'initialize':
      return success({
        protocolVersion:
          typeof params['protocolVersion'] === 'string' ? params['protocolVersion'] : '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: door.name, version },
      });
    case 'ping':
      return success({});
    case 'tools/list': {
      const offers = await door.listTools();
      const tools = offers.map(({ name, description, input_schema: inputSchema }) => ({
        ...{ name, description, inputSchema },
      }));
      return success({ tools });
    }
    case 'tools/call':
      return success(await answerCall(door, params));
    default:
      return rpcFailure(id, -32601, `Method not found: ${method.slice(0, 100)}`);
  }
}

/** What the model did wrong is a result that it can read. */
async function answerCall(door: McpDoor, { name, arguments: input }: JsonObject): Promise<JsonObject> {
  try {
    return toolResult(await door.callTool({ name: String(name), input: input ?? {} }), false);
  } catch (error) {
    if (!isWhetstoneError(error) || !forTheModel.has(error.code)) throw error;
    return toolResult(error.message, true);
  }
}

const forTheModel: ReadonlySet<string> = new Set(['request_invalid', 'episode_complete', 'episode_unknown']);

function toolResult(text: string, isError: boolean): JsonObject {
  return { content: [{ type: 'text', text }], isError };
}

/** An error of JSON-RPC. */
export function rpcFailure(id: JsonValue, code: number, message: string): JsonObject {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
