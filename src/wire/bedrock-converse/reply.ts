import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Reply } from '../../base/message/model.ts';
import type { AssistantPart } from '../../base/message/part.ts';
import type { Finish, Usage } from '../../base/message/usage.ts';
import type { ReadContext, WriteReplyOptions } from '../adapter.ts';
import { ReplyAssembler } from '../reply/assemble-reply.ts';
import { readFinish, writeFinish } from '../reply/finish.ts';
import { printUncached } from '../reply/print-usage.ts';
import { omitUndefined, numberOf, objectOf, objectsOf, restOf, textOf } from '../json-fields.ts';
import { api, writeAssistantBlocks } from './request.ts';

export const finishTable = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  content_filtered: 'filter',
  guardrail_intervened: 'filter',
  malformed_tool_use: 'error',
  malformed_model_output: 'error',
} as const satisfies Record<string, Finish['reason']>;

/** A whole answer of Converse → our reply. */
export function readReply(body: JsonObject, context: ReadContext = {}): Reply {
  const reply = new ReplyAssembler(api, context);
  const message = objectOf(objectOf(body['output'])['message']);
  reply.start(undefined, undefined);
  objectsOf(message['content']).forEach((block, index) => readBlock(reply, index, block));
  reply.replyData(restOf(body, ['output', 'stopReason', 'usage', 'metrics']));
  reply.usage(readUsage(objectOf(body['usage'])));
  reply.stop(readFinish(body['stopReason'], finishTable));
  return reply.close();
}

function readBlock(reply: ReplyAssembler, index: number, block: JsonObject): void {
  const text = textOf(block['text']);
  if (text !== undefined) reply.text(index, text);
  else if (isJsonObject(block['toolUse'])) {
    beginCall(reply, index, block['toolUse']);
    reply.wholeArguments(index, objectOf(block['toolUse']['input']));
  } else if (isJsonObject(block['reasoningContent'])) {
    const { text: thought, redacted, echo } = readReasoning(block['reasoningContent']);
    reply.reasoning(index, thought);
    if (redacted) reply.redact(index);
    reply.remember(index, echo);
  } else if (isJsonObject(block['citationsContent'])) {
    reply.text(index, citedText(block['citationsContent']));
    reply.remember(index, block);
  } else {
    reply.part(index, readWholeBlock(block));
    return;
  }
  reply.end(index);
}

export function beginCall(reply: ReplyAssembler, index: number, use: JsonObject): void {
  reply.call(index, {
    id: textOf(use['toolUseId']),
    name: textOf(use['name']),
    requiresLocalExecution: use['type'] !== 'server_tool_use',
  });
  reply.remember(index, restOf(use, ['toolUseId', 'name', 'input']));
}

/** Reasoning as the service gives it, streamed or whole, and what must go back with it. */
export function readReasoning(content: JsonObject): {
  readonly text: string;
  readonly redacted: boolean;
  readonly echo: JsonObject | undefined;
} {
  const reasoning = objectOf(content['reasoningText']);
  const redacted = content['redactedContent'] !== undefined;
  return {
    text: textOf(reasoning['text']) ?? '',
    redacted,
    echo: redacted ? content : restOf(reasoning, ['text']),
  };
}

function citedText(content: JsonObject): string {
  return objectsOf(content['content'])
    .map((each) => textOf(each['text']) ?? '')
    .join('');
}

/** A result of a tool that the service ran, or a block that nobody but it can say. */
export function readWholeBlock(
  block: JsonObject,
  nameOf?: (callId: string) => string | undefined,
): AssistantPart {
  const result = block['toolResult'];
  if (!isJsonObject(result)) return { type: 'other', api, raw: block };
  const callId = textOf(result['toolUseId']) ?? '';
  return omitUndefined({
    type: 'hosted-result' as const,
    callId,
    name: nameOf?.(callId) ?? '',
    content: result['content'] ?? null,
    isError: result['status'] === 'error' || undefined,
    providerData: { [api]: restOf(result, ['toolUseId']) ?? {} },
  });
}

/** Their counters leave the cache out of `inputTokens`; ours do not. */
export function readUsage(raw: JsonObject): Usage | undefined {
  const uncached = numberOf(raw['inputTokens']);
  if (uncached === undefined) return undefined;
  const cachedRead = numberOf(raw['cacheReadInputTokens']);
  const cachedWrite = numberOf(raw['cacheWriteInputTokens']);
  const input = uncached + (cachedRead ?? 0) + (cachedWrite ?? 0);
  const output = numberOf(raw['outputTokens']) ?? 0;
  return omitUndefined({ input, output, cachedRead, cachedWrite, total: input + output, raw });
}

export function writeUsage(usage: Usage | undefined): JsonObject {
  if (usage === undefined) return { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
  return omitUndefined({
    inputTokens: printUncached(usage).input,
    outputTokens: usage.output,
    totalTokens: usage.total,
    cacheReadInputTokens: usage.cachedRead,
    cacheWriteInputTokens: usage.cachedWrite,
  });
}

/** Our reply → the answer that Converse would have given. */
export function writeReply(reply: Reply, _options: WriteReplyOptions): JsonObject {
  return {
    output: {
      message: {
        role: 'assistant',
        content: writeAssistantBlocks(reply.message) as unknown as JsonValue,
      },
    },
    stopReason: writeStopReason(reply),
    usage: writeUsage(reply.usage),
    metrics: { latencyMs: 0 },
    ...reply.providerData,
  };
}

export function writeStopReason(reply: Reply): string {
  return writeFinish(reply.finish, finishTable, 'end_turn');
}
