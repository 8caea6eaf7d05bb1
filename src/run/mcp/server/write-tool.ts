import type { JsonObject } from '../../../base/json/value.ts';
import type { PreparedTool } from '../../tool/prepare-tool.ts';

/** A tool as MCP lists it. A tool that takes text is given one field for it. */
export function writeMcpTool({ name, spec, tool }: PreparedTool): JsonObject {
  const input = spec.kind === 'function' ? spec.input : spec.kind === 'custom' ? textInput : {};
  return {
    name,
    description: tool.description,
    inputSchema: { ...(input as JsonObject), type: 'object' },
    ...(tool.idempotent === true && { annotations: { idempotentHint: true } }),
  };
}

/** The arguments as the tool wants them: the text itself, where it takes text. */
export function argumentsFor(tool: PreparedTool | undefined, given: JsonObject): JsonObject | string {
  const { input } = given;
  return tool?.spec.kind === 'custom' && typeof input === 'string' ? input : given;
}

const textInput: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The text that the tool takes.' } },
  required: ['input'],
  additionalProperties: false,
};
