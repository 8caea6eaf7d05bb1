import type { JsonObject } from '../../base/json/value.ts';
import type { Message, SystemMessage, ToolMessage, UserMessage } from '../../base/message/message.ts';
import { textPart } from '../../base/message/part.ts';
import type { OtherPart, UserPart } from '../../base/message/part.ts';
import { objectOf, objectsOf, textOf } from '../json-fields.ts';

/** A message without parts that only another API can read: their words are there, or that they are missing. */
export function tellForeign(message: Message, api: string): Message {
  switch (message.role) {
    case 'system':
      return withoutForeign(message, api);
    case 'user':
      return tellUser(message, api);
    case 'tool':
      return tellResults(message, api);
    case 'assistant':
      return message;
  }
}

/** What another API was told in addition to the system's words: tools that came later, for example. */
function withoutForeign(message: SystemMessage, api: string): SystemMessage {
  const { content } = message;
  if (typeof content === 'string' || !content.some((part) => isForeign(part, api))) return message;
  return { ...message, content: content.filter((part) => !isForeign(part, api)) };
}

function tellUser(message: UserMessage, api: string): UserMessage {
  const { content } = message;
  if (typeof content === 'string') return message;
  const told = tellOthers(content, api);
  return told === content ? message : { ...message, content: told };
}

function tellResults(message: ToolMessage, api: string): ToolMessage {
  if (!message.results.some(({ content }) => content.some((part) => isForeign(part, api)))) return message;
  return {
    ...message,
    results: message.results.map((result) => ({ ...result, content: tellOthers(result.content, api) })),
  };
}

/** What only another API can read: its words, where it has some, and else that it is missing. */
function tellOthers(parts: readonly UserPart[], api: string): readonly UserPart[] {
  if (!parts.some((part) => isForeign(part, api))) return parts;
  return parts.map((part) => (isForeign(part, api) ? textPart(wordsOf(part.raw)) : part));
}

function isForeign(part: UserPart, api: string): part is OtherPart {
  return part.type === 'other' && part.api !== api;
}

function wordsOf(raw: JsonObject): string {
  if (raw['type'] === 'tool_reference') return `[tool: ${String(raw['tool_name'])}]`;
  const own =
    textOf(raw['text']) ??
    objectsOf(raw['content'])
      .flatMap((each) => textOf(each['text']) ?? [])
      .join('\n');
  if (own !== '') return own;
  const [field = 'part', value] = Object.entries(raw).find(([name]) => name !== 'type') ?? [];
  const kind = textOf(objectOf(value)['mimeType']) ?? textOf(raw['type']) ?? field;
  return `[${kind}: left out, it cannot be read here]`;
}
