import type { ToolSpec } from '../../base/message/model.ts';
import type { EpisodeTool } from './message.ts';

/** What a model is told of an episode's tool. */
export function toolSpec(tool: EpisodeTool): ToolSpec {
  const input =
    tool.mode === 'options'
      ? {
          type: 'object',
          properties: { value: { type: 'string', enum: tool.options ?? [] } },
          required: ['value'],
          additionalProperties: false,
        }
      : (tool.json_schema ?? { type: 'object' });
  return { kind: 'function', name: tool.id, description: tool.description ?? tool.name, input };
}
