import { WhetstoneError } from '../../base/host/errors.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { ToolSpec } from '../../base/message/model.ts';
import { checkerFor, checkerOf, readSchemaOf } from './call/check-arguments.ts';
import type { ArgumentChecker } from './call/check-arguments.ts';
import { checkDefinition, checkHosted, checkIsTool, checkName } from './check-definition.ts';
import type { AnyTool } from './contract.ts';
import { hasLife } from './lifecycle.ts';

/** A tool made ready once: what a model is told of it, and how its arguments are checked. */
export interface PreparedTool {
  readonly tool: AnyTool;
  readonly name: string;
  readonly spec: ToolSpec;
  /** Checks against the schema as it was defined, injected properties and all. Absent for tools that take text. */
  readonly checker: ArgumentChecker | undefined;
  /** Checks what it answers, where it says what that is. */
  readonly output: ArgumentChecker | undefined;
  /** `provider`: it runs there, and is recorded here. */
  readonly runs: 'here' | 'client' | 'provider';
  readonly oneAtATime: boolean;
  /** It must be started before it runs, or stopped when it is no longer used. */
  readonly hasLife: boolean;
  readonly inject: readonly string[];
}

const preparedTools = new WeakMap<AnyTool, PreparedTool>();

/**
 * Checks a definition and makes it ready; the second time costs nothing. Throws for what no provider could take:
 * a bad name, no description, a schema that is none or whose root is not an object.
 */
export function prepareTool(tool: AnyTool): PreparedTool {
  const known = preparedTools.get(tool);
  if (known !== undefined) return known;
  checkIsTool(tool);
  const prepared = prepare(tool);
  preparedTools.set(tool, prepared);
  return prepared;
}

function prepare(tool: AnyTool): PreparedTool {
  checkName(tool);
  checkHosted(tool);
  if (tool.spec?.kind === 'hosted') return hostedTool(tool, tool.spec);
  checkDefinition(tool);
  const inject = tool.inject ?? [];
  const checker = tool.text === undefined ? checkerFor(tool.name, tool.input) : undefined;
  const shared = {
    tool,
    output: outputChecker(tool),
    name: tool.name,
    runs: tool.run === undefined ? 'client' : (tool.runs ?? 'here'),
    oneAtATime: tool.concurrency === 'one-at-a-time',
    hasLife: hasLife(tool),
    inject,
  } as const;
  if (tool.spec !== undefined) return { ...shared, spec: { ...tool.spec, name: tool.name }, checker };
  const about = {
    name: tool.name,
    description: tool.description,
    ...(tool.providerOptions && { providerOptions: tool.providerOptions }),
  };
  if (checker === undefined) {
    const format = typeof tool.text === 'object' ? { format: tool.text } : {};
    return { ...shared, spec: { kind: 'custom', ...about, ...format }, checker };
  }
  const strict = tool.strict === undefined ? {} : { strict: tool.strict };
  const input = hideInjected(tool, checker.schema, inject);
  return { ...shared, spec: { kind: 'function', ...about, ...strict, input }, checker };
}

function outputChecker({ name, output }: AnyTool): ArgumentChecker | undefined {
  return output === undefined
    ? undefined
    : checkerOf(readSchemaOf(`The output of the tool "${name}"`, output));
}

/** A tool that the provider runs needs no schema of ours; one that only looks so (a computer) is run here. */
function hostedTool(tool: AnyTool, spec: ToolSpec): PreparedTool {
  const runs = tool.run === undefined ? 'provider' : (tool.runs ?? 'here');
  const oneAtATime = tool.concurrency === 'one-at-a-time';
  return {
    tool,
    name: tool.name,
    spec,
    checker: undefined,
    output: outputChecker(tool),
    runs,
    oneAtATime,
    hasLife: hasLife(tool),
    inject: [],
  };
}

/** The schema a model is shown: without the properties that the run fills in. */
function hideInjected(tool: AnyTool, schema: JsonObject, inject: readonly string[]): JsonObject {
  if (inject.length === 0) return schema;
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const missing = inject.find((name) => !Object.hasOwn(properties, name));
  if (missing !== undefined) {
    throw new WhetstoneError(
      'tool_setting_invalid',
      `The tool "${tool.name}" wants "${missing}" injected, and its input has no such property. Known: ${Object.keys(properties).join(', ') || 'none'}.`,
      { details: { name: tool.name, field: 'inject', value: missing } },
    );
  }
  const hidden = new Set(inject);
  const shown = Object.fromEntries(Object.entries(properties).filter(([name]) => !hidden.has(name)));
  const required = schema['required'];
  return {
    ...schema,
    properties: shown,
    ...(Array.isArray(required) && { required: required.filter((name) => !hidden.has(String(name))) }),
  };
}
