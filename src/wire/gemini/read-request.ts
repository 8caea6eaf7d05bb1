import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { AssistantMessage, Message } from '../../base/message/message.ts';
import type { ModelRequest, ToolChoice, ToolSpec } from '../../base/message/model.ts';
import type { SystemPart, UserPart } from '../../base/message/part.ts';
import type { Result } from '../../base/message/result.ts';
import type { ReadRequest } from '../adapter.ts';
import { actionTest } from '../gemini-actions.ts';
import {
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
import { camelFields } from './camel.ts';
import { readContent } from './reply.ts';
import { api } from './request.ts';

/** The body of generateContent → our request. Its path holds the model and whether to stream. */
export function readRequest(given: JsonObject): ReadRequest {
  const body = camelFields(given);
  const calling = objectOf(objectOf(body['toolConfig'])['functionCallingConfig']);
  const mode = (textOf(calling['mode']) ?? '').toUpperCase();
  const settings = objectOf(body['generationConfig']);
  const schema = settings['responseJsonSchema'];
  const thinking = readThinking(objectOf(settings['thinkingConfig']));
  const generationConfig = restOf(settings, [
    'maxOutputTokens',
    'temperature',
    'topP',
    'seed',
    'stopSequences',
    ...(schema === undefined ? [] : ['responseJsonSchema', 'responseMimeType']),
    ...(thinking === undefined ? [] : ['thinkingConfig']),
  ]);
  const toolConfig = objectOf(body['toolConfig']);
  // What we have no word for stays as it was said, together with what we have.
  const isSaid =
    restOf(toolConfig, ['functionCallingConfig']) === undefined &&
    restOf(calling, ['mode', 'allowedFunctionNames']) === undefined;
  const rest = {
    ...restOf(body, known),
    ...(!isSaid && { toolConfig }),
    ...(generationConfig && { generationConfig }),
  };
  const tools = body['tools'] === undefined ? undefined : readTools(body['tools'], mode === 'VALIDATED');
  const request: ModelRequest = omitUndefined({
    messages: [
      ...readSystem(body['systemInstruction']),
      ...readContents(body['contents'] ?? [], actionTest(tools)),
    ],
    tools,
    toolChoice: readToolChoice(mode, calling['allowedFunctionNames']),
    maxOutputTokens: numberOf(settings['maxOutputTokens']),
    temperature: numberOf(settings['temperature']),
    topP: numberOf(settings['topP']),
    seed: numberOf(settings['seed']),
    stop: settings['stopSequences'] as readonly string[] | undefined,
    output: schema === undefined ? undefined : { name: 'answer', schema: objectOf(schema) },
    reasoning: thinking,
    providerOptions: providerData(api, Object.keys(rest).length > 0 ? rest : undefined),
  });
  return { request, model: (textOf(body['model']) ?? '').replace(/^models\//, ''), stream: false };
}

const known = ['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'model'];

function readSystem(instruction: JsonValue | undefined): readonly Message[] {
  if (typeof instruction === 'string') return [{ role: 'system', content: instruction }];
  const content = objectsOf(objectOf(instruction)['parts']).map((part): SystemPart => {
    const text = textOf(part['text']);
    return text === undefined ? { type: 'other', api, raw: part } : { type: 'text', text };
  });
  return content.length === 0 ? [] : [{ role: 'system', content }];
}

function readContents(contents: JsonValue, isAction: (name: string) => boolean): readonly Message[] {
  if (typeof contents === 'string') return [{ role: 'user', content: contents }];
  const waiting: { readonly id: string; readonly name: string }[] = [];
  let calls = 0;
  const makeId = (): string => `call_${calls++}`;
  const messages: Message[] = [];
  for (const content of objectsOf(contents)) {
    const parts = objectsOf(content['parts']);
    if (content['role'] !== 'model') {
      messages.push(...readUser(parts, waiting));
      continue;
    }
    const message: AssistantMessage = readContent(parts, makeId, isAction);
    for (const part of message.content)
      if (part.type === 'call' && part.requiresLocalExecution) waiting.push(part);
    const last = messages.at(-1);
    // Neighbouring contents of the model are one message: results may answer the calls of both.
    if (last?.role === 'assistant')
      messages[messages.length - 1] = { ...last, content: [...last.content, ...message.content] };
    else messages.push(message);
  }
  return messages;
}

/** A user's content holds results and words; ours are two messages. */
function readUser(
  parts: readonly JsonObject[],
  waiting: { readonly id: string; readonly name: string }[],
): readonly Message[] {
  const responses = parts.filter((part) => isJsonObject(part['functionResponse']));
  const words = parts.filter((part) => !isJsonObject(part['functionResponse'])).map(readUserPart);
  const results = responses.map((part) => readResult(objectOf(part['functionResponse']), waiting));
  return [
    ...(results.length > 0 ? [{ role: 'tool' as const, results }] : []),
    ...(words.length > 0 || results.length === 0 ? [{ role: 'user' as const, content: words }] : []),
  ];
}

/** A result without an id answers the first call of its name that has no answer yet. */
function readResult(response: JsonObject, waiting: { readonly id: string; readonly name: string }[]): Result {
  const id = filledText(response['id']);
  const name = textOf(response['name']) ?? '';
  const at = waiting.findIndex((call) => (id === undefined ? call.name === name : call.id === id));
  const call = at < 0 ? undefined : waiting.splice(at, 1)[0];
  const answer = objectOf(response['response']);
  const plain = restOf(answer, ['output', 'error']) === undefined;
  const error = plain ? textOf(answer['error']) : undefined;
  const output = plain ? textOf(answer['output']) : undefined;
  const text = error ?? output ?? JSON.stringify(answer);
  return omitUndefined({
    callId: call?.id ?? id ?? '',
    name,
    content: [{ type: 'text' as const, text }, ...objectsOf(response['parts']).map(readUserPart)],
    isError: error === undefined ? undefined : true,
    // Another shape than ours goes back as it was, and so does what we have no word for.
    providerData: providerData(
      api,
      restOf({ ...response, ...(text !== error && text !== output && { response: answer }) }, [
        'id',
        'name',
        'parts',
        ...(text === error || text === output ? ['response'] : []),
      ]),
    ),
  });
}

function readUserPart(part: JsonObject): UserPart {
  const text = textOf(part['text']);
  if (text !== undefined)
    return omitUndefined({
      type: 'text' as const,
      text,
      providerData: providerData(api, restOf(part, ['text'])),
    });
  const inline = objectOf(part['inlineData']);
  const file = objectOf(part['fileData']);
  const mediaType = textOf(inline['mimeType']) ?? textOf(file['mimeType']) ?? '';
  const type: 'image' | 'document' | undefined = /^image\//.test(mediaType)
    ? 'image'
    : /pdf$|^text\//.test(mediaType)
      ? 'document'
      : undefined;
  const data = textOf(inline['data']);
  const url = textOf(file['fileUri']);
  const only = restOf(inline, ['mimeType', 'data']) ?? restOf(file, ['mimeType', 'fileUri']);
  if (type === undefined || only !== undefined || (data === undefined && url === undefined))
    return { type: 'other', api, raw: part };
  const media = omitUndefined({
    type,
    source:
      data === undefined
        ? { kind: 'url' as const, url: url!, mediaType }
        : { kind: 'base64' as const, data, mediaType },
    providerData: providerData(api, restOf(part, ['inlineData', 'fileData'])),
  });
  return media;
}

function readTools(tools: JsonValue, strict: boolean): readonly ToolSpec[] {
  return objectsOf(tools).flatMap((tool): readonly ToolSpec[] => {
    const hosted = restOf(tool, ['functionDeclarations']);
    return [
      ...objectsOf(tool['functionDeclarations']).map((each) => readDeclaration(each, strict)),
      ...Object.entries(hosted ?? {}).map(([name, entry]): ToolSpec => ({
        kind: 'hosted',
        name,
        api,
        entry: { [name]: entry },
      })),
    ];
  });
}

function readDeclaration(declaration: JsonObject, strict: boolean): ToolSpec {
  const schema = declaration['parametersJsonSchema'] ?? declaration['parameters'];
  return omitUndefined({
    kind: 'function' as const,
    name: textOf(declaration['name']) ?? '',
    description: textOf(declaration['description']),
    input: schema === undefined ? { type: 'object', properties: {} } : plainTypes(objectOf(schema)),
    strict,
    providerOptions: providerData(
      api,
      restOf(declaration, ['name', 'description', 'parameters', 'parametersJsonSchema']),
    ),
  });
}

/** As protobuf numbers the types. */
const typeNames = ['unspecified', 'string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

/** `parameters` may spell its types in capitals; some clients print them as protobuf numbers them. */
function plainTypes(schema: JsonObject): JsonObject {
  const plain = (value: JsonValue, key: string): JsonValue => {
    if (key === 'type' && typeof value === 'string') return value.toLowerCase();
    if (key === 'type' && typeof value === 'number') return typeNames[value] ?? value;
    if (Array.isArray(value)) return (value as readonly JsonValue[]).map((each) => plain(each, ''));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, plain(inner, key === 'properties' ? '' : name)]),
    );
  };
  return plain(schema, '') as JsonObject;
}

function readToolChoice(mode: string, allowed: JsonValue | undefined): ToolChoice | undefined {
  const names = listOf(allowed).filter((name) => typeof name === 'string');
  const [only] = names;
  if (mode === 'ANY' && names.length === 1 && only !== undefined) return { name: only };
  if (names.length > 0) return { allowed: names, mode: mode === 'ANY' ? 'required' : 'auto' };
  if (mode === 'ANY') return 'required';
  if (mode === 'NONE') return 'none';
  return mode === 'AUTO' ? 'auto' : undefined;
}

function readThinking(config: JsonObject): ModelRequest['reasoning'] {
  const level = (textOf(config['thinkingLevel']) ?? '').toLowerCase();
  const budget = numberOf(config['thinkingBudget']);
  if (restOf(config, ['thinkingLevel', 'thinkingBudget']) !== undefined) return undefined;
  if (budget === 0) return { effort: 'none' };
  const effort: 'low' | 'medium' | 'high' | undefined =
    level === 'low' || level === 'medium' || level === 'high' ? level : undefined;
  if (budget === undefined && effort === undefined) return undefined;
  return omitUndefined({ effort, budgetTokens: budget });
}
