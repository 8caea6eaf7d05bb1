import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject } from '../../base/json/value.ts';
import type { Call } from '../../base/message/call.ts';
import { filledText, objectOf, textOf } from '../json-fields.ts';

/** An output item that is a call, in the words of a call. */
export interface CallItem {
  readonly id: string | undefined;
  readonly name: string;
  readonly kind: Call['kind'];
  /** JSON text or free text as the item has it; an object where it has one. */
  readonly arguments: JsonObject | string;
  readonly requiresLocalExecution: boolean;
}

/** Which item types are calls, and whether the API runs them itself. */
const runsItself: Readonly<Record<string, boolean | ((item: JsonObject) => boolean)>> = {
  function_call: false,
  custom_tool_call: false,
  computer_call: false,
  local_shell_call: false,
  apply_patch_call: false,
  shell_call: (item) => (textOf(objectOf(item['environment'])['type']) ?? '').startsWith('container'),
  tool_search_call: (item) => item['execution'] !== 'client',
  web_search_call: true,
  x_search_call: true,
  file_search_call: true,
  code_interpreter_call: true,
  image_generation_call: true,
  mcp_call: true,
  program: true,
};

/** Reads an item as a call; undefined when it is none. */
export function readCallItem(item: JsonObject): CallItem | undefined {
  const type = textOf(item['type']) ?? '';
  // What nobody has heard of and is named like a call nobody but the API can run.
  const hosted = Object.hasOwn(runsItself, type) ? runsItself[type] : type.endsWith('_call') || undefined;
  if (hosted === undefined) return undefined;
  const isHosted = typeof hosted === 'function' ? hosted(item) : hosted;
  return {
    id: filledText(item['call_id']) ?? (isHosted ? filledText(item['id']) : undefined),
    name: filledText(item['name']) ?? type.replace(/_call$/, ''),
    kind: type === 'custom_tool_call' ? 'custom' : type === 'computer_call' ? 'computer' : 'function',
    arguments: argumentsOf(item),
    requiresLocalExecution: !isHosted,
  };
}

/** Only function calls and custom calls have a name and arguments of their own; the rest say theirs by type. */
export function isPlainCall(type: string): boolean {
  return type === 'function_call' || type === 'custom_tool_call';
}

function argumentsOf(item: JsonObject): JsonObject | string {
  for (const field of ['arguments', 'input', 'action', 'operation']) {
    const value = item[field];
    const isText = typeof value === 'string' && (field === 'arguments' || field === 'input');
    if (isText || isJsonObject(value)) return value;
  }
  const rest: Record<string, JsonObject[string]> = {};
  for (const field of ['queries', 'code', 'revised_prompt', 'actions', 'action'])
    if (item[field] !== undefined && item[field] !== null) rest[field] = item[field];
  return rest;
}
