import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Call } from '../../base/message/call.ts';
import { localCallsOf } from '../../base/message/message.ts';
import type { AssistantMessage, Message, SystemMessage } from '../../base/message/message.ts';
import type { ModelRequest, ToolSpec } from '../../base/message/model.ts';
import type { AssistantPart, OtherPart, ResultPart, UserPart } from '../../base/message/part.ts';
import type { Result } from '../../base/message/result.ts';
import type { RequestReport, WriteOptions, WrittenRequest } from '../adapter.ts';
import { wireArguments } from '../request/bind-tools.ts';
import type { BoundTool, ToolBinding } from '../request/bind-tools.ts';
import { omitUndefined, objectOf, parseJson } from '../json-fields.ts';
import { isNewestClaude } from '../request/newest-claude.ts';
import { offerTools } from '../request/offer-tools.ts';
import { wordlessError } from '../request/result-text.ts';
import { toolWriter } from '../request/tool-writer.ts';
import { unsupportedOptions } from '../request/unsupported-options.ts';
import { writeHistory } from '../request/written-history.ts';
import type { Items } from '../request/written-history.ts';
import { documentFollows, nameApart, tellOfDocuments, writeDocument, writeImage } from './media.ts';
import type { Block, ConverseRequest, SystemBlock, WireMessage, WireTool, WireToolChoice } from './types.ts';

export const api = 'bedrock-converse';

interface Past {
  readonly system: SystemBlock[];
  /** The names that documents have, in small letters. */
  readonly documents: Set<string>;
}

/** Our request → the body of `POST /model/{id}/converse`. The model's name is in the path. */
export function writeRequest(request: ModelRequest, options: WriteOptions): WrittenRequest {
  const { messages } = request;
  // Tools must be sent where the history holds calls, so "none" cannot be said by leaving them out there.
  const holdsCalls = messages.some((message) => localCallsOf(message).length > 0);
  const asked = holdsCalls && !request.tools?.length ? { ...request, tools: pastTools(messages) } : request;
  const fixedTools = isNewestClaude(options.model);
  const can = { none: holdsCalls, required: true, named: true, allowed: false, fixedTools };
  const offered = offerTools(asked, options, { api, can });
  const { tools, choice } = offered;
  const isNova = /\bnova\b/.test(options.model);
  const { items, state, reports } = writeHistory(messages, {
    api,
    by: [tools, isNova],
    refusePart: isNova ? undefined : refuseS3,
    begin: (): Past => ({ system: [], documents: new Set() }),
    write(message, past, written: Items<WireMessage>) {
      if (message.role === 'system') past.system.push(...writeSystem(message));
      else writeNext(writeMessage(message, tools, isNova), past, written);
    },
  });
  const listed = writeTools(tools);
  // Other models refuse the marks.
  const caches = request.cache === 'auto' && /\b(?:claude|nova)\b/.test(options.model);
  const { inferenceConfig: more, ...rest } = request.providerOptions?.[api] ?? {};
  const body: ConverseRequest = omitUndefined({
    messages: caches ? withCachePoint(items) : items,
    system: state.system.length > 0 ? [...state.system, ...(caches ? [cachePoint] : [])] : undefined,
    inferenceConfig: writeInferenceConfig(request, more),
    toolConfig: listed && omitUndefined({ tools: listed, toolChoice: writeToolChoice(choice, tools) }),
    outputConfig: writeOutput(request.output),
  });
  return {
    body: { ...(body as unknown as JsonObject), ...rest },
    reports: [
      ...offered.reports,
      ...reports,
      ...unsaidHere(request, choice),
      ...unsupportedOptions(request, 'Converse', ['parallelCalls', 'seed', 'tokens']),
    ],
    tools,
  };
}

/** A history with calls is refused without tools: tools that were called are declared, with nothing said of them. */
function pastTools(messages: readonly Message[]): readonly ToolSpec[] {
  const names = new Set(messages.flatMap((message) => localCallsOf(message).map(({ name }) => name)));
  return [...names].map((name) => ({ kind: 'function', name, input: { type: 'object' } }));
}

function unsaidHere(request: ModelRequest, choice: ModelRequest['toolChoice']): readonly RequestReport[] {
  const reports: RequestReport[] = [];
  if (choice === 'none')
    reports.push({
      field: 'toolChoice',
      message: 'Converse has no tool choice "none", and tools must be sent where the history holds calls.',
    });
  if (request.reasoning !== undefined)
    reports.push({
      field: 'reasoning',
      message:
        'Each model family on Bedrock asks for reasoning its own way: set `additionalModelRequestFields` in providerOptions.',
    });
  return reports;
}

function writeSystem(message: SystemMessage): readonly SystemBlock[] {
  if (typeof message.content === 'string') return [{ text: message.content }];
  return message.content.map((part) => (part.type === 'other' ? part.raw : { text: part.text }));
}

/** Roles alternate: what the same side says next is in its message. */
const cachePoint = { cachePoint: { type: 'default' } } as const;

/** What is before a mark is read from the cache the next time. */
function withCachePoint(items: readonly WireMessage[]): readonly WireMessage[] {
  const place = items.findLastIndex(({ role }) => role === 'user');
  return items.map((item, index) =>
    index === place ? { ...item, content: [...item.content, cachePoint] } : item,
  );
}

function writeNext({ role, content }: WireMessage, past: Past, written: Items<WireMessage>): void {
  const { last } = written;
  if (content.length === 0) return;
  const next = nameApart(content, past.documents);
  const joined = last?.role === role ? [...last.content, ...next] : next;
  const message = { role, content: role === 'user' ? tellOfDocuments(joined) : joined };
  if (last?.role === role) written.replaceLast(message);
  else written.push(message);
}

/** Only Nova reads files from a bucket; Claude refuses the address. */
function refuseS3({ raw }: OtherPart): string | undefined {
  const [kind] = ['image', 'document'].filter(
    (name) => objectOf(objectOf(raw[name])['source'])['s3Location'] !== undefined,
  );
  return kind && `${kind} in a bucket`;
}

function writeMessage(
  message: Exclude<Message, SystemMessage>,
  tools: ToolBinding,
  isNova: boolean,
): WireMessage {
  switch (message.role) {
    case 'assistant':
      return { role: 'assistant', content: writeAssistantBlocks(message, tools) };
    case 'tool':
      return {
        role: 'user',
        content: isNova ? writeBesides(message.results) : message.results.map(writeResult),
      };
    case 'user':
      if (typeof message.content === 'string') return { role: 'user', content: writeText(message.content) };
      return { role: 'user', content: message.content.flatMap(writeUserPart) };
  }
}

/** The blocks of an assistant message, in the order in which they came. */
export function writeAssistantBlocks(message: AssistantMessage, tools?: ToolBinding): readonly Block[] {
  return message.content.flatMap((part) => writeAssistantPart(part, tools));
}

function writeAssistantPart(part: AssistantPart, tools: ToolBinding | undefined): readonly Block[] {
  const echo = part.providerData?.[api];
  switch (part.type) {
    case 'text':
      return echo === undefined ? writeText(part.text) : writeCited(part.text, echo);
    case 'refusal':
      return writeText(part.text);
    case 'reasoning':
      // Foreign thinking has no signature that the service would take, and what was cut has a blank one.
      return echo === undefined || echo['signature'] === ''
        ? []
        : [{ reasoningContent: writeReasoning(part.text, echo) }];
    case 'call':
      return [{ toolUse: writeCall(part, tools) }];
    case 'hosted-result':
      return [{ toolResult: { toolUseId: part.callId, ...echo } }];
    case 'image':
      return [writeImage(part)];
    case 'other':
      return part.api === api ? [part.raw] : [];
  }
}

/** Words with what they rest on: the block as it came, or put together from a stream. */
function writeCited(text: string, echo: JsonObject): readonly Block[] {
  const { citations } = echo;
  return citations === undefined ? [echo] : [{ citationsContent: { content: [{ text }], citations } }];
}

function writeReasoning(text: string, echo: JsonObject): JsonObject {
  if ('redactedContent' in echo) return echo;
  return { reasoningText: { text, ...echo } };
}

function writeCall(call: Call, tools: ToolBinding | undefined): JsonObject {
  const { type, ...more } = call.providerData?.[api] ?? {};
  return omitUndefined({
    toolUseId: call.id,
    name: tools?.wireName(call.name) ?? call.name,
    input: wireArguments(call, tools),
    // Claude's calls come with the type `tool_use`; the only one that a request may name is `server_tool_use`.
    type: type === 'tool_use' ? undefined : type,
    ...more,
  });
}

function writeResult(result: Result): Block {
  const content = result.content.flatMap(writeUserPart);
  // Claude refuses an error that says nothing.
  const isEmpty = result.isError === true && content.length === 0;
  return {
    toolResult: omitUndefined({
      toolUseId: result.callId,
      content: isEmpty ? [{ text: wordlessError }] : content,
      status:
        result.isError === undefined ? undefined : result.isError ? ('error' as const) : ('success' as const),
      ...result.providerData?.[api],
    }),
  };
}

/** Nova takes no documents in a result: they are behind all of them. */
function writeBesides(results: readonly Result[]): readonly Block[] {
  const isDocument = (part: ResultPart): boolean =>
    part.type === 'document' || (part.type === 'other' && part.raw['document'] !== undefined);
  const behind = results.flatMap((result) => {
    const documents = result.content.filter(isDocument);
    if (documents.length === 0) return [];
    const told = { text: `From the result of ${result.name} (${result.callId}):` };
    return [told, ...documents.flatMap(writeUserPart)];
  });
  const inside = results.map((result) => {
    const content = result.content.map((part) =>
      isDocument(part) ? { type: 'text' as const, ...documentFollows } : part,
    );
    return writeResult({ ...result, content });
  });
  return [...inside, ...behind];
}

function writeUserPart(part: UserPart): readonly Block[] {
  switch (part.type) {
    case 'text': {
      // A result that came as JSON goes back as JSON.
      const json = part.providerData?.[api]?.['json'] === true ? parseJson(part.text) : undefined;
      return json === undefined ? writeText(part.text) : [{ json }];
    }
    case 'image':
      return [writeImage(part)];
    case 'document':
      return [writeDocument(part)];
    case 'other':
      return part.api === api ? [part.raw] : [];
  }
}

/** Blank text blocks are refused. */
function writeText(text: string): readonly Block[] {
  return text.trim() === '' ? [] : [{ text }];
}

const writeTools = toolWriter((tools) => tools.map(writeTool));

function writeTool(tool: BoundTool): WireTool {
  const { spec } = tool;
  if (spec.kind === 'hosted') return spec.entry;
  return {
    toolSpec: omitUndefined({
      name: tool.wireName,
      // An empty description is refused.
      description: spec.description || undefined,
      inputSchema: { json: tool.schema as JsonObject },
      strict: tool.strict,
      ...spec.providerOptions?.[api],
    }),
  };
}

function writeToolChoice(choice: ModelRequest['toolChoice'], tools: ToolBinding): WireToolChoice | undefined {
  if (choice === 'auto') return { auto: {} };
  if (choice === 'required') return { any: {} };
  if (typeof choice === 'object' && 'name' in choice) return { tool: { name: tools.wireName(choice.name) } };
  return undefined;
}

function writeInferenceConfig(
  request: ModelRequest,
  more: JsonValue | undefined,
): ConverseRequest['inferenceConfig'] {
  const config = omitUndefined({
    maxTokens: request.maxOutputTokens,
    temperature: request.temperature,
    topP: request.topP,
    stopSequences: request.stop,
    ...objectOf(more),
  });
  return Object.keys(config).length > 0 ? config : undefined;
}

function writeOutput(output: ModelRequest['output']): ConverseRequest['outputConfig'] {
  if (output === undefined) return undefined;
  const jsonSchema = { name: output.name, schema: JSON.stringify(output.schema) };
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } };
}
