import type { JsonObject } from '../../base/json/value.ts';
import { omitUndefined } from '../json-fields.ts';
import type { BoundTool } from './bind-tools.ts';
import { toolWriter } from './tool-writer.ts';

/** A tool in the shape that Chat Completions began, for an API that knows functions and no strictness of its own. */
export interface FunctionTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description?: string;
    readonly parameters: JsonObject;
  };
}

export const writeFunctionTools = toolWriter((tools, api: string) =>
  tools.map((tool) => writeFunctionTool(tool, api)),
);

function writeFunctionTool({ spec, wireName, schema }: BoundTool, api: string): FunctionTool {
  if (spec.kind === 'hosted') return spec.entry as unknown as FunctionTool;
  return {
    type: 'function',
    function: omitUndefined({
      name: wireName,
      description: spec.description,
      parameters: schema as JsonObject,
    }),
    ...spec.providerOptions?.[api],
  };
}
