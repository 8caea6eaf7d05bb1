import type { JsonObject } from '../../../base/json/value.ts';
import type { AnyTool, Availability, Context } from '../../tool/contract.ts';
import type { Connection } from './connection.ts';
import { Progress } from './progress.ts';
import type { ListedTool } from './tool-list.ts';

/** How one tool of a server wants to be run, over what the server says. */
export type McpToolSettings = Partial<Omit<AnyTool, 'name' | 'input' | 'text' | 'run'>>;

/** A tool of a server as ours: checked here before it is called there. */
export function asTool(
  connection: Connection,
  listed: ListedTool,
  name: string,
  settings: McpToolSettings | undefined,
): AnyTool {
  const { approval } = connection.setting;
  const said = listed.description?.trim() || listed.title?.trim();
  return {
    ...(approval !== undefined && { approval }),
    ...(listed.idempotent && { idempotent: true }),
    description: said || `The tool "${listed.name}" of the MCP server "${connection.name}".`,
    ...settings,
    isAvailable: async (at: Availability) =>
      (await (settings?.isAvailable?.(at) ?? true)) && (await connection.offers(listed.name)),
    name,
    input: listed.inputSchema,
    run: (input: JsonObject, context: Context) => callWithProgress(connection, listed, input, context),
  } as AnyTool;
}

async function* callWithProgress(
  connection: Connection,
  listed: ListedTool,
  input: JsonObject,
  context: Context,
): AsyncGenerator<unknown, unknown> {
  const progress = new Progress();
  const answer = connection
    .call(listed, input, { signal: context.signal, onProgress: (heard) => progress.add(heard) })
    .finally(() => progress.end());
  yield* progress;
  return await answer;
}
