import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { ModelEvent } from '../../base/message/model.ts';
import type { AssistantPart } from '../../base/message/part.ts';
import type { StreamReader, StreamWriter, WriteReplyOptions } from '../adapter.ts';
import { ReplyAssembler } from '../assemble-reply.ts';
import { readError } from '../error.ts';
import { numberOf, objectOf, textOf } from '../json-fields.ts';
import { replyReader } from '../reply-reader.ts';
import { beginStep, readEnd, readStep, wordsKey, writeInteraction } from './reply.ts';
import { api, writeModelSteps } from './request.ts';

interface ReaderState {
  readonly reply: ReplyAssembler;
  /** Steps that began, by index, with what their deltas have added. */
  readonly steps: Map<number, JsonObject>;
}

export const reader: StreamReader<ReaderState> = replyReader<ReaderState>(
  (context) => ({ reply: new ReplyAssembler(api, context), steps: new Map() }),
  (state, chunk) => readEvent(state, objectOf(chunk.data)),
);

function readEvent(state: ReaderState, event: JsonObject): void {
  const { reply } = state;
  const index = numberOf(event['index']) ?? 0;
  switch (event['event_type'] ?? event['type']) {
    case 'interaction.created': {
      const interaction = objectOf(event['interaction']);
      reply.start(textOf(interaction['id']), textOf(interaction['model']));
      return;
    }
    case 'step.start': {
      const step = objectOf(event['step']);
      state.steps.set(index, step);
      if (step['type'] === 'function_call') beginStep(reply, index, step);
      return;
    }
    case 'step.delta':
      readDelta(state, index, objectOf(event['delta']));
      return;
    case 'step.stop':
      endStep(state, index);
      return;
    case 'interaction.completed':
      readEnd(reply, objectOf(event['interaction']));
      return;
    case 'error':
      reply.error(readError(undefined, event));
      return;
  }
}

function readDelta(state: ReaderState, index: number, delta: JsonObject): void {
  const { reply } = state;
  const step = state.steps.get(index) ?? {};
  switch (delta['type']) {
    case 'text':
      reply.text(wordsKey(index, 0), textOf(delta['text']) ?? '');
      return;
    case 'arguments_delta':
      reply.arguments(index, textOf(delta['arguments']) ?? '');
      return;
    case 'thought_summary':
      reply.reasoning(index, textOf(objectOf(delta['content'])['text']) ?? '');
      return;
    case 'thought_signature':
      if (reply.callAt(index) === undefined) reply.reasoning(index, '');
      reply.remember(index, { signature: textOf(delta['signature']) ?? '' });
      return;
    default: {
      // Steps that the service runs itself come piece by piece under the names of their own fields.
      const { type: _type, ...fields } = delta;
      state.steps.set(index, { ...step, ...fields });
    }
  }
}

function endStep(state: ReaderState, index: number): void {
  const { reply } = state;
  const step = state.steps.get(index) ?? {};
  switch (step['type']) {
    case 'function_call': {
      const given = objectOf(step['arguments']);
      if (reply.callAt(index)?.text === '' && Object.keys(given).length > 0)
        reply.wholeArguments(index, given);
      reply.end(index, true);
      return;
    }
    case 'thought':
      reply.reasoning(index, '');
      reply.end(index);
      return;
    case 'model_output':
      reply.end(wordsKey(index, 0));
      return;
    default:
      readStep(reply, index, step);
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
