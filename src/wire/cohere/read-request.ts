import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Message } from '../../base/message/message.ts';
import type { ModelRequest, ToolSpec } from '../../base/message/model.ts';
import type { SystemPart, UserPart } from '../../base/message/part.ts';
import type { ReadRequest } from '../adapter.ts';
import { dataUrlSource } from '../data-url.ts';
import { omitUndefined, numberOf, objectOf, objectsOf, restOf, textOf } from '../json-fields.ts';
import { providerData } from '../provider-data.ts';
import { readMessage } from './reply.ts';
import { api } from './request.ts';

/** The body of `POST /v2/chat` → our request. Fields that we have no word for stay under `providerOptions`. */
export function readRequest(body: JsonObject): ReadRequest {
  const names = new Map<string, string>();
  const strict = body['strict_tools'] === true;
  const format = objectOf(body['response_format']);
  const thinking = objectOf(body['thinking']);
  const schema = format['json_schema'];
  const request: ModelRequest = omitUndefined({
    messages: objectsOf(body['messages']).map((message) => readRequestMessage(message, names)),
    tools:
      body['tools'] === undefined
        ? undefined
        : objectsOf(body['tools']).map((tool) => readTool(tool, strict)),
    toolChoice: choices[textOf(body['tool_choice']) ?? ''],
    maxOutputTokens: numberOf(body['max_tokens']),
    temperature: numberOf(body['temperature']),
    topP: numberOf(body['p']),
    seed: numberOf(body['seed']),
    stop: body['stop_sequences'] as readonly string[] | undefined,
    output: schema === undefined ? undefined : { name: 'answer', schema: objectOf(schema) },
    reasoning:
      thinking['type'] === 'disabled'
        ? { effort: 'none' as const }
        : thinking['type'] === 'enabled'
          ? omitUndefined({ budgetTokens: numberOf(thinking['token_budget']) })
          : undefined,
    providerOptions: providerData(
      api,
      restOf(body, schema === undefined ? known : [...known, 'response_format']),
    ),
  });
  return { request, model: textOf(body['model']) ?? '', stream: body['stream'] === true };
}

const known = [
  'model',
  'messages',
  'tools',
  'tool_choice',
  'strict_tools',
  'max_tokens',
  'temperature',
  'p',
  'seed',
  'stop_sequences',
  'thinking',
  'stream',
];

const choices: Readonly<Record<string, 'required' | 'none'>> = { REQUIRED: 'required', NONE: 'none' };

function readRequestMessage(message: JsonObject, names: Map<string, string>): Message {
  const content = message['content'] ?? '';
  switch (message['role']) {
    case 'assistant': {
      const ours = readMessage(message);
      for (const part of ours.content) if (part.type === 'call') names.set(part.id, part.name);
      return { role: 'assistant', content: ours.content, from: { api, model: '' } };
    }
    case 'tool': {
      const callId = textOf(message['tool_call_id']) ?? '';
      const parts = typeof content === 'string' ? [textPart(content)] : readParts(content);
      return { role: 'tool', results: [{ callId, name: names.get(callId) ?? '', content: parts }] };
    }
    case 'system':
      return {
        role: 'system',
        content: typeof content === 'string' ? content : (readParts(content) as SystemPart[]),
      };
    default:
      return { role: 'user', content: typeof content === 'string' ? content : readParts(content) };
  }
}

function readParts(content: JsonValue): readonly UserPart[] {
  return objectsOf(content).map((part): UserPart => {
    if (part['type'] === 'text') return textPart(textOf(part['text']) ?? '');
    const image = objectOf(part['image_url']);
    const url = textOf(image['url']);
    if (part['type'] !== 'image_url' || url === undefined) return { type: 'other', api, raw: part };
    return omitUndefined({
      type: 'image' as const,
      source: dataUrlSource(url) ?? { kind: 'url' as const, url },
      detail: textOf(image['detail']) as 'auto' | 'low' | 'high' | undefined,
    });
  });
}

function textPart(text: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text };
}

function readTool(tool: JsonObject, strict: boolean): ToolSpec {
  const body = objectOf(tool['function']);
  return omitUndefined({
    kind: 'function' as const,
    name: textOf(body['name']) ?? '',
    description: textOf(body['description']),
    input: objectOf(body['parameters']),
    strict,
    providerOptions: providerData(api, restOf(tool, ['type', 'function'])),
  });
}
