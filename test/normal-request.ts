import { isJsonObject } from '../src/base/json/value.ts';
import type { JsonObject, JsonValue } from '../src/base/json/value.ts';
import {
  normalCohere,
  normalConverse,
  normalGemini,
  normalOllama,
  normalResponses,
  objects,
} from './normal-forms.ts';

/**
 * The normal form of a request: two bodies with the same normal form ask the same. Besides what each API's own
 * rules say, a field that is null or false stands for one that is absent, and the order of members says nothing.
 */
export function normalRequest(api: string, body: JsonObject): JsonValue {
  const rules = normalForms[api];
  if (rules === undefined) throw new Error(`no normal form is written down for ${api}`);
  return plain(rules(body));
}

const normalForms: Readonly<Record<string, (body: JsonObject) => JsonObject>> = {
  anthropic: normalAnthropic,
  'openai-chat': normalChat,
  'openai-chat-compat': normalChat,
  mistral: normalChat,
  'openai-responses': normalResponses,
  gemini: normalGemini,
  'vertex-gemini': normalGemini,
  'bedrock-converse': normalConverse,
  'bedrock-invoke-nova': normalConverse,
  'bedrock-invoke-anthropic': normalAnthropic,
  cohere: normalCohere,
  ollama: normalOllama,
};

/** A text is a list with one text block; empty text blocks are left out; results are before words. */
function normalAnthropic(body: JsonObject): JsonObject {
  const messages: { role: JsonValue; content: readonly JsonObject[] }[] = [];
  for (const message of objects(body['messages'])) {
    const content = anthropicBlocks(message['content']);
    const last = messages.at(-1);
    if (last !== undefined && last.role === message['role'] && last.role !== 'system')
      last.content = [...last.content, ...content];
    else messages.push({ role: message['role']!, content });
  }
  for (const message of messages) {
    const isResult = (block: JsonObject): boolean => block['type'] === 'tool_result';
    message.content = [
      ...message.content.filter(isResult),
      ...message.content.filter((block) => !isResult(block)),
    ];
  }
  const system = anthropicBlocks(body['system']);
  return { ...body, messages, system: system.length > 0 ? system : null };
}

function anthropicBlocks(content: JsonValue | undefined): readonly JsonObject[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content);
  return blocks
    .filter((block) => block['type'] !== 'text' || block['text'] !== '')
    .map((block) =>
      block['type'] === 'tool_result' ? { ...block, content: anthropicBlocks(block['content']) } : block,
    );
}

/**
 * `functions` are tools, no parameters are an object without any, `max_tokens` is `max_completion_tokens`, one stop text is a list of one, texts alone are
 * joined, empty content is none, a call's index is left out, an empty assistant message is not a message, and whether a stream tells its usage is not part of what is asked.
 */
function normalChat(body: JsonObject): JsonObject {
  const { functions, function_call, max_tokens, stream_options: _usage, ...rest } = body;
  const tools = [
    ...objects(rest['tools']).map((each): JsonObject =>
      isJsonObject(each['function'])
        ? { type: 'function', ...each, function: withParameters(each['function']) }
        : each,
    ),
    ...objects(functions).map((each): JsonObject => ({ type: 'function', function: each })),
  ];
  const choice = rest['tool_choice'] ?? function_call ?? null;
  return {
    ...rest,
    messages: objects(rest['messages']).map(normalChatMessage).filter(saysSomething),
    tools: tools.length > 0 ? tools : null,
    tool_choice:
      isJsonObject(choice) && choice['type'] === undefined ? { ...choice, type: 'function' } : choice,
    max_completion_tokens: rest['max_completion_tokens'] ?? max_tokens ?? null,
    stop: typeof rest['stop'] === 'string' ? [rest['stop']] : (rest['stop'] ?? null),
  };
}

function withParameters(tool: JsonObject): JsonObject {
  return { parameters: { type: 'object', properties: {} }, ...tool };
}

function normalChatMessage(message: JsonObject): JsonObject {
  const { content, annotations: _annotations, ...rest } = message;
  const texts = objects(content);
  const joined =
    texts.length > 0 && texts.every((part) => part['type'] === 'text')
      ? texts.map((part) => part['text']).join('')
      : content;
  // Some hosts say their reasoning under two names.
  const twice = rest['reasoning'] === rest['reasoning_content'] ? 'reasoning' : '';
  const said = Object.entries(rest).filter(
    ([name, value]) => !name.startsWith('reasoning') || (value !== '' && name !== twice),
  );
  const empty = joined === '' || (Array.isArray(joined) && joined.length === 0);
  const calls = objects(rest['tool_calls']).map(({ index: _index, ...call }) => call);
  return {
    ...Object.fromEntries(said),
    tool_calls: calls.length > 0 ? calls : null,
    content: empty ? null : (joined ?? null),
  };
}

function saysSomething(message: JsonObject): boolean {
  return message['role'] !== 'assistant' || Object.values(message).filter((each) => each !== null).length > 1;
}

/** Without fields that are null or false, members in the order of their names; schemas stay as they are. */
function plain(value: JsonValue, key = ''): JsonValue {
  if (['input_schema', 'parameters', 'input', 'arguments'].includes(key)) return value;
  if (Array.isArray(value)) return value.map((each: JsonValue) => plain(each));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([, each]) => each !== null && each !== false);
  return Object.fromEntries(
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, plain(each, name)]),
  );
}
