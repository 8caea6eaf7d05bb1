import type { JsonObject } from '../../../base/json/value.ts';
import type { Caller } from '../../../grade/episode/request.ts';
import type { ServerContext } from '../../http/context.ts';
import type { McpDoor } from '../session/mcp.ts';
import { actionBook, type FunctionOffer } from '../session/offer.ts';
import { callTool } from '../session/call-tool.ts';
import { mcpServerName } from './row.ts';
import { findSession, mustFindSession } from './sessions.ts';

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

/** The tools of the session that the header names; without it, of all tasks that this caller may play. */
export function gymMcp(context: ServerContext, caller: Caller, token: string | undefined): McpDoor {
  return {
    name: mcpServerName,
    listTools: () => listTools(context, caller, token),
    callTool: async (call) => callTool(context, caller, await mustFindSession(context, caller, token), call),
  };
}

async function listTools(
  context: ServerContext,
  caller: Caller,
  token: string | undefined,
): Promise<readonly FunctionOffer[]> {
  const { tasks } = context.engine;
  const record = await findSession(context, caller, token);
  if (record !== undefined) return actionBook(tasks.taskOf(record)).offers;
  const offers = new Map<string, FunctionOffer>();
  for (const { scenarios } of tasks.collections(caller))
    for (const scenario of scenarios)
      for (const offer of actionBook(tasks.task({ scenario, variant: 0, seed: 0 })).offers)
        if (!offers.has(offer.name)) offers.set(offer.name, offer);
  return [...offers.values()];
}
