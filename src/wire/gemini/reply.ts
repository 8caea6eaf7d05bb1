import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { AssistantMessage } from '../../base/message/message.ts';
import type { Reply } from '../../base/message/model.ts';
import type { Finish, Usage } from '../../base/message/usage.ts';
import type { PrintedUsage, ReadContext, WriteReplyOptions } from '../adapter.ts';
import { ReplyAssembler } from '../reply/assemble-reply.ts';
import { readError } from '../reply/error.ts';
import { readFinish, writeFinish } from '../reply/finish.ts';
import { actionTest, readComputerCall } from '../gemini-actions.ts';
import { omitUndefined, numberOf, objectOf, objectsOf, restOf, textOf } from '../json-fields.ts';
import { readLogprobsResult } from '../tokens.ts';
import { PartialArgs } from './partial-args.ts';
import { api, writeModelParts } from './request.ts';

const finishTable = {
  STOP: 'stop',
  UNEXPECTED_TOOL_CALL: 'calls',
  MAX_TOKENS: 'length',
  CONTINUATION: 'pause',
  SAFETY: 'filter',
  RECITATION: 'filter',
  LANGUAGE: 'filter',
  BLOCKLIST: 'filter',
  PROHIBITED_CONTENT: 'filter',
  SPII: 'filter',
  IMAGE_SAFETY: 'filter',
  IMAGE_PROHIBITED_CONTENT: 'filter',
  IMAGE_RECITATION: 'filter',
  MODEL_ARMOR: 'filter',
  MALFORMED_FUNCTION_CALL: 'error',
  MALFORMED_RESPONSE: 'error',
  TOO_MANY_TOOL_CALLS: 'error',
  OTHER: 'other',
} as const satisfies Record<string, Finish['reason']>;

/** What is known between two chunks; a whole answer is read as one chunk. */
export interface ReplyState {
  readonly reply: ReplyAssembler;
  parts: number;
  /** The text or thought that is being written: chunks cut it, and parts do not say so. */
  words: { readonly key: number; readonly thought: boolean } | undefined;
  /** The call whose arguments Vertex is streaming. */
  open: { readonly key: number; readonly args: PartialArgs } | undefined;
  hostedCall: string;
}

export function beginReply(
  context: ReadContext = {},
  isAction: (name: string) => boolean = actionTest(context.tools?.tools.map(({ spec }) => spec)),
): ReplyState {
  return {
    reply: new ReplyAssembler(api, context, (call) => (isAction(call.name) ? readComputerCall(call) : call)),
    parts: 0,
    words: undefined,
    open: undefined,
    hostedCall: '',
  };
}

/** A whole answer of generateContent → our reply. */
export function readReply(body: JsonObject, context: ReadContext = {}): Reply {
  const state = beginReply(context);
  readChunk(state, body);
  // An answer that came whole has not broken off, also where the service gives no reason.
  const { reply, open } = state;
  if (reply.finish === undefined && !reply.hasError && open === undefined) reply.stop({ reason: 'other' });
  return state.reply.close();
}

/** A chunk of a stream, or a whole answer: the same shape. */
export function readChunk(state: ReplyState, chunk: JsonObject): void {
  const { reply } = state;
  if (isJsonObject(chunk['error'])) {
    reply.error(readError(undefined, chunk));
    return;
  }
  reply.start(textOf(chunk['responseId']), textOf(chunk['modelVersion']));
  // Of several candidates the first is the reply, wherever it is.
  const candidate = objectsOf(chunk['candidates']).find(({ index }) => (index ?? 0) === 0) ?? {};
  for (const part of objectsOf(objectOf(candidate['content'])['parts'])) readPart(state, part);
  const likely = candidate['logprobsResult'];
  if (likely !== undefined) reply.tokens({ logprobs: readLogprobsResult(objectOf(likely)) });
  reply.replyData(restOf(candidate, ['content', 'finishReason', 'index', 'logprobsResult']));
  reply.usage(readUsage(objectOf(chunk['usageMetadata'])));
  const blocked = objectOf(chunk['promptFeedback'])['blockReason'] ?? undefined;
  const reason = candidate['finishReason'] ?? undefined;
  if (reason !== undefined) {
    endCall(state);
    reply.stop(readFinishReason(reason));
  } else if (blocked !== undefined) reply.stop({ reason: 'filter', raw: blocked });
}

/** Some clients print the enum as protobuf numbers it. */
function readFinishReason(raw: JsonValue): Finish {
  if (typeof raw !== 'number') return readFinish(raw, finishTable);
  return { reason: finishNumbers[raw] ?? 'error', raw };
}

/** The two services agree up to 5, and after that on what is a filter; then come malformed calls. */
const finishNumbers: readonly Finish['reason'][] = [
  'other',
  'stop',
  'length',
  'filter',
  'filter',
  'other',
  'filter',
  'filter',
  'filter',
];

/** The parts of a past content of the model, which ended long ago. */
export function readContent(
  parts: readonly JsonObject[],
  makeId: () => string,
  isAction: (name: string) => boolean,
): AssistantMessage {
  const state = beginReply({ model: '', makeId }, isAction);
  for (const part of parts) readPart(state, part);
  endCall(state);
  state.reply.stop({ reason: 'stop' });
  return state.reply.close().message;
}

function readPart(state: ReplyState, part: JsonObject): void {
  const { reply } = state;
  const text = textOf(part['text']);
  if (text !== undefined) {
    readWords(state, text, part);
    return;
  }
  state.words = undefined;
  const call = part['functionCall'];
  if (isJsonObject(call)) {
    readCall(state, call, part);
    return;
  }
  endCall(state);
  const key = state.parts++;
  const hosted = hostedCallOf(part);
  if (hosted !== undefined) {
    reply.call(key, { id: hosted.id, name: hosted.name, requiresLocalExecution: false });
    reply.wholeArguments(key, hosted.arguments);
    reply.remember(key, { raw: part });
    reply.end(key, true);
    state.hostedCall = reply.callAt(key)?.id ?? '';
    return;
  }
  readWholePart(state, key, part);
}

function readWords(state: ReplyState, text: string, part: JsonObject): void {
  endCall(state);
  const thought = part['thought'] === true;
  const rest = restOf(part, ['text']);
  // A signature on an empty text is a part of its own, and must go back as one.
  const alone = text === '' && part['thoughtSignature'] !== undefined;
  if (state.words === undefined || state.words.thought !== thought || alone)
    state.words = { key: state.parts++, thought };
  const { key } = state.words;
  if (thought) state.reply.reasoning(key, text);
  else state.reply.text(key, text);
  state.reply.remember(key, rest);
  if (part['thoughtSignature'] !== undefined) state.words = undefined;
}

function readCall(state: ReplyState, call: JsonObject, part: JsonObject): void {
  const { reply } = state;
  const name = textOf(call['name']);
  if (name !== undefined) {
    endCall(state);
    const key = state.parts++;
    reply.call(key, { id: textOf(call['id']), name });
    reply.remember(key, restOf(part, ['functionCall']));
    if (!Array.isArray(call['partialArgs']) && call['willContinue'] !== true) {
      reply.wholeArguments(key, objectOf(call['args']));
      reply.end(key);
      return;
    }
    state.open = { key, args: new PartialArgs() };
  }
  const { open } = state;
  if (open === undefined) return;
  for (const pair of objectsOf(call['partialArgs'])) reply.arguments(open.key, open.args.take(pair));
  if (call['willContinue'] !== true) endCall(state);
}

/** The streamed arguments of a call are whole. */
function endCall(state: ReplyState): void {
  const { open, reply } = state;
  if (open === undefined) return;
  state.open = undefined;
  reply.arguments(open.key, open.args.end());
  reply.wholeArguments(open.key, open.args.object);
  reply.end(open.key);
}

function hostedCallOf(
  part: JsonObject,
): { readonly id: string | undefined; readonly name: string; readonly arguments: JsonObject } | undefined {
  const code = part['executableCode'];
  if (isJsonObject(code)) return { id: textOf(code['id']), name: 'code_execution', arguments: code };
  const call = part['toolCall'];
  if (!isJsonObject(call)) return undefined;
  return {
    id: textOf(call['id']),
    name: textOf(call['toolType']) ?? 'tool',
    arguments: objectOf(call['args']),
  };
}

function readWholePart(state: ReplyState, key: number, part: JsonObject): void {
  const { reply } = state;
  const result = part['codeExecutionResult'] ?? part['toolResponse'];
  const inline = objectOf(part['inlineData']);
  const data = textOf(inline['data']);
  if (isJsonObject(result)) {
    reply.part(key, {
      type: 'hosted-result',
      callId: textOf(result['id']) ?? state.hostedCall,
      name: part['toolResponse'] === undefined ? 'code_execution' : (textOf(result['toolType']) ?? 'tool'),
      content: result,
      ...(/FAILED|DEADLINE/.test(textOf(result['outcome']) ?? '') && { isError: true }),
      providerData: { [api]: { raw: part } },
    });
  } else if (data !== undefined && /^image\//.test(textOf(inline['mimeType']) ?? '')) {
    reply.part(key, {
      type: 'image',
      source: { kind: 'base64', data, mediaType: textOf(inline['mimeType']) ?? '' },
      providerData: { [api]: restOf(part, ['inlineData']) ?? {} },
    });
  } else reply.part(key, { type: 'other', api, raw: part });
}

/** Their counters leave thoughts out of the candidates' and tool prompts out of the prompt's; ours do not. */
function readUsage(raw: JsonObject): Usage | undefined {
  const prompt = numberOf(raw['promptTokenCount']);
  const candidates = numberOf(raw['candidatesTokenCount']);
  if (prompt === undefined && candidates === undefined) return undefined;
  const reasoning = numberOf(raw['thoughtsTokenCount']);
  const input = (prompt ?? 0) + (numberOf(raw['toolUsePromptTokenCount']) ?? 0);
  const output = (candidates ?? 0) + (reasoning ?? 0);
  return omitUndefined({
    input,
    output,
    cachedRead: numberOf(raw['cachedContentTokenCount']),
    reasoning,
    total: numberOf(raw['totalTokenCount']) ?? input + output,
    raw,
  });
}

export function printUsage(usage: Usage): PrintedUsage {
  const raw = objectOf(usage.raw);
  const isTheirs = raw['promptTokenCount'] !== undefined;
  return {
    input: numberOf(raw['promptTokenCount']) ?? usage.input,
    output: isTheirs ? (numberOf(raw['candidatesTokenCount']) ?? 0) : usage.output - (usage.reasoning ?? 0),
  };
}

export function writeUsage(usage: Usage): JsonObject {
  return omitUndefined({
    promptTokenCount: usage.input,
    candidatesTokenCount: usage.output - (usage.reasoning ?? 0),
    cachedContentTokenCount: usage.cachedRead,
    thoughtsTokenCount: usage.reasoning,
    totalTokenCount: usage.total,
  });
}

/** Our reply → the answer that the API would have given. */
export function writeReply(reply: Reply, options: WriteReplyOptions): JsonObject {
  const parts = writeModelParts({ ...reply.message, from: { api, model: '' } }) as readonly JsonValue[];
  return omitUndefined({
    candidates: [
      {
        content: { role: 'model', parts },
        finishReason: writeFinishReason(reply),
        index: 0,
        ...reply.providerData,
      },
    ],
    usageMetadata: reply.usage && writeUsage(reply.usage),
    modelVersion: options.model,
    responseId: reply.id ?? options.id,
  });
}

/** Calls end with `STOP` here. */
export function writeFinishReason(reply: Reply): string {
  const { finish } = reply;
  return writeFinish(
    finish.reason === 'calls' && finish.raw === undefined ? { reason: 'stop' } : finish,
    finishTable,
    'STOP',
  );
}
