import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Reply } from '../../base/message/model.ts';
import type { Finish, Usage } from '../../base/message/usage.ts';
import type { ReadContext, WriteReplyOptions } from '../adapter.ts';
import { ReplyAssembler } from '../reply/assemble-reply.ts';
import type { PartKey } from '../reply/assemble-reply.ts';
import { readError } from '../reply/error.ts';
import { omitUndefined, filledText, numberOf, objectOf, objectsOf, restOf, textOf } from '../json-fields.ts';
import { readLogprobs } from '../tokens.ts';
import { isPlainCall, readCallItem } from './call-item.ts';
import { readActions, readSafetyChecks } from './computer.ts';
import { api, writeAssistantItems } from './items.ts';

/** A whole response → our reply. */
export function readReply(body: JsonObject, context: ReadContext = {}): Reply {
  const reply = beginReply(context);
  reply.start(textOf(body['id']), textOf(body['model']));
  const output = objectsOf(body['output']);
  output.forEach((item, index) => readItem(reply, index, item));
  readEnd(reply, body, Array.isArray(body['output']) ? statusOf(body) : undefined);
  // Made in the background it is answered for before it has begun: nothing of it was cut, and nothing is to be asked again.
  const isPending = reply.finish === undefined && !reply.hasError && output.length === 0;
  if (isPending && filledText(body['status']) !== undefined)
    reply.stop({ reason: 'other', raw: body['status'] ?? null });
  return reply.close();
}

/** Computer calls say their actions in the item that they came as. */
export function beginReply(context: ReadContext = {}): ReplyAssembler {
  return new ReplyAssembler(api, context, (call) => {
    const item = objectOf(call.providerData?.[api]?.['item']);
    if (call.kind !== 'computer' || item['type'] !== 'computer_call') return call;
    const checks = readSafetyChecks(item);
    return { ...call, actions: readActions(item), ...(checks.length > 0 && { safetyChecks: checks }) };
  });
}

/** An output item that is whole. */
export function readItem(reply: ReplyAssembler, index: PartKey, item: JsonObject): void {
  const call = readCallItem(item);
  if (call !== undefined) {
    readCall(reply, index, item, call);
    return;
  }
  switch (item['type']) {
    case 'message':
      readWords(reply, index, item);
      return;
    case 'reasoning':
      if (reasoningText(item) !== '') reply.reasoning(index, reasoningText(item));
      else reply.redact(index);
      reply.remember(index, { item });
      reply.end(index);
      return;
    default:
      if (item['type'] === undefined && item['role'] === 'assistant')
        readWords(reply, index, { type: 'message', ...item });
      else reply.part(index, { type: 'other', api, raw: item });
  }
}

type ReadCallItem = NonNullable<ReturnType<typeof readCallItem>>;

function readCall(reply: ReplyAssembler, key: PartKey, item: JsonObject, call: ReadCallItem): void {
  reply.call(key, call);
  reply.wholeArguments(key, call.arguments);
  const rest = restOf(item, ['type', 'call_id', 'name', 'arguments', 'input']);
  reply.remember(key, isPlainCall(textOf(item['type']) ?? '') ? rest : { item });
  // The item says itself whether it is whole.
  reply.end(key, item['status'] !== 'incomplete' && item['status'] !== 'in_progress');
}

function readWords(reply: ReplyAssembler, index: PartKey, item: JsonObject): void {
  const content = item['content'];
  const parts = typeof content === 'string' ? [{ type: 'output_text', text: content }] : objectsOf(content);
  parts.forEach((part, place) => {
    const key = wordsKey(index, place);
    if (part['type'] === 'refusal') reply.refusal(key, textOf(part['refusal']) ?? '');
    else reply.text(key, textOf(part['text']) ?? '');
    rememberWords(reply, key, item, part);
    reply.tokens({ logprobs: readLogprobs(part['logprobs']) });
    reply.end(key);
  });
}

/** What must go back with words: the item they are in, and what is next to them. */
export function rememberWords(reply: ReplyAssembler, key: PartKey, item: JsonObject, part: JsonObject): void {
  const beside = restOf(part, ['type', 'text', 'refusal', 'logprobs']);
  reply.remember(key, omitUndefined({ item: restOf(item, ['content']), content: beside }));
}

export function wordsKey(index: PartKey, place: number): PartKey {
  return `${index}.${place}`;
}

/** A summary's parts are paragraphs; some models show their reasoning itself. */
function reasoningText(item: JsonObject): string {
  const summary = objectsOf(item['summary']).map((each) => textOf(each['text']) ?? '');
  if (summary.length > 0) return summary.join('\n\n');
  return objectsOf(item['content'])
    .map((each) => textOf(each['text']) ?? '')
    .join('');
}

/** What a whole response that says no status has come to; the official type allows it to be left out. */
function statusOf({ error, incomplete_details: cut }: JsonObject): string {
  if (isJsonObject(error)) return 'failed';
  return isJsonObject(cut) ? 'incomplete' : 'completed';
}

/** Status, usage and error of a response that has ended; `ended` where it does not say its status itself. */
export function readEnd(reply: ReplyAssembler, body: JsonObject, ended: string | undefined): void {
  reply.usage(readUsage(objectOf(body['usage'])));
  reply.replyData(readReplyData(body));
  const error = body['error'];
  if (error !== undefined && error !== null) reply.error(readError(undefined, { error }));
  const said = filledText(body['status']);
  const status = said ?? ended;
  if (status === undefined || status === 'in_progress' || status === 'queued') return;
  const finish = readFinish(status, filledText(objectOf(body['incomplete_details'])['reason']));
  reply.stop(said === undefined ? { reason: finish.reason } : finish);
}

/** Most fields of a response repeat the request; these say something of the reply. */
function readReplyData(body: JsonObject): JsonObject | undefined {
  const reason = objectOf(body['incomplete_details'])['reason'];
  const said = ['moderation', 'content_filters', 'service_tier'].map((field) => [
    field,
    body[field] ?? undefined,
  ]);
  const data: JsonObject = omitUndefined({
    incomplete_details: reason === undefined ? undefined : { reason },
    ...Object.fromEntries(said),
  });
  return Object.keys(data).length > 0 ? data : undefined;
}

function readFinish(status: string, reason: string | undefined): Finish {
  if (status === 'completed') return { reason: 'stop', raw: status };
  if (status === 'incomplete')
    return { reason: reason === 'content_filter' ? 'filter' : 'length', raw: status };
  return { reason: status === 'failed' || status === 'cancelled' ? 'error' : 'other', raw: status };
}

function readUsage(raw: JsonObject): Usage | undefined {
  const input = numberOf(raw['input_tokens']);
  if (input === undefined) return undefined;
  const output = numberOf(raw['output_tokens']) ?? 0;
  const details = objectOf(raw['input_tokens_details']);
  return omitUndefined({
    input,
    output,
    cachedRead: numberOf(details['cached_tokens']),
    cachedWrite: numberOf(details['cache_write_tokens']),
    reasoning: numberOf(objectOf(raw['output_tokens_details'])['reasoning_tokens']),
    total: numberOf(raw['total_tokens']) ?? input + output,
    raw,
  });
}

function writeUsage(usage: Usage): JsonObject {
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cachedRead ?? 0 },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    total_tokens: usage.total,
  };
}

/** Our reply → the response that the API would have answered with. */
export function writeReply(reply: Reply, options: WriteReplyOptions): JsonObject {
  const id = reply.id ?? options.id;
  const output = writeAssistantItems(reply.message).map((item, index) =>
    outputItem(item as JsonObject, `${id}_${index}`),
  );
  return writeResponse({ ...options, id }, output, reply);
}

/** A response around its output; without a reply it is one that has just begun. */
export function writeResponse(
  options: WriteReplyOptions,
  output: readonly JsonValue[],
  reply?: Reply,
): JsonObject {
  return {
    id: options.id,
    object: 'response',
    created_at: options.created ?? 0,
    status: reply === undefined ? 'in_progress' : writeStatus(reply),
    error: reply?.error === undefined ? null : { code: 'server_error', message: reply.error.message },
    incomplete_details: reply === undefined ? null : writeIncomplete(reply),
    instructions: null,
    metadata: {},
    model: options.model,
    output,
    parallel_tool_calls: true,
    temperature: null,
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    usage: reply?.usage === undefined ? null : writeUsage(reply.usage),
  };
}

/** An item as the API answers with it: with an id, a status, and words in parts. */
export function outputItem(item: JsonObject, id: string): JsonObject {
  const type = textOf(item['type']) ?? 'message';
  const status = type === 'reasoning' ? {} : { status: 'completed' };
  if (item['role'] !== 'assistant') return { id, ...status, ...item };
  const content = item['content'];
  return {
    id,
    type: 'message',
    ...status,
    ...item,
    content: typeof content === 'string' ? [outputText(content)] : (content ?? []),
  };
}

export function outputText(text: string): JsonObject {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function writeStatus(reply: Reply): string {
  if (reply.error !== undefined || reply.finish.reason === 'error') return 'failed';
  return writeIncomplete(reply) === null ? 'completed' : 'incomplete';
}

function writeIncomplete(reply: Reply): JsonValue {
  if (reply.finish.reason === 'length') return { reason: 'max_output_tokens' };
  return reply.finish.reason === 'filter' ? { reason: 'content_filter' } : null;
}
