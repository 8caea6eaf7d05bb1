import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { AssistantMessage, Message } from '../../base/message/message.ts';
import type { ModelRequest, ToolChoice, ToolSpec } from '../../base/message/model.ts';
import type { TextPart, UserPart } from '../../base/message/part.ts';
import type { Result } from '../../base/message/result.ts';
import type { ReadRequest } from '../adapter.ts';
import { dataUrlSource } from '../data-url.ts';
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
import type { ChatHost } from './hosts.ts';
import { knownOfMessage, readReply } from './reply.ts';

/** The body of `POST /chat/completions` → our request. Fields that we have no word for stay under `providerOptions`. */
export function readRequest(body: JsonObject, host: ChatHost): ReadRequest {
  const format = objectOf(body['response_format']);
  const output = readOutput(format);
  // Whatever else a schema for the answer says (that it is strict, for example) stays as it was.
  const isSaid = restOf(objectOf(format['json_schema']), ['name', 'schema']) === undefined;
  const tokens = readTokens(body);
  const reasoning = readReasoning(body);
  const reader = new RequestReader(host);
  const request: ModelRequest = omitUndefined({
    messages: objectsOf(body['messages']).flatMap((message) => reader.message(message)),
    tools: readTools(body, host),
    toolChoice: readToolChoice(body['tool_choice'] ?? body['function_call']),
    parallelCalls: booleanOf(body['parallel_tool_calls']),
    maxOutputTokens: numberOf(body['max_completion_tokens']) ?? numberOf(body['max_tokens']),
    temperature: numberOf(body['temperature']),
    topP: numberOf(body['top_p']),
    seed: numberOf(body[host.seed]),
    stop: readStop(body['stop']),
    output,
    reasoning,
    tokens,
    providerOptions: providerData(
      host.api,
      restOf(body, [
        ...known,
        ...(output !== undefined && isSaid ? ['response_format'] : []),
        ...(tokens === undefined ? [] : tokenFields),
        ...(reasoning?.effort === undefined ? [] : ['reasoning_effort']),
      ]),
    ),
  });
  return { request, model: textOf(body['model']) ?? '', stream: body['stream'] === true };
}

const known = [
  'model',
  'messages',
  'tools',
  'functions',
  'tool_choice',
  'function_call',
  'parallel_tool_calls',
  'max_completion_tokens',
  'max_tokens',
  'temperature',
  'top_p',
  'seed',
  'random_seed',
  'stop',
  'stream',
  'stream_options',
];

/** Messages in order: a result knows its tool's name only from the call before it. */
class RequestReader {
  readonly #host: ChatHost;
  readonly #names = new Map<string, string>();
  #lastLegacyCall = '';

  constructor(host: ChatHost) {
    this.#host = host;
  }

  message(message: JsonObject): readonly Message[] {
    const content = message['content'];
    switch (message['role']) {
      case 'system':
      case 'developer': {
        const role = message['role'] === 'developer' ? { role: 'developer' } : {};
        const rest = { ...role, ...restOf(message, ['role', 'content']) };
        return [
          omitUndefined({
            role: 'system' as const,
            content:
              typeof content === 'string' ? content : objectsOf(content).map((part) => this.#text(part)),
            providerData: providerData(this.#host.api, Object.keys(rest).length > 0 ? rest : undefined),
          }),
        ];
      }
      case 'assistant':
        return [this.#assistant(message)];
      case 'tool':
      case 'function':
        return [{ role: 'tool', results: [this.#result(message)] }];
      default:
        return [
          omitUndefined({
            role: 'user' as const,
            content:
              typeof content === 'string' ? content : objectsOf(content).map((part) => this.#userPart(part)),
            providerData: providerData(this.#host.api, restOf(message, ['role', 'content'])),
          }),
        ];
    }
  }

  #assistant(message: JsonObject): AssistantMessage {
    // A past message has the fields of a reply's message; the calls, which ended long ago, end with it.
    const { message: ours } = readReply({ choices: [{ message, finish_reason: 'stop' }] }, this.#host);
    for (const part of ours.content) {
      if (part.type !== 'call') continue;
      this.#names.set(part.wireId ?? part.id, part.name);
      if (part.providerData?.[this.#host.api]?.['function_call'] === true) this.#lastLegacyCall = part.id;
    }
    return omitUndefined({
      role: 'assistant' as const,
      content: ours.content,
      from: { api: this.#host.api, model: '' },
      providerData: providerData(this.#host.api, restOf(message, knownOfAssistant)),
    });
  }

  #result(message: JsonObject): Result {
    const legacy = message['role'] === 'function';
    const callId = legacy ? this.#lastLegacyCall : (textOf(message['tool_call_id']) ?? '');
    const content = message['content'];
    return omitUndefined({
      callId,
      name: textOf(message['name']) ?? this.#names.get(callId) ?? '',
      content:
        typeof content === 'string'
          ? [text(content)]
          : objectsOf(content).map((part) => this.#userPart(part)),
      providerData: providerData(
        this.#host.api,
        legacy ? { role: 'function' } : restOf(message, ['role', 'content', 'tool_call_id']),
      ),
    });
  }

  #userPart(part: JsonObject): UserPart {
    if (part['type'] === 'text') return this.#text(part);
    if (part['type'] === 'image_url') {
      const image = objectOf(part['image_url']);
      // Mistral takes the address alone, too.
      const bare = textOf(part['image_url']);
      const url = bare ?? textOf(image['url']) ?? '';
      const data = /^data:([^;,]+);base64,(.*)$/s.exec(url);
      return omitUndefined({
        type: 'image' as const,
        source: data
          ? { kind: 'base64' as const, mediaType: data[1]!, data: data[2]! }
          : { kind: 'url' as const, url },
        detail: textOf(image['detail']) as 'auto' | 'low' | 'high' | undefined,
        providerData: providerData(
          this.#host.api,
          restOf(part, bare === undefined ? ['type', 'image_url'] : ['type']),
        ),
      });
    }
    const document = textOf(part['document_url']);
    if (part['type'] === 'document_url' && document !== undefined)
      return omitUndefined({
        type: 'document' as const,
        source: dataUrlSource(document) ?? { kind: 'url' as const, url: document },
        title: textOf(part['document_name']),
        providerData: providerData(this.#host.api, restOf(part, ['type', 'document_url', 'document_name'])),
      });
    const file = objectOf(part['file']);
    const data = /^data:([^;,]+);base64,(.*)$/s.exec(textOf(file['file_data']) ?? '');
    if (part['type'] === 'file' && data)
      return omitUndefined({
        type: 'document' as const,
        source: { kind: 'base64' as const, mediaType: data[1]!, data: data[2]! },
        title: textOf(file['filename']),
        providerData: providerData(this.#host.api, restOf(part, ['type', 'file'])),
      });
    return { type: 'other', api: this.#host.api, raw: part };
  }

  #text(part: JsonObject): TextPart {
    return omitUndefined({
      ...text(textOf(part['text']) ?? ''),
      providerData: providerData(this.#host.api, restOf(part, ['type', 'text'])),
    });
  }
}

const knownOfAssistant = [...knownOfMessage, 'annotations'];

function text(value: string): { type: 'text'; text: string } {
  return { type: 'text', text: value };
}

function readTools(body: JsonObject, host: ChatHost): readonly ToolSpec[] | undefined {
  if (body['tools'] === undefined && body['functions'] === undefined) return undefined;
  const functions = objectsOf(body['functions']).map((each) => ({ type: 'function', function: each }));
  return [...objectsOf(body['tools']), ...functions].map((tool) => readTool(tool, host));
}

function readTool(tool: JsonObject, host: ChatHost): ToolSpec {
  const rest = restOf(tool, ['type', 'function', 'custom']);
  if (tool['type'] === 'custom') {
    const body = objectOf(tool['custom']);
    const grammar = objectOf(objectOf(body['format'])['grammar']);
    return omitUndefined({
      kind: 'custom' as const,
      name: textOf(body['name']) ?? '',
      description: textOf(body['description']),
      format:
        grammar['definition'] === undefined
          ? undefined
          : (grammar as unknown as { syntax: 'lark' | 'regex'; definition: string }),
      providerOptions: providerData(host.api, rest),
    });
  }
  if (tool['type'] !== 'function' && !isJsonObject(tool['function']))
    return { kind: 'hosted', name: textOf(tool['type']) ?? '', api: host.api, entry: tool };
  const body = objectOf(tool['function']);
  return omitUndefined({
    kind: 'function' as const,
    name: textOf(body['name']) ?? '',
    description: textOf(body['description']),
    input:
      body['parameters'] === undefined ? { type: 'object', properties: {} } : objectOf(body['parameters']),
    strict: body['strict'] === true,
    providerOptions: providerData(host.api, rest),
  });
}

function readToolChoice(choice: JsonValue | undefined): ToolChoice | undefined {
  if (choice === 'any') return 'required';
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  const object = objectOf(choice);
  const allowed = objectOf(object['allowed_tools']);
  if (object['type'] === 'allowed_tools')
    return {
      allowed: objectsOf(allowed['tools']).flatMap((each) => nameIn(each) ?? []),
      mode: allowed['mode'] === 'required' ? 'required' : 'auto',
    };
  const name = nameIn(object);
  return name === undefined ? undefined : { name };
}

function nameIn(choice: JsonObject): string | undefined {
  return filledText(objectOf(choice['function'] ?? choice['custom'])['name'] ?? choice['name']);
}

function readStop(stop: JsonValue | undefined): readonly string[] | undefined {
  if (typeof stop === 'string') return [stop];
  return stop === undefined || stop === null
    ? undefined
    : listOf(stop).filter((each) => typeof each === 'string');
}

function readOutput(format: JsonObject): ModelRequest['output'] {
  const schema = objectOf(format['json_schema']);
  if (format['type'] !== 'json_schema' || schema['schema'] === undefined) return undefined;
  return { name: textOf(schema['name']) ?? 'answer', schema: objectOf(schema['schema']) };
}

const tokenFields = ['logprobs', 'top_logprobs', 'return_token_ids', 'prompt_logprobs'];

function readTokens(body: JsonObject): ModelRequest['tokens'] {
  const tokens = omitUndefined({
    ids: body['return_token_ids'] === true ? true : undefined,
    logprobs: body['logprobs'] === true ? (numberOf(body['top_logprobs']) ?? true) : undefined,
    promptLogprobs: numberOf(body['prompt_logprobs']),
  });
  return Object.keys(tokens).length > 0 ? tokens : undefined;
}

function readReasoning(body: JsonObject): ModelRequest['reasoning'] {
  const effort = textOf(body['reasoning_effort']);
  return effort === 'none' || effort === 'low' || effort === 'medium' || effort === 'high'
    ? { effort }
    : undefined;
}
