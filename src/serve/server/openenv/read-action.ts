import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import { kindOf, listAt, objectAt } from '../fields.ts';
import { invalid } from '../refusal.ts';
import { fieldsNamed, mustBeSpelt } from '../spelling.ts';

/** What a step asks for. */
export type OpenEnvAction =
  | { readonly kind: 'list_tools' }
  | { readonly kind: 'call_tool'; readonly tool: string; readonly input: JsonObject }
  | {
      readonly kind: 'act';
      readonly message: string;
      readonly calls: readonly { readonly name: string; readonly input: JsonValue }[];
    };

/** The schema of an action: one required field, since some clients turn plain text into it only then. */
export const actionSchema: JsonObject = {
  type: 'object',
  properties: {
    message: { type: 'string', description: 'What to say to the person.' },
    tool_calls: {
      type: 'array',
      description: 'Tools to call in the same step.',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, arguments: { type: 'object' } },
        required: ['name'],
      },
    },
  },
  required: ['message'],
};

const actionFields = fieldsNamed('message', 'tool_calls', 'type', 'tool_name', 'arguments');

export function readAction(value: unknown): OpenEnvAction {
  const action = objectAt(value, 'action');
  mustBeSpelt(action, actionFields, 'action');
  const { type, message, tool_calls: list } = action;
  if (type === 'list_tools') return { kind: 'list_tools' };
  if (type === 'call_tool') {
    const { tool_name: tool, arguments: input = {} } = action;
    if (typeof tool !== 'string') throw invalid('tool_name', `must be a string, not ${kindOf(tool)}.`);
    return { kind: 'call_tool', tool, input: objectAt(input ?? {}, 'arguments') };
  }
  if (message !== undefined && message !== null && typeof message !== 'string')
    throw invalid('message', `must be a string, not ${kindOf(message)}.`);
  const calls = list === undefined || list === null ? [] : listAt(list, 'tool_calls').map(readCall);
  if (typeof message !== 'string' && calls.length === 0)
    throw invalid('action', 'needs a message, or tool_calls.');
  return { kind: 'act', message: message ?? '', calls };
}

/** A call as we list it, as providers write it, or as the Labs API does. */
function readCall(value: JsonValue, index: number): { readonly name: string; readonly input: JsonValue } {
  const path = `tool_calls[${index}]`;
  const call = objectAt(value, path);
  const inner = isJsonObject(call['function']) ? call['function'] : call;
  const { name } = inner;
  if (typeof name !== 'string') throw invalid(`${path}.name`, `must be a string, not ${kindOf(name)}.`);
  const input = inner['arguments'] ?? inner['input'] ?? {};
  if (typeof input !== 'string') return { name, input };
  try {
    return { name, input: JSON.parse(input) as JsonValue };
  } catch {
    // It stays the text that the model wrote, and is graded as that.
    return { name, input };
  }
}
