import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import { kindOf, listAt, objectAt } from '../../http/fields.ts';
import { ordinaryBody, readJsonText } from '../../http/middleware/json-body.ts';
import { invalid } from '../../http/refusal.ts';

/** What a step asks for. */
export type OpenEnvAction =
  | { readonly kind: 'list_tools' }
  | { readonly kind: 'call_tool'; readonly tool: string; readonly input: JsonValue }
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

/** Reads an action. A model wrote it: what else is in it is let be, also where it looks like a misspelt field. */
export function readAction(value: unknown): OpenEnvAction {
  const action = objectAt(value, 'action');
  const { type, message, tool_calls: list } = action;
  if (type === 'list_tools') return { kind: 'list_tools' };
  if (type === 'call_tool') {
    const { tool_name: tool } = action;
    if (typeof tool !== 'string') throw invalid('tool_name', `must be a string, not ${kindOf(tool)}.`);
    return { kind: 'call_tool', tool, input: readInput(action['arguments']) };
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
  return { name, input: readInput(inner['arguments'] ?? inner['input']) };
}

/** The input of a call, which is never refused: a text that is not JSON, or more than a body may be, stays text. */
function readInput(value: JsonValue | undefined): JsonValue {
  const input = value ?? {};
  if (typeof input !== 'string') return input;
  try {
    return readJsonText(input, ordinaryBody) as JsonValue;
  } catch {
    // As the model wrote it, and graded as that.
    return input;
  }
}
