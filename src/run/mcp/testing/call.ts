import type { JsonObject } from '../../../base/json/value.ts';
import { resultText } from '../../../base/message/result.ts';
import type { CallRecord } from '../../tool/call/call-record.ts';
import { runCall } from '../../tool/call/run-call.ts';
import type { RunCallOptions } from '../../tool/call/run-call.ts';
import type { McpTools } from '../client/mcp-tools.ts';

/** Calls a tool as a run does. */
export function call(
  mcp: McpTools,
  name: string,
  input: JsonObject = {},
  options: RunCallOptions = {},
): Promise<CallRecord> {
  const made = {
    type: 'call',
    id: 'call_1',
    name,
    arguments: input,
    kind: 'function',
    requiresLocalExecution: true,
  } as const;
  return runCall(made, mcp.tools, options);
}

/** What the model reads. */
export async function ask(mcp: McpTools, name: string, input: JsonObject = {}): Promise<string> {
  return resultText((await call(mcp, name, input)).result);
}
