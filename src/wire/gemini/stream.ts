import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { ModelEvent } from '../../base/message/model.ts';
import type { AssistantPart } from '../../base/message/part.ts';
import type { Chunk, StreamReader, StreamWriter, WriteReplyOptions } from '../adapter.ts';
import { omitUndefined, listOf, objectOf } from '../json-fields.ts';
import { replyReader } from '../reply/reply-reader.ts';
import { writeErrorBody } from './error.ts';
import { beginReply, readChunk, writeFinishReason, writeUsage } from './reply.ts';
import type { ReplyState } from './reply.ts';
import { api, writeModelParts } from './request.ts';

export const reader: StreamReader<ReplyState> = replyReader<ReplyState>(beginReply, (state, chunk) => {
  // Without `alt=sse` a stream is one JSON array of chunks.
  for (const each of Array.isArray(chunk.data) ? listOf(chunk.data) : [chunk.data])
    readChunk(state, objectOf(each));
});

interface WriterState {
  readonly options: WriteReplyOptions;
  /** Slots whose words have been sent as they came. */
  readonly told: Set<number>;
}

export const writer: StreamWriter<WriterState> = {
  begin: (options) => ({ options, told: new Set() }),
  write: (state, event) => [state, [...writeEvent(state, event)]],
};

function* writeEvent(state: WriterState, event: ModelEvent): Generator<Chunk> {
  switch (event.type) {
    case 'text':
    case 'refusal':
      state.told.add(event.slot);
      yield content(state, [{ text: event.text }]);
      return;
    case 'reasoning':
      state.told.add(event.slot);
      yield content(state, [{ text: event.text, thought: true }]);
      return;
    // A call comes whole, in one chunk.
    case 'call-end':
      if (event.call.invalid?.reason !== 'truncated') yield content(state, partsOf(event.call));
      return;
    case 'part': {
      const signature = event.part.providerData?.[api]?.['thoughtSignature'];
      if (!state.told.has(event.slot)) yield content(state, partsOf(event.part));
      else if (signature !== undefined)
        yield content(state, [{ text: '', ...event.part.providerData?.[api] }]);
      return;
    }
    case 'error':
      yield { data: writeErrorBody(event.error) };
      return;
    case 'finish': {
      const { reply } = event;
      if (!reply.complete) return;
      const finishReason = writeFinishReason(reply);
      const candidate = {
        content: { role: 'model', parts: [] },
        finishReason,
        index: 0,
        ...reply.providerData,
      };
      const usageMetadata = reply.usage && writeUsage(reply.usage);
      yield { data: omitUndefined({ candidates: [candidate], usageMetadata, ...envelope(state) }) };
      return;
    }
  }
}

function partsOf(part: AssistantPart): readonly JsonValue[] {
  const from = { api, model: '' };
  return writeModelParts({ role: 'assistant', content: [part], from }) as readonly JsonValue[];
}

function content(state: WriterState, parts: readonly JsonValue[]): Chunk {
  return { data: { candidates: [{ content: { role: 'model', parts }, index: 0 }], ...envelope(state) } };
}

function envelope(state: WriterState): JsonObject {
  return { modelVersion: state.options.model, responseId: state.options.id };
}
