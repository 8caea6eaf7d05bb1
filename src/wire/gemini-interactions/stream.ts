import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { ModelEvent } from '../../base/message/model.ts';
import type { AssistantPart } from '../../base/message/part.ts';
import type { StreamReader, StreamWriter, WriteReplyOptions } from '../adapter.ts';
import type { ReplyAssembler } from '../reply/assemble-reply.ts';
import { filledText, numberOf, objectOf, objectsOf, parseJson, restOf, textOf } from '../json-fields.ts';
import { replyReader } from '../reply/reply-reader.ts';
import {
  asStep,
  beginReply,
  beginStep,
  readEnd,
  readFailure,
  readStep,
  readUsage,
  readWords,
  wordsKey,
  writeInteraction,
} from './reply.ts';
import { api, writeModelSteps } from './request.ts';

interface ReaderState {
  readonly reply: ReplyAssembler;
  /** Steps that have begun and not stopped, by index. */
  readonly open: Map<number, OpenStep>;
}

interface OpenStep {
  /** The step as it began, with the fields that its deltas have added. */
  step: JsonObject;
  /** Arguments that come as text, of a step that the service runs itself. */
  given: string;
  /** The content of the model's output that is being written, and whether it is words. */
  place: number;
  words: boolean;
  told: boolean;
}

export const reader: StreamReader<ReaderState> = replyReader<ReaderState>(
  (context) => ({ reply: beginReply(context), open: new Map() }),
  (state, chunk) => readEvent(state, objectOf(chunk.data), chunk.event),
);

function readEvent(state: ReaderState, event: JsonObject, name: string | undefined): void {
  const { reply } = state;
  const index = numberOf(event['index']) ?? 0;
  // Any event may tell the counters so far, and the last one may not.
  reply.usage(readUsage(objectOf(objectOf(event['metadata'])['total_usage'])));
  const type = textOf(event['event_type'] ?? event['type']) ?? name ?? '';
  switch (type.replace(/^content\./, 'step.')) {
    case 'interaction.start':
    case 'interaction.created': {
      const interaction = objectOf(event['interaction']);
      reply.start(filledText(interaction['id']), textOf(interaction['model']));
      return;
    }
    case 'step.start': {
      const step = objectOf(event['step'] ?? asStep(objectOf(event['content'])));
      state.open.set(index, { step, given: '', place: 0, words: false, told: false });
      if (step['type'] === 'function_call') beginStep(reply, index, step);
      readFailure(reply, step);
      return;
    }
    case 'step.delta':
      readDelta(state, index, objectOf(event['delta']));
      return;
    case 'step.stop':
      endStep(state, index);
      return;
    case 'interaction.status_update':
      // A stream may end with this. While a step is open, more of the reply is to come.
      if (state.open.size === 0) readEnd(reply, event);
      return;
    case 'interaction.complete':
    case 'interaction.completed': {
      const interaction = objectOf(event['interaction']);
      if (interaction['status'] === 'completed' || interaction['status'] === 'requires_action')
        for (const open of [...state.open.keys()]) endStep(state, open);
      readEnd(reply, interaction);
      return;
    }
  }
}

function readDelta(state: ReaderState, index: number, delta: JsonObject): void {
  const { reply } = state;
  const open = state.open.get(index);
  if (open === undefined) return;
  const { type, ...fields } = delta;
  if (!open.told) readBegun(reply, index, open);
  switch (type) {
    case 'arguments_delta': {
      const text = textOf(delta['arguments']) ?? '';
      if (reply.callAt(index) === undefined) open.given += text;
      else reply.arguments(index, text);
      return;
    }
    case 'thought_summary':
      open.told = true;
      reply.reasoning(index, textOf(objectOf(delta['content'])['text']) ?? '');
      return;
    case 'thought_signature':
      open.step = { ...open.step, ...fields };
      if (reply.callAt(index) !== undefined && fields['signature'] !== '') reply.remember(index, fields);
      return;
  }
  // Steps that the service runs itself come piece by piece under the names of their own fields.
  if (open.step['type'] === 'model_output') readOutput(reply, index, open, delta);
  else open.step = { ...open.step, ...fields };
  if (open.step['type'] === 'function_call') beginStep(reply, index, open.step);
}

/** What the model's output already held when its step began, once more of it follows. */
function readBegun(reply: ReplyAssembler, index: number, open: OpenStep): void {
  if (open.step['type'] !== 'model_output') return;
  for (const content of objectsOf(open.step['content'])) {
    readOutput(reply, index, open, content);
    if (open.words) reply.remember(wordsKey(index, open.place), restOf(content, ['type', 'text']));
  }
}

/** A piece of the model's own output: more words, what is said of them, or another content. */
function readOutput(reply: ReplyAssembler, index: number, open: OpenStep, delta: JsonObject): void {
  open.told = true;
  const key = wordsKey(index, open.place);
  if (delta['type'] === 'text') {
    reply.text(key, textOf(delta['text']) ?? '');
    open.words = true;
  } else if (delta['type'] === 'text_annotation_delta' || delta['type'] === 'text_annotation') {
    for (const annotation of objectsOf(delta['annotations'])) reply.append(key, 'annotations', annotation);
  } else {
    if (open.words) reply.end(key);
    if (open.words) open.place++;
    open.words = false;
    readWords(reply, wordsKey(index, open.place++), delta);
  }
}

function endStep(state: ReaderState, index: number): void {
  const { reply } = state;
  const open = state.open.get(index);
  if (open === undefined) return;
  state.open.delete(index);
  const { step } = open;
  if (step['type'] === 'function_call') {
    const given = objectOf(step['arguments']);
    if (reply.callAt(index)?.text === '' && Object.keys(given).length > 0) reply.wholeArguments(index, given);
    reply.end(index, true);
  } else if (!open.told) {
    const given = parseJson(open.given);
    readStep(reply, index, isJsonObject(given) ? { ...step, arguments: given } : step);
  } else {
    if (step['type'] === 'thought') reply.remember(index, restOf(step, ['type', 'summary']));
    reply.end(step['type'] === 'thought' ? index : wordsKey(index, open.place));
  }
}

interface WriterState {
  readonly options: WriteReplyOptions;
  readonly open: Set<number>;
  readonly steps: JsonValue[];
  started: boolean;
}

export const writer: StreamWriter<WriterState> = {
  begin: (options) => ({ options, open: new Set(), steps: [], started: false }),
  write(state, event) {
    return [
      state,
      [...writeEvent(state, event)].map((data) => ({ event: String(data['event_type']), data })),
    ];
  },
};

function* writeEvent(state: WriterState, event: ModelEvent): Generator<JsonObject> {
  if (!state.started && event.type !== 'error') {
    state.started = true;
    yield { event_type: 'interaction.created', interaction: writeInteraction(state.options, []) };
  }
  switch (event.type) {
    case 'text':
    case 'refusal':
      yield* start(state, event.slot, { type: 'model_output', content: [] });
      yield delta(event.slot, { type: 'text', text: event.text });
      return;
    case 'reasoning':
      yield* start(state, event.slot, { type: 'thought' });
      yield delta(event.slot, { type: 'thought_summary', content: { type: 'text', text: event.text } });
      return;
    case 'call-start':
      if (event.requiresLocalExecution)
        yield* start(state, event.slot, {
          type: 'function_call',
          id: event.id,
          name: event.name,
          arguments: {},
        });
      return;
    case 'call-delta':
      if (state.open.has(event.slot))
        yield delta(event.slot, { type: 'arguments_delta', arguments: event.text });
      return;
    case 'call-end':
      if (event.call.invalid?.reason !== 'truncated') yield* stop(state, event.slot, event.call);
      return;
    case 'part':
      yield* stop(state, event.slot, event.part);
      return;
    case 'error':
      yield { event_type: 'error', error: { code: event.error.kind, message: event.error.message } };
      return;
    case 'finish':
      if (event.reply.complete)
        yield {
          event_type: 'interaction.completed',
          interaction: writeInteraction(state.options, state.steps, event.reply),
        };
      return;
  }
}

function* start(state: WriterState, index: number, step: JsonObject): Generator<JsonObject> {
  if (state.open.has(index)) return;
  state.open.add(index);
  yield { event_type: 'step.start', index, step };
}

function* stop(state: WriterState, index: number, part: AssistantPart): Generator<JsonObject> {
  const [step] = writeModelSteps({ role: 'assistant', content: [part] }) as readonly JsonObject[];
  if (!state.open.has(index) && step !== undefined) yield* start(state, index, step);
  const signature = part.type === 'reasoning' ? part.providerData?.[api]?.['signature'] : undefined;
  if (signature !== undefined) yield delta(index, { type: 'thought_signature', signature });
  if (step !== undefined) state.steps.push(step);
  if (state.open.delete(index)) yield { event_type: 'step.stop', index };
}

function delta(index: number, value: JsonObject): JsonObject {
  return { event_type: 'step.delta', index, delta: value };
}
