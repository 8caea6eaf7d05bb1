import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { AssistantMessage, Message } from '../../base/message/message.ts';
import type { ModelRequest, ToolChoice, ToolSpec } from '../../base/message/model.ts';
import type { AssistantPart, ProviderData, Source, SystemPart, UserPart } from '../../base/message/part.ts';
import type { Result } from '../../base/message/result.ts';
import type { ReadRequest } from '../adapter.ts';
import { booleanOf, omitUndefined, numberOf, objectOf, objectsOf, restOf, textOf } from '../json-fields.ts';
import { providerData } from '../provider-data.ts';
import { readComputerCall } from './computer.ts';
import { api, isCall, readWholeBlock } from './reply.ts';

/** The body of `POST /v1/messages` → our request. Fields that we have no word for stay under `providerOptions`. */
export function readRequest(body: JsonObject): ReadRequest {
  const choice = objectOf(body['tool_choice']);
  const thinking = objectOf(body['thinking']);
  const isPlain = restOf(thinking, ['type', 'budget_tokens']) === undefined;
  const budget = thinking['type'] === 'enabled' && isPlain ? numberOf(thinking['budget_tokens']) : undefined;
  const tools = body['tools'] === undefined ? undefined : objectsOf(body['tools']).map(readTool);
  const isComputer = isComputerTool(tools);
  const request: ModelRequest = omitUndefined({
    messages: [...readSystem(body['system']), ...readMessages(objectsOf(body['messages']), isComputer)],
    tools,
    toolChoice: readToolChoice(choice),
    parallelCalls: choice['disable_parallel_tool_use'] === true ? false : undefined,
    maxOutputTokens: numberOf(body['max_tokens']),
    temperature: numberOf(body['temperature']),
    topP: numberOf(body['top_p']),
    stop: body['stop_sequences'] as readonly string[] | undefined,
    reasoning: budget === undefined ? undefined : { budgetTokens: budget },
    providerOptions: providerData(
      api,
      restOf(body, [...known, ...(budget === undefined ? [] : ['thinking'])]),
    ),
  });
  return { request, model: textOf(body['model']) ?? '', stream: body['stream'] === true };
}

const known = [
  'model',
  'max_tokens',
  'system',
  'messages',
  'tools',
  'tool_choice',
  'temperature',
  'top_p',
  'stop_sequences',
  'stream',
];

function readSystem(system: JsonValue | undefined): readonly Message[] {
  if (typeof system === 'string') return [{ role: 'system', content: system }];
  const parts = objectsOf(system).map(readSystemPart);
  return parts.length === 0 ? [] : [{ role: 'system', content: parts }];
}

function readSystemPart(block: JsonObject): SystemPart {
  if (block['type'] === 'text') return readText(block);
  return { type: 'other', api, raw: block };
}

function isComputerTool(tools: readonly ToolSpec[] | undefined): (name: string) => boolean {
  if (tools === undefined) return (name) => name === 'computer';
  return (name) => tools.some((tool) => tool.kind === 'hosted' && tool.name === name);
}

function readMessages(
  messages: readonly JsonObject[],
  isComputer: (name: string) => boolean,
): readonly Message[] {
  const names = new Map<string, string>();
  return messages.flatMap((message): readonly Message[] => {
    const content = message['content'];
    if (message['role'] === 'assistant') return [readAssistant(content ?? '', names, isComputer)];
    if (message['role'] === 'system')
      return [
        {
          role: 'system',
          content: typeof content === 'string' ? content : objectsOf(content).map(readSystemPart),
        },
      ];
    return readUser(content ?? '', names);
  });
}

function readAssistant(
  content: JsonValue,
  names: Map<string, string>,
  isComputer: (name: string) => boolean,
): AssistantMessage {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content);
  return {
    role: 'assistant',
    content: blocks.map((block) => {
      const part = readAssistantPart(block, names);
      return part.type === 'call' ? readComputerCall(part, isComputer) : part;
    }),
    from: { api, model: '' },
  };
}

function readAssistantPart(block: JsonObject, names: Map<string, string>): AssistantPart {
  const type = textOf(block['type']);
  if (type === 'text') return readText(block);
  if (type === 'thinking')
    return omitUndefined({
      type: 'reasoning' as const,
      text: textOf(block['thinking']) ?? '',
      providerData: providerData(api, restOf(block, ['type', 'thinking'])),
    });
  if (type === 'redacted_thinking')
    return omitUndefined({
      type: 'reasoning' as const,
      text: '',
      redacted: true,
      providerData: providerData(api, restOf(block, ['type'])),
    });
  if (!isCall(block)) return readWholeBlock(block, (callId) => names.get(callId));
  const id = textOf(block['id']) ?? '';
  const name = textOf(block['name']) ?? '';
  names.set(id, name);
  const rest = restOf(block, type === 'tool_use' ? ['type', 'id', 'name', 'input'] : ['id', 'name', 'input']);
  return omitUndefined({
    type: 'call' as const,
    id,
    name,
    arguments: objectOf(block['input']),
    kind: 'function' as const,
    requiresLocalExecution: type === 'tool_use',
    providerData: providerData(api, rest),
  });
}

/** A user message of theirs holds results and words; ours are two messages. */
function readUser(content: JsonValue, names: ReadonlyMap<string, string>): readonly Message[] {
  if (typeof content === 'string') return [{ role: 'user', content }];
  const blocks = objectsOf(content);
  const results = blocks.filter((block) => block['type'] === 'tool_result');
  const words = blocks.filter((block) => block['type'] !== 'tool_result').map(readUserPart);
  return [
    ...(results.length > 0
      ? [{ role: 'tool' as const, results: results.map((block) => readResult(block, names)) }]
      : []),
    ...(words.length > 0 || results.length === 0 ? [{ role: 'user' as const, content: words }] : []),
  ];
}

function readResult(block: JsonObject, names: ReadonlyMap<string, string>): Result {
  const callId = textOf(block['tool_use_id']) ?? '';
  const content = block['content'];
  return omitUndefined({
    callId,
    name: names.get(callId) ?? '',
    content:
      typeof content === 'string'
        ? [{ type: 'text' as const, text: content }]
        : objectsOf(content).map(readUserPart),
    isError: booleanOf(block['is_error']),
    providerData: providerData(api, restOf(block, ['type', 'tool_use_id', 'content', 'is_error'])),
  });
}

function readUserPart(block: JsonObject): UserPart {
  const source = objectOf(block['source']);
  if (block['type'] === 'text') return readText(block);
  if (block['type'] === 'image') {
    const ours = readSource(source);
    if (ours !== undefined)
      return omitUndefined({
        type: 'image' as const,
        source: ours,
        providerData: providerData(api, restOf(block, ['type', 'source'])),
      });
  }
  if (block['type'] === 'document') {
    const ours =
      source['type'] === 'text'
        ? { kind: 'text' as const, text: textOf(source['data']) ?? '' }
        : readSource(source);
    if (ours !== undefined)
      return omitUndefined({
        type: 'document' as const,
        source: ours,
        title: textOf(block['title']),
        providerData: providerData(api, restOf(block, ['type', 'source', 'title'])),
      });
  }
  return { type: 'other', api, raw: block };
}

function readText(block: JsonObject): { type: 'text'; text: string; providerData?: ProviderData } {
  return omitUndefined({
    type: 'text' as const,
    text: textOf(block['text']) ?? '',
    providerData: providerData(api, restOf(block, ['type', 'text'])),
  });
}

function readSource(source: JsonObject): Source | undefined {
  const url = textOf(source['url']);
  if (source['type'] === 'url' && url !== undefined) return { kind: 'url', url };
  const data = textOf(source['data']);
  if (source['type'] !== 'base64' || data === undefined) return undefined;
  return { kind: 'base64', data, mediaType: textOf(source['media_type']) ?? 'application/octet-stream' };
}

function readTool(tool: JsonObject): ToolSpec {
  const name = textOf(tool['name']) ?? '';
  const type = textOf(tool['type']);
  if ((type !== undefined && type !== 'custom') || tool['input_schema'] === undefined)
    return { kind: 'hosted', name: name || (type ?? ''), api, entry: tool };
  return omitUndefined({
    kind: 'function' as const,
    name,
    description: textOf(tool['description']),
    input: objectOf(tool['input_schema']),
    strict: tool['strict'] === true,
    providerOptions: providerData(api, restOf(tool, ['name', 'description', 'input_schema', 'strict'])),
  });
}

function readToolChoice(choice: JsonObject): ToolChoice | undefined {
  if (choice['type'] === 'any') return 'required';
  if (choice['type'] === 'tool') return { name: textOf(choice['name']) ?? '' };
  return choice['type'] === 'auto' || choice['type'] === 'none' ? choice['type'] : undefined;
}
