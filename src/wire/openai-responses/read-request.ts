import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { AssistantMessage, Message } from '../../base/message/message.ts';
import type { ModelRequest, ToolChoice, ToolSpec } from '../../base/message/model.ts';
import { textPart } from '../../base/message/part.ts';
import type { AssistantPart, ImagePart, UserPart } from '../../base/message/part.ts';
import type { Result } from '../../base/message/result.ts';
import type { ReadRequest } from '../adapter.ts';
import { dataUrlSource } from '../data-url.ts';
import {
  booleanOf,
  omitUndefined,
  filledText,
  numberOf,
  objectOf,
  objectsOf,
  restOf,
  textOf,
} from '../json-fields.ts';
import { providerData } from '../provider-data.ts';
import { beginReply, readItem } from './reply.ts';
import { api } from './items.ts';

/** The body of `POST /responses` → our request. Fields that we have no word for stay under `providerOptions`. */
export function readRequest(body: JsonObject): ReadRequest {
  const text = objectOf(body['text']);
  const format = objectOf(text['format']);
  const output = readOutput(format);
  // Whatever else is said of the answer, apart from its schema, stays as it was.
  const isSaid =
    restOf(text, ['format']) === undefined &&
    restOf(format, ['type', 'name', 'schema', 'strict']) === undefined &&
    format['strict'] !== true;
  const reasoning = objectOf(body['reasoning']);
  const effort = readEffort(reasoning['effort']);
  const toolChoice = readToolChoice(body['tool_choice']);
  const rest = {
    ...keep('tool_choice', toolChoice === undefined ? objectOf(body['tool_choice']) : undefined),
    ...restOf(body, output !== undefined && isSaid ? [...known, 'text'] : known),
    ...keep('reasoning', restOf(reasoning, effort === undefined ? [] : ['effort'])),
  };
  const request: ModelRequest = omitUndefined({
    messages: [...readInstructions(body['instructions']), ...readInput(body['input'] ?? [])],
    tools: body['tools'] === undefined ? undefined : objectsOf(body['tools']).map(readTool),
    toolChoice,
    parallelCalls: booleanOf(body['parallel_tool_calls']),
    maxOutputTokens: numberOf(body['max_output_tokens']),
    temperature: numberOf(body['temperature']),
    topP: numberOf(body['top_p']),
    output,
    reasoning: effort === undefined ? undefined : { effort },
    providerOptions: providerData(api, Object.keys(rest).length > 0 ? rest : undefined),
  });
  return { request, model: textOf(body['model']) ?? '', stream: body['stream'] === true };
}

const known = [
  'model',
  'instructions',
  'input',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_output_tokens',
  'temperature',
  'top_p',
  'reasoning',
  'stream',
];

function keep(name: string, fields: JsonObject | undefined): JsonObject {
  return fields === undefined || Object.keys(fields).length === 0 ? {} : { [name]: fields };
}

function readInstructions(instructions: JsonValue | undefined): readonly Message[] {
  const content = filledText(instructions);
  return content === undefined
    ? []
    : [{ role: 'system', content, providerData: { [api]: { instructions: true } } }];
}

/** Neighbouring items of the model are one message, neighbouring outputs are another. */
function readInput(input: JsonValue): readonly Message[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  const messages: Message[] = [];
  const names = new Map<string, string>();
  const hosted = new Set<string>();
  for (const item of objectsOf(input)) {
    const last = messages.at(-1);
    if (isResult(item, hosted)) {
      const result = readResult(item, names);
      if (last?.role === 'tool')
        messages[messages.length - 1] = { role: 'tool', results: [...last.results, result] };
      else messages.push({ role: 'tool', results: [result] });
      continue;
    }
    const given = readMessage(item);
    if (given !== undefined) {
      messages.push(given);
      continue;
    }
    const parts = readModelItem(item);
    for (const part of parts) {
      if (part.type !== 'call') continue;
      names.set(part.id, part.name);
      if (!part.requiresLocalExecution) hosted.add(part.id);
    }
    if (last?.role === 'assistant')
      messages[messages.length - 1] = { ...last, content: [...last.content, ...parts] };
    else messages.push(assistant(parts));
  }
  return messages;
}

/** An output that answers a call of ours; what the API ran itself belongs to the model's message. */
function isResult(item: JsonObject, hosted: ReadonlySet<string>): boolean {
  const type = textOf(item['type']) ?? '';
  const callId = textOf(item['call_id']);
  const isOutput = type.endsWith('_output') && type !== 'program_output';
  return isOutput && item['execution'] !== 'server' && callId !== undefined && !hosted.has(callId);
}

function assistant(content: readonly AssistantPart[]): AssistantMessage {
  return { role: 'assistant', content, from: { api, model: '' } };
}

/** A message of the user or the system; undefined for what the model made. */
function readMessage(item: JsonObject): Message | undefined {
  const content = item['content'] ?? '';
  switch (item['role']) {
    case 'user':
      return omitUndefined({
        role: 'user' as const,
        content: typeof content === 'string' ? content : objectsOf(content).map(readPart),
        providerData: providerData(api, restOf(item, ['role', 'content'])),
      });
    case 'system':
    case 'developer': {
      const more = restOf(item, ['role', 'content']);
      const rest = item['role'] === 'developer' ? { role: 'developer', ...more } : more;
      if (item['content'] === undefined)
        return { role: 'system', content: [{ type: 'other', api, raw: item }] };
      const text =
        typeof content === 'string'
          ? content
          : objectsOf(content)
              .map((part) => textOf(part['text']) ?? '')
              .join('\n');
      return omitUndefined({ role: 'system' as const, content: text, providerData: providerData(api, rest) });
    }
    default:
      return undefined;
  }
}

/** Something the model made in an earlier reply; it ended long ago. */
function readModelItem(item: JsonObject): readonly AssistantPart[] {
  const text =
    item['role'] === 'assistant' && item['type'] === undefined ? plainText(item['content']) : undefined;
  if (text !== undefined) return [{ type: 'text', text }];
  const reply = beginReply();
  readItem(reply, 0, item);
  reply.stop({ reason: 'stop' });
  return reply.close().message.content;
}

function plainText(content: JsonValue | undefined): string | undefined {
  if (typeof content === 'string') return content;
  const parts = objectsOf(content);
  return parts.every((part) => restOf(part, ['type', 'text']) === undefined)
    ? parts.map((part) => textOf(part['text']) ?? '').join('')
    : undefined;
}

function readResult(item: JsonObject, names: ReadonlyMap<string, string>): Result {
  const callId = textOf(item['call_id']) ?? '';
  const output = item['output'];
  const plain = item['type'] === 'function_call_output' || item['type'] === 'custom_tool_call_output';
  const agreed = objectsOf(item['acknowledged_safety_checks']).flatMap((check) => textOf(check['id']) ?? []);
  const isOurs = plain && restOf(item, ['type', 'call_id', 'output']) === undefined;
  return omitUndefined({
    callId,
    name: names.get(callId) ?? '',
    content:
      typeof output === 'string'
        ? [{ type: 'text' as const, text: output }]
        : plain
          ? objectsOf(output).map(readPart)
          : [readScreenshot(output) ?? textPart(JSON.stringify(output ?? item['tools'] ?? null))],
    acknowledgedSafetyChecks: agreed.length > 0 ? agreed : undefined,
    providerData: isOurs ? undefined : { [api]: { item } },
  });
}

/** What a computer answers with, where it holds the picture or its address. */
function readScreenshot(output: JsonValue | undefined): ImagePart | undefined {
  const { type, image_url } = objectOf(output);
  const url = textOf(image_url);
  if (type !== 'computer_screenshot' || url === undefined) return undefined;
  return { type: 'image', source: dataUrlSource(url) ?? { kind: 'url', url } };
}

function readPart(part: JsonObject): UserPart {
  if (part['type'] === 'input_text') return { type: 'text', text: textOf(part['text']) ?? '' };
  const url = textOf(part['image_url']);
  if (part['type'] === 'input_image' && url !== undefined)
    return omitUndefined({
      type: 'image' as const,
      source: dataUrlSource(url) ?? { kind: 'url' as const, url },
      detail: textOf(part['detail']) as 'auto' | 'low' | 'high' | undefined,
    });
  const source = dataUrlSource(textOf(part['file_data']) ?? '');
  if (part['type'] === 'input_file' && source !== undefined)
    return omitUndefined({ type: 'document' as const, source, title: textOf(part['filename']) });
  return { type: 'other', api, raw: part };
}

function readTool(tool: JsonObject): ToolSpec {
  const name = textOf(tool['name']) ?? '';
  const description = textOf(tool['description']);
  if (tool['type'] === 'custom') {
    const format = objectOf(tool['format']);
    return omitUndefined({
      kind: 'custom' as const,
      name,
      description,
      format:
        format['type'] === 'grammar'
          ? (restOf(format, ['type']) as unknown as { syntax: 'lark' | 'regex'; definition: string })
          : undefined,
      providerOptions: providerData(api, restOf(tool, ['type', 'name', 'description', 'format'])),
    });
  }
  if (tool['type'] !== 'function')
    return { kind: 'hosted', name: name || (textOf(tool['type']) ?? ''), api, entry: tool };
  return omitUndefined({
    kind: 'function' as const,
    name,
    description,
    input: objectOf(tool['parameters']),
    // Left out, the API tries to be strict by itself: what was sent is taken as it was meant to be shown.
    strict: tool['strict'] === true,
    providerOptions: providerData(api, restOf(tool, ['type', 'name', 'description', 'parameters', 'strict'])),
  });
}

/** A choice among functions and free-text tools; one of what the API runs itself only it can say. */
function readToolChoice(choice: JsonValue | undefined): ToolChoice | undefined {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  const object = objectOf(choice);
  if (object['type'] !== 'allowed_tools') {
    const name = nameOf(object);
    return name === undefined ? undefined : { name };
  }
  const tools = objectsOf(object['tools']);
  const allowed = tools.flatMap((each) => nameOf(each) ?? []);
  if (allowed.length < tools.length) return undefined;
  return { allowed, mode: object['mode'] === 'required' ? 'required' : 'auto' };
}

function nameOf(choice: JsonObject): string | undefined {
  return choice['type'] === 'function' || choice['type'] === 'custom'
    ? filledText(choice['name'])
    : undefined;
}

function readOutput(format: JsonObject): ModelRequest['output'] {
  if (format['type'] !== 'json_schema') return undefined;
  return { name: textOf(format['name']) ?? 'answer', schema: objectOf(format['schema']) };
}

function readEffort(effort: JsonValue | undefined): 'none' | 'low' | 'medium' | 'high' | undefined {
  return effort === 'none' || effort === 'low' || effort === 'medium' || effort === 'high'
    ? effort
    : undefined;
}
