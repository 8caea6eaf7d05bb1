import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { AssistantMessage } from '../../base/message/message.ts';
import type { Reply } from '../../base/message/model.ts';
import type { Finish, Usage } from '../../base/message/usage.ts';
import type { ReadContext, WriteReplyOptions } from '../adapter.ts';
import { ReplyAssembler } from '../reply/assemble-reply.ts';
import { readFinish, writeFinish } from '../reply/finish.ts';
import { omitUndefined, numberOf, objectOf, objectsOf, restOf, textOf } from '../json-fields.ts';
import { api, writeAssistantFields } from './request.ts';

export const finishTable = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  TOOL_CALL: 'calls',
  MAX_TOKENS: 'length',
  ERROR: 'error',
  ERROR_TOXIC: 'filter',
  TIMEOUT: 'error',
} as const satisfies Record<string, Finish['reason']>;

/** A whole answer of Chat v2 → our reply. */
export function readReply(body: JsonObject, context: ReadContext = {}): Reply {
  const reply = new ReplyAssembler(api, context);
  reply.start(textOf(body['id']), undefined);
  readFields(reply, objectOf(body['message']));
  reply.usage(readUsage(objectOf(body['usage'])));
  reply.replyData(restOf(body, ['id', 'message', 'usage', 'finish_reason']));
  reply.stop(readFinish(body['finish_reason'], finishTable));
  return reply.close();
}

/** An assistant message of a request: the same fields as in a reply, ended long ago. */
export function readMessage(message: JsonObject): AssistantMessage {
  const reply = new ReplyAssembler(api);
  readFields(reply, message);
  reply.stop({ reason: 'stop' });
  return reply.close().message;
}

function readFields(reply: ReplyAssembler, message: JsonObject): void {
  readPlan(reply, textOf(message['tool_plan']) ?? '');
  const content = message['content'];
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content);
  parts.forEach((part, index) => readContent(reply, index, part));
  for (const citation of objectsOf(message['citations'])) readCitation(reply, citation);
  objectsOf(message['tool_calls']).forEach((call, index) => {
    beginCall(reply, index, call);
    const given = objectOf(call['function'])['arguments'];
    reply.wholeArguments(callKey(index), typeof given === 'string' ? given : objectOf(given));
    reply.end(callKey(index));
  });
}

/** What the model means to do with its tools: reasoning that goes back as `tool_plan`. */
export function readPlan(reply: ReplyAssembler, text: string): void {
  if (text === '') return;
  reply.reasoning('plan', text);
  reply.remember('plan', { plan: true });
}

/** A piece of content, whole or the beginning or the middle of a streamed one. */
export function readContent(reply: ReplyAssembler, index: number, part: JsonObject): void {
  const key = `content ${index}`;
  const thinking = textOf(part['thinking']);
  if (thinking !== undefined) {
    reply.reasoning(key, thinking);
    reply.remember(key, { plan: false });
  } else reply.text(key, textOf(part['text']) ?? '');
}

/** A citation belongs to the text it is in; the first text holds those that name none. */
export function readCitation(reply: ReplyAssembler, citation: JsonObject): void {
  const key = `content ${numberOf(citation['content_index']) ?? 0}`;
  reply.append(key, 'citations', citation);
}

export function beginCall(reply: ReplyAssembler, index: number, call: JsonObject): void {
  reply.call(callKey(index), { id: textOf(call['id']), name: textOf(objectOf(call['function'])['name']) });
}

export function callKey(index: number): string {
  return `call ${index}`;
}

export function readUsage(raw: JsonObject): Usage | undefined {
  const tokens = objectOf(raw['tokens'] ?? raw['billed_units']);
  const input = numberOf(tokens['input_tokens']);
  if (input === undefined) return undefined;
  const output = numberOf(tokens['output_tokens']) ?? 0;
  return omitUndefined({
    input,
    output,
    cachedRead: numberOf(raw['cached_tokens']),
    total: input + output,
    raw,
  });
}

export function writeUsage(usage: Usage): JsonObject {
  const tokens = { input_tokens: usage.input, output_tokens: usage.output };
  return omitUndefined({ billed_units: tokens, tokens, cached_tokens: usage.cachedRead });
}

/** Our reply → the answer that the API would have given. */
export function writeReply(reply: Reply, options: WriteReplyOptions): JsonObject {
  return omitUndefined({
    id: reply.id ?? options.id,
    finish_reason: writeFinishReason(reply),
    message: { role: 'assistant', ...writeAssistantFields(reply.message) } as unknown as JsonValue,
    usage: reply.usage && writeUsage(reply.usage),
    ...reply.providerData,
  });
}

export function writeFinishReason(reply: Reply): string {
  return writeFinish(reply.finish, finishTable, 'COMPLETE');
}
