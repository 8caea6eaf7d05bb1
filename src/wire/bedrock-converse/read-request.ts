import type { JsonObject } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { Message } from '../../base/message/message.ts';
import type { ModelRequest, ToolChoice, ToolSpec } from '../../base/message/model.ts';
import type { AssistantPart, SystemPart, UserPart } from '../../base/message/part.ts';
import type { Result } from '../../base/message/result.ts';
import type { ReadRequest } from '../adapter.ts';
import {
  omitUndefined,
  listOf,
  numberOf,
  objectOf,
  objectsOf,
  parseJson,
  restOf,
  textOf,
} from '../json-fields.ts';
import { providerData } from '../provider-data.ts';
import { mediaTypeOf } from './media.ts';
import { readReasoning, readWholeBlock } from './reply.ts';
import { api } from './request.ts';

/** The body of a Converse call → our request. Its path holds the model and whether to stream. */
export function readRequest(body: JsonObject): ReadRequest {
  const inference = objectOf(body['inferenceConfig']);
  const toolConfig = objectOf(body['toolConfig']);
  const output = readOutput(objectOf(body['outputConfig']));
  const inferenceConfig = restOf(inference, ['maxTokens', 'temperature', 'topP', 'stopSequences']);
  const rest = {
    ...restOf(body, [...known, ...(output === undefined ? [] : ['outputConfig'])]),
    ...(inferenceConfig && { inferenceConfig }),
  };
  const request: ModelRequest = omitUndefined({
    messages: [...readSystem(objectsOf(body['system'])), ...readMessages(objectsOf(body['messages']))],
    tools: body['toolConfig'] === undefined ? undefined : objectsOf(toolConfig['tools']).map(readTool),
    toolChoice: readToolChoice(objectOf(toolConfig['toolChoice'])),
    maxOutputTokens: numberOf(inference['maxTokens']),
    temperature: numberOf(inference['temperature']),
    topP: numberOf(inference['topP']),
    stop: inference['stopSequences'] as readonly string[] | undefined,
    output,
    providerOptions: providerData(api, Object.keys(rest).length > 0 ? rest : undefined),
  });
  return { request, model: '', stream: false };
}

const known = ['messages', 'system', 'inferenceConfig', 'toolConfig', 'modelId'];

function readSystem(blocks: readonly JsonObject[]): readonly Message[] {
  if (blocks.length === 0) return [];
  const content = blocks.map((block): SystemPart => {
    const text = textOf(block['text']);
    return text === undefined ? { type: 'other', api, raw: block } : { type: 'text', text };
  });
  return [{ role: 'system', content }];
}

function readMessages(messages: readonly JsonObject[]): readonly Message[] {
  const names = new Map<string, string>();
  return messages.flatMap((message): readonly Message[] => {
    const blocks = objectsOf(message['content']);
    if (message['role'] === 'assistant')
      return [
        {
          role: 'assistant',
          content: blocks.map((block) => readAssistantPart(block, names)),
          from: { api, model: '' },
        },
      ];
    const results = blocks.filter((block) => isJsonObject(block['toolResult']));
    const words = blocks.filter((block) => !isJsonObject(block['toolResult'])).map(readUserPart);
    return [
      ...(results.length > 0
        ? [
            {
              role: 'tool' as const,
              results: results.map((block) => readResult(objectOf(block['toolResult']), names)),
            },
          ]
        : []),
      ...(words.length > 0 || results.length === 0 ? [{ role: 'user' as const, content: words }] : []),
    ];
  });
}

function readAssistantPart(block: JsonObject, names: Map<string, string>): AssistantPart {
  const text = textOf(block['text']);
  if (text !== undefined) return { type: 'text', text };
  if (isJsonObject(block['toolUse'])) {
    const use = block['toolUse'];
    const id = textOf(use['toolUseId']) ?? '';
    const name = textOf(use['name']) ?? '';
    names.set(id, name);
    return omitUndefined({
      type: 'call' as const,
      id,
      name,
      arguments: objectOf(use['input']),
      kind: 'function' as const,
      requiresLocalExecution: use['type'] !== 'server_tool_use',
      providerData: providerData(api, restOf(use, ['toolUseId', 'name', 'input'])),
    });
  }
  if (isJsonObject(block['reasoningContent'])) {
    const { text: thought, redacted, echo } = readReasoning(block['reasoningContent']);
    return omitUndefined({
      type: 'reasoning' as const,
      text: thought,
      redacted: redacted || undefined,
      providerData: providerData(api, echo),
    });
  }
  return readWholeBlock(block, (callId) => names.get(callId));
}

function readResult(result: JsonObject, names: ReadonlyMap<string, string>): Result {
  const callId = textOf(result['toolUseId']) ?? '';
  const status = textOf(result['status']);
  return omitUndefined({
    callId,
    name: names.get(callId) ?? '',
    content: objectsOf(result['content']).map(readUserPart),
    isError: status === undefined ? undefined : status === 'error',
    providerData: providerData(api, restOf(result, ['toolUseId', 'content', 'status'])),
  });
}

function readUserPart(block: JsonObject): UserPart {
  const text = textOf(block['text']);
  if (text !== undefined) return { type: 'text', text };
  if (block['json'] !== undefined)
    return { type: 'text', text: JSON.stringify(block['json']), providerData: { [api]: { json: true } } };
  const image = objectOf(block['image']);
  const document = objectOf(block['document']);
  const bytes = textOf(objectOf((block['image'] === undefined ? document : image)['source'])['bytes']);
  if (
    bytes === undefined ||
    (!saysNoMoreThan(image, imageFields) && !saysNoMoreThan(document, documentFields))
  )
    return { type: 'other', api, raw: block };
  if (block['image'] !== undefined) {
    const mediaType = mediaTypeOf(textOf(image['format']) ?? '');
    return { type: 'image', source: { kind: 'base64', data: bytes, mediaType } };
  }
  return omitUndefined({
    type: 'document' as const,
    source: {
      kind: 'base64' as const,
      data: bytes,
      mediaType: mediaTypeOf(textOf(document['format']) ?? ''),
    },
    title: textOf(document['name']),
  });
}

const imageFields = ['format', 'source'];
const documentFields = ['format', 'source', 'name'];

/** Whether the block says nothing but what a part of ours can say. */
function saysNoMoreThan(block: JsonObject, fields: readonly string[]): boolean {
  return Object.keys(block).length > 0 && restOf(block, fields) === undefined;
}

function readTool(tool: JsonObject): ToolSpec {
  const spec = tool['toolSpec'];
  if (!isJsonObject(spec)) return { kind: 'hosted', name: Object.keys(tool)[0] ?? '', api, entry: tool };
  return omitUndefined({
    kind: 'function' as const,
    name: textOf(spec['name']) ?? '',
    description: textOf(spec['description']),
    input: objectOf(objectOf(spec['inputSchema'])['json']),
    strict: spec['strict'] === true,
    providerOptions: providerData(api, restOf(spec, ['name', 'description', 'inputSchema', 'strict'])),
  });
}

function readToolChoice(choice: JsonObject): ToolChoice | undefined {
  if (choice['auto'] !== undefined) return 'auto';
  if (choice['any'] !== undefined) return 'required';
  const name = textOf(objectOf(choice['tool'])['name']);
  return name === undefined ? undefined : { name };
}

function readOutput(config: JsonObject): ModelRequest['output'] {
  const format = objectOf(config['textFormat']);
  const jsonSchema = objectOf(objectOf(format['structure'])['jsonSchema']);
  const schema = parseJson(textOf(jsonSchema['schema']) ?? '');
  const only =
    listOf(Object.keys(config)).length === 1 && restOf(jsonSchema, ['name', 'schema']) === undefined;
  if (!only || !isJsonObject(schema)) return undefined;
  return { name: textOf(jsonSchema['name']) ?? 'answer', schema };
}
