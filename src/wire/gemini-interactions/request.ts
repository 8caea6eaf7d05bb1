import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { localCallsOf, textOf } from '../../base/message/message.ts';
import type { AssistantMessage, Message, SystemMessage } from '../../base/message/message.ts';
import type { ModelRequest } from '../../base/message/model.ts';
import type { ResultPart, Source, UserPart } from '../../base/message/part.ts';
import { resultText } from '../../base/message/result.ts';
import type { Result } from '../../base/message/result.ts';
import type { RequestReport, WriteOptions, WrittenRequest } from '../adapter.ts';
import { wireArguments } from '../request/bind-tools.ts';
import type { BoundTool, ToolBinding } from '../request/bind-tools.ts';
import { afterAction, computerSpeech as computer } from '../gemini-actions.ts';
import { omitUndefined, objectOf, parseJson } from '../json-fields.ts';
import { offerTools } from '../request/offer-tools.ts';
import { toolWriter } from '../request/tool-writer.ts';
import { unsupportedOptions } from '../request/unsupported-options.ts';
import { writeHistory } from '../request/written-history.ts';
import type { Items } from '../request/written-history.ts';
import type { Content, InteractionRequest, Step, WireTool } from './types.ts';

export const api = 'gemini-interactions';

/** Our request → the body of `POST /v1beta/interactions`, stateless: every step goes with each request. */
export function writeRequest(request: ModelRequest, options: WriteOptions): WrittenRequest {
  const can = { none: true, required: true, named: true, allowed: true };
  const offered = offerTools(request, options, { api, can });
  const { tools, hasTools, choice } = offered;
  const { items, state, reports } = writeHistory(request.messages, {
    api,
    computer,
    by: [tools],
    begin: (): Past => ({ system: [], screens: new Set() }),
    write(message, past, written: Items<Step>) {
      for (const call of localCallsOf(message)) if (call.kind === 'computer') past.screens.add(call.id);
      if (message.role === 'system') past.system.push(textOf(message));
      else written.push(...writeMessage(message, tools, past.screens));
    },
  });
  const { generation_config: more, ...rest } = request.providerOptions?.[api] ?? {};
  const config = omitUndefined({
    max_output_tokens: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    seed: request.seed,
    stop_sequences: request.stop as readonly JsonValue[] | undefined,
    tool_choice: hasTools ? writeToolChoice(choice, tools) : undefined,
    thinking_level: request.reasoning?.effort === 'none' ? 'minimal' : request.reasoning?.effort,
    ...objectOf(more),
  });
  const body: InteractionRequest = omitUndefined({
    model: options.model,
    input: items,
    system_instruction: state.system.length > 0 ? state.system.join('\n') : undefined,
    tools: writeTools(tools),
    generation_config: Object.keys(config).length > 0 ? config : undefined,
    response_format: request.output && {
      type: 'text',
      mime_type: 'application/json',
      schema: request.output.schema as JsonObject,
    },
    stream: options.stream || undefined,
  });
  return {
    body: { ...(body as unknown as JsonObject), ...rest },
    reports: [
      ...offered.reports,
      ...reports,
      ...unsaidBudget(request),
      ...unsupportedOptions(request, 'Interactions', ['parallelCalls', 'tokens']),
    ],
    tools,
  };
}

/** What a message must know of those before it. */
interface Past {
  readonly system: string[];
  /** The calls that a screenshot answers. */
  readonly screens: Set<string>;
}

function unsaidBudget({ reasoning }: ModelRequest): readonly RequestReport[] {
  if (reasoning?.budgetTokens === undefined) return [];
  return [{ field: 'reasoning', message: 'Interactions takes a thinking level, not a budget of tokens.' }];
}

function writeMessage(
  message: Exclude<Message, SystemMessage>,
  tools: ToolBinding,
  screens: ReadonlySet<string>,
): readonly Step[] {
  switch (message.role) {
    case 'user': {
      const { content } = message;
      const parts = typeof content === 'string' ? [writeText(content)] : content.flatMap(writePart);
      return [{ type: 'user_input', content: parts }];
    }
    case 'assistant':
      return writeModelSteps(message, tools);
    case 'tool':
      return message.results.map((result) =>
        writeResult(screens.has(result.callId) ? withAddress(result) : result, tools),
      );
  }
}

/** The steps of a model's message, in the order in which they came; neighbouring words are one step. */
export function writeModelSteps(message: AssistantMessage, tools?: ToolBinding): readonly Step[] {
  const steps: Step[] = [];
  let words: Content[] | undefined;
  for (const part of message.content) {
    const echo = part.providerData?.[api];
    if (part.type === 'text' || part.type === 'refusal' || part.type === 'image') {
      const content =
        part.type === 'image' ? writeMedia('image', part.source, echo) : { ...writeText(part.text), ...echo };
      if (words === undefined) {
        words = [];
        steps.push({ type: 'model_output', content: words });
      }
      words.push(content);
      continue;
    }
    words = undefined;
    if (part.type === 'reasoning') {
      const summary = part.text === '' ? {} : { summary: [{ type: 'text', text: part.text }] };
      if (echo !== undefined) steps.push({ type: 'thought', ...summary, ...echo });
    } else if (part.type === 'call') {
      const step = part.requiresLocalExecution
        ? {
            type: 'function_call',
            id: part.id,
            name: tools?.wireName(part.name) ?? part.name,
            arguments: wireArguments(part, tools),
            ...echo,
          }
        : objectOf(echo?.['step']);
      steps.push(step);
    } else if (part.type === 'hosted-result') steps.push(objectOf(echo?.['step']));
    else if (part.api === api) steps.push(part.raw);
  }
  return steps;
}

function withAddress(result: Result): Result {
  const texts = result.content.filter((part) => part.type === 'text');
  const [only] = texts;
  const said = only === undefined ? {} : objectOf(parseJson(only.text));
  if (said['url'] !== undefined) return result;
  const { url, agreed } = afterAction(result);
  const words = texts.map(({ text }) => text).join('\n');
  const answer = omitUndefined({
    url,
    [result.isError === true ? 'error' : 'output']: words === '' || words === 'OK' ? undefined : words,
    safety_acknowledgement: agreed ? 'true' : undefined,
  });
  const others = result.content.filter((part) => part.type !== 'text');
  return { ...result, content: [{ type: 'text', text: JSON.stringify(answer) }, ...others] };
}

function writeResult(result: Result, tools: ToolBinding): Step {
  const given = result.providerData?.[api]?.['result'];
  const plain = result.content.every((part) => part.type === 'text');
  const content = result.content.flatMap(writePart);
  return omitUndefined({
    type: 'function_result' as const,
    call_id: result.callId,
    name: tools.wireName(result.name) || undefined,
    is_error: result.isError,
    result: given ?? (plain ? resultText(result) : (content as readonly JsonValue[])),
  });
}

function writePart(part: UserPart | ResultPart): readonly Content[] {
  switch (part.type) {
    case 'text':
      return [writeText(part.text)];
    case 'image':
      return [writeMedia('image', part.source)];
    case 'document':
      return [
        part.source.kind === 'text' ? writeText(part.source.text) : writeMedia('document', part.source),
      ];
    case 'other':
      return part.api === api ? [part.raw] : [];
  }
}

function writeText(text: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text };
}

function writeMedia(type: 'image' | 'document', source: Source, echo?: JsonObject): Content {
  if (source.kind === 'base64') return { type, data: source.data, mime_type: source.mediaType, ...echo };
  return omitUndefined({ type, uri: source.url, mime_type: source.mediaType, ...echo });
}

const writeTools = toolWriter((tools) => tools.map(writeTool));

function writeTool(tool: BoundTool): WireTool {
  const { spec } = tool;
  if (spec.kind === 'hosted') return spec.entry;
  return omitUndefined({
    type: 'function' as const,
    name: tool.wireName,
    description: spec.description,
    parameters: tool.schema as JsonObject,
    ...spec.providerOptions?.[api],
  });
}

function writeToolChoice(choice: ModelRequest['toolChoice'], tools: ToolBinding): JsonValue | undefined {
  const strict = tools.tools.every((tool) => tool.spec.kind === 'hosted' || tool.strict === true);
  if (choice === undefined || choice === 'auto') return strict ? 'validated' : choice;
  if (choice === 'none') return 'none';
  if (choice === 'required') return 'any';
  const names = 'name' in choice ? [choice.name] : choice.allowed;
  const mode = 'name' in choice || choice.mode === 'required' ? 'any' : 'validated';
  return { allowed_tools: { mode, tools: names.map((name) => tools.wireName(name)) } };
}
