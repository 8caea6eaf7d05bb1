import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject } from '../../base/json/value.ts';
import type { ModelEvent } from '../../base/message/model.ts';
import type { Chunk, ReadContext, StreamReader, StreamWriter, WriteReplyOptions } from '../adapter.ts';
import { readError } from '../reply/error.ts';
import { failureOf } from '../reply/failure.ts';
import { readFinish } from '../reply/finish.ts';
import { omitUndefined, filledText, numberOf, objectOf, objectsOf, textOf } from '../json-fields.ts';
import { AudioSoFar } from './audio.ts';
import { writeErrorBody } from './error.ts';
import type { ChatHost } from './hosts.ts';
import { beginReading, endReading, readDelta } from './read-delta.ts';
import type { DeltaState } from './read-delta.ts';
import {
  finishTable,
  readChoiceError,
  readChoiceTokens,
  readChunkData,
  readPromptTokens,
  readUsage,
  writeFinishReason,
  writeUsage,
} from './reply.ts';

interface ReaderState extends DeltaState {
  done: boolean;
  /** Pictures that came so far, as OpenRouter gives them. */
  readonly images: JsonObject[];
  readonly audio: AudioSoFar;
}

export function chatReader(host: ChatHost): StreamReader<ReaderState> {
  return {
    begin: (context: ReadContext = {}) => ({
      ...beginReading(host, context),
      done: false,
      images: [],
      audio: new AudioSoFar(),
    }),
    read(state, chunk) {
      const failure = failureOf(chunk);
      if (chunk.text === '[DONE]') state.done = true;
      else if (failure !== undefined) state.reply.error(failure);
      else readChunk(state, objectOf(chunk.data));
      return [state, state.reply.take()];
    },
    end(state, error) {
      const ended = state.done || state.reply.finish !== undefined;
      if (error !== undefined && !ended) state.reply.error(error);
      endReading(state);
      tellMedia(state);
      state.reply.close(ended && !state.reply.hasError);
      return [state, state.reply.take()];
    },
  };
}

function readChunk(state: ReaderState, chunk: JsonObject): void {
  const { reply } = state;
  reply.start(filledText(chunk['id']), textOf(chunk['model']));
  if (chunk['error'] !== undefined && chunk['error'] !== null) reply.error(readError(undefined, chunk));
  readPromptTokens(reply, chunk);
  const choices = objectsOf(chunk['choices']);
  // A chunk without a choice speaks of the reply as a whole: it counts, or tells what a moderation found.
  if (choices.length === 0) reply.replyData(readChunkData(chunk));
  for (const choice of choices) {
    // Of several choices the first is the reply.
    if ((numberOf(choice['index']) ?? 0) !== 0) continue;
    readChoiceError(reply, choice);
    const delta = objectOf(choice['delta'] ?? choice['message']);
    readDelta(state, delta);
    state.images.push(...objectsOf(delta['images']));
    if (isJsonObject(delta['audio'])) state.audio.add(delta['audio']);
    readChoiceTokens(reply, choice);
    // Moonshot counts in the choice.
    reply.usage(readUsage(objectOf(choice['usage'])));
    const reason = filledText(choice['finish_reason']);
    if (reason === undefined) continue;
    endReading(state);
    reply.stop(readFinish(reason, finishTable));
  }
  reply.usage(readUsage(objectOf(chunk['usage'] ?? objectOf(chunk['x_groq'])['usage'])));
}

/** Pictures and sound are kept where those of a whole message are. */
function tellMedia(state: ReaderState): void {
  const images = state.images.length > 0 ? state.images : undefined;
  const audio = state.audio.all;
  if (images ?? audio) state.reply.replyData({ message: omitUndefined({ images, audio }) });
}

interface WriterState {
  readonly options: WriteReplyOptions;
  readonly host: ChatHost;
  readonly calls: Map<number, { readonly index: number; readonly isCustom: boolean }>;
  started: boolean;
}

export function chatWriter(host: ChatHost): StreamWriter<WriterState> {
  return {
    begin: (options) => ({ options, host, calls: new Map(), started: false }),
    write: (state, event) => [state, [...writeEvent(state, event)]],
  };
}

function* writeEvent(state: WriterState, event: ModelEvent): Generator<Chunk> {
  if (!state.started && event.type !== 'error' && event.type !== 'finish') {
    state.started = true;
    yield chunk(state, { role: 'assistant', content: '' });
  }
  switch (event.type) {
    case 'text':
      yield chunk(state, { content: event.text });
      return;
    case 'refusal':
      yield chunk(state, { refusal: event.text });
      return;
    case 'reasoning':
      yield chunk(state, { reasoning_content: event.text });
      return;
    case 'call-start': {
      const index = state.calls.size;
      const isCustom = event.kind === 'custom';
      state.calls.set(event.slot, { index, isCustom });
      yield callChunk(state, {
        index,
        id: event.id,
        type: isCustom ? 'custom' : 'function',
        ...(isCustom
          ? { custom: { name: event.name, input: '' } }
          : { function: { name: event.name, arguments: '' } }),
      });
      return;
    }
    case 'call-delta': {
      const call = state.calls.get(event.slot);
      if (call === undefined) return;
      const body = call.isCustom
        ? { custom: { input: event.text } }
        : { function: { arguments: event.text } };
      yield callChunk(state, { index: call.index, ...body });
      return;
    }
    case 'error':
      yield { data: writeErrorBody(event.error) };
      return;
    case 'finish': {
      if (event.reply.error !== undefined || !event.reply.complete) return;
      yield chunk(state, {}, writeFinishReason(event.reply));
      if (event.reply.usage !== undefined)
        yield { data: { ...envelope(state), choices: [], usage: writeUsage(event.reply.usage) } };
      yield { text: '[DONE]' };
      return;
    }
  }
}

function callChunk(state: WriterState, call: JsonObject): Chunk {
  return chunk(state, { tool_calls: [call] });
}

function chunk(state: WriterState, delta: JsonObject, finishReason: string | null = null): Chunk {
  return {
    data: { ...envelope(state), choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }] },
  };
}

function envelope(state: WriterState): JsonObject {
  const { id, model, created } = state.options;
  return omitUndefined({ id, object: 'chat.completion.chunk', created: created ?? 0, model });
}
