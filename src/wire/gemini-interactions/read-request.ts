import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { AssistantMessage, Message } from '../../base/message/message.ts';
import type { ModelRequest, ToolChoice, ToolSpec } from '../../base/message/model.ts';
import type { UserPart } from '../../base/message/part.ts';
import type { Result } from '../../base/message/result.ts';
import type { ReadRequest } from '../adapter.ts';
import { actionTest } from '../gemini-actions.ts';
import {
  booleanOf,
  omitUndefined,
  filledText,
  listOf,
  numberOf,
  objectOf,
  objectsOf,
  restOf,
  textOf,
} from '../json-fields.ts';
import { providerData } from '../provider-data.ts';
import { beginReply, readStep } from './reply.ts';
import { api } from './request.ts';

/** The body of an interaction → our request. Fields that we have no word for stay under `providerOptions`. */
export function readRequest(body: JsonObject): ReadRequest {
  const config = objectOf(body['generation_config']);
  const format = objectOf(body['response_format']);
  const hasSchema = format['schema'] !== undefined;
  const effort = readEffort(config['thinking_level']);
  const choice = config['tool_choice'];
  const generation_config = restOf(
    config,
    effort === undefined ? knownConfig : [...knownConfig, 'thinking_level'],
  );
  const rest = {
    ...restOf(body, hasSchema ? [...known, 'response_format'] : known),
    ...(generation_config && { generation_config }),
  };
  const tools =
    body['tools'] === undefined
      ? undefined
      : objectsOf(body['tools']).map((tool) => readTool(tool, choice === 'validated'));
  const system = filledText(body['system_instruction']);
  const request: ModelRequest = omitUndefined({
    messages: [
      ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
      ...readInput(body['input'] ?? [], actionTest(tools)),
    ],
    tools,
    toolChoice: readToolChoice(choice),
    maxOutputTokens: numberOf(config['max_output_tokens']),
    temperature: numberOf(config['temperature']),
    topP: numberOf(config['top_p']),
    seed: numberOf(config['seed']),
    stop: config['stop_sequences'] as readonly string[] | undefined,
    output: hasSchema ? { name: 'answer', schema: objectOf(format['schema']) } : undefined,
    reasoning: effort === undefined ? undefined : { effort },
    providerOptions: providerData(api, Object.keys(rest).length > 0 ? rest : undefined),
  });
  return { request, model: textOf(body['model']) ?? '', stream: body['stream'] === true };
}

const known = ['model', 'input', 'system_instruction', 'tools', 'generation_config', 'stream'];
const knownConfig = ['max_output_tokens', 'temperature', 'top_p', 'seed', 'stop_sequences', 'tool_choice'];

/** Neighbouring steps of the model are one message, neighbouring results are another. */
function readInput(input: JsonValue, isAction: (name: string) => boolean): readonly Message[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  const steps = Array.isArray(input) ? objectsOf(input) : [objectOf(input)];
  // A list of contents is one thing that the user says.
  if (
    steps.every((step) => step['type'] === 'text' || step['type'] === 'image' || step['type'] === 'document')
  )
    return [{ role: 'user', content: steps.map(readPart) }];
  const messages: Message[] = [];
  const names = new Map<string, string>();
  for (const step of steps) {
    const last = messages.at(-1);
    if (step['type'] === 'user_input') {
      messages.push({ role: 'user', content: objectsOf(step['content']).map(readPart) });
    } else if (step['type'] === 'function_result') {
      const result = readResult(step, names);
      if (last?.role === 'tool')
        messages[messages.length - 1] = { role: 'tool', results: [...last.results, result] };
      else messages.push({ role: 'tool', results: [result] });
    } else {
      const { content } = readModelStep(step, isAction);
      for (const part of content) if (part.type === 'call') names.set(part.id, part.name);
      if (last?.role === 'assistant')
        messages[messages.length - 1] = { ...last, content: [...last.content, ...content] };
      else messages.push({ role: 'assistant', content, from: { api, model: '' } });
    }
  }
  return messages;
}

/** A step that the model made in an earlier reply; it ended long ago. */
function readModelStep(step: JsonObject, isAction: (name: string) => boolean): AssistantMessage {
  const reply = beginReply({}, isAction);
  readStep(reply, 0, step);
  reply.stop({ reason: 'stop' });
  return reply.close().message;
}

function readResult(step: JsonObject, names: ReadonlyMap<string, string>): Result {
  const callId = textOf(step['call_id']) ?? '';
  const result = step['result'];
  const text = typeof result === 'string' ? result : undefined;
  return omitUndefined({
    callId,
    name: textOf(step['name']) ?? names.get(callId) ?? '',
    content: Array.isArray(result)
      ? objectsOf(result).map(readPart)
      : [{ type: 'text' as const, text: text ?? JSON.stringify(result ?? null) }],
    isError: booleanOf(step['is_error']),
    providerData:
      text !== undefined || Array.isArray(result) ? undefined : { [api]: { result: result ?? null } },
  });
}

function readPart(content: JsonObject): UserPart {
  const { type } = content;
  if (type === 'text' && restOf(content, ['type', 'text']) === undefined)
    return { type, text: textOf(content['text']) ?? '' };
  const data = textOf(content['data']);
  const url = textOf(content['uri']);
  const mediaType = textOf(content['mime_type']) ?? '';
  const only = restOf(content, ['type', 'data', 'uri', 'mime_type']) === undefined;
  if ((type === 'image' || type === 'document') && only) {
    if (data !== undefined) return { type, source: { kind: 'base64', data, mediaType } };
    if (url !== undefined)
      return {
        type,
        source: omitUndefined({ kind: 'url' as const, url, mediaType: mediaType || undefined }),
      };
  }
  return { type: 'other', api, raw: content };
}

function readTool(tool: JsonObject, strict: boolean): ToolSpec {
  const name = textOf(tool['name']) ?? '';
  if (tool['type'] !== 'function')
    return { kind: 'hosted', name: name || (textOf(tool['type']) ?? ''), api, entry: tool };
  return omitUndefined({
    kind: 'function' as const,
    name,
    description: textOf(tool['description']),
    input: objectOf(tool['parameters']),
    strict,
    providerOptions: providerData(api, restOf(tool, ['type', 'name', 'description', 'parameters'])),
  });
}

function readToolChoice(choice: JsonValue | undefined): ToolChoice | undefined {
  if (choice === 'any') return 'required';
  if (choice === 'auto' || choice === 'none') return choice;
  const allowed = objectOf(objectOf(choice)['allowed_tools']);
  const names = listOf(allowed['tools']).filter((name) => typeof name === 'string');
  const [only] = names;
  if (only === undefined) return undefined;
  if (names.length === 1 && allowed['mode'] === 'any') return { name: only };
  return { allowed: names, mode: allowed['mode'] === 'any' ? 'required' : 'auto' };
}

function readEffort(level: JsonValue | undefined): 'none' | 'low' | 'medium' | 'high' | undefined {
  if (level === 'minimal') return 'none';
  return level === 'low' || level === 'medium' || level === 'high' ? level : undefined;
}
