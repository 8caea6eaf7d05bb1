import { WhetstoneError } from '../../../base/host/errors.ts';
import { randomId } from '../../../base/host/random.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import { kindOf } from '../../http/fields.ts';
import { invalid, refusalOf } from '../../http/refusal.ts';
import type { OpenEnvSession } from './session.ts';

/** How JSON-RPC finds a session: by the id in its parameters, or the connection's own. */
export type FindSession = (id: string | undefined) => OpenEnvSession;

/** Answers one JSON-RPC message, once it was let in; a notification gets none. */
export async function answerRpc(
  message: unknown,
  find: FindSession,
  { admit, onBroken }: { readonly admit?: () => void; readonly onBroken: (error: unknown) => void },
): Promise<JsonObject | undefined> {
  if (!isJsonObject(message) || message['jsonrpc'] !== '2.0' || typeof message['method'] !== 'string')
    return rpcError(null, -32600, 'This is not a JSON-RPC 2.0 request.');
  const { id = null, method, params } = message;
  try {
    admit?.();
    const result = await run(method, isJsonObject(params) ? params : {}, find);
    return 'id' in message ? { jsonrpc: '2.0', id, result } : undefined;
  } catch (error) {
    const isUnknown = error instanceof MethodUnknown;
    const { status, message: words, retryAfter } = refusalOf(error);
    if (status >= 500 && !isUnknown) onBroken(error);
    if (!('id' in message)) return undefined;
    if (isUnknown) return rpcError(id, -32601, `Method not found: ${method.slice(0, 100)}`);
    return rpcError(
      id,
      status === 400 ? -32602 : -32603,
      words,
      retryAfter === undefined ? undefined : { retry_after: retryAfter },
    );
  }
}

export function rpcError(id: JsonValue, code: number, message: string, data?: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } };
}

class MethodUnknown extends Error {}

async function run(method: string, params: JsonObject, find: FindSession): Promise<JsonObject> {
  const session = typeof params['session_id'] === 'string' ? params['session_id'] : undefined;
  switch (method) {
    case 'openenv/session/create':
      return { session_id: randomId('oe') };
    case 'openenv/session/close':
      if (session === undefined) throw new WhetstoneError('request_invalid', 'session_id is missing.');
      await find(session).close();
      return { closed: true };
    case 'tools/list': {
      const tools = await find(session).listTools();
      return {
        tools: tools.map(({ name, description, input_schema: inputSchema }) => ({
          name: name ?? '',
          description: description ?? '',
          inputSchema: inputSchema ?? {},
        })),
      };
    }
    case 'tools/call':
      return callTool(params, find(session));
    case 'ping':
      return {};
    default:
      throw new MethodUnknown();
  }
}

async function callTool(params: JsonObject, session: OpenEnvSession): Promise<JsonObject> {
  const { name, arguments: input } = params;
  if (typeof name !== 'string') throw invalid('name', `must be a string, not ${kindOf(name)}.`);
  const answer = await session.step({ type: 'call_tool', tool_name: name, arguments: input ?? {} });
  const { result, error } = answer.observation;
  const failed = isJsonObject(error);
  const text = failed ? String(error['message']) : String(result);
  return {
    content: [{ type: 'text', text }],
    ...(!failed && { data: text }),
    structuredContent: {
      result: text,
      reward: answer.reward,
      done: answer.done,
      metadata: answer.metadata,
    },
    isError: failed,
  };
}
