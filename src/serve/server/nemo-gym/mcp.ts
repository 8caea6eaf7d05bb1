import { isWhetstoneError } from '../../../base/host/errors.ts';
import { version } from '../../../base/host/version.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import type { Caller } from '../../../grade/episode/request.ts';
import type { ServerContext } from '../context.ts';
import { actionBook, type FunctionOffer } from '../session/offer.ts';
import { mcpServerName } from './row.ts';
import { callTool, findSession } from './sessions.ts';

/** The header that carries the session: agents write it into their client's configuration. */
export const tokenHeader = 'X-NeMo-Gym-Session-Token';

/** What `/seed_session` tells an agent that plays over MCP. */
export function mcpAddress(session: string): JsonObject {
  return {
    server_name: mcpServerName,
    url_path: '/mcp',
    transport: 'http',
    headers: { [tokenHeader]: session },
  };
}

/** Answers one message of stateless MCP; a notification gets nothing. */
export async function answerMcp(
  context: ServerContext,
  caller: Caller,
  token: string | undefined,
  message: unknown,
): Promise<JsonObject | undefined> {
  if (!isJsonObject(message) || message['jsonrpc'] !== '2.0' || typeof message['method'] !== 'string')
    return failure(null, -32600, 'This is not a JSON-RPC 2.0 request.');
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
        serverInfo: { name: mcpServerName, version },
      });
    case 'ping':
      return success({});
    case 'tools/list':
      return success({ tools: await listTools(context, caller, token) });
    case 'tools/call':
      return success(await answerCall(context, caller, token, params));
    default:
      return failure(id, -32601, `Method not found: ${method.slice(0, 100)}`);
  }
}

async function listTools(
  context: ServerContext,
  caller: Caller,
  token: string | undefined,
): Promise<readonly JsonObject[]> {
  const { tasks } = context.engine;
  const record = await findSession(context, caller, token);
  const offers = new Map<string, FunctionOffer>();
  const books = record
    ? [actionBook(tasks.taskOf(record))]
    : tasks
        .collections(caller)
        .flatMap(({ scenarios }) =>
          scenarios.map((scenario) => actionBook(tasks.task({ scenario, variant: 0, seed: 0 }))),
        );
  for (const book of books)
    for (const offer of book.offers) if (!offers.has(offer.name)) offers.set(offer.name, offer);
  return [...offers.values()].map(({ name, description, input_schema: inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
}

/** What the model did wrong is a result that it can read. */
async function answerCall(
  context: ServerContext,
  caller: Caller,
  token: string | undefined,
  { name, arguments: input }: JsonObject,
): Promise<JsonObject> {
  const record = await findSession(context, caller, token);
  if (record === undefined) return toolResult('There is no session: make one with /seed_session.', true);
  try {
    return toolResult(
      await callTool(context, caller, record, { name: String(name), input: input ?? {} }),
      false,
    );
  } catch (error) {
    if (!isWhetstoneError(error) || !['request_invalid', 'episode_complete'].includes(error.code))
      throw error;
    return toolResult(error.message, true);
  }
}

function toolResult(text: string, isError: boolean): JsonObject {
  return { content: [{ type: 'text', text }], isError };
}

function failure(id: JsonValue, code: number, message: string): JsonObject {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
