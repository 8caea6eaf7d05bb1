import { isWhetstoneError, WhetstoneError } from '../../base/host/errors.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { readArguments, readArgumentsText } from '../../base/message/arguments.ts';
import type { Call } from '../../base/message/call.ts';
import type { ToolSpec } from '../../base/message/model.ts';
import { overRequest } from '../../base/dialect/counts.ts';
import type { JsonSchema } from '../../base/schema/json-schema.ts';
import { lower } from '../../base/dialect/lower.ts';
import type { Lowered } from '../../base/dialect/lower.ts';
import { toolNames } from '../../base/schema/name.ts';
import type { NameRules } from '../../base/schema/name.ts';
import type { Plan } from '../../base/dialect/plan.ts';
import { encodeValue } from '../../base/dialect/value/encode-value.ts';
import { decodeValue } from '../../base/dialect/value/decode-value.ts';
import { eachSubschema } from '../../base/schema/subschemas.ts';
import type { RequestReport } from '../adapter.ts';
import { omitUndefined } from '../json-fields.ts';
import { toolRulesOf } from './tool-rules.ts';
import type { ToolRules } from './tool-rules.ts';

/** A tool as one provider is shown it. */
export interface BoundTool {
  /** A free-text tool is a function here, where the API has none of its kind. */
  readonly spec: ToolSpec;
  readonly wireName: string;
  readonly schema: JsonSchema;
  readonly strict: boolean | undefined;
  /** How arguments are brought back to the shape of the caller's schema, where it is another. */
  readonly plan?: Plan;
}

/** The tools of one request: what was shown under which name, so that the reply can be brought back. */
export interface ToolBinding {
  readonly tools: readonly BoundTool[];
  readonly reports: readonly RequestReport[];
  /** The name a provider knows a tool by: of this request, or of a past one. */
  wireName(name: string): string;
  /** The tool that a provider means. */
  ours(wireName: string): ToolSpec | undefined;
  /** The tool that we mean, as it was shown. */
  bound(name: string): BoundTool | undefined;
}

export interface BindOptions {
  readonly api: string;
  readonly unfitTools?: 'refuse' | 'leave-out' | undefined;
  /** Where a host takes less than its API. */
  readonly strict?: boolean;
  readonly strictByItself?: boolean;
  readonly freeText?: boolean;
}

/** Writes each tool as the API takes it. The same tools give the same binding, which is made once. */
export function bindTools(tools: readonly ToolSpec[], options: BindOptions): ToolBinding {
  const variant = `${options.api} ${options.unfitTools} ${options.strict} ${options.strictByItself} ${options.freeText}`;
  let variants = bindings.get(tools);
  if (variants === undefined) bindings.set(tools, (variants = new Map()));
  let binding = variants.get(variant);
  if (binding === undefined) variants.set(variant, (binding = bindFresh(tools, options)));
  return binding;
}

const bindings = new WeakMap<readonly ToolSpec[], Map<string, ToolBinding>>();

function bindFresh(tools: readonly ToolSpec[], options: BindOptions): ToolBinding {
  const own = toolRulesOf(options.api);
  const { strict: _strict, ...loose } = own;
  const rules: ToolRules = {
    ...(options.strict === false ? loose : own),
    strictByItself: options.strictByItself ?? own.strictByItself,
    freeText: options.freeText ?? own.freeText,
  };
  const hosted = tools.flatMap((tool) => (tool.kind === 'hosted' ? [tool.name] : []));
  const local = tools.filter((tool) => tool.kind !== 'hosted');
  const names = toolNames(
    local.map((tool) => tool.name),
    rules.names,
    { reserved: hosted },
  );
  const reports: RequestReport[] = [];
  const bound: BoundTool[] = [];
  for (const spec of tools) {
    if (options.strict === false && spec.kind === 'function' && spec.strict === true)
      reports.push({ tool: spec.name, field: 'strict', message: 'This host does not enforce schemas.' });
    const fit = bindTool(spec, names.toWire(spec.name), rules, options.api);
    if ('wireName' in fit) bound.push(fit);
    else if (options.unfitTools === 'leave-out') reports.push({ tool: spec.name, ...fit });
    else throw unfit(spec.name, fit.message, options.api);
  }
  const strict = bound.filter((tool) => tool.strict === true);
  const schemas = strict.map((tool) => tool.schema);
  for (const [place, message] of overRequest(schemas, rules.strict)) {
    const tool = strict[place] as BoundTool;
    if (tool.spec.kind !== 'function') continue;
    const at = bound.indexOf(tool);
    // Strict by itself, it goes loose; where strictness was asked for, losing it in silence would be worse.
    if (tool.spec.strict !== true)
      bound[at] = boundAs(tool.spec, tool.wireName, lower(tool.spec.input, rules.schema), undefined);
    else if (options.unfitTools === 'leave-out') {
      bound.splice(at, 1);
      reports.push({ tool: tool.spec.name, message });
    } else throw unfit(tool.spec.name, message, options.api);
  }
  const byWire = new Map(bound.map((tool) => [tool.wireName, tool]));
  const byName = new Map(bound.map((tool) => [tool.spec.name, tool]));
  const specs = new Map(tools.map((spec) => [spec.name, spec]));
  const past = new Map<string, string>();
  // Some models put the name of a namespace before it.
  const find = (wireName: string): ToolSpec | undefined =>
    specs.get(byWire.get(wireName)?.spec.name ?? names.fromWire(wireName));
  return {
    tools: bound,
    reports,
    wireName: (name) => byName.get(name)?.wireName ?? pastName(past, name, rules.names),
    ours: (wireName) => find(wireName) ?? find(bareName(wireName)),
    bound: (name) => byName.get(name),
  };
}

/** Without what servers of gpt-oss leave of its template: `functions.look`, `look<|channel|>commentary`. */
function bareName(wireName: string): string {
  return wireName.replace(/<\|.*$/s, '').replace(/^functions\./, '');
}

/** A call of the past may name a tool that this request has not; its name must be legal all the same. */
function pastName(past: Map<string, string>, name: string, rules: NameRules): string {
  let wireName = past.get(name);
  if (wireName === undefined) past.set(name, (wireName = toolNames([name], rules).toWire(name)));
  return wireName;
}

function bindTool(
  spec: ToolSpec,
  wireName: string,
  rules: ToolRules,
  api: string,
): BoundTool | RequestReport {
  if (spec.kind === 'hosted')
    return spec.api === api
      ? { spec, wireName: spec.name, schema: true, strict: undefined }
      : { message: `It is run by the provider of ${spec.api}, and ${api} has none like it.` };
  if (spec.kind === 'custom') {
    if (rules.freeText) return { spec, wireName, schema: true, strict: undefined };
    const { name, description, providerOptions, format } = spec;
    const asFunction = omitUndefined({
      kind: 'function' as const,
      name,
      description,
      input: freeText(format),
      providerOptions,
    });
    return { spec: asFunction, wireName, schema: asFunction.input, strict: undefined };
  }
  try {
    return bindFunction(spec, wireName, rules, api);
  } catch (error) {
    if (!isWhetstoneError(error)) throw error;
    return { message: error.message };
  }
}

function bindFunction(
  spec: Extract<ToolSpec, { kind: 'function' }>,
  wireName: string,
  rules: ToolRules,
  api: string,
): BoundTool | RequestReport {
  if (spec.strict !== false && rules.strict !== undefined) {
    const strict = lower(spec.input, rules.strict);
    const fits = strict.plan.root === undefined && strict.report.dropped.length === 0;
    if (strict.plan.strict && (spec.strict === true || (rules.strictByItself && fits)))
      return boundAs(
        spec,
        wireName,
        isStrictAlready(spec.input, strict) ? { ...strict, schema: spec.input } : strict,
        true,
      );
    const [reason] = strict.report.declined;
    if (spec.strict === true)
      return {
        message: `It asks for strict, which ${api} cannot keep for its schema: ${reason?.text ?? 'unknown'}`,
      };
  }
  // Where strictness is said once for the request, the adapter looks whether all tools ask for it.
  const said = rules.strict === undefined || spec.strict === false ? spec.strict : undefined;
  return boundAs(spec, wireName, lower(spec.input, rules.schema), said);
}

/** A schema that already is what the provider enforces goes as its author wrote it. */
function isStrictAlready(schema: JsonSchema, { plan, report }: Lowered): boolean {
  if (!isJsonObject(schema) || plan.root !== undefined || report.changes.length > 0) return false;
  // A union that says no more than "or null" may be written either way.
  if (report.dropped.some(({ keyword, said }) => keyword !== 'anyOf' || said !== 'structure')) return false;
  return isClosed(schema);
}

function isClosed(schema: JsonObject): boolean {
  let closed = true;
  eachSubschema(schema, (part) => {
    closed &&= !isJsonObject(part) || isClosed(part);
  });
  if (!closed) return false;
  if (schema['properties'] === undefined && schema['type'] !== 'object') return true;
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly JsonValue[]) : [];
  const names = Object.keys(isJsonObject(schema['properties']) ? schema['properties'] : {});
  return schema['additionalProperties'] === false && names.every((name) => required.includes(name));
}

function boundAs(spec: ToolSpec, wireName: string, lowered: Lowered, strict: boolean | undefined): BoundTool {
  const { schema, plan } = lowered;
  return { spec, wireName, schema, strict, ...(plan.root === undefined ? {} : { plan }) };
}

function freeText(format: Extract<ToolSpec, { kind: 'custom' }>['format']): JsonObject {
  const told = format && { description: `Text of this ${format.syntax} grammar: ${format.definition}` };
  return { type: 'object', properties: { input: { type: 'string', ...told } }, required: ['input'] };
}

function unfit(tool: string, why: string, api: string): WhetstoneError {
  return new WhetstoneError(
    'tool_unfit',
    `The tool "${tool}" cannot be sent to ${api}. ${why} Nothing was sent; with unfitTools: 'leave-out' the others go without it.`,
    { details: { tool, api } },
  );
}

/** The call with its arguments in the shape of the caller's own schema; what the model wrote is kept beside. */
export function raiseCall(call: Call, tools: ToolBinding | undefined): Call {
  const bound = tools?.bound(call.name);
  if (tools === undefined || bound === undefined || call.kind === 'custom') return call;
  const isFreeText = bound.spec.kind === 'function' && tools.ours(bound.wireName)?.kind === 'custom';
  if (!isFreeText && bound.plan === undefined) return call;
  const reading = readArguments(call);
  if (!reading.ok) return call;
  if (isFreeText) {
    const { input } = reading.value;
    const text = typeof input === 'string' ? input : JSON.stringify(reading.value);
    return { ...call, kind: 'custom', arguments: text, wireArguments: call.arguments };
  }
  const raised = decodeValue(reading.value, bound.plan!);
  return { ...call, arguments: asArguments(raised), wireArguments: call.arguments };
}

function asArguments(value: JsonValue): JsonObject | string {
  return isJsonObject(value) ? value : JSON.stringify(value);
}

/** A past call's arguments in the shape that the provider is shown, as an object. */
export function wireArguments(call: Call, tools?: ToolBinding): JsonObject {
  const given = shown(call, tools);
  if (typeof given !== 'string') return given;
  const reading = readArgumentsText(given);
  // What the model wrote is not an object, so it goes back within one.
  return reading.ok ? reading.value : { INVALID_JSON: given };
}

/**
 * The same as JSON text: exactly what the model wrote, where that is an object. Hosts that parse it refuse a history with
 * arguments that were cut off, and would refuse it for ever.
 */
export function wireArgumentsText(call: Call, tools?: ToolBinding): string {
  const given = shown(call, tools);
  if (typeof given !== 'string') return JSON.stringify(given);
  const reading = readArgumentsText(given);
  if (!reading.ok) return JSON.stringify({ INVALID_JSON: given });
  return given.trimStart().startsWith('{') ? given : JSON.stringify(reading.value);
}

function shown(call: Call, tools: ToolBinding | undefined): JsonObject | string {
  if (call.wireArguments !== undefined) return call.wireArguments;
  if (call.kind === 'custom') return { input: String(call.arguments) };
  const plan = tools?.bound(call.name)?.plan;
  if (plan === undefined) return call.arguments;
  const reading = readArguments(call);
  return reading.ok ? asArguments(encodeValue(reading.value, plan)) : call.arguments;
}
