import type { JsonObject } from '../../base/json/value.ts';
import type { AssistantMessage, Message } from '../../base/message/message.ts';
import type { ModelRequest } from '../../base/message/model.ts';
import type { SystemPart, UserPart } from '../../base/message/part.ts';
import type { Result } from '../../base/message/result.ts';
import type { WriteOptions, WrittenRequest } from '../adapter.ts';
import { wireArgumentsText } from '../request/bind-tools.ts';
import type { ToolBinding } from '../request/bind-tools.ts';
import { writeFunctionTools } from '../request/function-tool.ts';
import { urlOf } from '../data-url.ts';
import { omitUndefined } from '../json-fields.ts';
import { mediaBesides, resultText } from '../request/result-text.ts';
import { offerTools } from '../request/offer-tools.ts';
import { unsupportedOptions } from '../request/unsupported-options.ts';
import { writeHistory } from '../request/written-history.ts';
import type { Items } from '../request/written-history.ts';
import type { ChatRequest, Content, WireCall, WireMessage } from './types.ts';

export const api = 'cohere';

/** Our request → the body of `POST /v2/chat`. */
export function writeRequest(request: ModelRequest, options: WriteOptions): WrittenRequest {
  const can = { none: true, required: true, named: false, allowed: false };
  const offered = offerTools(request, options, { api, can });
  const { tools, hasTools, choice } = offered;
  const { items, reports } = writeHistory(request.messages, {
    api,
    by: [tools],
    begin: () => undefined,
    write: (message, _past, written: Items<WireMessage>) => written.push(...writeMessage(message, tools)),
  });
  const body: ChatRequest = omitUndefined({
    model: options.model,
    messages: items,
    tools: writeFunctionTools(tools, api),
    tool_choice: hasTools ? writeToolChoice(choice) : undefined,
    strict_tools: hasTools && tools.tools.every((tool) => tool.strict === true) ? true : undefined,
    max_tokens: request.maxOutputTokens,
    temperature: request.temperature,
    p: request.topP,
    seed: request.seed,
    stop_sequences: request.stop,
    response_format: request.output && {
      type: 'json_object' as const,
      json_schema: request.output.schema as JsonObject,
    },
    thinking: writeThinking(request.reasoning),
    stream: options.stream || undefined,
  });
  return {
    body: { ...(body as unknown as JsonObject), ...request.providerOptions?.[api] },
    reports: [
      ...offered.reports,
      ...reports,
      ...unsupportedOptions(request, 'Cohere', ['parallelCalls', 'tokens']),
    ],
    tools,
  };
}

function writeMessage(message: Message, tools: ToolBinding): readonly WireMessage[] {
  switch (message.role) {
    case 'system':
    case 'user': {
      const { role, content } = message;
      return [{ role, content: typeof content === 'string' ? content : writeParts(content) }];
    }
    case 'assistant': {
      // One that broke off while it was thought out says nothing.
      const fields = writeAssistantFields(message, tools);
      return Object.keys(fields).length === 0 ? [] : [{ role: 'assistant', ...fields }];
    }
    case 'tool': {
      const besides = mediaBesides(message.results);
      const results = message.results.map(writeResult);
      return besides.length === 0 ? results : [...results, { role: 'user', content: writeParts(besides) }];
    }
  }
}

type AssistantFields = Omit<Extract<WireMessage, { role: 'assistant' }>, 'role'>;

/** The fields of an assistant message, of a request or of a reply. */
export function writeAssistantFields(message: AssistantMessage, tools?: ToolBinding): AssistantFields {
  const plans: string[] = [];
  const content: Content[] = [];
  const calls: WireCall[] = [];
  for (const part of message.content) {
    const echo = part.providerData?.[api];
    if (part.type === 'reasoning') {
      if (echo?.['plan'] === true) plans.push(part.text);
      else if (echo !== undefined) content.push({ type: 'thinking', thinking: part.text });
    } else if (part.type === 'text' || part.type === 'refusal') {
      if (part.text !== '') content.push({ type: 'text', text: part.text });
    } else if (part.type === 'call' && part.requiresLocalExecution) {
      calls.push({
        id: part.id,
        type: 'function',
        function: {
          name: tools?.wireName(part.name) ?? part.name,
          arguments: wireArgumentsText(part, tools),
        },
      });
    }
  }
  // A plan comes with calls; if none came, it is what the model said.
  if (calls.length === 0 && content.length === 0 && plans.length > 0)
    content.push({ type: 'text', text: plans.splice(0).join('') });
  return omitUndefined({
    content: content.length > 0 ? content : undefined,
    tool_plan: plans.length > 0 ? plans.join('') : undefined,
    tool_calls: calls.length > 0 ? calls : undefined,
    ...message.providerData?.[api],
  });
}

function writeResult(result: Result): WireMessage {
  const own = result.content.flatMap((part) => (part.type === 'other' && part.api === api ? [part.raw] : []));
  const content = own.length > 0 && result.isError !== true ? own : resultText(result);
  return { role: 'tool', tool_call_id: result.callId, content };
}

function writeParts(parts: readonly (SystemPart | UserPart)[]): readonly Content[] {
  return parts.flatMap((part): readonly Content[] => {
    switch (part.type) {
      case 'text':
        return [{ type: 'text', text: part.text }];
      case 'image': {
        const detail = part.detail === 'original' ? 'high' : part.detail;
        return [{ type: 'image_url', image_url: omitUndefined({ url: urlOf(part.source), detail }) }];
      }
      case 'document': {
        const { source } = part;
        if (source.kind === 'text') return [{ type: 'text', text: source.text }];
        return [{ type: 'text', text: `[document: ${part.title ?? source.kind}]` }];
      }
      case 'other':
        return part.api === api ? [part.raw] : [];
    }
  });
}

/** "auto" is said by saying nothing. */
function writeToolChoice(choice: ModelRequest['toolChoice']): ChatRequest['tool_choice'] {
  if (choice === 'required') return 'REQUIRED';
  return choice === 'none' ? 'NONE' : undefined;
}

function writeThinking(reasoning: ModelRequest['reasoning']): ChatRequest['thinking'] {
  if (reasoning === undefined) return undefined;
  if (reasoning.effort === 'none') return { type: 'disabled' };
  return omitUndefined({ type: 'enabled' as const, token_budget: reasoning.budgetTokens });
}
