import type { JsonObject } from '../../base/json/value.ts';
import type { StreamReader } from '../adapter.ts';
import type { PartKey, ReplyAssembler } from '../reply/assemble-reply.ts';
import { filledText, numberOf, objectOf, objectsOf, textOf } from '../json-fields.ts';
import { readLogprobs } from '../tokens.ts';
import { replyReader } from '../reply/reply-reader.ts';
import { isPlainCall, readCallItem } from './call-item.ts';
import { beginReply, readEnd, readItem, rememberWords, wordsKey } from './reply.ts';

interface ReaderState {
  readonly reply: ReplyAssembler;
  /** Items whose words were told as they came. */
  readonly told: Set<number>;
  /** The parts of such items of which words have come. */
  readonly words: Set<PartKey>;
  /** Items that the API has said whole. */
  readonly whole: Set<number>;
  /** How many paragraphs of a summary have begun, by item. */
  readonly paragraphs: Map<number, number>;
}

export const reader: StreamReader<ReaderState> = replyReader<ReaderState>(
  (context) => ({
    reply: beginReply(context),
    told: new Set(),
    words: new Set(),
    whole: new Set(),
    paragraphs: new Map(),
  }),
  (state, chunk) => readEvent(state, objectOf(chunk.data), chunk.event),
);

function readEvent(state: ReaderState, event: JsonObject, name: string | undefined): void {
  const { reply } = state;
  const index = numberOf(event['output_index']) ?? 0;
  const place = numberOf(event['content_index']) ?? 0;
  const delta = textOf(event['delta']) ?? '';
  const type = textOf(event['type']) ?? name;
  switch (type) {
    case 'response.created': {
      const response = objectOf(event['response']);
      reply.start(textOf(response['id']), textOf(response['model']));
      return;
    }
    case 'response.output_item.added':
      readBeginning(state, index, objectOf(event['item']));
      return;
    case 'response.output_text.delta':
      tell(state, index, wordsKey(index, place));
      reply.text(wordsKey(index, place), delta);
      return;
    case 'response.refusal.delta':
      tell(state, index, wordsKey(index, place));
      reply.refusal(wordsKey(index, place), delta);
      return;
    // Some servers say words only when they are whole.
    case 'response.output_text.done':
    case 'response.refusal.done':
      if (!state.words.has(wordsKey(index, place))) readLateWords(state, index, place, event);
      return;
    case 'response.reasoning_summary_part.added': {
      const begun = state.paragraphs.get(index) ?? 0;
      state.paragraphs.set(index, begun + 1);
      if (begun > 0) reply.reasoning(index, '\n\n');
      return;
    }
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      state.told.add(index);
      reply.reasoning(index, delta);
      return;
    case 'response.function_call_arguments.delta':
    case 'response.custom_tool_call_input.delta':
      reply.arguments(index, delta);
      return;
    case 'response.function_call_arguments.done':
    case 'response.custom_tool_call_input.done': {
      const given = textOf(event['arguments'] ?? event['input']);
      if (given !== undefined) reply.wholeArguments(index, given);
      return;
    }
    case 'response.output_item.done':
      readWholeItem(state, index, objectOf(event['item']));
      return;
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed': {
      const response = objectOf(event['response']);
      reply.start(textOf(response['id']), textOf(response['model']));
      readMissing(state, objectsOf(response['output']));
      readEnd(reply, response, type.slice('response.'.length));
      return;
    }
  }
}

/** Words of which no piece has come. */
function readLateWords(state: ReaderState, index: number, place: number, part: JsonObject): void {
  const key = wordsKey(index, place);
  tell(state, index, key);
  const refusal = textOf(part['refusal']);
  if (refusal !== undefined) state.reply.refusal(key, refusal);
  else state.reply.text(key, textOf(part['text']) ?? '');
}

function tell({ told, words }: ReaderState, index: number, key: PartKey): void {
  told.add(index);
  words.add(key);
}

/** Only a function call and a custom call are told as they come: of the others the beginning holds no truth yet. */
function readBeginning(state: ReaderState, index: number, item: JsonObject): void {
  const call = readCallItem(item);
  if (call === undefined || !isPlainCall(textOf(item['type']) ?? '')) return;
  state.reply.call(index, { id: call.id, name: filledText(item['name']), kind: call.kind });
}

function readWholeItem(state: ReaderState, index: number, item: JsonObject): void {
  const { reply } = state;
  state.whole.add(index);
  if (!state.told.has(index)) {
    readItem(reply, index, item);
    return;
  }
  if (item['type'] === 'reasoning') {
    reply.remember(index, { item });
    reply.end(index);
    return;
  }
  objectsOf(item['content']).forEach((part, place) => {
    if (!state.words.has(wordsKey(index, place))) readLateWords(state, index, place, part);
    rememberWords(reply, wordsKey(index, place), item, part);
    reply.tokens({ logprobs: readLogprobs(part['logprobs']) });
    reply.end(wordsKey(index, place));
  });
}

/** Some servers say their items whole only at the end, in the response itself. */
function readMissing(state: ReaderState, output: readonly JsonObject[]): void {
  if (state.whole.size >= output.length) return;
  output.forEach((item, index) => {
    if (!state.whole.has(index)) readWholeItem(state, index, item);
  });
}
