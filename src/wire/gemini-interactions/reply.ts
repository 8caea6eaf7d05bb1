import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Reply } from '../../base/message/model.ts';
import type { Finish, Usage } from '../../base/message/usage.ts';
import type { PrintedUsage, ReadContext, WriteReplyOptions } from '../adapter.ts';
import { ReplyAssembler } from '../reply/assemble-reply.ts';
import { readError } from '../reply/error.ts';
import { readFinish, writeFinish } from '../reply/finish.ts';
import { actionTest, readComputerCall } from '../gemini-actions.ts';
import {
  booleanOf,
  omitUndefined,
  filledText,
  numberOf,
  objectOf,
  objectsOf,
  restOf,
  textOf,
} from '../json-fields.ts';
import { api, writeModelSteps } from './request.ts';

const finishTable = {
  completed: 'stop',
  requires_action: 'calls',
  incomplete: 'length',
  budget_exceeded: 'length',
  requires_continuation: 'pause',
  failed: 'error',
  cancelled: 'error',
} as const satisfies Record<string, Finish['reason']>;

/** A whole interaction → our reply. */
export function readReply(body: JsonObject, context: ReadContext = {}): Reply {
  const reply = beginReply(context);
  reply.start(filledText(body['id']), textOf(body['model']));
  const steps = objectsOf(body['steps'] ?? objectsOf(body['outputs']).map(asStep));
  steps.forEach((step, index) => readStep(reply, index, step));
  readEnd(reply, body);
  return reply.close();
}

/** Until June 2026 the service sent what is now inside steps: the model's words bare, all else as now. */
export function asStep(content: JsonObject): JsonObject {
  const type = textOf(content['type']) ?? '';
  if (type === 'thought' || type.endsWith('_call') || type.endsWith('_result')) return content;
  const isBegun = Object.keys(content).length > 1;
  return { type: 'model_output', content: isBegun ? [content] : [] };
}

export function beginReply(
  context: ReadContext = {},
  isAction: (name: string) => boolean = actionTest(context.tools?.tools.map(({ spec }) => spec)),
): ReplyAssembler {
  return new ReplyAssembler(api, context, (call) => (isAction(call.name) ? readComputerCall(call) : call));
}

/** A step that is whole. */
export function readStep(reply: ReplyAssembler, index: number, step: JsonObject): void {
  const type = textOf(step['type']) ?? '';
  if (type === 'model_output') {
    objectsOf(step['content']).forEach((content, place) => readWords(reply, wordsKey(index, place), content));
    return;
  }
  beginStep(reply, index, step);
  if (type === 'function_call') reply.wholeArguments(index, objectOf(step['arguments']));
  reply.end(index, true);
}

/** Opens the part for a step and takes what it already holds, but for a function call's arguments. */
export function beginStep(reply: ReplyAssembler, index: number, step: JsonObject): void {
  const type = textOf(step['type']) ?? '';
  if (type === 'thought') {
    const summary = objectsOf(step['summary']).map((each) => textOf(each['text']) ?? '');
    if (summary.length > 0) reply.reasoning(index, summary.join('\n\n'));
    else reply.redact(index);
    reply.remember(index, restOf(step, ['type']));
  } else if (type === 'function_call') {
    reply.call(index, { id: textOf(step['id']), name: textOf(step['name']) });
    reply.remember(index, filledSignature(step));
  } else if (type.endsWith('_call')) {
    reply.call(index, {
      id: textOf(step['id']),
      name: filledText(step['name']) ?? type.replace(/_call$/, ''),
      requiresLocalExecution: false,
    });
    reply.wholeArguments(index, objectOf(step['arguments']));
    reply.remember(index, { step });
  } else if (type.endsWith('_result')) {
    reply.part(
      index,
      omitUndefined({
        type: 'hosted-result' as const,
        callId: textOf(step['call_id']) ?? '',
        name: filledText(step['name']) ?? type.replace(/_result$/, ''),
        content: step['result'] ?? null,
        isError: booleanOf(step['is_error']),
        providerData: { [api]: { step } },
      }),
    );
  } else if (type !== 'model_output') reply.part(index, { type: 'other', api, raw: step });
}

/** Some streams add an empty signature, which means nothing. */
function filledSignature(step: JsonObject): JsonObject | undefined {
  const rest = restOf(step, ['type', 'id', 'name', 'arguments']);
  return rest?.['signature'] === '' ? restOf(rest, ['signature']) : rest;
}

/** A content of the model's output that is whole. */
export function readWords(reply: ReplyAssembler, key: string, content: JsonObject): void {
  const text = textOf(content['text']);
  if (text !== undefined) {
    reply.text(key, text);
    reply.remember(key, restOf(content, ['type', 'text']));
    reply.end(key);
    return;
  }
  const data = textOf(content['data']);
  if (content['type'] !== 'image' || data === undefined) {
    reply.part(key, { type: 'other', api, raw: { type: 'model_output', content: [content] } });
    return;
  }
  const mediaType = textOf(content['mime_type']) ?? 'image/png';
  const rest = restOf(content, ['type', 'data', 'mime_type']);
  reply.part(
    key,
    omitUndefined({
      type: 'image' as const,
      source: { kind: 'base64' as const, data, mediaType },
      providerData: rest && { [api]: rest },
    }),
  );
}

export function wordsKey(index: number, place: number): string {
  return `${index}.${place}`;
}

/** Status, usage and error of an interaction that has ended. */
export function readEnd(reply: ReplyAssembler, body: JsonObject): void {
  reply.usage(readUsage(objectOf(body['usage'])));
  for (const said of [body, ...objectsOf(body['steps'])]) readFailure(reply, said);
  const status = filledText(body['status']);
  if (status !== undefined && status !== 'in_progress' && status !== 'queued')
    reply.stop(readFinish(status, finishTable));
}

/** An interaction may fail as a whole, or in what the model was writing. */
export function readFailure(reply: ReplyAssembler, said: JsonObject): void {
  if (said['error'] !== undefined && said['error'] !== null) reply.error(readError(undefined, said));
}

/** Their counters leave thoughts out of the output; ours do not. */
export function readUsage(raw: JsonObject): Usage | undefined {
  const given = numberOf(raw['total_input_tokens']);
  if (given === undefined) return undefined;
  const reasoning = numberOf(raw['total_thought_tokens']);
  const input = given + (numberOf(raw['total_tool_use_tokens']) ?? 0);
  const output = (numberOf(raw['total_output_tokens']) ?? 0) + (reasoning ?? 0);
  return omitUndefined({
    input,
    output,
    cachedRead: numberOf(raw['total_cached_tokens']),
    reasoning,
    total: numberOf(raw['total_tokens']) ?? input + output,
    raw,
  });
}

export function printUsage(usage: Usage): PrintedUsage {
  const raw = objectOf(usage.raw);
  return {
    input: numberOf(raw['total_input_tokens']) ?? usage.input,
    output: numberOf(raw['total_output_tokens']) ?? usage.output - (usage.reasoning ?? 0),
  };
}

function writeUsage(usage: Usage): JsonObject {
  return omitUndefined({
    total_input_tokens: usage.input,
    total_output_tokens: usage.output - (usage.reasoning ?? 0),
    total_thought_tokens: usage.reasoning,
    total_cached_tokens: usage.cachedRead,
    total_tokens: usage.total,
  });
}

/** Our reply → the interaction that the API would have answered with. */
export function writeReply(reply: Reply, options: WriteReplyOptions): JsonObject {
  return writeInteraction(options, writeModelSteps(reply.message) as readonly JsonValue[], reply);
}

/** An interaction around its steps; without a reply it is one that has just begun. */
export function writeInteraction(
  options: WriteReplyOptions,
  steps: readonly JsonValue[],
  reply?: Reply,
): JsonObject {
  const moment = new Date((options.created ?? 0) * 1000).toISOString();
  return omitUndefined({
    id: reply?.id ?? options.id,
    object: 'interaction',
    model: options.model,
    created: moment,
    updated: moment,
    status: reply === undefined ? 'in_progress' : writeStatus(reply),
    steps,
    usage: reply?.usage && writeUsage(reply.usage),
  });
}

function writeStatus(reply: Reply): string {
  const waits = reply.message.content.some((part) => part.type === 'call' && part.requiresLocalExecution);
  if (waits && reply.finish.reason === 'stop') return 'requires_action';
  return writeFinish(reply.finish, finishTable, 'completed');
}
