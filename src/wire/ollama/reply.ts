import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { AssistantMessage } from '../../base/message/message.ts';
import type { Reply } from '../../base/message/model.ts';
import type { Finish, Usage } from '../../base/message/usage.ts';
import type { ReadContext, WriteReplyOptions } from '../adapter.ts';
import { ReplyAssembler } from '../reply/assemble-reply.ts';
import { readError } from '../reply/error.ts';
import { readFinish, writeFinish } from '../reply/finish.ts';
import { omitUndefined, filledText, numberOf, objectOf, objectsOf, restOf, textOf } from '../json-fields.ts';
import { readLogprobs } from '../tokens.ts';
import { api, writeAssistantFields } from './request.ts';

/** A reply with calls ends with `stop` too. */
const finishTable = {
  stop: 'stop',
  length: 'length',
  load: 'other',
  unload: 'other',
} as const satisfies Record<string, Finish['reason']>;

/** What is known between two chunks; a whole answer is read as one chunk. */
export interface ReplyState {
  readonly reply: ReplyAssembler;
  calls: number;
}

export function beginReply(context: ReadContext = {}): ReplyState {
  return { reply: new ReplyAssembler(api, context), calls: 0 };
}

/** A whole answer of the chat API → our reply. */
export function readReply(body: JsonObject, context: ReadContext = {}): Reply {
  const state = beginReply(context);
  readChunk(state, body);
  return state.reply.close();
}

/** A chunk of a stream, or a whole answer: the same fields, the last with `done`. */
export function readChunk(state: ReplyState, chunk: JsonObject): void {
  const { reply } = state;
  const failure = filledText(chunk['error']);
  if (failure !== undefined) {
    reply.error(readError(undefined, chunk));
    return;
  }
  reply.start(undefined, textOf(chunk['model']));
  readFields(state, objectOf(chunk['message']));
  if (chunk['logprobs'] !== undefined) reply.tokens({ logprobs: readLogprobs(chunk['logprobs']) });
  if (chunk['done'] !== true) return;
  reply.usage(readUsage(chunk));
  const reason = filledText(chunk['done_reason']);
  // Old servers say no reason.
  reply.stop(reason === undefined ? { reason: 'stop' } : readFinish(reason, finishTable));
}

/** An assistant message of a request: the same fields as in a reply, ended long ago. */
export function readMessage(message: JsonObject): AssistantMessage {
  const state = beginReply();
  readFields(state, message);
  state.reply.stop({ reason: 'stop' });
  return state.reply.close().message;
}

function readFields(state: ReplyState, message: JsonObject): void {
  const { reply } = state;
  const thinking = filledText(message['thinking']);
  if (thinking !== undefined) reply.reasoning('thinking', thinking);
  const text = filledText(message['content']);
  if (text !== undefined) reply.text('content', text);
  for (const call of objectsOf(message['tool_calls'])) {
    const body = objectOf(call['function']);
    const key = `call ${state.calls++}`;
    reply.call(key, { id: textOf(call['id']), name: textOf(body['name']) });
    const given = body['arguments'];
    reply.wholeArguments(key, typeof given === 'string' ? given : objectOf(given));
    // A call comes whole, in one chunk.
    reply.end(key);
  }
}

function readUsage(chunk: JsonObject): Usage | undefined {
  const input = numberOf(chunk['prompt_eval_count']);
  const output = numberOf(chunk['eval_count']);
  if (input === undefined && output === undefined) return undefined;
  const raw = restOf(chunk, ['model', 'created_at', 'message', 'done', 'done_reason']) ?? {};
  return { input: input ?? 0, output: output ?? 0, total: (input ?? 0) + (output ?? 0), raw };
}

/** Our reply → the answer that the server would have given. */
export function writeReply(reply: Reply, options: WriteReplyOptions): JsonObject {
  return {
    ...envelope(options),
    message: { role: 'assistant', ...writeAssistantFields(reply.message) } as unknown as JsonValue,
    ...writeEnd(reply),
  };
}

export function envelope(options: WriteReplyOptions): JsonObject {
  return { model: options.model, created_at: new Date((options.created ?? 0) * 1000).toISOString() };
}

export function writeEnd(reply: Reply): JsonObject {
  return omitUndefined({
    done: true,
    done_reason: writeFinish(reply.finish, finishTable, 'stop'),
    prompt_eval_count: reply.usage?.input,
    eval_count: reply.usage?.output,
  });
}
