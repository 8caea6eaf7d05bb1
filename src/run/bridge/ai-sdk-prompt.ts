import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { readArguments } from '../../base/message/arguments.ts';
import type { AssistantMessage, Message, ToolMessage } from '../../base/message/message.ts';
import type { AssistantPart, ProviderData, Source, UserPart } from '../../base/message/part.ts';
import type { Result } from '../../base/message/result.ts';
import { omitUndefined, listOf, objectOf, objectsOf, textOf } from '../../wire/json-fields.ts';
import { readPartOptions } from './ai-sdk-options.ts';

// A prompt of the AI SDK is read and written as plain objects: its three versions differ in how they hold files
// and in little else, and none of their types can be named without the package.

export const api = 'ai-sdk';

export type Version = 'v2' | 'v3' | 'v4';

/** Our history → their prompt. */
export function writePrompt(messages: readonly Message[], version: Version): readonly object[] {
  return messages.map((message) => {
    switch (message.role) {
      case 'system':
        return {
          role: 'system',
          content: typeof message.content === 'string' ? message.content : joined(message.content),
        };
      case 'user':
        return {
          role: 'user',
          content:
            typeof message.content === 'string'
              ? [{ type: 'text', text: message.content }]
              : message.content.flatMap((part) => writeUserPart(part, version)),
        };
      case 'assistant':
        return {
          role: 'assistant',
          content: message.content.flatMap((part) => writeAssistantPart(part, version)),
        };
      case 'tool':
        return { role: 'tool', content: message.results.map((result) => writeResult(result, version)) };
    }
  });
}

function joined(parts: readonly { readonly type: string }[]): string {
  return parts.flatMap((part) => ('text' in part ? [String(part.text)] : [])).join('\n');
}

function writeUserPart(part: UserPart, version: Version): readonly object[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text, ...options(part.providerData) }];
    case 'image':
      return [writeFile(part.source, 'image/*', version, part.providerData)];
    case 'document':
      if (part.source.kind === 'text') return [{ type: 'text', text: part.source.text }];
      return [
        {
          ...writeFile(part.source, 'application/pdf', version, part.providerData),
          ...(part.title && { filename: part.title }),
        },
      ];
    case 'other':
      return part.api === api ? [part.raw] : [];
  }
}

function writeFile(
  source: Source,
  mediaType: string,
  version: Version,
  data: ProviderData | undefined,
): object {
  const isUrl = source.kind === 'url';
  const held = isUrl ? new URL(source.url) : source.data;
  const wrapped = isUrl ? { type: 'url', url: held } : { type: 'data', data: held };
  return {
    type: 'file',
    mediaType: source.mediaType ?? mediaType,
    data: version === 'v4' ? wrapped : held,
    ...options(data),
  };
}

function writeAssistantPart(part: AssistantPart, version: Version): readonly object[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return [{ type: 'text', text: part.text, ...options(part.providerData) }];
    case 'reasoning':
      return [{ type: 'reasoning', text: part.text, ...options(part.providerData) }];
    case 'call': {
      const reading = readArguments(part);
      return [
        omitUndefined({
          type: 'tool-call',
          toolCallId: part.id,
          toolName: part.name,
          input: reading.ok ? reading.value : part.arguments,
          providerExecuted: part.requiresLocalExecution ? undefined : true,
          ...options(part.providerData),
        }),
      ];
    }
    case 'hosted-result':
      return [
        {
          type: 'tool-result',
          toolCallId: part.callId,
          toolName: part.name,
          output: { type: part.isError ? 'error-json' : 'json', value: part.content },
          ...options(part.providerData),
        },
      ];
    case 'image':
      return [writeFile(part.source, 'image/*', version, part.providerData)];
    case 'other':
      return part.api === api ? [part.raw] : [];
  }
}

function writeResult(result: Result, version: Version): object {
  const text = joined(result.content);
  const media = result.content.filter(({ type }) => type === 'image' || type === 'document');
  const output = result.isError
    ? { type: 'error-text', value: text }
    : media.length === 0 || version === 'v3'
      ? { type: 'text', value: text }
      : { type: 'content', value: result.content.flatMap((part) => writeContent(part, version)) };
  return {
    type: 'tool-result',
    toolCallId: result.callId,
    toolName: result.name,
    output,
    ...options(result.providerData),
  };
}

function writeContent(part: UserPart, version: Version): readonly object[] {
  const source = part.type === 'image' || part.type === 'document' ? part.source : undefined;
  if (source?.kind === 'base64' && version === 'v2')
    return [{ type: 'media', data: source.data, mediaType: source.mediaType }];
  return writeUserPart(part, version);
}

/** What a provider wants back travels as their `providerOptions`. */
function options(data: ProviderData | undefined): { readonly providerOptions?: JsonObject } {
  const metadata = data?.[api]?.['providerMetadata'];
  return isJsonObject(metadata) ? { providerOptions: metadata } : {};
}

/** Their metadata, to be given back. */
export function readMetadata(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? { providerMetadata: value } : undefined;
}

/** Their prompt → our history. */
export function readPrompt(prompt: JsonValue | undefined): readonly Message[] {
  return objectsOf(prompt).map((message): Message => {
    const content = withMessageOptions(message, objectsOf(listOf(message['content'])));
    switch (message['role']) {
      case 'system':
        return readSystem(message);
      case 'assistant':
        return readAssistant(content);
      case 'tool':
        return readResults(content);
      default:
        return { role: 'user', content: content.map(readUserPart) };
    }
  });
}

function readSystem(message: JsonObject): Message {
  const text = textOf(message['content']) ?? '';
  const providerData = readOptions(message);
  return {
    role: 'system',
    content: providerData === undefined ? text : [{ type: 'text', text, providerData }],
  };
}

function readUserPart(part: JsonObject): UserPart {
  const providerData = readOptions(part);
  if (part['type'] === 'text')
    return omitUndefined({ type: 'text' as const, text: textOf(part['text']) ?? '', providerData });
  if (part['type'] !== 'file') return { type: 'other', api, raw: part };
  const source = readSource(part);
  return source.mediaType?.startsWith('image/')
    ? omitUndefined({ type: 'image' as const, source, providerData })
    : omitUndefined({ type: 'document' as const, source, title: textOf(part['filename']), providerData });
}

function readSource(part: JsonObject): Source {
  const mediaType = textOf(part['mediaType']) ?? 'application/octet-stream';
  // In V4 the data is wrapped; before, it is bytes, base64 or a URL itself.
  const wrapped = objectOf(part['data']);
  const held: unknown =
    wrapped['type'] === 'url' ? wrapped['url'] : wrapped['type'] === 'data' ? wrapped['data'] : part['data'];
  if (held instanceof URL) return { kind: 'url', url: held.href, mediaType };
  if (held instanceof Uint8Array)
    return { kind: 'base64', data: Buffer.from(held).toString('base64'), mediaType };
  return { kind: 'base64', data: String(held), mediaType };
}

function readAssistant(parts: readonly JsonObject[]): AssistantMessage {
  return {
    role: 'assistant',
    content: parts.map((part): AssistantPart => {
      const providerData = readOptions(part);
      switch (part['type']) {
        case 'text':
          return omitUndefined({ type: 'text' as const, text: textOf(part['text']) ?? '', providerData });
        case 'reasoning':
          return omitUndefined({
            type: 'reasoning' as const,
            text: textOf(part['text']) ?? '',
            providerData,
          });
        case 'tool-call':
          return omitUndefined({
            type: 'call' as const,
            id: textOf(part['toolCallId']) ?? '',
            name: textOf(part['toolName']) ?? '',
            arguments: isJsonObject(part['input']) ? part['input'] : String(part['input'] ?? ''),
            kind: 'function' as const,
            requiresLocalExecution: part['providerExecuted'] !== true,
            providerData,
          });
        case 'tool-result':
          return omitUndefined({
            type: 'hosted-result' as const,
            callId: textOf(part['toolCallId']) ?? '',
            name: textOf(part['toolName']) ?? '',
            content: objectOf(part['output'])['value'] ?? null,
            providerData,
          });
        default:
          return { type: 'other', api, raw: part };
      }
    }),
  };
}

function readResults(parts: readonly JsonObject[]): ToolMessage {
  const results = parts.filter((part) => part['type'] === 'tool-result');
  return {
    role: 'tool',
    results: results.map((part): Result => {
      const output = objectOf(part['output']);
      const type = textOf(output['type']) ?? '';
      return omitUndefined({
        callId: textOf(part['toolCallId']) ?? '',
        name: textOf(part['toolName']) ?? '',
        content: readOutput(type, output),
        isError: type.startsWith('error') || type === 'execution-denied' || undefined,
        providerData: readOptions(part),
      });
    }),
  };
}

function readOutput(type: string, output: JsonObject): readonly UserPart[] {
  const { value, reason } = output;
  if (type === 'execution-denied') return [{ type: 'text', text: textOf(reason) ?? 'The call was denied.' }];
  if (type !== 'content')
    return [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value ?? null) }];
  return objectsOf(value).map((part) =>
    readUserPart(part['type'] === 'media' ? { ...part, type: 'file' } : part),
  );
}

function readOptions(part: JsonObject): ProviderData | undefined {
  return readPartOptions(part['providerOptions']);
}

/** What is said of a whole message holds for its last part, as it does with the AI SDK's own providers. */
function withMessageOptions(message: JsonObject, parts: readonly JsonObject[]): readonly JsonObject[] {
  const ofMessage = message['providerOptions'];
  const last = parts.at(-1);
  if (!isJsonObject(ofMessage) || last === undefined) return parts;
  const providerOptions = { ...ofMessage, ...objectOf(last['providerOptions']) };
  return [...parts.slice(0, -1), { ...last, providerOptions }];
}
