import { WhetstoneError } from '../../../base/host/errors.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { objectOf, textOf } from '../../../wire/json-fields.ts';

// Messages of LangChain are read and written as plain objects: its own classes are known by their fields, as its own
// functions know them, so that two copies of @langchain/core in one project do no harm.

export const api = 'langchain';

/** What a message is, by every name that LangChain has for it. */
const kinds: Readonly<Record<string, 'system' | 'human' | 'ai' | 'tool'>> = {
  system: 'system',
  developer: 'system',
  SystemMessage: 'system',
  SystemMessageChunk: 'system',
  human: 'human',
  user: 'human',
  HumanMessage: 'human',
  HumanMessageChunk: 'human',
  ai: 'ai',
  assistant: 'ai',
  AIMessage: 'ai',
  AIMessageChunk: 'ai',
  tool: 'tool',
  ToolMessage: 'tool',
  ToolMessageChunk: 'tool',
};

/** One message in the one shape that is read. */
export interface MessageFields {
  readonly kind: 'system' | 'human' | 'ai' | 'tool';
  readonly fields: JsonObject;
}

/** A message as an instance, stored, serialized, as `{ role, content }`, as `[role, content]`, or a text. */
export function fieldsOf(message: unknown): MessageFields {
  if (typeof message === 'string') return { kind: 'human', fields: { content: message } };
  if (Array.isArray(message)) {
    const [type, content] = message as readonly JsonValue[];
    return { kind: kindOf(type), fields: { content: content ?? '' } };
  }
  if (typeof message !== 'object' || message === null) throw unknownMessage(String(message));
  const given = message as JsonObject;
  if (given['lc'] === 1 && Array.isArray(given['id']))
    return { kind: kindOf(given['id'].at(-1)), fields: objectOf(given['kwargs']) };
  const type = given['type'] ?? given['role'] ?? oldType(given);
  // Stored: `{ type, data }`, as `mapChatMessagesToStoredMessages` writes it.
  return { kind: kindOf(type), fields: isJsonObject(given['data']) ? given['data'] : given };
}

function kindOf(type: JsonValue | undefined): MessageFields['kind'] {
  const name = textOf(type) ?? '';
  if (Object.hasOwn(kinds, name)) return kinds[name]!;
  throw unknownMessage(name);
}

/** Before version 1, only a method told the type. */
function oldType(message: object): JsonValue | undefined {
  const { _getType: tell } = message as { readonly _getType?: unknown };
  return typeof tell === 'function' ? String(tell.call(message)) : undefined;
}

function unknownMessage(type: string): WhetstoneError {
  return new WhetstoneError(
    'message_invalid',
    `A LangChain message of the type "${type}" is not known. Give system, human, ai or tool messages; leave others out.`,
    { details: { type } },
  );
}
