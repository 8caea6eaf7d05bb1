import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { ModelEvent, Reply } from '../../base/message/model.ts';
import type { AssistantPart } from '../../base/message/part.ts';
import type { StreamReader, StreamWriter, WriteReplyOptions } from '../adapter.ts';
import type { ReplyAssembler } from '../reply/assemble-reply.ts';
import { wireArguments } from '../request/bind-tools.ts';
import { readFinish } from '../reply/finish.ts';
import { numberOf, objectOf, parseJson, restOf, textOf } from '../json-fields.ts';
import { replyReader } from '../reply/reply-reader.ts';
import {
  api,
  beginBlock,
  beginReply,
  finishTable,
  isOpaque,
  readContent,
  readMessageData,
  readUsage,
  writeStopReason,
  writeUsage,
} from './reply.ts';
import { writeAssistantBlocks } from './request.ts';

interface ReaderState {
  readonly reply: ReplyAssembler;
  /** `message_delta` repeats some counters of `message_start`, cumulative; the rest stay as they were. */
  usage: JsonObject;
  /** Inputs that came with their block, by index; deltas, if any follow, replace them. */
  readonly inputs: Map<number, JsonObject>;
  /** Blocks that only the API knows, by index: their deltas add fields until they stop. */
  readonly opaque: Map<number, JsonObject>;
  /** The input of such a block, as far as it has come as text. */
  readonly opaqueInputs: Map<number, string>;
  started: boolean;
}

export const reader: StreamReader<ReaderState> = replyReader<ReaderState>(
  (context) => ({
    reply: beginReply(context),
    usage: {},
    inputs: new Map(),
    opaque: new Map(),
    opaqueInputs: new Map(),
    started: false,
  }),
  (state, chunk) => readEvent(state, objectOf(chunk.data), chunk.event),
);

function readEvent(state: ReaderState, event: JsonObject, name: string | undefined): void {
  const { reply } = state;
  const index = numberOf(event['index']) ?? 0;
  switch (event['type'] ?? name) {
    case 'message_start': {
      const message = objectOf(event['message']);
      if (state.started) reply.restart();
      state.started = true;
      state.usage = {};
      reply.start(textOf(message['id']), textOf(message['model']));
      readContent(reply, message['content']);
      readEnd(state, message, objectOf(message['usage']));
      return;
    }
    case 'content_block_start': {
      const block = objectOf(event['content_block']);
      if (isOpaque(block)) {
        state.opaque.set(index, block);
        return;
      }
      beginBlock(reply, index, block);
      const input = objectOf(block['input']);
      if (Object.keys(input).length > 0) state.inputs.set(index, input);
      return;
    }
    case 'content_block_delta':
      readDelta(state, index, objectOf(event['delta']));
      return;
    case 'content_block_stop': {
      const input = state.inputs.get(index);
      if (input !== undefined) reply.wholeArguments(index, input);
      const opaque = state.opaque.get(index);
      const given = parseJson(state.opaqueInputs.get(index) ?? '');
      if (opaque !== undefined)
        beginBlock(reply, index, given === undefined ? opaque : { ...opaque, input: given });
      reply.end(index);
      return;
    }
    case 'message_delta':
      readEnd(
        state,
        { ...restOf(event, ['type', 'delta', 'usage']), ...objectOf(event['delta']) },
        objectOf(event['usage']),
      );
      return;
  }
}

function readDelta(state: ReaderState, index: number, delta: JsonObject): void {
  const { reply } = state;
  switch (delta['type']) {
    case 'text_delta':
      reply.text(index, textOf(delta['text']) ?? '');
      return;
    case 'input_json_delta': {
      const text = textOf(delta['partial_json']) ?? '';
      if (text !== '') state.inputs.delete(index);
      if (state.opaque.has(index))
        state.opaqueInputs.set(index, (state.opaqueInputs.get(index) ?? '') + text);
      else reply.arguments(index, text);
      return;
    }
    case 'thinking_delta':
      reply.reasoning(index, textOf(delta['thinking']) ?? '');
      return;
    case 'signature_delta':
      reply.remember(index, { signature: textOf(delta['signature']) ?? '' });
      return;
    case 'citations_delta':
      reply.append(index, 'citations', delta['citation'] ?? null);
      return;
    default: {
      const { type: _type, ...fields } = delta;
      const opaque = state.opaque.get(index);
      if (opaque !== undefined) state.opaque.set(index, { ...opaque, ...fields });
    }
  }
}

function readEnd(state: ReaderState, message: JsonObject, usage: JsonObject): void {
  // A counter that is null was not counted again.
  const counted = Object.entries(usage).filter(([, value]) => value !== null);
  state.usage = { ...state.usage, ...Object.fromEntries(counted) };
  const ours = Object.keys(usage).length > 0 ? readUsage(state.usage) : undefined;
  if (ours !== undefined) state.reply.usage(ours);
  state.reply.replyData(readMessageData(message));
  const reason = textOf(message['stop_reason']);
  if (reason !== undefined) state.reply.stop(readFinish(reason, finishTable));
}

interface WriterState {
  readonly options: WriteReplyOptions;
  started: boolean;
  readonly open: Set<number>;
}

export const writer: StreamWriter<WriterState> = {
  begin: (options) => ({ options, started: false, open: new Set() }),
  write(state, event) {
    return [state, [...writeEvent(state, event)].map((data) => ({ event: data['type'] as string, data }))];
  },
};

function* writeEvent(state: WriterState, event: ModelEvent): Generator<JsonObject> {
  if (!state.started && event.type !== 'error') yield writeStart(state, event);
  switch (event.type) {
    case 'text':
      yield* openBlock(state, event.slot, { type: 'text', text: '' });
      yield delta(event.slot, { type: 'text_delta', text: event.text });
      return;
    case 'refusal':
      yield* openBlock(state, event.slot, { type: 'text', text: '' });
      yield delta(event.slot, { type: 'text_delta', text: event.text });
      return;
    case 'reasoning':
      yield* openBlock(state, event.slot, { type: 'thinking', thinking: '', signature: '' });
      yield delta(event.slot, { type: 'thinking_delta', thinking: event.text });
      return;
    case 'call-start':
      yield* openBlock(state, event.slot, {
        type: event.requiresLocalExecution ? 'tool_use' : 'server_tool_use',
        id: event.id,
        name: event.name,
        input: {},
        ...event.providerData?.[api],
      });
      return;
    case 'call-delta':
      yield delta(event.slot, { type: 'input_json_delta', partial_json: event.text });
      return;
    case 'call-end':
      yield* closeBlock(state, event.slot);
      return;
    case 'part':
      yield* writePart(state, event.slot, event.part);
      return;
    case 'error':
      yield {
        type: 'error',
        error: { type: errorType[event.error.kind] ?? 'api_error', message: event.error.message },
      };
      return;
    case 'finish':
      if (event.reply.error === undefined) yield* writeEnd(state, event.reply);
      return;
  }
}

function writeStart(state: WriterState, event: ModelEvent): JsonObject {
  state.started = true;
  const id = event.type === 'start' ? event.id : undefined;
  const usage = event.type === 'finish' ? event.reply.usage : undefined;
  return {
    type: 'message_start',
    message: {
      id: id ?? state.options.id,
      type: 'message',
      role: 'assistant',
      model: state.options.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...writeUsage(usage), output_tokens: 0 },
    },
  };
}

function* writePart(state: WriterState, slot: number, part: AssistantPart): Generator<JsonObject> {
  if (state.open.has(slot)) {
    const signature = part.providerData?.[api]?.['signature'];
    if (part.type === 'reasoning' && typeof signature === 'string')
      yield delta(slot, { type: 'signature_delta', signature });
    yield* closeBlock(state, slot);
    return;
  }
  const blocks = writeAssistantBlocks({ role: 'assistant', content: [part] }, (call) => wireArguments(call));
  for (const block of blocks) {
    yield* openBlock(state, slot, block as unknown as JsonObject);
    yield* closeBlock(state, slot);
  }
}

function* openBlock(state: WriterState, index: number, block: JsonObject): Generator<JsonObject> {
  if (state.open.has(index)) return;
  state.open.add(index);
  yield { type: 'content_block_start', index, content_block: block };
}

function* closeBlock(state: WriterState, index: number): Generator<JsonObject> {
  if (!state.open.delete(index)) return;
  yield { type: 'content_block_stop', index };
}

function* writeEnd(state: WriterState, reply: Reply): Generator<JsonObject> {
  for (const index of state.open) yield* closeBlock(state, index);
  if (!reply.complete) return;
  yield {
    type: 'message_delta',
    delta: { stop_reason: writeStopReason(reply), stop_sequence: null },
    usage: writeUsage(reply.usage),
  };
  yield { type: 'message_stop' };
}

function delta(index: number, value: JsonValue): JsonObject {
  return { type: 'content_block_delta', index, delta: value };
}

/** The API's names for kinds of error. */
export const errorType: Readonly<Record<string, string>> = {
  authentication: 'authentication_error',
  permission: 'permission_error',
  rate_limit: 'rate_limit_error',
  overloaded: 'overloaded_error',
  invalid_request: 'invalid_request_error',
  context_too_long: 'invalid_request_error',
  content_refused: 'invalid_request_error',
};
