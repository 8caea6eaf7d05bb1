import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Call } from '../../base/message/call.ts';
import {
  type AssistantMessage,
  callsOf,
  type Message,
  reasoningOf,
  textOf,
} from '../../base/message/message.ts';
import type { AssistantPart, ImagePart, UserPart } from '../../base/message/part.ts';
import { type Result, resultText } from '../../base/message/result.ts';
import { objectAt, objectsAt, textAt } from './fields.ts';

/** Messages in the shape of OpenAI's chat, as data sets and trainers write them. */
export function writeChat(messages: readonly Message[]): readonly JsonObject[] {
  return messages.flatMap((message): readonly JsonObject[] => {
    switch (message.role) {
      case 'system':
        return [{ role: 'system', content: textOf(message) }];
      case 'user':
        return [{ role: 'user', content: userContent(message.content) }];
      case 'assistant':
        return [writeAssistant(message)];
      case 'tool':
        return message.results.map((result) => ({
          role: 'tool',
          tool_call_id: result.callId,
          name: result.name,
          content: resultText(result),
          ...(result.isError === true && { is_error: true }),
        }));
    }
  });
}

function writeAssistant(message: AssistantMessage): JsonObject {
  const reasoning = reasoningOf(message);
  const calls = callsOf(message);
  return {
    role: 'assistant',
    content: textOf(message),
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, arguments: given }) => ({
        id,
        type: 'function',
        function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
      })),
    }),
  };
}

function userContent(content: string | readonly UserPart[]): JsonValue {
  if (typeof content === 'string') return content;
  return content.map((part): JsonObject => {
    if (part.type === 'text') return { type: 'text', text: part.text };
    if (part.type === 'image') return { type: 'image_url', image_url: { url: imageUrl(part) } };
    return { type: 'text', text: `[${part.type}]` };
  });
}

export function imageUrl({ source }: ImagePart): string {
  return source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`;
}

/** An image from its address, which may hold it. */
export function imageAt(url: string): ImagePart {
  const [, mediaType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  if (mediaType === undefined || data === undefined) return { type: 'image', source: { kind: 'url', url } };
  return { type: 'image', source: { kind: 'base64', mediaType, data } };
}

/** Messages as somebody wrote them in that shape. A call whose arguments are not JSON keeps its text. */
export function readChat(messages: readonly JsonObject[]): readonly Message[] {
  const names = new Map<string, string>();
  const read: Message[] = [];
  for (const message of messages) {
    switch (message['role']) {
      case 'system':
      case 'developer':
        read.push({ role: 'system', content: chatText(message['content']) });
        break;
      case 'assistant': {
        const reply = readAssistant(message);
        for (const { id, name } of callsOf(reply)) names.set(id, name);
        read.push(reply);
        break;
      }
      case 'tool': {
        const id = textAt(message, 'tool_call_id') ?? '';
        const name = textAt(message, 'name') ?? names.get(id) ?? '';
        const text = chatText(message['content']);
        const images = imagesIn(readUser(message['content']));
        joinResult(read, resultOf(id, name, { text, images, isError: message['is_error'] === true }));
        break;
      }
      default:
        read.push({ role: 'user', content: readUser(message['content']) });
    }
  }
  return read;
}

function readAssistant(message: JsonObject): AssistantMessage {
  const reasoning = textAt(message, 'reasoning_content') ?? textAt(message, 'reasoning') ?? '';
  return assistantOf({
    text: chatText(message['content']),
    reasoning,
    calls: objectsAt(message, 'tool_calls').map((call) => {
      const told = objectAt(call, 'function');
      return callOf(
        textAt(call, 'id') ?? '',
        textAt(told, 'name') ?? textAt(call, 'name') ?? '',
        told['arguments'] ?? call['arguments'],
      );
    }),
  });
}

/** A reply of its text, reasoning and calls. */
export function assistantOf({
  text,
  reasoning = '',
  calls = [],
}: {
  readonly text: string;
  readonly reasoning?: string;
  readonly calls?: readonly Call[];
}): AssistantMessage {
  const content: AssistantPart[] = [];
  if (reasoning !== '') content.push({ type: 'reasoning', text: reasoning });
  if (text !== '') content.push({ type: 'text', text });
  return { role: 'assistant', content: [...content, ...calls] };
}

/** A call from its arguments, an object or its text; text that is not JSON of an object stays text. */
export function callOf(id: string, name: string, given: JsonValue | undefined): Call {
  return {
    type: 'call',
    id,
    name,
    arguments: argumentsOf(given),
    kind: 'function',
    requiresLocalExecution: true,
  };
}

function argumentsOf(given: JsonValue | undefined): JsonObject | string {
  if (isJsonObject(given)) return given;
  if (typeof given !== 'string') return given === undefined ? {} : JSON.stringify(given);
  try {
    const value: unknown = JSON.parse(given);
    // Only where writing it again gives the same text: `{"a": 5.0}` is not `{"a":5}` to everybody.
    return isJsonObject(value) && JSON.stringify(value) === given ? value : given;
  } catch {
    return given;
  }
}

export function resultOf(
  callId: string,
  name: string,
  {
    text,
    images = [],
    isError = false,
  }: { readonly text: string; readonly images?: readonly ImagePart[]; readonly isError?: boolean },
): Result {
  return { callId, name, content: [{ type: 'text', text }, ...images], ...(isError && { isError }) };
}

export function imagesIn(content: string | readonly UserPart[]): readonly ImagePart[] {
  return typeof content === 'string' ? [] : content.filter((part) => part.type === 'image');
}

/** Results of one reply are one message. */
export function joinResult(messages: Message[], result: Result): void {
  const last = messages.at(-1);
  if (last?.role === 'tool')
    messages[messages.length - 1] = { role: 'tool', results: [...last.results, result] };
  else messages.push({ role: 'tool', results: [result] });
}

/** The text of a content: a text, or parts of which some are. */
export function chatText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as readonly JsonValue[])
    .map((part) => (isJsonObject(part) ? textAt(part, 'text') : typeof part === 'string' ? part : undefined))
    .filter((text) => text !== undefined)
    .join('\n');
}

function readUser(content: JsonValue | undefined): string | readonly UserPart[] {
  if (!Array.isArray(content)) return chatText(content);
  return (content as readonly JsonValue[]).flatMap((part): readonly UserPart[] => {
    if (typeof part === 'string') return [{ type: 'text', text: part }];
    if (!isJsonObject(part)) return [];
    const text = textAt(part, 'text');
    if (text !== undefined) return [{ type: 'text', text }];
    const image = part['image_url'] ?? part['image'];
    const url = typeof image === 'string' ? image : isJsonObject(image) ? textAt(image, 'url') : undefined;
    return url === undefined ? [{ type: 'other', api: 'openai-chat', raw: part }] : [imageAt(url)];
  });
}
