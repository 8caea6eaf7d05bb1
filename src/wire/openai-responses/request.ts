import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { textOf } from '../../base/message/message.ts';
import type { Message, SystemMessage } from '../../base/message/message.ts';
import type { ModelRequest } from '../../base/message/model.ts';
import type { WriteOptions, WrittenRequest } from '../adapter.ts';
import type { BoundTool, ToolBinding } from '../request/bind-tools.ts';
import { omitUndefined, listOf, objectOf } from '../json-fields.ts';
import { offerTools } from '../request/offer-tools.ts';
import { toolWriter } from '../request/tool-writer.ts';
import { unsupportedOptions } from '../request/unsupported-options.ts';
import { writeHistory } from '../request/written-history.ts';
import type { Items } from '../request/written-history.ts';
import { computerSpeech } from './computer.ts';
import { api, ItemWriter } from './items.ts';
import type { Item, NamedTool, ResponsesRequest, WireTool, WireToolChoice } from './types.ts';

/** Our request → the body of `POST /responses`. */
export function writeRequest(request: ModelRequest, options: WriteOptions): WrittenRequest {
  const can = { none: true, required: true, named: true, allowed: true };
  const offered = offerTools(request, options, { api, can });
  const { tools, hasTools, choice } = offered;
  const more = request.providerOptions?.[api] ?? {};
  const { text, reasoning, include, ...rest } = more;
  const isStored = more['store'] !== false;
  const { items, state, reports } = writeHistory(request.messages, {
    api,
    computer: computerSpeech(tools),
    by: [tools, isStored],
    begin: (): Past => ({ writer: new ItemWriter(tools, { isStored }), instructions: undefined }),
    write(message, past, written: Items<Item>) {
      if (past.instructions === undefined && isInstructions(message)) past.instructions = message;
      else written.push(...past.writer.message(message));
    },
  });
  const { instructions } = state;
  const body: ResponsesRequest = omitUndefined({
    model: options.model,
    instructions: instructions && textOf(instructions),
    input: items,
    tools: writeTools(tools),
    tool_choice: hasTools && choice ? writeToolChoice(choice, tools) : undefined,
    parallel_tool_calls: hasTools ? request.parallelCalls : undefined,
    max_output_tokens: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    text: writeText(request.output, text),
    reasoning: writeReasoning(request.reasoning, reasoning),
    ...writeLogprobs(request.tokens?.logprobs, include),
    stream: options.stream || undefined,
  });
  return {
    body: { ...(body as unknown as JsonObject), ...rest },
    reports: [
      ...offered.reports,
      ...reports,
      ...unsupportedOptions(request, 'The Responses API', ['seed', 'stop', 'tokenIds']),
    ],
    tools,
  };
}

/** What a message must know of those before it. */
interface Past {
  readonly writer: ItemWriter;
  instructions: SystemMessage | undefined;
}

function isInstructions(message: Message): message is SystemMessage {
  return message.role === 'system' && message.providerData?.[api]?.['instructions'] === true;
}

const writeTools = toolWriter((tools) => tools.map(writeTool));

/** `strict` is always said: where it is left out the API tries strict mode by itself. */
function writeTool(tool: BoundTool): WireTool {
  const { spec } = tool;
  if (spec.kind === 'hosted') return spec.entry;
  if (spec.kind === 'custom')
    return omitUndefined({
      type: 'custom' as const,
      name: tool.wireName,
      description: spec.description,
      format: spec.format && { type: 'grammar' as const, ...spec.format },
      ...spec.providerOptions?.[api],
    });
  return omitUndefined({
    type: 'function' as const,
    name: tool.wireName,
    description: spec.description,
    parameters: tool.schema as JsonObject,
    strict: tool.strict ?? false,
    ...spec.providerOptions?.[api],
  });
}

function writeToolChoice(
  choice: NonNullable<ModelRequest['toolChoice']>,
  tools: ToolBinding,
): WireToolChoice {
  if (typeof choice === 'string') return choice;
  if ('name' in choice) return naming(choice.name, tools);
  return {
    type: 'allowed_tools',
    mode: choice.mode,
    tools: choice.allowed.map((name) => naming(name, tools)),
  };
}

/** Functions and custom tools go by their names; what the API runs itself has none there, only a type. */
function naming(name: string, tools: ToolBinding): NamedTool {
  const wireName = tools.wireName(name);
  const tool = tools.ours(wireName);
  if (tool?.kind !== 'hosted')
    return { type: tool?.kind === 'custom' ? 'custom' : 'function', name: wireName };
  const { type, server_label } = tool.entry;
  return omitUndefined({ type: String(type), server_label });
}

function writeText(output: ModelRequest['output'], more: JsonValue | undefined): ResponsesRequest['text'] {
  if (output === undefined) return more as ResponsesRequest['text'];
  const format = {
    type: 'json_schema',
    name: output.name,
    schema: output.schema as JsonObject,
    strict: false,
  };
  return { format, ...objectOf(more) };
}

/** Asked for among what else is to come with the reply. */
function writeLogprobs(wanted: boolean | number = false, include: JsonValue | undefined): JsonObject {
  if (wanted === false) return include === undefined ? {} : { include };
  const logprobs = 'message.output_text.logprobs';
  return {
    include: [...listOf(include).filter((each) => each !== logprobs), logprobs],
    ...(wanted === true ? {} : { top_logprobs: wanted }),
  };
}

function writeReasoning(
  reasoning: ModelRequest['reasoning'],
  more: JsonValue | undefined,
): ResponsesRequest['reasoning'] {
  if (reasoning?.effort === undefined) return more as ResponsesRequest['reasoning'];
  return { effort: reasoning.effort, ...objectOf(more) };
}
