import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { ModelEvent } from '../../base/message/model.ts';
import type { AssistantPart } from '../../base/message/part.ts';
import type { StreamWriter, WriteReplyOptions } from '../adapter.ts';
import { outputItem, outputText, writeResponse } from './reply.ts';
import { writeAssistantItems } from './items.ts';

interface Open {
  readonly id: string;
  readonly index: number;
  readonly type: 'message' | 'reasoning' | 'function_call' | 'custom_tool_call';
  text: string;
}

interface WriterState {
  readonly options: WriteReplyOptions;
  readonly open: Map<number, Open>;
  readonly output: JsonValue[];
  sequence: number;
}

export const writer: StreamWriter<WriterState> = {
  begin: (options) => ({ options, open: new Map(), output: [], sequence: 0 }),
  write(state, event) {
    const beginning = state.sequence === 0 && event.type !== 'error' ? [...writeBeginning(state)] : [];
    return [
      state,
      [...beginning, ...writeEvent(state, event)].map((body) => {
        const data: JsonObject = { ...body, sequence_number: state.sequence++ };
        return { event: String(data['type']), data };
      }),
    ];
  },
};

function* writeBeginning(state: WriterState): Generator<JsonObject> {
  const response = writeResponse(state.options, []);
  yield { type: 'response.created', response };
  yield { type: 'response.in_progress', response };
}

function* writeEvent(state: WriterState, event: ModelEvent): Generator<JsonObject> {
  switch (event.type) {
    case 'text':
    case 'refusal': {
      const open = state.open.get(event.slot) ?? (yield* openItem(state, event.slot, 'message'));
      open.text += event.text;
      const type = event.type === 'text' ? 'response.output_text.delta' : 'response.refusal.delta';
      yield {
        type,
        ...place(open),
        content_index: 0,
        delta: event.text,
        ...(event.type === 'text' && { logprobs: [] }),
      };
      return;
    }
    case 'reasoning': {
      const open = state.open.get(event.slot) ?? (yield* openItem(state, event.slot, 'reasoning'));
      open.text += event.text;
      yield {
        type: 'response.reasoning_summary_text.delta',
        ...place(open),
        summary_index: 0,
        delta: event.text,
      };
      return;
    }
    case 'call-start':
      if (event.requiresLocalExecution)
        yield* openItem(state, event.slot, event.kind === 'custom' ? 'custom_tool_call' : 'function_call', {
          call_id: event.id,
          name: event.name,
        });
      return;
    case 'call-delta': {
      const open = state.open.get(event.slot);
      if (open === undefined) return;
      open.text += event.text;
      const type =
        open.type === 'custom_tool_call'
          ? 'response.custom_tool_call_input.delta'
          : 'response.function_call_arguments.delta';
      yield { type, ...place(open), delta: event.text };
      return;
    }
    case 'call-end':
      if (event.call.invalid?.reason !== 'truncated') yield* closeItem(state, event.slot, event.call);
      return;
    case 'part':
      yield* closeItem(state, event.slot, event.part);
      return;
    case 'error':
      yield { type: 'error', code: 'server_error', message: event.error.message, param: null };
      return;
    case 'finish': {
      const { reply } = event;
      if (!reply.complete && reply.error === undefined) return;
      const response = writeResponse(state.options, state.output, reply);
      if (reply.error === undefined) yield { type: `response.${String(response['status'])}`, response };
      return;
    }
  }
}

function* openItem(
  state: WriterState,
  slot: number,
  type: Open['type'],
  head: JsonObject = {},
): Generator<JsonObject, Open> {
  const index = state.output.length + state.open.size;
  const open: Open = { id: `${state.options.id}_${index}`, index, type, text: '' };
  state.open.set(slot, open);
  yield { type: 'response.output_item.added', output_index: index, item: emptyItem(open, head) };
  if (type === 'message')
    yield { type: 'response.content_part.added', ...place(open), content_index: 0, part: outputText('') };
  if (type === 'reasoning') {
    const part = { type: 'summary_text', text: '' };
    yield { type: 'response.reasoning_summary_part.added', ...place(open), summary_index: 0, part };
  }
  return open;
}

function emptyItem({ id, type }: Open, head: JsonObject): JsonObject {
  switch (type) {
    case 'message':
      return { id, type, role: 'assistant', status: 'in_progress', content: [] };
    case 'reasoning':
      return { id, type, summary: [] };
    case 'function_call':
      return { id, type, status: 'in_progress', arguments: '', ...head };
    case 'custom_tool_call':
      return { id, type, status: 'in_progress', input: '', ...head };
  }
}

function* closeItem(state: WriterState, slot: number, part: AssistantPart): Generator<JsonObject> {
  const open = state.open.get(slot) ?? {
    id: `${state.options.id}_${state.output.length}`,
    index: state.output.length,
  };
  if ('type' in open) yield* writeDone(open);
  state.open.delete(slot);
  const [first] = writeAssistantItems({ role: 'assistant', content: [part] });
  if (first === undefined) return;
  const item = { ...outputItem(first as JsonObject, open.id), id: open.id };
  state.output.push(item);
  yield { type: 'response.output_item.done', output_index: open.index, item };
}

function* writeDone(open: Open): Generator<JsonObject> {
  const at = place(open);
  switch (open.type) {
    case 'message':
      yield { type: 'response.output_text.done', ...at, content_index: 0, text: open.text, logprobs: [] };
      yield { type: 'response.content_part.done', ...at, content_index: 0, part: outputText(open.text) };
      return;
    case 'reasoning': {
      const part = { type: 'summary_text', text: open.text };
      yield { type: 'response.reasoning_summary_text.done', ...at, summary_index: 0, text: open.text };
      yield { type: 'response.reasoning_summary_part.done', ...at, summary_index: 0, part };
      return;
    }
    case 'function_call':
      yield { type: 'response.function_call_arguments.done', ...at, arguments: open.text };
      return;
    case 'custom_tool_call':
      yield { type: 'response.custom_tool_call_input.done', ...at, input: open.text };
      return;
  }
}

function place(open: Open): JsonObject {
  return { item_id: open.id, output_index: open.index };
}
