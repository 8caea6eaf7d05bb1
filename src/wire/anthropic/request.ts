import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Call } from '../../base/message/call.ts';
import type { AssistantMessage, Message, SystemMessage } from '../../base/message/message.ts';
import type { ModelRequest } from '../../base/message/model.ts';
import type {
  AssistantPart,
  DocumentPart,
  ProviderData,
  Source,
  SystemPart,
  UserPart,
} from '../../base/message/part.ts';
import type { Result } from '../../base/message/result.ts';
import type { WriteOptions, WrittenRequest } from '../adapter.ts';
import { wireArguments } from '../request/bind-tools.ts';
import type { BoundTool, ToolBinding } from '../request/bind-tools.ts';
import { omitUndefined } from '../json-fields.ts';
import { isNewestClaude } from '../request/newest-claude.ts';
import { offerTools } from '../request/offer-tools.ts';
import { wordlessError } from '../request/result-text.ts';
import { toolWriter } from '../request/tool-writer.ts';
import { unsupportedOptions } from '../request/unsupported-options.ts';
import { writeHistory } from '../request/written-history.ts';
import type { Items } from '../request/written-history.ts';
import { markForCache } from './cache.ts';
import { computerSpeech } from './computer.ts';
import type { Block, MessagesRequest, WireMessage, WireSource, WireTool, WireToolChoice } from './types.ts';

const api = 'anthropic';

/**
 * `max_tokens` is required by the API. Where the caller sets none it is the largest that the model takes, so that no
 * answer is cut by us; of a model that is not known yet, what the newest take.
 */
function largestOutput(model: string): number {
  return outputLimits.find(([name]) => name.test(model))?.[1] ?? 64_000;
}

/** By the names of Anthropic's models, which contain these on Bedrock and Vertex too (models overview, November 2026). */
const outputLimits: readonly (readonly [name: RegExp, tokens: number])[] = [
  [/claude-3-(?:opus|sonnet|haiku)/, 4096],
  [/claude-3-5-/, 8192],
  [/claude-opus-4(?:-[01])?(?:-\d{6,}|@|$)/, 32_000],
];

/** Our request → the body of `POST /v1/messages`. */
export function writeRequest(request: ModelRequest, options: WriteOptions): WrittenRequest {
  const fixedTools = isNewestClaude(options.model);
  const can = { none: true, required: true, named: true, allowed: false, fixedTools };
  const offered = offerTools(request, options, { api, can });
  const { tools, hasTools, choice } = offered;
  const { items, state, reports } = writeHistory(request.messages, {
    api,
    computer: computerSpeech(tools),
    by: [tools],
    begin,
    write: (message, past, written: Items<WireMessage>) => writeNext(message, past, written, tools),
  });
  const budget = request.reasoning?.budgetTokens ?? 0;
  const body: MessagesRequest = omitUndefined({
    model: options.model,
    // What it thinks counts too, and must leave room for an answer.
    max_tokens: request.maxOutputTokens ?? Math.max(largestOutput(options.model), budget + 1024),
    system: writeSystem(state.system),
    messages: items,
    tools: writeTools(tools),
    tool_choice: hasTools ? writeToolChoice(request, choice, tools) : undefined,
    temperature: request.temperature,
    top_p: request.topP,
    stop_sequences: request.stop,
    thinking: writeThinking(request),
    output_config: writeOutputConfig(request),
    stream: options.stream || undefined,
  });
  return {
    body: {
      ...((request.cache === 'auto' ? markForCache(body) : body) as unknown as JsonObject),
      ...request.providerOptions?.[api],
    },
    reports: [
      ...offered.reports,
      ...reports,
      ...unsupportedOptions(request, 'The Messages API', ['seed', 'tokens']),
    ],
    tools,
  };
}

function writeSystem(messages: readonly SystemMessage[]): MessagesRequest['system'] {
  const only = messages[0];
  if (only === undefined) return undefined;
  if (messages.length === 1 && typeof only.content === 'string') return only.content;
  return messages.flatMap((message) => writeSystemBlocks(message)) as unknown as MessagesRequest['system'];
}

function writeSystemBlocks(message: SystemMessage): readonly Block[] {
  return partsOf(message.content).flatMap((part): readonly Block[] =>
    part.type === 'other' ? [part.raw as Block] : writeText(part.text, part.providerData),
  );
}

/** What a message must know of those before it. */
interface Past {
  /** The system messages at the head, which have a place of their own. */
  readonly system: SystemMessage[];
  /** A result must name the toolset of its call. */
  readonly toolsets: Map<string, JsonValue>;
  /** The calls that the provider ran. */
  readonly hosted: Set<JsonValue | undefined>;
  begun: boolean;
}

function begin(): Past {
  return { system: [], toolsets: new Map(), hosted: new Set(), begun: false };
}

function writeNext(message: Message, past: Past, written: Items<WireMessage>, tools: ToolBinding): void {
  if (message.role === 'system' && !past.begun) {
    past.system.push(message);
    return;
  }
  past.begun = true;
  if (message.role === 'assistant') noteToolsets(message, past.toolsets);
  const plain = writeMessage(message, tools, past.toolsets);
  const next =
    plain.role === 'assistant'
      ? { ...plain, content: withKnownResults(blocksOf(plain), past.hosted) }
      : plain;
  if (next.content.length === 0) return;
  if (next.role === 'user' && written.last?.role === 'assistant') tellUnanswered(written.last, written);
  const { last } = written;
  // Roles alternate; what a user says after results is behind them in one message.
  if (last?.role === next.role && next.role !== 'system')
    written.replaceLast({ role: last.role, content: [...blocksOf(last), ...blocksOf(next)] });
  else written.push(next);
}

/**
 * A call that the provider was to run and that the reply broke off behind. It may go back only at the very end, where
 * the provider goes on with it, or with calls of ours, whose results it goes on with. Else it is refused, and is told
 * in words.
 */
function tellUnanswered(reply: WireMessage, written: Items<WireMessage>): void {
  const blocks = blocksOf(reply);
  if (blocks.some(({ type }) => type === 'tool_use')) return;
  const answered = new Set(blocks.map((block) => fieldOf(block, 'tool_use_id')));
  const isOpen = (block: Block): boolean => isHostedUse(block) && !answered.has(fieldOf(block, 'id'));
  if (!blocks.some(isOpen)) return;
  const told = blocks.map((block): Block => {
    if (!isOpen(block)) return block;
    const words = `[${String(fieldOf(block, 'name'))} was called: ${JSON.stringify(fieldOf(block, 'input') ?? {})}. No answer came.]`;
    return { type: 'text', text: words };
  });
  written.replaceLast({ ...reply, content: told });
}

/** The blocks with results of the provider's whose call is nowhere before them told in words: alone they are refused. */
function withKnownResults(blocks: readonly Block[], hosted: Set<JsonValue | undefined>): readonly Block[] {
  for (const block of blocks) if (isHostedUse(block)) hosted.add(fieldOf(block, 'id'));
  const isKnown = (block: Block): boolean =>
    !/_tool_result$/.test(block.type) || hosted.has(fieldOf(block, 'tool_use_id'));
  if (blocks.every(isKnown)) return blocks;
  return blocks.map((block) =>
    isKnown(block)
      ? block
      : { type: 'text', text: `[${block.type}: ${JSON.stringify(fieldOf(block, 'content') ?? null)}]` },
  );
}

function isHostedUse({ type }: Block): boolean {
  return type === 'server_tool_use' || type === 'mcp_tool_use';
}

/** A block may be of a type that is not known here. */
function fieldOf(block: Block, name: string): JsonValue | undefined {
  return (block as unknown as JsonObject)[name];
}

function noteToolsets(message: AssistantMessage, toolsets: Map<string, JsonValue>): void {
  for (const part of message.content) {
    const toolset = part.type === 'call' ? part.providerData?.[api]?.['toolset_name'] : undefined;
    if (part.type === 'call' && toolset !== undefined) toolsets.set(part.id, toolset);
  }
}

function writeMessage(
  message: Message,
  tools: ToolBinding,
  toolsets: ReadonlyMap<string, JsonValue>,
): WireMessage {
  switch (message.role) {
    case 'user':
      if (typeof message.content === 'string')
        return { role: 'user', content: message.content.trim() === '' ? [] : message.content };
      return { role: 'user', content: message.content.flatMap(writeUserPart) };
    case 'assistant':
      return {
        role: 'assistant',
        content: writeAssistantBlocks(message, (call) => wireArguments(call, tools), tools),
      };
    case 'tool':
      return { role: 'user', content: message.results.map((result) => writeResult(result, toolsets)) };
    case 'system':
      // Only what the API itself has said this way goes back this way: most models take no such role here.
      if (partsOf(message.content).some((part) => part.type === 'other'))
        return { role: 'system', content: writeSystemBlocks(message) };
      return { role: 'user', content: writeSystemBlocks(message) };
  }
}

/** The blocks of an assistant message, in the order in which they came. */
export function writeAssistantBlocks(
  message: AssistantMessage,
  inputOf: (call: Call) => JsonObject,
  tools?: ToolBinding,
): readonly Block[] {
  return message.content.flatMap((part) => writeAssistantPart(part, inputOf, tools));
}

function writeAssistantPart(
  part: AssistantPart,
  inputOf: (call: Call) => JsonObject,
  tools: ToolBinding | undefined,
): readonly Block[] {
  const echo = part.providerData?.[api];
  switch (part.type) {
    case 'text':
    case 'refusal':
      return writeText(part.text, part.providerData);
    case 'reasoning':
      if (part.redacted) return echo === undefined ? [] : [{ type: 'redacted_thinking', ...echo }];
      // A blank or foreign signature is refused, so thinking goes back only with its own.
      if (typeof echo?.['signature'] !== 'string' || echo['signature'] === '') return [];
      return [{ type: 'thinking', thinking: part.text, ...echo }];
    case 'call':
      return [
        {
          type: 'tool_use',
          id: part.id,
          name: tools?.wireName(part.name) ?? part.name,
          input: inputOf(part),
          ...echo,
        },
      ];
    case 'hosted-result':
      return [{ type: `${part.name}_tool_result`, tool_use_id: part.callId, content: part.content, ...echo }];
    case 'image':
      return [{ type: 'image', source: writeSource(part.source) }];
    case 'other':
      return part.api === api ? [part.raw as Block] : [];
  }
}

function writeUserPart(part: UserPart): readonly Block[] {
  switch (part.type) {
    case 'text':
      return writeText(part.text, part.providerData);
    case 'image':
      return [{ type: 'image', source: writeSource(part.source), ...part.providerData?.[api] }];
    case 'document':
      return [writeDocument(part)];
    case 'other':
      return part.api === api ? [part.raw as Block] : [];
  }
}

function writeResult(result: Result, toolsets: ReadonlyMap<string, JsonValue>): Block {
  const toolset = toolsets.get(result.callId);
  const content = result.content.flatMap(writeUserPart);
  return {
    type: 'tool_result',
    tool_use_id: result.callId,
    content: (result.isError ? errorBlocks(content) : content) as unknown as JsonValue,
    ...(result.isError === undefined ? {} : { is_error: result.isError }),
    ...(toolset === undefined ? {} : { toolset_name: toolset }),
    ...result.providerData?.[api],
  };
}

/** With `is_error` the API takes nothing but text, and refuses an error without any. */
function errorBlocks(content: readonly Block[]): readonly Block[] {
  const texts = content.filter((block) => block.type === 'text');
  return texts.length > 0 ? texts : [{ type: 'text', text: wordlessError }];
}

/** Text blocks without anything but white space are refused. */
function writeText(text: string, data: ProviderData | undefined): readonly Block[] {
  return text.trim() === '' ? [] : [{ type: 'text', text, ...data?.[api] }];
}

function writeDocument(part: DocumentPart): Block {
  const source =
    part.source.kind === 'text'
      ? { type: 'text' as const, media_type: 'text/plain' as const, data: part.source.text }
      : writeSource(part.source);
  return omitUndefined({ type: 'document' as const, source, title: part.title, ...part.providerData?.[api] });
}

function writeSource(source: Source): WireSource {
  if (source.kind === 'url') return { type: 'url', url: source.url };
  return { type: 'base64', media_type: source.mediaType, data: source.data };
}

const writeTools = toolWriter((tools) => tools.map(writeTool));

function writeTool(tool: BoundTool): WireTool {
  const { spec } = tool;
  if (spec.kind === 'hosted') return spec.entry;
  return omitUndefined({
    name: tool.wireName,
    description: spec.description,
    input_schema: tool.schema as JsonObject,
    strict: tool.strict,
    ...spec.providerOptions?.[api],
  });
}

function writeToolChoice(
  request: ModelRequest,
  choice: ModelRequest['toolChoice'],
  tools: ToolBinding,
): WireToolChoice | undefined {
  if (choice === 'none') return { type: 'none' };
  const single = request.parallelCalls === false ? { disable_parallel_tool_use: true } : {};
  if (typeof choice === 'object' && 'name' in choice)
    return { type: 'tool', name: tools.wireName(choice.name), ...single };
  if (choice === 'required') return { type: 'any', ...single };
  if (choice === 'auto' || request.parallelCalls === false) return { type: 'auto', ...single };
  return undefined;
}

function writeThinking(request: ModelRequest): MessagesRequest['thinking'] {
  const reasoning = request.reasoning;
  if (reasoning?.budgetTokens !== undefined)
    return { type: 'enabled', budget_tokens: reasoning.budgetTokens };
  return reasoning?.effort === 'none' ? { type: 'disabled' } : undefined;
}

function writeOutputConfig(request: ModelRequest): MessagesRequest['output_config'] {
  const effort = request.reasoning?.effort;
  if (request.output === undefined && (effort === undefined || effort === 'none')) return undefined;
  return omitUndefined({
    effort: effort === 'none' ? undefined : effort,
    format: request.output && { type: 'json_schema' as const, schema: request.output.schema as JsonObject },
  });
}

function partsOf(content: SystemMessage['content']): readonly SystemPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function blocksOf(message: WireMessage): readonly Block[] {
  return typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
}
