import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { ModelEvent } from '../../base/message/model.ts';
import type { Chunk, StreamReader, StreamWriter, WriteReplyOptions } from '../adapter.ts';
import { objectOf } from '../json-fields.ts';
import { replyReader } from '../reply/reply-reader.ts';
import { beginReply, envelope, readChunk, writeEnd } from './reply.ts';
import type { ReplyState } from './reply.ts';
import { writeAssistantFields } from './request.ts';

export const reader: StreamReader<ReplyState> = replyReader<ReplyState>(beginReply, (state, chunk) =>
  readChunk(state, objectOf(chunk.data)),
);

interface WriterState {
  readonly options: WriteReplyOptions;
}

export const writer: StreamWriter<WriterState> = {
  begin: (options) => ({ options }),
  write: (state, event) => [state, [...writeEvent(state, event)]],
};

function* writeEvent(state: WriterState, event: ModelEvent): Generator<Chunk> {
  switch (event.type) {
    case 'text':
    case 'refusal':
      yield message(state, { content: event.text });
      return;
    case 'reasoning':
      yield message(state, { content: '', thinking: event.text });
      return;
    // The API knows no half calls.
    case 'call-end': {
      const fields = writeAssistantFields({ role: 'assistant', content: [event.call] });
      if (event.call.invalid?.reason !== 'truncated') yield message(state, fields as unknown as JsonObject);
      return;
    }
    case 'error':
      yield { data: { error: event.error.message } };
      return;
    case 'finish': {
      if (!event.reply.complete) return;
      const last: JsonValue = { role: 'assistant', content: '' };
      yield { data: { ...envelope(state.options), message: last, ...writeEnd(event.reply) } };
      return;
    }
  }
}

function message(state: WriterState, fields: JsonObject): Chunk {
  return { data: { ...envelope(state.options), message: { role: 'assistant', ...fields }, done: false } };
}
