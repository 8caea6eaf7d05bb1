import { WhetstoneError } from '../../../base/host/errors.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import type { Call } from '../../../base/message/call.ts';
import { resultText } from '../../../base/message/result.ts';
import type { PreparedTool } from '../../tool/prepare-tool.ts';
import { runCall } from '../../tool/call/run-call.ts';
import type { RunCallOptions } from '../../tool/call/run-call.ts';
import { toolbox } from '../../tool/toolbox.ts';
import type { Toolbox, ToolSource } from '../../tool/toolbox.ts';
import { objectOf, textOf } from '../../../wire/json-fields.ts';
import { contentOf } from './write-messages.ts';

/**
 * The two classes of `@langchain/core` that our tools become. They are given, so that they are those of the copy which
 * the project's agents use.
 */
export interface LangChainClasses<Theirs = object> {
  readonly DynamicStructuredTool: new (fields: never) => Theirs;
  readonly ToolMessage: new (fields: never) => object;
}

/** How calls are run; see `runCall`. */
export type ToLangChainOptions = Pick<
  RunCallOptions,
  'injected' | 'toolTimeout' | 'repair' | 'coerce' | 'approver'
>;

interface Config {
  readonly signal?: AbortSignal;
  readonly toolCall?: { readonly id?: string };
}

/** How the class looks to us: what we call and what we stand in for. */
type Base = new (fields: object) => { invoke(input: unknown, config?: Config): Promise<unknown> };

/**
 * Our tools as tools of LangChain, for its agents and for `bindTools`. Calls run as in a run of ours: arguments that are
 * wrong, deadlines and approvals are told in the `ToolMessage`, with `status: "error"`, and nothing is thrown at a graph.
 * @example const tools = toLangChainTools([weather], { DynamicStructuredTool, ToolMessage });
 */
export function toLangChainTools<Theirs>(
  tools: Toolbox | ToolSource,
  classes: LangChainClasses<Theirs>,
  options: ToLangChainOptions = {},
): readonly Theirs[] {
  const box = toolbox(tools as ToolSource);
  const Bridged = bridge(classes.DynamicStructuredTool as unknown as Base);
  const Message = classes.ToolMessage as new (fields: object) => object;

  const perform = async (name: string, args: JsonValue, { signal, toolCall }: Config): Promise<unknown> => {
    const id = toolCall?.id ?? 'call';
    const given: Call = {
      type: 'call',
      id,
      name,
      arguments: argumentsOf(box.find(name), args),
      kind: box.find(name)?.spec.kind === 'custom' ? 'custom' : 'function',
      requiresLocalExecution: true,
    };
    const record = await runCall(given, box, { ...options, ...(signal && { signal }) });
    const { result, success, value } = record;
    if (toolCall === undefined) {
      // A program called it: it gets the bare value, or the error.
      if (success) return value;
      throw new WhetstoneError('tool_failed', resultText(result), {
        details: { name, code: result.errorCode },
        cause: record.cause,
      });
    }
    return new Message({
      tool_call_id: id,
      name,
      content: contentOf(result),
      status: result.isError ? 'error' : 'success',
      artifact: result.artifact,
    });
  };

  return [...box].map((prepared) => {
    const { name, spec, tool } = prepared;
    return new Bridged(
      {
        name,
        description: tool.description,
        schema: schemaOf(prepared),
        returnDirect: tool.returnDirect ?? false,
        ...(spec.kind !== 'hosted' && spec.providerOptions && { extras: spec.providerOptions }),
        func: (args: JsonValue, _manager: unknown, config: Config = {}) => perform(name, args, config),
      },
      (call, config) =>
        perform(name, call['args'] ?? {}, { ...config, toolCall: { id: textOf(call['id'])! } }),
    ) as Theirs;
  });
}

/** Their class, but for one thing: what its own check refuses without a word of why is told by ours. */
function bridge(
  Their: Base,
): new (fields: object, refused: (call: JsonObject, config?: Config) => Promise<unknown>) => object {
  return class extends Their {
    readonly #refused: (call: JsonObject, config?: Config) => Promise<unknown>;
    constructor(fields: object, refused: (call: JsonObject, config?: Config) => Promise<unknown>) {
      super(fields);
      this.#refused = refused;
    }
    override async invoke(input: unknown, config?: Config): Promise<unknown> {
      try {
        return await super.invoke(input, config);
      } catch (error) {
        if (!isParsingError(error) || !isToolCall(input)) throw error;
        return this.#refused(input, config);
      }
    }
  };
}

function isParsingError(error: unknown): boolean {
  return error instanceof Error && 'output' in error && error.message.startsWith('Received tool input');
}

function isToolCall(input: unknown): input is JsonObject {
  return isJsonObject(input) && input['type'] === 'tool_call' && typeof input['id'] === 'string';
}

function schemaOf({ name, spec }: PreparedTool): JsonObject {
  if (spec.kind === 'function') return objectOf(spec.input);
  if (spec.kind === 'custom')
    return { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };
  throw new WhetstoneError(
    'tool_unfit',
    `The tool "${name}" is run by its provider, and LangChain has its own form for such tools. Leave it out with \`without("${name}")\`.`,
    { details: { tool: name } },
  );
}

function argumentsOf(tool: PreparedTool | undefined, args: JsonValue): JsonObject | string {
  if (tool?.spec.kind === 'custom') return textOf(objectOf(args)['input']) ?? '';
  return isJsonObject(args) ? args : JSON.stringify(args);
}
