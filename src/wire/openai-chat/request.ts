import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Call } from '../../base/message/call.ts';
import { localCallsOf, textOf } from '../../base/message/message.ts';
import type { AssistantMessage, Message } from '../../base/message/message.ts';
import type { ModelRequest } from '../../base/message/model.ts';
import type { AssistantPart, DocumentPart, ImagePart, OtherPart, UserPart } from '../../base/message/part.ts';
import type { Result } from '../../base/message/result.ts';
import type { RequestReport, WriteOptions, WrittenRequest } from '../adapter.ts';
import { wireArgumentsText } from '../request/bind-tools.ts';
import type { BoundTool, ToolBinding } from '../request/bind-tools.ts';
import { urlOf } from '../data-url.ts';
import { filled } from '../json-fields.ts';
import { mediaBesides, resultText } from '../request/result-text.ts';
import { writeLogprobs } from '../tokens.ts';
import { offerTools } from '../request/offer-tools.ts';
import { toolWriter } from '../request/tool-writer.ts';
import { unsaid } from '../request/unsaid.ts';
import type { Lack } from '../request/unsaid.ts';
import { writeHistory } from '../request/written-history.ts';
import type { Items } from '../request/written-history.ts';
import type { ChatHost } from './hosts.ts';
import type {
  ChatRequest,
  TextContent,
  UserContent,
  WireCall,
  WireMessage,
  WireTool,
  WireToolChoice,
} from './types.ts';

/** Our request → the body of `POST /chat/completions`, as this host wants it. */
export function writeRequest(request: ModelRequest, options: WriteOptions, host: ChatHost): WrittenRequest {
  const { tools, hasTools, choice, ...offered } = offerTools(request, options, {
    api: host.api,
    can: { none: true, required: true, named: host.namedChoice, allowed: host.allowedChoice },
    strict: host.strict,
    strictByItself: host.strictByItself,
    freeText: host.customTools,
  });
  // Of OpenAI's own models only those that are named for it hear.
  const isDeaf = host.name === 'openai' && !/audio|realtime/.test(options.model);
  const { items, reports } = writeHistory(request.messages, {
    api: host.api,
    checkOwnIds: host.shortIds,
    by: [tools, host, isDeaf],
    refusePart: isDeaf ? refuseAudio : undefined,
    begin: () => new Set<string>(),
    write(message, legacy, written: Items<WireMessage>) {
      for (const call of localCallsOf(message)) if (isLegacy(call, host)) legacy.add(call.id);
      written.push(...writeMessage(message, tools, host, legacy));
    },
  });
  const body: ChatRequest = filled({
    model: options.model,
    messages: items,
    tools: writeTools(tools, host),
    tool_choice: hasTools && choice ? writeToolChoice(choice, tools, host) : undefined,
    parallel_tool_calls: hasTools && host.parallelFlag ? request.parallelCalls : undefined,
    [host.maxTokens]: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    [host.seed]: request.seed,
    stop: request.stop,
    response_format: host.output ? writeOutput(request.output) : undefined,
    ...writeReasoning(request.reasoning, host),
    ...writeTokens(request.tokens, host),
    stream: options.stream || undefined,
    stream_options: options.stream && host.usageOnRequest ? { include_usage: true } : undefined,
  });
  return {
    body: { ...(body as unknown as JsonObject), ...request.providerOptions?.[host.api] },
    reports: [
      ...offered.reports,
      ...reports,
      ...unsaidOutput(request, host),
      ...unsaid(request, host.name, lacksOf(host)),
    ],
    tools,
  };
}

function unsaidOutput({ output }: ModelRequest, host: ChatHost): readonly RequestReport[] {
  if (output === undefined || host.output) return [];
  return [{ field: 'output', message: `${host.name} takes no schema for its answer; it is not sent.` }];
}

function lacksOf({ parallelFlag, tokenIds, logprobs }: ChatHost): readonly Lack[] {
  const ofTokens = logprobs ? 'tokenIds' : 'tokens';
  return [...(parallelFlag ? [] : ['parallelCalls' as const]), ...(tokenIds ? [] : ([ofTokens] as const))];
}

function writeTokens(tokens: ModelRequest['tokens'], host: ChatHost): JsonObject {
  return filled({
    ...(host.logprobs ? writeLogprobs(tokens?.logprobs) : {}),
    return_token_ids: (host.tokenIds && tokens?.ids) || undefined,
    prompt_logprobs: host.tokenIds ? tokens?.promptLogprobs : undefined,
  });
}

function writeMessage(
  message: Message,
  tools: ToolBinding,
  host: ChatHost,
  legacy: ReadonlySet<string>,
): readonly WireMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: textOf(message), ...message.providerData?.[host.api] }];
    case 'user': {
      const { content } = message;
      return [
        {
          role: 'user',
          content:
            typeof content === 'string' ? content : content.flatMap((part) => writeUserPart(part, host)),
          ...message.providerData?.[host.api],
        },
      ];
    }
    case 'assistant':
      return [writeAssistant(message, tools, host)];
    case 'tool': {
      const besides = mediaBesides(message.results);
      const results = message.results.map((result) => writeResult(result, host, legacy));
      if (besides.length === 0) return results;
      return [...results, { role: 'user', content: besides.flatMap((part) => writeUserPart(part, host)) }];
    }
  }
}

/** An assistant message of theirs, from ours. */
export function writeAssistant(
  message: AssistantMessage,
  tools: ToolBinding | undefined,
  host: ChatHost,
): WireMessage {
  const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const refusals = message.content.flatMap((part) => (part.type === 'refusal' ? [part.text] : []));
  const calls = message.content.flatMap((part) =>
    part.type === 'call' && part.requiresLocalExecution ? [part] : [],
  );
  const legacy = calls.find((call) => isLegacy(call, host));
  return filled({
    role: 'assistant' as const,
    content: writeThinkingChunks(message, host) ?? (texts.length > 0 ? texts.join('') : null),
    refusal: refusals.length > 0 ? refusals.join('') : undefined,
    ...writeEchoedReasoning(message, host),
    tool_calls: calls.length > 0 && !legacy ? calls.map((call) => writeCall(call, tools, host)) : undefined,
    function_call: legacy && { name: legacy.name, arguments: wireArgumentsText(legacy, tools) },
    ...message.providerData?.[host.api],
  });
}

/** Mistral's content as chunks, where there is thinking that must go back between the words. */
function writeThinkingChunks(message: AssistantMessage, host: ChatHost): readonly TextContent[] | undefined {
  const echoes = host.echoReasoning === 'chunk';
  if (!echoes || !message.content.some((part) => isOwnReasoning(part, host))) return undefined;
  const chunks = message.content.flatMap((part): readonly JsonObject[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    if (part.type !== 'reasoning' || !isOwnReasoning(part, host)) return [];
    const thinking = [{ type: 'text', text: part.text }];
    const { chunk: _chunk, ...rest } = part.providerData?.[host.api] ?? {};
    return [{ type: 'thinking', thinking, ...rest }];
  });
  return chunks as unknown as readonly TextContent[];
}

function isOwnReasoning(part: AssistantPart, host: ChatHost): boolean {
  return part.type === 'reasoning' && part.providerData?.[host.api] !== undefined;
}

/** Hosts that show their reasoning want it back under the name they gave it; reasoning of others is not sent. */
function writeEchoedReasoning(message: AssistantMessage, host: ChatHost): JsonObject {
  const fields: Record<string, JsonValue> = {};
  if (host.echoReasoning !== 'field') return fields;
  for (const part of message.content) {
    const data = part.type === 'reasoning' ? part.providerData?.[host.api] : undefined;
    if (part.type !== 'reasoning' || data === undefined) continue;
    const { field, ...rest } = data;
    if (typeof field === 'string') fields[field] = part.text;
    Object.assign(fields, rest);
  }
  return fields;
}

function writeCall(call: Call, tools: ToolBinding | undefined, host: ChatHost): WireCall {
  const name = tools?.wireName(call.name) ?? call.name;
  const rest = call.providerData?.[host.api];
  if (call.kind === 'custom' && host.customTools)
    return { id: call.id, type: 'custom', custom: { name, input: String(call.arguments) }, ...rest };
  return {
    id: call.id,
    type: 'function',
    function: { name, arguments: wireArgumentsText(call, tools) },
    ...rest,
  };
}

/** Calls in the form before `tool_calls`, whose results have a form of their own too. */
function isLegacy(call: Call, host: ChatHost): boolean {
  return call.providerData?.[host.api]?.['function_call'] === true;
}

function writeResult(result: Result, host: ChatHost, legacy: ReadonlySet<string>): WireMessage {
  const data = result.providerData?.[host.api];
  if (legacy.has(result.callId))
    return { role: 'function', name: result.name, content: resultText(result) } as unknown as WireMessage;
  return { role: 'tool', tool_call_id: result.callId, content: resultText(result), ...data };
}

function writeUserPart(part: UserPart, host: ChatHost): readonly UserContent[] {
  const data = part.type === 'other' ? undefined : part.providerData?.[host.api];
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text, ...data }];
    case 'image':
      return [{ type: 'image_url', image_url: writeImage(part), ...data }];
    case 'document':
      return [{ ...writeDocument(part, host), ...data }];
    case 'other':
      return part.api === host.api ? [part.raw as unknown as UserContent] : [];
  }
}

function refuseAudio({ raw }: OtherPart): string | undefined {
  return raw['type'] === 'input_audio' ? 'audio for a model that does not hear' : undefined;
}

function writeImage(part: ImagePart): { url: string; detail?: 'auto' | 'low' | 'high' } {
  const detail = part.detail === 'original' ? 'high' : part.detail;
  return filled({ url: urlOf(part.source), detail });
}

function writeDocument(part: DocumentPart, host: ChatHost): UserContent {
  const { source } = part;
  if (source.kind === 'text') return { type: 'text', text: source.text };
  if (host.documents === 'document_url') {
    const [document_url, document_name] = [urlOf(source), part.title];
    const chunk = filled({ type: 'document_url' as const, document_url, document_name });
    return chunk as unknown as UserContent;
  }
  if (source.kind === 'url') return { type: 'text', text: `[document: ${source.url}]` };
  return { type: 'file', file: filled({ file_data: urlOf(source), filename: part.title }) };
}

const writeTools = toolWriter((tools, host: ChatHost) => tools.map((tool) => writeTool(tool, host)));

function writeTool(tool: BoundTool, host: ChatHost): WireTool {
  const { spec } = tool;
  if (spec.kind === 'hosted') return spec.entry as unknown as WireTool;
  if (spec.kind === 'custom')
    return {
      type: 'custom',
      custom: filled({
        name: tool.wireName,
        description: spec.description,
        format: spec.format && { type: 'grammar' as const, grammar: spec.format },
      }),
      ...spec.providerOptions?.[host.api],
    };
  return {
    type: 'function',
    function: filled({
      name: tool.wireName,
      description: spec.description,
      parameters: tool.schema as JsonObject,
      strict: host.strict ? tool.strict : undefined,
    }),
    ...spec.providerOptions?.[host.api],
  };
}

function writeToolChoice(
  choice: NonNullable<ModelRequest['toolChoice']>,
  tools: ToolBinding,
  host: ChatHost,
): WireToolChoice {
  if (choice === 'required') return host.requiredChoice as 'required';
  if (typeof choice === 'string') return choice;
  if ('name' in choice) return naming(choice.name, tools);
  return {
    type: 'allowed_tools',
    allowed_tools: {
      mode: choice.mode,
      tools: choice.allowed.map((name) => naming(name, tools) as unknown as JsonObject),
    },
  };
}

function naming(name: string, tools: ToolBinding): Extract<WireToolChoice, { type: 'function' | 'custom' }> {
  const wireName = tools.wireName(name);
  if (tools.ours(wireName)?.kind === 'custom') return { type: 'custom', custom: { name: wireName } };
  return { type: 'function', function: { name: wireName } };
}

function writeOutput(output: ModelRequest['output']): ChatRequest['response_format'] {
  if (output === undefined) return undefined;
  return { type: 'json_schema', json_schema: { name: output.name, schema: output.schema as JsonObject } };
}

function writeReasoning(reasoning: ModelRequest['reasoning'], host: ChatHost): JsonObject {
  if (reasoning === undefined || host.reasoning === undefined) return {};
  if (host.reasoning === 'reasoning_effort')
    return reasoning.effort === undefined ? {} : { reasoning_effort: reasoning.effort };
  return { reasoning: filled({ effort: reasoning.effort, max_tokens: reasoning.budgetTokens }) };
}
