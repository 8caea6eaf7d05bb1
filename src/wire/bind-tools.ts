import type { JsonObject } from '../base/json/value.ts';
import { readArgumentsText } from '../base/message/arguments.ts';
import type { Call } from '../base/message/call.ts';
import type { ToolSpec } from '../base/message/model.ts';
import type { JsonSchema } from '../base/schema/json-schema.ts';
import type { RequestReport } from './adapter.ts';

/** A tool as one provider is shown it. */
export interface BoundTool {
  readonly spec: ToolSpec;
  readonly wireName: string;
  readonly schema: JsonSchema;
  readonly strict: boolean | undefined;
}

/** The tools of one request: what was shown under which name, so that the reply can be brought back. */
export interface ToolBinding {
  readonly tools: readonly BoundTool[];
  readonly reports: readonly RequestReport[];
  /** The name a provider knows a tool of ours by; a name that is no tool's stays as it is. */
  wireName(name: string): string;
  /** The tool that a provider means. */
  ours(wireName: string): ToolSpec | undefined;
}

/** What an API takes, for lowering tools to it. */
export interface BindOptions {
  readonly api: string;
  readonly unfitTools?: 'refuse' | 'leave-out' | undefined;
}

export function bindTools(tools: readonly ToolSpec[], _options: BindOptions): ToolBinding {
  const bound = tools.map((spec): BoundTool => ({
    spec,
    wireName: spec.name,
    schema: spec.kind === 'function' ? spec.input : true,
    strict: spec.kind === 'function' ? spec.strict : undefined,
  }));
  const byWireName = new Map(bound.map((tool) => [tool.wireName, tool.spec]));
  return {
    tools: bound,
    reports: [],
    wireName: (name) => name,
    ours: (wireName) => byWireName.get(wireName),
  };
}

/** The call with its arguments in the shape of the caller's own schema. */
export function raiseCall(call: Call, _tools: ToolBinding | undefined): Call {
  return call;
}

/** A past call's arguments in the shape that the provider was shown, as an object. */
export function wireArguments(call: Call): JsonObject {
  const given = call.wireArguments ?? call.arguments;
  if (typeof given !== 'string') return given;
  const reading = readArgumentsText(given);
  // What the model wrote is no object, and goes back as it wrote it.
  return reading.ok ? reading.value : { INVALID_JSON: given };
}

/** The same as JSON text: exactly what the model wrote, where it wrote text. */
export function wireArgumentsText(call: Call): string {
  const given = call.wireArguments ?? call.arguments;
  if (typeof given !== 'string') return JSON.stringify(given);
  return given.trim() === '' ? '{}' : given;
}
