import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Reply } from '../../base/message/model.ts';
import type { AssistantPart } from '../../base/message/part.ts';
import type { Finish, Usage } from '../../base/message/usage.ts';
import type { ReadContext, WriteReplyOptions } from '../adapter.ts';
import { ReplyAssembler } from '../reply/assemble-reply.ts';
import { wireArguments } from '../request/bind-tools.ts';
import { readFinish, writeFinish } from '../reply/finish.ts';
import { printUncached } from '../reply/print-usage.ts';
import { booleanOf, omitUndefined, numberOf, objectOf, objectsOf, restOf, textOf } from '../json-fields.ts';
import { readComputerCall } from './computer.ts';
import { writeAssistantBlocks } from './request.ts';

export const api = 'anthropic';

export const finishTable = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'refusal',
  pause_turn: 'pause',
  compaction: 'pause',
} as const satisfies Record<string, Finish['reason']>;

/** A whole message of the API → our reply. */
export function readReply(body: JsonObject, context: ReadContext = {}): Reply {
  const reply = beginReply(context);
  reply.start(textOf(body['id']), textOf(body['model']));
  readContent(reply, body['content']);
  reply.replyData(readMessageData(body));
  reply.usage(readUsage(objectOf(body['usage'])));
  reply.stop(readFinish(body['stop_reason'], finishTable));
  return reply.close();
}

/** The computer tools are the API's own, by the name that the request gave them or that the call says. */
export function beginReply(context: ReadContext = {}): ReplyAssembler {
  const isComputer = (name: string): boolean =>
    context.tools === undefined ? name === 'computer' : context.tools.ours(name)?.kind === 'hosted';
  return new ReplyAssembler(api, context, (call) => readComputerCall(call, isComputer));
}

/** Blocks that came whole: of an unstreamed message, or of a `message_start` that already holds some. */
export function readContent(reply: ReplyAssembler, content: JsonValue | undefined): void {
  objectsOf(content).forEach((block, index) => {
    beginBlock(reply, index, block);
    if (isCall(block)) reply.wholeArguments(index, objectOf(block['input']));
    reply.end(index);
  });
}

/** Opens the part for a block and takes what the block already holds, but for a call's input. */
export function beginBlock(reply: ReplyAssembler, index: number, block: JsonObject): void {
  const type = textOf(block['type']) ?? '';
  if (isCall(block)) {
    const rest = restOf(block, ['type', 'id', 'name', 'input']);
    reply.call(index, {
      id: textOf(block['id']),
      name: textOf(block['name']),
      requiresLocalExecution: type === 'tool_use',
      data: type === 'tool_use' ? rest : { ...rest, type },
    });
  } else if (type === 'text') {
    reply.text(index, textOf(block['text']) ?? '');
    reply.remember(index, restOf(block, ['type', 'text']));
  } else if (type === 'thinking') {
    reply.reasoning(index, textOf(block['thinking']) ?? '');
    reply.remember(index, restOf(block, ['type', 'thinking']));
  } else if (type === 'redacted_thinking') {
    reply.redact(index);
    reply.remember(index, restOf(block, ['type']));
  } else {
    reply.part(index, readWholeBlock(block));
  }
}

/** A hosted result, or a block that nobody but the API can say. */
export function readWholeBlock(
  block: JsonObject,
  nameOf?: (callId: string) => string | undefined,
): AssistantPart {
  const type = textOf(block['type']) ?? '';
  const callId = textOf(block['tool_use_id']);
  if (callId === undefined || !type.endsWith('tool_result')) return { type: 'other', api, raw: block };
  return omitUndefined({
    type: 'hosted-result' as const,
    callId,
    name: nameOf?.(callId) ?? type.replace(/_?tool_result$/, ''),
    content: block['content'] ?? null,
    // Only a server of MCP says it in a field; the API's own tools say it by the type of what they answer.
    isError:
      booleanOf(block['is_error']) ||
      /_error$/.test(textOf(objectOf(block['content'])['type']) ?? '') ||
      undefined,
    providerData: { [api]: { type, ...restOf(block, ['type', 'tool_use_id', 'content']) } },
  });
}

/** Neither words, thoughts, a call nor a result of one. */
export function isOpaque(block: JsonObject): boolean {
  const type = textOf(block['type']) ?? '';
  return !isCall(block) && !type.endsWith('tool_result') && !/^(text|thinking|redacted_thinking)$/.test(type);
}

export function isCall(block: JsonObject): boolean {
  return ['tool_use', 'server_tool_use', 'mcp_tool_use'].includes(textOf(block['type']) ?? '');
}

/** Their counters leave the cache out of `input_tokens`; ours do not. */
export function readUsage(raw: JsonObject): Usage | undefined {
  const uncached = numberOf(raw['input_tokens']);
  const output = numberOf(raw['output_tokens']) ?? 0;
  if (uncached === undefined && numberOf(raw['output_tokens']) === undefined) return undefined;
  const cachedRead = numberOf(raw['cache_read_input_tokens']);
  const cachedWrite = numberOf(raw['cache_creation_input_tokens']);
  const input = (uncached ?? 0) + (cachedRead ?? 0) + (cachedWrite ?? 0);
  return omitUndefined({
    input,
    output,
    cachedRead,
    cachedWrite,
    reasoning: numberOf(objectOf(raw['output_tokens_details'])['thinking_tokens']),
    total: input + output,
    raw,
  });
}

export function writeUsage(usage: Usage | undefined): JsonObject {
  if (usage === undefined) return { input_tokens: 0, output_tokens: 0 };
  return omitUndefined({
    input_tokens: printUncached(usage).input,
    cache_creation_input_tokens: usage.cachedWrite,
    cache_read_input_tokens: usage.cachedRead,
    output_tokens: usage.output,
  });
}

/** What a message says in addition to content, reason and usage: stop details, the container, … */
export function readMessageData(message: JsonObject): JsonObject | undefined {
  return restOf(message, ['id', 'type', 'role', 'model', 'content', 'stop_reason', 'usage']);
}

/** Our reply → the message the API would have answered with. */
export function writeReply(reply: Reply, options: WriteReplyOptions): JsonObject {
  return {
    id: reply.id ?? options.id,
    type: 'message',
    role: 'assistant',
    model: options.model,
    content: writeAssistantBlocks(reply.message, (call) => wireArguments(call)) as unknown as JsonValue,
    stop_reason: writeStopReason(reply),
    stop_sequence: null,
    ...reply.providerData,
    usage: writeUsage(reply.usage),
  };
}

export function writeStopReason(reply: Reply): string {
  return writeFinish(reply.finish, finishTable, 'end_turn');
}
