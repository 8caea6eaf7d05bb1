import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { readSchema } from '../../../base/schema/read-schema.ts';
import type { AnyTool, Context, ToolSettings } from '../../tool/contract.ts';
import { tool } from '../../tool/define-tool.ts';
import { failCall } from '../../tool/failure.ts';
import { toolOutput } from '../../tool/output.ts';
import { resultText } from '../../../base/message/result.ts';
import { fromLangChainMessages } from './read-messages.ts';

/** A tool of LangChain by its shape: what `tool()`, `DynamicStructuredTool` and toolkits make. */
export interface LangChainTool {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
  readonly returnDirect?: boolean;
  // A method, so that the parameters of theirs, whatever they are, fit.
  invoke(input: never, config?: never): Promise<unknown>;
}

/**
 * Tools of LangChain as ours. Arguments are checked here, so that a model reads what was wrong with them; defaults and
 * transforms are then LangChain's own. An artifact stays in the history.
 * @example await run({ model, tools: fromLangChainTools(toolkit.getTools()), prompt });
 */
export function fromLangChainTools(
  tools: readonly LangChainTool[],
  settings: Readonly<Record<string, ToolSettings & Pick<AnyTool, 'approval'>>> = {},
): readonly AnyTool[] {
  return tools.map((theirs) =>
    tool({
      ...(theirs.returnDirect === true && { returnDirect: true }),
      ...(Object.hasOwn(settings, theirs.name) && settings[theirs.name]),
      name: theirs.name,
      description: theirs.description || theirs.name,
      input: schemaOf(theirs),
      run: (input: JsonObject, context: Context) => call(theirs, input, context),
    }),
  );
}

async function call(theirs: LangChainTool, args: JsonObject, context: Context): Promise<unknown> {
  const { id } = context.call;
  const config = { signal: context.signal, configurable: context.injected };
  const answer = await theirs.invoke(
    { type: 'tool_call', id, name: theirs.name, args } as never,
    config as never,
  );
  if (!isToolMessage(answer)) return answer;
  const [message] = fromLangChainMessages([answer]);
  const result = message?.role === 'tool' ? message.results[0] : undefined;
  if (result === undefined) return '';
  if (result.isError) return failCall(resultText(result));
  return toolOutput(result.content, result.artifact === undefined ? {} : { artifact: result.artifact });
}

function isToolMessage(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'tool_call_id' in answer && 'content' in answer;
}

/** Only its JSON Schema: a transform that ran here would run again there. */
function schemaOf(theirs: LangChainTool): JsonObject {
  if (takesText(theirs))
    return {
      type: 'object',
      properties: { input: { type: 'string' } },
      required: ['input'],
      additionalProperties: false,
    };
  const { jsonSchema } = readSchema(theirs.schema);
  return isJsonObject(jsonSchema as JsonValue)
    ? (jsonSchema as JsonObject)
    : { type: 'object', properties: {} };
}

/** `DynamicTool` and its like take one text, which their schema wraps and unwraps again. */
function takesText(theirs: LangChainTool): boolean {
  const { func } = theirs as { readonly func?: unknown };
  const { lc_name: nameOf } = theirs.constructor as { readonly lc_name?: () => string };
  return (
    (typeof nameOf === 'function' && nameOf() === 'DynamicTool') || (func === undefined && !theirs.schema)
  );
}
