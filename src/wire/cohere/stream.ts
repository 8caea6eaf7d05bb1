import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { ModelEvent } from '../../base/message/model.ts';
import type { Chunk, StreamReader, StreamWriter, WriteReplyOptions } from '../adapter.ts';
import { ReplyAssembler } from '../reply/assemble-reply.ts';
import { readError } from '../reply/error.ts';
import { readFinish } from '../reply/finish.ts';
import { omitUndefined, filledText, listOf, numberOf, objectOf, textOf } from '../json-fields.ts';
import { replyReader } from '../reply/reply-reader.ts';
import {
  beginCall,
  callKey,
  finishTable,
  readCitation,
  readContent,
  readPlan,
  readUsage,
  writeFinishReason,
  writeUsage,
} from './reply.ts';
import { api } from './request.ts';

interface ReaderState {
  readonly reply: ReplyAssembler;
}

export const reader: StreamReader<ReaderState> = replyReader<ReaderState>(
  (context) => ({ reply: new ReplyAssembler(api, context) }),
  (state, chunk) => readEvent(state.reply, objectOf(chunk.data), chunk.event),
);

function readEvent(reply: ReplyAssembler, event: JsonObject, name: string | undefined): void {
  const index = numberOf(event['index']) ?? 0;
  const delta = objectOf(event['delta']);
  const message = objectOf(delta['message']);
  const call = onlyOf(message['tool_calls']);
  switch (event['type'] ?? name) {
    case 'message-start':
      reply.start(textOf(event['id']), undefined);
      return;
    case 'tool-plan-delta':
      readPlan(reply, textOf(message['tool_plan']) ?? '');
      return;
    case 'content-start':
    case 'content-delta':
      readContent(reply, index, objectOf(message['content']));
      return;
    case 'content-end':
      return;
    case 'citation-start':
      readCitation(reply, onlyOf(message['citations']));
      return;
    case 'tool-call-start':
      beginCall(reply, index, call);
      reply.arguments(callKey(index), textOf(objectOf(call['function'])['arguments']) ?? '');
      return;
    case 'tool-call-delta':
      reply.arguments(callKey(index), textOf(objectOf(call['function'])['arguments']) ?? '');
      return;
    case 'tool-call-end':
      reply.end(callKey(index));
      return;
    case 'message-end': {
      reply.usage(readUsage(objectOf(delta['usage'])));
      const failure = filledText(delta['error']);
      if (failure !== undefined) reply.error(readError(undefined, { message: failure }));
      reply.stop(readFinish(delta['finish_reason'], finishTable));
      return;
    }
  }
}

/** The stream has one where a whole message has a list. */
function onlyOf(value: JsonValue | undefined): JsonObject {
  return objectOf(Array.isArray(value) ? listOf(value)[0] : value);
}

interface WriterState {
  readonly options: WriteReplyOptions;
  readonly calls: Map<number, number>;
  readonly open: Set<number>;
  started: boolean;
}

export const writer: StreamWriter<WriterState> = {
  begin: (options) => ({ options, calls: new Map(), open: new Set(), started: false }),
  write(state, event) {
    const chunks = [...writeEvent(state, event)];
    return [state, chunks.map((data): Chunk => ({ event: String(data['type']), data }))];
  },
};

function* writeEvent(state: WriterState, event: ModelEvent): Generator<JsonObject> {
  if (!state.started) {
    state.started = true;
    const message = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] };
    yield { id: state.options.id, type: 'message-start', delta: { message } };
  }
  switch (event.type) {
    case 'text':
    case 'refusal':
      yield* openContent(state, event.slot, { type: 'text', text: '' });
      yield saying('content-delta', { content: { text: event.text } }, event.slot);
      return;
    case 'reasoning':
      yield saying('tool-plan-delta', { tool_plan: event.text });
      return;
    case 'call-start': {
      const index = state.calls.size;
      state.calls.set(event.slot, index);
      const call = { id: event.id, type: 'function', function: { name: event.name, arguments: '' } };
      yield saying('tool-call-start', { tool_calls: call }, index);
      return;
    }
    case 'call-delta': {
      const index = state.calls.get(event.slot);
      const call = { function: { arguments: event.text } };
      if (index !== undefined) yield saying('tool-call-delta', { tool_calls: call }, index);
      return;
    }
    case 'call-end': {
      const index = state.calls.get(event.slot);
      if (index !== undefined) yield { type: 'tool-call-end', index };
      return;
    }
    case 'part':
      if (state.open.delete(event.slot)) yield { type: 'content-end', index: event.slot };
      return;
    case 'finish': {
      const { reply } = event;
      for (const index of state.open) yield { type: 'content-end', index };
      if (!reply.complete && reply.error === undefined) return;
      yield {
        type: 'message-end',
        delta: omitUndefined({
          error: reply.error?.message,
          finish_reason: reply.error === undefined ? writeFinishReason(reply) : 'ERROR',
          usage: reply.usage && writeUsage(reply.usage),
        }),
      };
      return;
    }
  }
}

function* openContent(state: WriterState, index: number, content: JsonObject): Generator<JsonObject> {
  if (state.open.has(index)) return;
  state.open.add(index);
  yield saying('content-start', { content }, index);
}

function saying(type: string, message: JsonObject, index?: number): JsonObject {
  return omitUndefined({ type, index, delta: { message } });
}
