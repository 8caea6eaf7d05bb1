import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { argumentsAsText, readArguments } from '../../../base/message/arguments.ts';
import type { Call } from '../../../base/message/call.ts';
import type { AssistantMessage, Message } from '../../../base/message/message.ts';
import type { AssistantPart } from '../../../base/message/part.ts';
import type { Result } from '../../../base/message/result.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import { joined, writeBlock, writeContent } from './content-block.ts';
import { api } from './message-fields.ts';

/** A message as LangChain's models, graphs and `coerceMessageLikeToMessage` take it. */
export type LangChainMessage =
  | { readonly type: 'system' | 'human'; readonly content: string }
  | { readonly type: 'ai' | 'tool'; readonly content: string; readonly [field: string]: unknown };

/**
 * Our history as messages of LangChain, as plain objects that its models and agents take where they take messages.
 * Calls that cannot be run become `invalid_tool_calls`.
 * @example await agent.invoke({ messages: toLangChainMessages(messages) });
 */
export function toLangChainMessages(messages: readonly Message[]): readonly LangChainMessage[] {
  // Content may be blocks; the types of theirs want their own classes of blocks, which cannot be named without them.
  return messages.flatMap((message) => write(message)) as unknown as readonly LangChainMessage[];
}

function write(message: Message): readonly JsonObject[] {
  switch (message.role) {
    case 'system':
      return [{ type: 'system', content: writeContent(message.content) }];
    case 'user':
      return [{ type: 'human', content: writeContent(message.content) }];
    case 'assistant':
      return [writeSaid(message)];
    case 'tool':
      return message.results.map(writeResult);
  }
}

function writeSaid({ content, from }: AssistantMessage): JsonObject {
  const calls = content.filter((part): part is Call => part.type === 'call' && part.requiresLocalExecution);
  const whole = calls.filter((call) => call.invalid === undefined && readArguments(call).ok);
  const invalid = calls.filter((call) => !whole.includes(call));
  const refusal = content.flatMap((part) => (part.type === 'refusal' ? [part.text] : [])).join('');
  return {
    type: 'ai',
    content: joined(content.flatMap(writeSaidPart)),
    tool_calls: whole.map(writeCall),
    invalid_tool_calls: invalid.map((call) => ({
      type: 'invalid_tool_call',
      id: call.id,
      name: call.name,
      args: argumentsAsText(call),
      error: call.invalid?.message ?? 'The arguments are not a JSON object.',
    })),
    additional_kwargs: refusal === '' ? {} : { refusal },
    response_metadata: from === undefined ? {} : { model_name: from.model },
  };
}

function writeCall(call: Call): JsonObject {
  const reading = readArguments(call);
  return { type: 'tool_call', id: call.id, name: call.name, args: reading.ok ? reading.value : {} };
}

function writeSaidPart(part: AssistantPart): readonly JsonObject[] {
  // A block that came from LangChain goes back as it was.
  const kept = 'providerData' in part ? part.providerData?.[api]?.['block'] : undefined;
  if (isJsonObject(kept)) return [kept];
  switch (part.type) {
    case 'call':
      return part.requiresLocalExecution ? [] : [{ ...writeCall(part), type: 'server_tool_call' }];
    case 'hosted-result':
      return [
        {
          type: 'server_tool_call_result',
          toolCallId: part.callId,
          status: part.isError ? 'error' : 'success',
          output: part.content,
        },
      ];
    case 'reasoning':
      return part.text === '' ? [] : [{ type: 'reasoning', reasoning: part.text }];
    case 'refusal':
      return [];
    case 'text':
    case 'image':
    case 'other':
      return writeBlock(part);
  }
}

function writeResult(result: Result): JsonObject {
  return {
    type: 'tool',
    tool_call_id: result.callId,
    name: result.name,
    content: contentOf(result),
    status: result.isError ? 'error' : 'success',
    ...(result.artifact !== undefined && { artifact: result.artifact }),
  };
}

/** The content of a result in their words. */
export function contentOf(result: Result): JsonValue {
  return writeContent(result.content);
}
