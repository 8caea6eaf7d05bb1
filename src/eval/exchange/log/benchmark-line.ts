import { isJsonObject, type JsonObject } from '../../../base/json/value.ts';
import type { Message } from '../../../base/message/message.ts';
import { readChat } from '../chat-messages.ts';
import { objectsAt, textAt } from '../fields.ts';

/** What was said and called in a line that `whet benchmark score` reads: of tau-bench, tau2 or BFCL. */
export function benchmarkMessages(line: string): readonly Message[] {
  let read: unknown;
  try {
    read = JSON.parse(line);
  } catch {
    return [];
  }
  if (!isJsonObject(read)) return [];
  if (Array.isArray(read['calls']))
    return readChat([{ role: 'assistant', tool_calls: callsOf(read, 'calls') }]);
  return readChat(objectsAt(read, 'messages').flatMap(chatOf));
}

/** The calls of the person have no place in a chat: they are in their words. */
function chatOf(message: JsonObject): readonly JsonObject[] {
  const calls = objectsAt(message, 'tool_calls');
  const content = textAt(message, 'content');
  if (message['role'] === 'tool') {
    if (message['requestor'] === 'user') return [{ role: 'user', content: `→ ${content ?? ''}` }];
    return [{ ...message, tool_call_id: message['tool_call_id'] ?? message['id'] ?? '' }];
  }
  if (message['role'] === 'user' && calls.length > 0)
    return calls.map((call) => ({
      role: 'user',
      content: `${textAt(call, 'name')} ${JSON.stringify(call['arguments'] ?? {})}`,
    }));
  return [
    {
      role: message['role'] ?? 'assistant',
      content: content ?? '',
      ...(calls.length > 0 && { tool_calls: callsOf(message, 'tool_calls') }),
    },
  ];
}

function callsOf(message: JsonObject, name: string): JsonObject[] {
  return objectsAt(message, name).map((call, index) =>
    isJsonObject(call['function'])
      ? call
      : {
          id: call['id'] ?? `call_${index + 1}`,
          type: 'function',
          function: { name: call['name'] ?? '', arguments: JSON.stringify(call['arguments'] ?? {}) },
        },
  );
}
