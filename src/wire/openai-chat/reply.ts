import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Reply } from '../../base/message/model.ts';
import type { Finish, Usage } from '../../base/message/usage.ts';
import type { PrintedUsage, ReadContext, WriteReplyOptions } from '../adapter.ts';
import type { ReplyAssembler } from '../reply/assemble-reply.ts';
import { readError } from '../reply/error.ts';
import { readFinish, writeFinish } from '../reply/finish.ts';
import { omitUndefined, listOf, numberOf, objectOf, objectsOf, restOf, textOf } from '../json-fields.ts';
import { readIds, readLogprobs } from '../tokens.ts';
import type { ChatHost } from './hosts.ts';
import { beginReading, endReading, readDelta } from './read-delta.ts';
import { writeAssistant } from './messages.ts';

export const finishTable = {
  stop: 'stop',
  tool_calls: 'calls',
  function_call: 'calls',
  length: 'length',
  model_length: 'length',
  content_filter: 'filter',
  error: 'error',
} as const satisfies Record<string, Finish['reason']>;

/** A whole completion → our reply. Of several choices the first is the reply. */
export function readReply(body: JsonObject, host: ChatHost, context: ReadContext = {}): Reply {
  const state = beginReading(host, context);
  const { reply } = state;
  const choices = objectsOf(body['choices']);
  const choice = choices.find(({ index }) => index === 0) ?? choices[0] ?? {};
  const message = objectOf(choice['message']);
  reply.start(textOf(body['id']), textOf(body['model']));
  readDelta(state, message, true);
  readChoiceError(reply, choice);
  readPromptTokens(reply, body);
  readChoiceTokens(reply, choice);
  reply.replyData(readReplyData(body, choice, message));
  reply.usage(readUsage(objectOf(body['usage'])));
  endReading(state);
  reply.stop(readFinish(choice['finish_reason'] ?? undefined, finishTable));
  return reply.close();
}

/** vLLM's, next to the choices; in a stream, in its first chunk. */
export function readPromptTokens(reply: ReplyAssembler, body: JsonObject): void {
  const { prompt_token_ids: ids, prompt_logprobs: likely } = body;
  if (ids === undefined && likely === undefined) return;
  reply.tokens({ promptIds: readIds(ids), promptLogprobs: listOf(likely) });
}

/** Of a whole choice, or of the piece of it that a chunk brings. */
export function readChoiceTokens(reply: ReplyAssembler, choice: JsonObject): void {
  const { token_ids: ids, logprobs } = choice;
  if (ids === undefined && (logprobs === undefined || logprobs === null)) return;
  reply.tokens({ ids: readIds(ids), logprobs: readLogprobs(objectOf(logprobs)['content']) });
}

/** OpenRouter tells what its provider said with the choice that it broke. */
export function readChoiceError(reply: ReplyAssembler, { error }: JsonObject): void {
  if (isJsonObject(error)) reply.error(readError(undefined, { error }));
}

function readReplyData(body: JsonObject, choice: JsonObject, message: JsonObject): JsonObject | undefined {
  return nonEmpty({
    ...restOf(body, ['id', 'object', 'model', 'choices', 'usage', ...promptTokens]),
    ...restOf(choice, ['index', 'message', 'finish_reason', 'logprobs', 'token_ids']),
    message: nonEmpty(restOf(message, knownOfMessage) ?? {}) ?? null,
  });
}

/** The same of a chunk; `obfuscation` only hides how long the others are. */
export function readChunkData(chunk: JsonObject): JsonObject | undefined {
  const known = ['id', 'object', 'model', 'choices', 'usage', 'error', 'obfuscation', ...promptTokens];
  return nonEmpty(restOf(chunk, known) ?? {});
}

const promptTokens = ['prompt_token_ids', 'prompt_logprobs'];

/** The fields of an assistant's message that are read into our words. */
export const knownOfMessage: readonly string[] = [
  'role',
  'content',
  'refusal',
  'tool_calls',
  'function_call',
  'reasoning',
  'reasoning_content',
  'reasoning_details',
];

function nonEmpty(object: JsonObject): JsonObject | undefined {
  const entries = Object.entries(object).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** Some hosts count reasoning in addition to `completion_tokens`, not in it: then the total tells. */
export function readUsage(raw: JsonObject): Usage | undefined {
  const input = numberOf(raw['prompt_tokens']);
  const completion = numberOf(raw['completion_tokens']);
  if (input === undefined && completion === undefined) return undefined;
  const read = objectOf(raw['prompt_tokens_details']);
  const reasoning = numberOf(objectOf(raw['completion_tokens_details'])['reasoning_tokens']);
  const total = numberOf(raw['total_tokens']);
  const beside = total !== undefined && total === (input ?? 0) + (completion ?? 0) + (reasoning ?? 0);
  const output = (completion ?? 0) + (beside ? (reasoning ?? 0) : 0);
  return omitUndefined({
    input: input ?? 0,
    output,
    cachedRead:
      numberOf(read['cached_tokens']) ??
      numberOf(raw['prompt_cache_hit_tokens']) ??
      numberOf(raw['cached_tokens']) ??
      numberOf(raw['num_cached_tokens']),
    cachedWrite: numberOf(read['cache_write_tokens']),
    reasoning,
    total: total ?? (input ?? 0) + output,
    raw,
  });
}

export function printUsage(usage: Usage): PrintedUsage {
  const raw = objectOf(usage.raw);
  return {
    input: numberOf(raw['prompt_tokens']) ?? usage.input,
    output: numberOf(raw['completion_tokens']) ?? usage.output,
  };
}

export function writeUsage(usage: Usage): JsonObject {
  return omitUndefined({
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.total,
    prompt_tokens_details: usage.cachedRead === undefined ? undefined : { cached_tokens: usage.cachedRead },
    completion_tokens_details:
      usage.reasoning === undefined ? undefined : { reasoning_tokens: usage.reasoning },
  });
}

/** Our reply → the completion the API would have answered with. */
export function writeReply(reply: Reply, options: WriteReplyOptions, host: ChatHost): JsonObject {
  return omitUndefined({
    id: reply.id ?? options.id,
    object: 'chat.completion',
    created: options.created ?? 0,
    model: options.model,
    choices: [
      {
        index: 0,
        message: {
          refusal: null,
          ...(writeAssistant(reply.message, undefined, host) as unknown as JsonObject),
        },
        logprobs: null,
        finish_reason: writeFinishReason(reply),
      },
    ] as readonly JsonValue[],
    usage: reply.usage && writeUsage(reply.usage),
  });
}

export function writeFinishReason(reply: Reply): string {
  return writeFinish(reply.finish, finishTable, 'stop');
}
