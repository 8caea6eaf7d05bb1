import type { JsonObject } from '../../base/json/value.ts';
import type { AssistantMessage, Message } from '../../base/message/message.ts';
import type { ModelRequest } from '../../base/message/model.ts';
import type { SystemPart, UserPart } from '../../base/message/part.ts';
import type { RequestReport, WriteOptions, WrittenRequest } from '../adapter.ts';
import { wireArguments } from '../request/bind-tools.ts';
import type { ToolBinding } from '../request/bind-tools.ts';
import { writeFunctionTools } from '../request/function-tool.ts';
import { omitUndefined } from '../json-fields.ts';
import { mediaBesides, resultText } from '../request/result-text.ts';
import { writeLogprobs } from '../tokens.ts';
import { offerTools } from '../request/offer-tools.ts';
import { unsupportedOptions } from '../request/unsupported-options.ts';
import { writeHistory } from '../request/written-history.ts';
import type { Items } from '../request/written-history.ts';
import type { ChatRequest, WireMessage } from './types.ts';

export const api = 'ollama';

/** Our request → the body of `POST /api/chat`. */
export function writeRequest(request: ModelRequest, options: WriteOptions): WrittenRequest {
  const can = { none: false, required: false, named: false, allowed: false };
  const offered = offerTools(request, options, { api, can });
  const { tools } = offered;
  const { items, reports } = writeHistory(request.messages, {
    api,
    by: [tools],
    begin: () => undefined,
    write: (message, _past, written: Items<WireMessage>) => written.push(...writeMessage(message, tools)),
  });
  const settings = omitUndefined({
    num_predict: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    seed: request.seed,
    stop: request.stop,
  });
  const { options: more, ...rest } = request.providerOptions?.[api] ?? {};
  const merged = { ...settings, ...(more as JsonObject | undefined) };
  const body: ChatRequest = omitUndefined({
    model: options.model,
    messages: items,
    tools: writeFunctionTools(tools, api),
    format: request.output?.schema as JsonObject | undefined,
    think: writeThink(request.reasoning),
    ...writeLogprobs(request.tokens?.logprobs),
    options: Object.keys(merged).length > 0 ? merged : undefined,
    stream: options.stream === true,
  });
  return {
    body: { ...(body as unknown as JsonObject), ...rest },
    reports: [
      ...offered.reports,
      ...reports,
      ...unsaidBudget(request),
      ...unsupportedOptions(request, 'Ollama', ['parallelCalls', 'tokenIds']),
    ],
    tools,
  };
}

function unsaidBudget({ reasoning }: ModelRequest): readonly RequestReport[] {
  if (reasoning?.budgetTokens === undefined) return [];
  return [{ field: 'reasoning', message: 'Ollama takes no budget for thinking, only whether to think.' }];
}

function writeMessage(message: Message, tools: ToolBinding): readonly WireMessage[] {
  switch (message.role) {
    case 'system':
    case 'user':
      return [{ role: message.role, ...writeContent(message.content) }];
    case 'assistant':
      return [{ role: 'assistant', ...writeAssistantFields(message, tools) }];
    case 'tool': {
      const besides = mediaBesides(message.results);
      const results = message.results.map((result): WireMessage => ({
        role: 'tool',
        content: resultText(result),
        tool_name: tools.wireName(result.name),
        tool_call_id: result.callId,
      }));
      return besides.length === 0 ? results : [...results, { role: 'user', ...writeContent(besides) }];
    }
  }
}

function writeContent(content: string | readonly (SystemPart | UserPart)[]): {
  readonly content: string;
  readonly images?: readonly string[];
} {
  if (typeof content === 'string') return { content };
  const texts: string[] = [];
  const images: string[] = [];
  for (const part of content) {
    if (part.type === 'text') texts.push(part.text);
    // The server takes bytes only; an address is told in words.
    else if (part.type === 'image' && part.source.kind === 'base64') images.push(part.source.data);
    else if (part.type === 'image' && part.source.kind === 'url') texts.push(`[image: ${part.source.url}]`);
    else if (part.type === 'document')
      texts.push(
        part.source.kind === 'text' ? part.source.text : `[document: ${part.title ?? part.source.kind}]`,
      );
  }
  return omitUndefined({ content: texts.join('\n'), images: images.length > 0 ? images : undefined });
}

/** The fields of an assistant message, of a request or of a reply. */
export function writeAssistantFields(
  message: AssistantMessage,
  tools?: ToolBinding,
): Omit<WireMessage, 'role'> {
  const texts = message.content.flatMap((part) =>
    part.type === 'text' || part.type === 'refusal' ? [part.text] : [],
  );
  const thoughts = message.content.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []));
  const calls = message.content.flatMap((part) =>
    part.type === 'call' && part.requiresLocalExecution
      ? [
          omitUndefined({
            id: part.idMadeUp === true ? undefined : part.id,
            function: {
              name: tools?.wireName(part.name) ?? part.name,
              arguments: wireArguments(part, tools),
            },
          }),
        ]
      : [],
  );
  return omitUndefined({
    content: texts.join(''),
    thinking: thoughts.length > 0 ? thoughts.join('') : undefined,
    tool_calls: calls.length > 0 ? calls : undefined,
  });
}

function writeThink(reasoning: ModelRequest['reasoning']): ChatRequest['think'] {
  const effort = reasoning?.effort;
  if (effort === undefined) return undefined;
  return effort === 'none' ? false : effort;
}
