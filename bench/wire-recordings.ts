/** Replies as their providers stream them, of any length: one call whose arguments come piece by piece; words from Gemini, where calls come whole. */

export type Api = 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini';

export interface Recording {
  /** What was said in pieces. */
  readonly text: string;
  /** The payload of each event. */
  readonly payloads: readonly string[];
  readonly bytes: Uint8Array;
}

export function recording(api: Api, length: number): Recording {
  const text = JSON.stringify({
    rows: Array.from({ length: length / 20 }, (_, index) => `row "${index}" of many`),
  });
  const pieces = Array.from({ length: Math.ceil(text.length / 16) }, (_, index) =>
    text.slice(index * 16, index * 16 + 16),
  );
  const events = eventsOf[api](pieces);
  const payloads = events.map((event) => JSON.stringify(event));
  const framed = events.map(
    (event, index) =>
      `${'type' in event ? `event: ${String(event.type)}\n` : ''}data: ${payloads[index]}\n\n`,
  );
  const end = api === 'openai-chat' ? 'data: [DONE]\n\n' : '';
  return { text, payloads, bytes: new TextEncoder().encode(framed.join('') + end) };
}

/** A server that answers with these bytes, in pieces as a network hands them out. */
export function answering({ bytes }: Recording): () => Promise<Response> {
  return () =>
    Promise.resolve(new Response(inPieces(bytes), { headers: { 'content-type': 'text/event-stream' } }));
}

export const pieceLength = 1400;

function inPieces(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, (at += pieceLength)));
    },
  });
}

const eventsOf: Readonly<Record<Api, (pieces: readonly string[]) => readonly object[]>> = {
  anthropic(pieces) {
    const usage = { input_tokens: 9, output_tokens: 1 };
    const message = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    };
    const call = { type: 'tool_use', id: 't', name: 'write', input: {} };
    return [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: call },
      ...pieces.map((partial_json) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json },
      })),
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: { output_tokens: 9 },
      },
      { type: 'message_stop' },
    ];
  },
  'openai-chat'(pieces) {
    const chunk = (delta: object, finish_reason: string | null = null): object => ({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta, finish_reason }],
    });
    const call = (fields: object): object => ({ tool_calls: [{ index: 0, ...fields }] });
    const begun = call({ id: 't', type: 'function', function: { name: 'write', arguments: '' } });
    return [
      chunk({ role: 'assistant', content: null, ...begun }),
      ...pieces.map((piece) => chunk(call({ function: { arguments: piece } }))),
      chunk({}, 'tool_calls'),
    ];
  },
  'openai-responses'(pieces) {
    const call = { type: 'function_call', id: 'fc_1', call_id: 't', name: 'write' };
    const begun = { ...call, arguments: '', status: 'in_progress' };
    const whole = { ...call, arguments: pieces.join(''), status: 'completed' };
    const usage = {
      input_tokens: 9,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 9,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 18,
    };
    const response = (fields: object): object => ({
      id: 'r',
      object: 'response',
      created_at: 1,
      model: 'm',
      ...fields,
    });
    const at = { item_id: 'fc_1', output_index: 0 };
    const events: readonly object[] = [
      { type: 'response.created', response: response({ status: 'in_progress', output: [] }) },
      { type: 'response.output_item.added', output_index: 0, item: begun },
      ...pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
      {
        type: 'response.function_call_arguments.done',
        ...at,
        name: 'write',
        arguments: whole.arguments,
      },
      { type: 'response.output_item.done', output_index: 0, item: whole },
      { type: 'response.completed', response: response({ status: 'completed', output: [whole], usage }) },
    ];
    return events.map((event, sequence_number) => ({ ...event, sequence_number }));
  },
  gemini(pieces) {
    const chunk = (parts: readonly object[], more: object = {}): object => ({
      candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
      modelVersion: 'm',
      responseId: 'g',
    });
    const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 9, totalTokenCount: 18 };
    return [
      ...pieces.map((text) => chunk([{ text }])),
      { ...chunk([{ text: '' }], { finishReason: 'STOP' }), usageMetadata },
    ];
  },
};
