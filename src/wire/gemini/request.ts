import type { JsonObject } from '../../base/json/value.ts';
import type { AssistantMessage, Message, SystemMessage } from '../../base/message/message.ts';
import type { ModelRequest } from '../../base/message/model.ts';
import type { AssistantPart, ResultPart, Source, UserPart } from '../../base/message/part.ts';
import { resultText } from '../../base/message/result.ts';
import type { Result } from '../../base/message/result.ts';
import type { WriteOptions, WrittenRequest } from '../adapter.ts';
import { wireArguments } from '../request/bind-tools.ts';
import type { BoundTool, ToolBinding } from '../request/bind-tools.ts';
import { afterAction, computerSpeech as computer } from '../gemini-actions.ts';
import { omitUndefined, objectOf } from '../json-fields.ts';
import { offerTools } from '../request/offer-tools.ts';
import { toolWriter } from '../request/tool-writer.ts';
import { unsupportedOptions } from '../request/unsupported-options.ts';
import { writeHistory } from '../request/written-history.ts';
import type { Items } from '../request/written-history.ts';
import { shapeAnswer } from './answer-shape.ts';
import type { CallingConfig, Content, Declaration, GenerateRequest, Part, WireTool } from './types.ts';

export const api = 'gemini';

/** Gemini 3 refuses a call without a signature; the API takes this in place of one that it never gave. */
const noSignature = 'skip_thought_signature_validator';

/** Our request → the body of `POST …/models/{model}:generateContent`. The model's name is in the path. */
export function writeRequest(request: ModelRequest, options: WriteOptions): WrittenRequest {
  const can = { none: true, required: true, named: true, allowed: true };
  const offered = offerTools(request, options, { api, can });
  const { tools, choice } = offered;
  const isEarly = /\bgemini-[12]\.\d/.test(options.model);
  const { items, state, reports } = writeHistory(request.messages, {
    api,
    computer,
    by: [tools, isEarly],
    begin: () => begin(isEarly),
    write: (message, past, written: Items<Content>) => writeNext(message, past, written, tools),
  });
  const hasFunctions = tools.tools.some((tool) => tool.spec.kind !== 'hosted');
  const { generationConfig: more, ...rest } = request.providerOptions?.[api] ?? {};
  const shape = shapeAnswer(request, { hasTools: tools.tools.length > 0, choice, isEarly });
  const generationConfig = {
    ...writeGenerationConfig(request, shape.output),
    ...(more as JsonObject | undefined),
  };
  const system = [...state.system, ...shape.told];
  const body: GenerateRequest = omitUndefined({
    contents: items,
    systemInstruction: system.length > 0 ? { parts: system } : undefined,
    tools: writeTools(tools),
    toolConfig: hasFunctions ? writeToolConfig(choice, tools) : undefined,
    generationConfig: Object.keys(generationConfig).length > 0 ? generationConfig : undefined,
  });
  return {
    body: { ...(body as unknown as JsonObject), ...rest },
    reports: [
      ...offered.reports,
      ...reports,
      ...shape.reports,
      ...unsupportedOptions(request, 'Gemini', ['parallelCalls', 'tokenIds']),
    ],
    tools,
  };
}

function writeSystem(message: SystemMessage): readonly Part[] {
  if (typeof message.content === 'string') return [{ text: message.content }];
  return message.content.map((part) => (part.type === 'other' ? part.raw : { text: part.text }));
}

/** What a message must know of those before it. */
interface Past extends CallFacts {
  readonly system: Part[];
  readonly madeUp: Set<string>;
  readonly computer: Set<string>;
}

/** What a result must know of its call, and of the model that reads it. */
interface CallFacts {
  readonly madeUp: ReadonlySet<string>;
  readonly computer: ReadonlySet<string>;
  /** Before Gemini 3. */
  readonly isEarly: boolean;
}

function begin(isEarly: boolean): Past {
  return { system: [], madeUp: new Set(), computer: new Set(), isEarly };
}

function writeNext(message: Message, past: Past, written: Items<Content>, tools: ToolBinding): void {
  if (message.role === 'system') {
    past.system.push(...writeSystem(message));
    return;
  }
  if (message.role === 'assistant') noteCalls(message, past);
  const next = writeContent(message, tools, past);
  const { last } = written;
  if (next.parts.length === 0) return;
  if (last?.role === next.role)
    written.replaceLast({ role: last.role, parts: [...last.parts, ...next.parts] });
  else written.push(next);
}

function noteCalls(message: AssistantMessage, { madeUp, computer }: Past): void {
  for (const part of message.content) {
    if (part.type !== 'call') continue;
    if (part.idMadeUp) madeUp.add(part.id);
    if (part.kind === 'computer') computer.add(part.id);
  }
}

function writeContent(
  message: Exclude<Message, SystemMessage>,
  tools: ToolBinding,
  calls: CallFacts,
): Content {
  switch (message.role) {
    case 'assistant':
      return { role: 'model', parts: writeModelParts(message, tools) };
    case 'tool':
      return { role: 'user', parts: writeResults(message.results, tools, calls) };
    case 'user':
      if (typeof message.content === 'string') return { role: 'user', parts: [{ text: message.content }] };
      return { role: 'user', parts: message.content.flatMap(writeUserPart) };
  }
}

/** The parts of a model's content, in the order in which they came. */
export function writeModelParts(message: AssistantMessage, tools?: ToolBinding): readonly Part[] {
  const parts = message.content.flatMap((part) => writeModelPart(part, tools));
  if (message.from?.api === api) return parts;
  const first = parts.findIndex((part) => 'functionCall' in part);
  return parts.map((part, index) => (index === first ? { thoughtSignature: noSignature, ...part } : part));
}

function writeModelPart(part: AssistantPart, tools: ToolBinding | undefined): readonly Part[] {
  const echo = part.providerData?.[api];
  // What the API runs itself goes back as it came.
  const raw = echo?.['raw'];
  if (raw !== undefined) return [objectOf(raw)];
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text === '' && echo === undefined ? [] : [{ text: part.text, ...echo }];
    case 'reasoning':
      return echo === undefined ? [] : [{ text: part.text, ...echo }];
    case 'call': {
      const functionCall = omitUndefined({
        id: part.idMadeUp === true ? undefined : part.id,
        name: tools?.wireName(part.name) ?? part.name,
        args: wireArguments(part, tools),
      });
      return [{ functionCall, ...echo }];
    }
    case 'image':
      return [{ ...writeSource(part.source, 'image/png'), ...echo }];
    case 'hosted-result':
      return [];
    case 'other':
      return part.api === api ? [part.raw] : [];
  }
}

/** Models before Gemini 3 refuse media inside a result, but a screenshot of theirs: it is behind all results. */
function writeResults(results: readonly Result[], tools: ToolBinding, calls: CallFacts): readonly Part[] {
  const isInside = ({ callId }: Result): boolean => !calls.isEarly || calls.computer.has(callId);
  const written = results.map((result) =>
    writeResult(result, tools, calls, isInside(result) ? result.content.flatMap(writeMedia) : []),
  );
  const behind = results.flatMap((result): readonly Part[] => {
    const media = isInside(result) ? [] : result.content.flatMap(writeMedia);
    if (media.length === 0) return [];
    return [{ text: `From the result of ${result.name} (${result.callId}):` }, ...media];
  });
  return [...written, ...behind];
}

function writeResult(
  result: Result,
  tools: ToolBinding,
  { madeUp, computer }: CallFacts,
  media: readonly JsonObject[],
): Part {
  const { response: _response, ...more } = result.providerData?.[api] ?? {};
  return {
    functionResponse: omitUndefined({
      id: madeUp.has(result.callId) ? undefined : result.callId,
      name: tools.wireName(result.name),
      response: computer.has(result.callId) ? writeScreen(result) : writeResponse(result),
      parts: media.length > 0 ? media : undefined,
      ...more,
    }),
  };
}

function writeScreen(result: Result): JsonObject {
  if (result.providerData?.[api]?.['response'] !== undefined) return writeResponse(result);
  const { url, agreed } = afterAction(result);
  const { output, ...response } = writeResponse(result);
  const words = output === '' || output === 'OK' ? undefined : output;
  return {
    ...(words !== undefined && { output: words }),
    ...response,
    url,
    ...(agreed && { safety_acknowledgement: 'true' }),
  };
}

/** `output` and `error` are the two words that the API knows; anything else is the whole output. */
function writeResponse(result: Result): JsonObject {
  const given = result.providerData?.[api]?.['response'];
  if (given !== undefined) return objectOf(given);
  const text = resultText(result);
  return result.isError === true ? { error: text } : { output: text };
}

function writeMedia(part: ResultPart): readonly JsonObject[] {
  if (part.type === 'other') return part.api === api ? [part.raw] : [];
  if (part.type === 'text' || part.source.kind === 'text') return [];
  return [writeSource(part.source, part.type === 'image' ? 'image/png' : 'application/pdf')];
}

function writeUserPart(part: UserPart): readonly Part[] {
  switch (part.type) {
    case 'text':
      return [{ text: part.text, ...part.providerData?.[api] }];
    case 'image':
      return [{ ...writeSource(part.source, 'image/png'), ...part.providerData?.[api] }];
    case 'document':
      if (part.source.kind === 'text') return [{ text: part.source.text }];
      return [{ ...writeSource(part.source, 'application/pdf'), ...part.providerData?.[api] }];
    case 'other':
      return part.api === api ? [part.raw] : [];
  }
}

function writeSource(source: Source, mediaType: string): JsonObject {
  if (source.kind === 'base64') return { inlineData: { mimeType: source.mediaType, data: source.data } };
  return { fileData: { mimeType: source.mediaType ?? mediaType, fileUri: source.url } };
}

const writeTools = toolWriter((tools): readonly WireTool[] => {
  const declarations = tools.flatMap((tool) => (tool.spec.kind === 'hosted' ? [] : [writeDeclaration(tool)]));
  const hosted = tools.flatMap((tool) => (tool.spec.kind === 'hosted' ? [tool.spec.entry] : []));
  return [...(declarations.length > 0 ? [{ functionDeclarations: declarations }] : []), ...hosted];
});

function writeDeclaration(tool: BoundTool): Declaration {
  const schema = objectOf(tool.schema);
  const isEmpty = Object.keys(objectOf(schema['properties'])).length === 0 && schema['type'] === 'object';
  return omitUndefined({
    name: tool.wireName,
    description: tool.spec.kind === 'hosted' ? undefined : tool.spec.description,
    parametersJsonSchema: isEmpty && schema['additionalProperties'] !== true ? undefined : schema,
    ...(tool.spec.kind === 'hosted' ? {} : tool.spec.providerOptions?.[api]),
  });
}

function writeToolConfig(
  choice: ModelRequest['toolChoice'],
  tools: ToolBinding,
): GenerateRequest['toolConfig'] {
  const config = writeCallingConfig(choice, tools);
  return config && { functionCallingConfig: config };
}

function writeCallingConfig(
  choice: ModelRequest['toolChoice'],
  tools: ToolBinding,
): CallingConfig | undefined {
  const strict = tools.tools.every((tool) => tool.spec.kind === 'hosted' || tool.strict === true);
  if (choice === 'none') return { mode: 'NONE' };
  if (choice === 'required') return { mode: 'ANY' };
  if (choice === undefined || choice === 'auto') {
    if (strict) return { mode: 'VALIDATED' };
    return choice === 'auto' ? { mode: 'AUTO' } : undefined;
  }
  if ('name' in choice) return { mode: 'ANY', allowedFunctionNames: [tools.wireName(choice.name)] };
  return {
    mode: choice.mode === 'required' ? 'ANY' : 'VALIDATED',
    allowedFunctionNames: choice.allowed.map((name) => tools.wireName(name)),
  };
}

function writeGenerationConfig(request: ModelRequest, output: ModelRequest['output']): JsonObject {
  const { reasoning } = request;
  const thinking = omitUndefined({
    thinkingBudget: reasoning?.budgetTokens ?? (reasoning?.effort === 'none' ? 0 : undefined),
    thinkingLevel: reasoning?.effort === 'none' ? undefined : reasoning?.effort,
  });
  return omitUndefined({
    maxOutputTokens: request.maxOutputTokens,
    temperature: request.temperature,
    topP: request.topP,
    seed: request.seed,
    stopSequences: request.stop,
    responseMimeType: output && 'application/json',
    responseJsonSchema: output && (output.schema as JsonObject),
    ...writeLogprobs(request.tokens?.logprobs),
    thinkingConfig: Object.keys(thinking).length > 0 ? thinking : undefined,
  });
}

function writeLogprobs(wanted: boolean | number = false): JsonObject {
  if (wanted === false) return {};
  return { responseLogprobs: true, ...(wanted === true ? {} : { logprobs: wanted }) };
}
