import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Call } from '../../base/message/call.ts';
import { textOf } from '../../base/message/message.ts';
import type { AssistantMessage, Message } from '../../base/message/message.ts';
import type { AssistantPart, DocumentPart, ImagePart, UserPart } from '../../base/message/part.ts';
import type { Result } from '../../base/message/result.ts';
import { urlOf } from '../data-url.ts';
import { omitUndefined } from '../json-fields.ts';
import { wireArgumentsText } from '../request/bind-tools.ts';
import type { ToolBinding } from '../request/bind-tools.ts';
import { mediaBesides, resultText } from '../request/result-text.ts';
import type { ChatHost } from './hosts.ts';
import type { TextContent, UserContent, WireCall, WireMessage } from './types.ts';

/** A message of ours as theirs; results become one each. `legacy` holds the calls in the old form. */
export function writeMessage(
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
      return saysNothing(message, host) ? [] : [writeAssistant(message, tools, host)];
    case 'tool': {
      const besides = mediaBesides(message.results);
      const results = message.results.map((result) => writeResult(result, host, legacy));
      if (besides.length === 0) return results;
      return [...results, { role: 'user', content: besides.flatMap((part) => writeUserPart(part, host)) }];
    }
  }
}

/** A reply that broke off while it was thought out: without words and calls it would be refused. */
function saysNothing(message: AssistantMessage, host: ChatHost): boolean {
  const said = (part: AssistantPart): boolean =>
    ((part.type === 'text' || part.type === 'refusal') && part.text !== '') ||
    (part.type === 'call' && part.requiresLocalExecution) ||
    (host.echoReasoning === 'chunk' && isOwnReasoning(part, host));
  return !message.content.some(said) && message.providerData?.[host.api] === undefined;
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
  return omitUndefined({
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
export function isLegacy(call: Call, host: ChatHost): boolean {
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

function writeImage(part: ImagePart): { url: string; detail?: 'auto' | 'low' | 'high' } {
  const detail = part.detail === 'original' ? 'high' : part.detail;
  return omitUndefined({ url: urlOf(part.source), detail });
}

function writeDocument(part: DocumentPart, host: ChatHost): UserContent {
  const { source } = part;
  if (source.kind === 'text') return { type: 'text', text: source.text };
  if (host.documents === 'document_url') {
    const [document_url, document_name] = [urlOf(source), part.title];
    const chunk = omitUndefined({ type: 'document_url' as const, document_url, document_name });
    return chunk as unknown as UserContent;
  }
  if (source.kind === 'url') return { type: 'text', text: `[document: ${source.url}]` };
  return { type: 'file', file: omitUndefined({ file_data: urlOf(source), filename: part.title }) };
}
