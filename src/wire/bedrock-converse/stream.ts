import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { ModelEvent } from '../../base/message/model.ts';
import type { Chunk, StreamReader, StreamWriter } from '../adapter.ts';
import { ReplyAssembler } from '../reply/assemble-reply.ts';
import type { PartKey } from '../reply/assemble-reply.ts';
import { readFinish } from '../reply/finish.ts';
import { listOf, numberOf, objectOf, restOf, textOf } from '../json-fields.ts';
import { replyReader } from '../reply/reply-reader.ts';
import { beginCall, finishTable, readUsage, readWholeBlock, writeStopReason, writeUsage } from './reply.ts';
import { api, writeAssistantBlocks } from './request.ts';

interface ReaderState {
  readonly reply: ReplyAssembler;
  /** The text that is being written, and its last block: Nova gives each fragment a block of its own. */
  text: { readonly key: PartKey; readonly block: number; readonly cited: boolean } | undefined;
  /** Citations that came before the words of their block. */
  held: { readonly block: number; readonly citations: readonly JsonValue[] } | undefined;
  /** The result that is arriving, of a tool that the service runs itself. */
  result: JsonObject | undefined;
  /** The picture that is arriving. */
  image: JsonObject | undefined;
}

export const reader: StreamReader<ReaderState> = replyReader<ReaderState>(
  (context) => ({
    reply: new ReplyAssembler(api, context),
    text: undefined,
    held: undefined,
    result: undefined,
    image: undefined,
  }),
  (state, chunk) => readEvent(state, chunk.event ?? '', objectOf(chunk.data)),
);

function readEvent(state: ReaderState, name: string, body: JsonObject): void {
  const { reply } = state;
  const index = numberOf(body['contentBlockIndex']) ?? 0;
  switch (name) {
    case 'messageStart':
      reply.start(undefined, undefined);
      return;
    case 'contentBlockStart': {
      const { toolUse, toolResult, image } = objectOf(body['start']);
      if (isJsonObject(image)) state.image = image;
      if (isJsonObject(toolResult)) state.result = { ...toolResult, content: [] };
      if (!isJsonObject(toolUse)) return;
      endText(state);
      beginCall(reply, index, toolUse);
      return;
    }
    case 'contentBlockDelta':
      readDelta(state, index, objectOf(body['delta']));
      return;
    case 'contentBlockStop':
      settleHeld(state);
      if (state.result !== undefined || state.image !== undefined) {
        endText(state);
        const { result, image } = state;
        reply.part(index, readWholeBlock(result === undefined ? { image: image! } : { toolResult: result }));
      }
      state.result = undefined;
      state.image = undefined;
      if (reply.callAt(index) !== undefined) reply.end(index);
      return;
    case 'messageStop':
      endText(state);
      reply.replyData(
        body['additionalModelResponseFields'] === undefined
          ? undefined
          : { additionalModelResponseFields: body['additionalModelResponseFields'] },
      );
      reply.stop(readFinish(body['stopReason'], finishTable));
      return;
    case 'metadata': {
      reply.usage(readUsage(objectOf(body['usage'])));
      reply.replyData(restOf(body, ['usage', 'metrics']));
      return;
    }
  }
}

function readDelta(state: ReaderState, index: number, delta: JsonObject): void {
  const { reply } = state;
  const text = textOf(delta['text']);
  if (text !== undefined) {
    readWords(state, index, text);
    return;
  }
  if (state.result !== undefined && delta['toolResult'] !== undefined) {
    const content = [...listOf(state.result['content']), ...listOf(delta['toolResult'])];
    state.result = { ...state.result, content };
    return;
  }
  const image = delta['image'];
  if (isJsonObject(image)) {
    state.image = withMore(state.image, image);
    return;
  }
  const use = delta['toolUse'];
  if (isJsonObject(use)) {
    reply.arguments(index, textOf(use['input']) ?? '');
    return;
  }
  const reasoning = delta['reasoningContent'];
  if (isJsonObject(reasoning)) {
    endText(state);
    reply.reasoning(index, textOf(reasoning['text']) ?? '');
    if (reasoning['redactedContent'] !== undefined) reply.redact(index);
    const { text: _told, ...echo } = reasoning;
    if (Object.keys(echo).length > 0) reply.remember(index, echo);
    return;
  }
  if (delta['citation'] === undefined) return;
  if (state.text?.block === index) cite(state, state.text.key, [delta['citation']]);
  else state.held = { block: index, citations: [...(state.held?.citations ?? []), delta['citation']] };
}

/** Words of this block. A citation is for the words of its own block: they are kept separate from those around them. */
function readWords(state: ReaderState, block: number, words: string): void {
  const { held } = state;
  const isCited = held?.block === block;
  if (isCited || (state.text?.cited === true && state.text.block !== block)) {
    state.held = undefined;
    endText(state);
  }
  const key = state.text?.key ?? block;
  state.text = { key, block, cited: state.text?.cited ?? false };
  state.reply.text(key, words);
  if (isCited) cite(state, key, held.citations);
}

/** A block of nothing but citations cites what was said before it. */
function settleHeld(state: ReaderState): void {
  if (state.held === undefined) return;
  const { block, citations } = state.held;
  state.held = undefined;
  state.text ??= { key: block, block, cited: true };
  state.reply.text(state.text.key, '');
  cite(state, state.text.key, citations);
}

function cite(state: ReaderState, key: PartKey, citations: readonly JsonValue[]): void {
  for (const citation of citations) state.reply.append(key, 'citations', citation);
  if (state.text !== undefined) state.text = { ...state.text, cited: true };
}

/** A picture and what another delta says of it; its bytes come in pieces. */
function withMore(image: JsonObject = {}, more: JsonObject): JsonObject {
  const source = objectOf(more['source']);
  const bytes = textOf(source['bytes']);
  if (bytes === undefined) return { ...image, ...more };
  const before = textOf(objectOf(image['source'])['bytes']) ?? '';
  return { ...image, ...more, source: { ...source, bytes: before + bytes } };
}

function endText(state: ReaderState): void {
  settleHeld(state);
  if (state.text !== undefined) state.reply.end(state.text.key);
  state.text = undefined;
}

interface WriterState {
  started: boolean;
  readonly open: Set<number>;
}

export const writer: StreamWriter<WriterState> = {
  begin: () => ({ started: false, open: new Set() }),
  write: (state, event) => [state, [...writeEvent(state, event)]],
};

function* writeEvent(state: WriterState, event: ModelEvent): Generator<Chunk> {
  if (!state.started && event.type !== 'error') {
    state.started = true;
    yield { event: 'messageStart', data: { role: 'assistant' } };
  }
  switch (event.type) {
    case 'text':
    case 'refusal':
      yield delta(state, event.slot, { text: event.text });
      return;
    case 'reasoning':
      yield delta(state, event.slot, { reasoningContent: { text: event.text } });
      return;
    case 'call-start': {
      state.open.add(event.slot);
      const toolUse = { toolUseId: event.id, name: event.name };
      yield { event: 'contentBlockStart', data: { contentBlockIndex: event.slot, start: { toolUse } } };
      return;
    }
    case 'call-delta':
      yield delta(state, event.slot, { toolUse: { input: event.text } });
      return;
    case 'call-end':
      yield* stop(state, event.slot);
      return;
    case 'part': {
      if (!state.open.has(event.slot)) return;
      const blocks = writeAssistantBlocks({ role: 'assistant', content: [event.part] });
      const signature = objectOf(objectOf(objectOf(blocks[0])['reasoningContent'])['reasoningText'])[
        'signature'
      ];
      if (typeof signature === 'string') yield delta(state, event.slot, { reasoningContent: { signature } });
      yield* stop(state, event.slot);
      return;
    }
    case 'error':
      yield { event: 'modelStreamErrorException', data: { message: event.error.message } };
      return;
    case 'finish':
      for (const slot of state.open) yield* stop(state, slot);
      if (!event.reply.complete) return;
      yield { event: 'messageStop', data: { stopReason: writeStopReason(event.reply) } };
      if (event.reply.usage !== undefined)
        yield {
          event: 'metadata',
          data: { usage: writeUsage(event.reply.usage), metrics: { latencyMs: 0 } },
        };
      return;
  }
}

function delta(state: WriterState, slot: number, value: JsonObject): Chunk {
  state.open.add(slot);
  return { event: 'contentBlockDelta', data: { contentBlockIndex: slot, delta: value } };
}

function* stop(state: WriterState, slot: number): Generator<Chunk> {
  if (state.open.delete(slot)) yield { event: 'contentBlockStop', data: { contentBlockIndex: slot } };
}
