import { crc32 } from 'node:zlib';

import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { apiNames } from '../catalog.ts';

/**
 * One reply, as each API would send it: the words "I will look.", and a call of `weather` for Oslo. Written by
 * hand from the APIs' documents, independently of the code that writes replies, so that a server can be made of it.
 */
export interface Traffic {
  readonly api: string;
  readonly contentType: string;
  /** The messages of the stream, each with its framing. */
  readonly frames: readonly Uint8Array[];
  /** The same reply unstreamed. */
  readonly whole: JsonObject;
  /** "The house is full", said inside a stream. */
  readonly failure: Uint8Array;
  /** A message of the stream in which a byte is wrong. */
  readonly garbage: Uint8Array;
  /** The body of a refusal. */
  readonly refusal: (message: string) => JsonValue;
}

/** Without the third the rest is JSON all the same, of a city that nobody asked for. */
const pieces = ['{"city":', '"O', 'sl', 'o"}'] as const;
const args = { city: 'Oslo' };
const said = 'The house is full';

const messages: readonly JsonObject[] = [
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      usage: { input_tokens: 9, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'ping' },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'I will ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'look.' } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'content_block_start',
    index: 1,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} },
  },
  ...pieces.map((partial_json) => ({
    type: 'content_block_delta',
    index: 1,
    delta: { type: 'input_json_delta', partial_json },
  })),
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 20 } },
  { type: 'message_stop' },
];
const messagesWhole: JsonObject = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [
    { type: 'text', text: 'I will look.' },
    { type: 'tool_use', id: 'toolu_1', name: 'weather', input: args },
  ],
  stop_reason: 'tool_use',
  usage: { input_tokens: 9, output_tokens: 20 },
};
const messagesFailure = { type: 'error', error: { type: 'overloaded_error', message: said } };

const chat = (deltas: readonly JsonObject[], finish: string): readonly (JsonObject | string)[] => [
  ...deltas.map((delta) => chatChunk([{ index: 0, delta, finish_reason: null }])),
  chatChunk([{ index: 0, delta: {}, finish_reason: finish }]),
  chatChunk([], { usage: { prompt_tokens: 9, completion_tokens: 20, total_tokens: 29 } }),
  '[DONE]',
];
const chatChunk = (choices: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  id: 'chatcmpl_1',
  object: 'chat.completion.chunk',
  model: 'm',
  choices,
  ...more,
});
const chatWhole: JsonObject = {
  id: 'chatcmpl_1',
  object: 'chat.completion',
  model: 'm',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'I will look.',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'weather', arguments: pieces.join('') } },
        ],
      },
      finish_reason: 'tool_calls',
    },
  ],
  usage: { prompt_tokens: 9, completion_tokens: 20, total_tokens: 29 },
};
const chatStream = chat(
  [
    { role: 'assistant', content: '' },
    { content: 'I will ' },
    { content: 'look.' },
    {
      tool_calls: [
        { index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } },
      ],
    },
    ...pieces.map((text) => ({ tool_calls: [{ index: 0, function: { arguments: text } }] })),
  ],
  'tool_calls',
);
/** A call comes whole and without an index here. */
const mistralStream = [
  ...chat([{ role: 'assistant', content: 'I will ' }, { content: 'look.' }], 'tool_calls').slice(0, 2),
  chatChunk(
    [
      {
        index: 0,
        delta: {
          content: '',
          tool_calls: [{ id: 'D681PevKs', function: { name: 'weather', arguments: pieces.join('') } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
    { usage: { prompt_tokens: 9, completion_tokens: 20, total_tokens: 29 } },
  ),
  '[DONE]',
];
const chatFailure = { error: { message: said, type: 'server_error', code: 'overloaded' } };

const words: JsonObject = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'I will look.', annotations: [] }],
};
const functionCall: JsonObject = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'weather',
  arguments: pieces.join(''),
  status: 'completed',
};
const response: JsonObject = {
  id: 'resp_1',
  object: 'response',
  model: 'm',
  status: 'completed',
  output: [words, functionCall],
  usage: { input_tokens: 9, output_tokens: 20, total_tokens: 29 },
};
const responses: readonly JsonObject[] = [
  { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
  { type: 'response.output_item.added', output_index: 0, item: { ...words, content: [] } },
  { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'I will ' },
  { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'look.' },
  { type: 'response.output_item.done', output_index: 0, item: words },
  {
    type: 'response.output_item.added',
    output_index: 1,
    item: { ...functionCall, arguments: '', status: 'in_progress' },
  },
  ...pieces.map((delta) => ({
    type: 'response.function_call_arguments.delta',
    output_index: 1,
    item_id: 'fc_1',
    delta,
  })),
  { type: 'response.function_call_arguments.done', output_index: 1, arguments: pieces.join('') },
  { type: 'response.output_item.done', output_index: 1, item: functionCall },
  { type: 'response.completed', response },
];

const candidate = (parts: readonly JsonObject[], finishReason?: string): JsonObject => ({
  candidates: [
    { content: { role: 'model', parts }, index: 0, ...(finishReason === undefined ? {} : { finishReason }) },
  ],
  modelVersion: 'm',
  responseId: 'r_1',
});
const geminiCall = { functionCall: { id: 'call_1', name: 'weather', args } };
const geminiUsage = {
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 20, totalTokenCount: 29 },
};
const geminiStream = [
  candidate([{ text: 'I will ' }]),
  candidate([{ text: 'look.' }]),
  candidate([geminiCall]),
  { ...candidate([{ text: '' }], 'STOP'), ...geminiUsage },
];
const geminiFailure = { error: { code: 503, message: said, status: 'UNAVAILABLE' } };

const interaction: JsonObject = {
  id: 'int_1',
  model: 'm',
  status: 'requires_action',
  steps: [
    { type: 'model_output', content: [{ type: 'text', text: 'I will look.' }] },
    { type: 'function_call', id: 'call_1', name: 'weather', arguments: args },
  ],
  usage: { total_input_tokens: 9, total_output_tokens: 20, total_tokens: 29 },
};
const interactions: readonly JsonObject[] = [
  {
    event_type: 'interaction.created',
    interaction: { id: 'int_1', model: 'm', status: 'in_progress', steps: [] },
  },
  { event_type: 'step.start', index: 0, step: { type: 'model_output', content: [] } },
  { event_type: 'step.delta', index: 0, delta: { type: 'text', text: 'I will ' } },
  { event_type: 'step.delta', index: 0, delta: { type: 'text', text: 'look.' } },
  { event_type: 'step.stop', index: 0 },
  {
    event_type: 'step.start',
    index: 1,
    step: { type: 'function_call', id: 'call_1', name: 'weather', arguments: {} },
  },
  ...pieces.map((text) => ({
    event_type: 'step.delta',
    index: 1,
    delta: { type: 'arguments_delta', arguments: text },
  })),
  { event_type: 'step.stop', index: 1 },
  { event_type: 'interaction.completed', interaction },
];

const converse: readonly (readonly [string, JsonObject])[] = [
  ['messageStart', { role: 'assistant' }],
  ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'I will ' } }],
  ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'look.' } }],
  ['contentBlockStop', { contentBlockIndex: 0 }],
  [
    'contentBlockStart',
    { contentBlockIndex: 1, start: { toolUse: { toolUseId: 'tooluse_1', name: 'weather' } } },
  ],
  ...pieces.map(
    (input) => ['contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input } } }] as const,
  ),
  ['contentBlockStop', { contentBlockIndex: 1 }],
  ['messageStop', { stopReason: 'tool_use' }],
  ['metadata', { usage: { inputTokens: 9, outputTokens: 20, totalTokens: 29 } }],
];
const converseWhole: JsonObject = {
  output: {
    message: {
      role: 'assistant',
      content: [
        { text: 'I will look.' },
        { toolUse: { toolUseId: 'tooluse_1', name: 'weather', input: args } },
      ],
    },
  },
  stopReason: 'tool_use',
  usage: { inputTokens: 9, outputTokens: 20, totalTokens: 29 },
};

const cohereCall = {
  id: 'weather_1',
  type: 'function',
  function: { name: 'weather', arguments: pieces.join('') },
};
const cohereStream: readonly JsonObject[] = [
  { type: 'message-start', id: 'c_1', delta: { message: { role: 'assistant', content: [] } } },
  {
    type: 'content-start',
    index: 0,
    delta: { message: { content: { type: 'text', text: '' } } },
  },
  { type: 'content-delta', index: 0, delta: { message: { content: { text: 'I will ' } } } },
  { type: 'content-delta', index: 0, delta: { message: { content: { text: 'look.' } } } },
  { type: 'content-end', index: 0 },
  {
    type: 'tool-call-start',
    index: 0,
    delta: { message: { tool_calls: { ...cohereCall, function: { name: 'weather', arguments: '' } } } },
  },
  ...pieces.map((text) => ({
    type: 'tool-call-delta',
    index: 0,
    delta: { message: { tool_calls: { function: { arguments: text } } } },
  })),
  { type: 'tool-call-end', index: 0 },
  {
    type: 'message-end',
    delta: { finish_reason: 'TOOL_CALL', usage: { tokens: { input_tokens: 9, output_tokens: 20 } } },
  },
];

const ollamaLine = (message: JsonObject): JsonObject => ({
  model: 'm',
  message: { role: 'assistant', content: '', ...message },
  done: false,
});
const ollamaCall = { tool_calls: [{ id: 'call_1', function: { name: 'weather', arguments: args } }] };
const ollamaEnd = { done: true, done_reason: 'stop', prompt_eval_count: 9, eval_count: 20 };
const ollamaStream: readonly JsonObject[] = [
  ollamaLine({ content: 'I will ' }),
  ollamaLine({ content: 'look.' }),
  ollamaLine(ollamaCall),
  { ...ollamaLine({}), ...ollamaEnd },
];

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const sse = (data: JsonObject | string, name = ''): Uint8Array =>
  bytes(
    `${name === '' ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
  );

/** Named as the events name themselves, which clients of these APIs look for. */
const named = (event: JsonObject): Uint8Array => sse(event, String(event['type'] ?? event['event_type']));

/** A message of an AWS event stream, as its documents draw it. */
function aws(headers: readonly (readonly [string, string])[], payload: JsonObject): Uint8Array {
  const head = Buffer.concat(
    headers.flatMap(([name, value]) => [
      Buffer.from([name.length]),
      Buffer.from(name),
      Buffer.from([7, value.length >> 8, value.length & 255]),
      Buffer.from(value),
    ]),
  );
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + head.length + body.length, 0);
  prelude.writeUInt32BE(head.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const checked = Buffer.concat([prelude, head, body]);
  const end = Buffer.alloc(4);
  end.writeUInt32BE(crc32(checked), 0);
  return Buffer.concat([checked, end]);
}
const awsEvent = (name: string, payload: JsonObject): Uint8Array =>
  aws(
    [
      [':message-type', 'event'],
      [':event-type', name],
    ],
    payload,
  );
const invoked = (inner: JsonObject): Uint8Array =>
  awsEvent('chunk', { bytes: Buffer.from(JSON.stringify(inner)).toString('base64') });
const awsFailure = aws(
  [
    [':message-type', 'exception'],
    [':exception-type', 'serviceUnavailableException'],
  ],
  { message: said },
);
const awsGarbage = awsEvent('contentBlockDelta', { contentBlockIndex: 1 }).map((byte, at, all) =>
  at === all.length - 6 ? byte ^ 1 : byte,
);

const sseType = 'text/event-stream; charset=utf-8';
const overSse = { contentType: sseType, garbage: sse('{"type": "content_blo') } as const;
const overAws = {
  contentType: 'application/vnd.amazon.eventstream',
  failure: awsFailure,
  garbage: awsGarbage,
  refusal: (message: string): JsonValue => ({ message }),
} as const;
const refusedByGoogle = (message: string): JsonValue => ({ error: { message, status: 'UNKNOWN' } });
const refusedByAnthropic = (message: string): JsonValue => ({
  type: 'error',
  error: { type: 'some_error', message },
});
const refusedByOpenai = (message: string): JsonValue => ({ error: { message, type: 'x', code: null } });

const overMessages = {
  ...overSse,
  frames: messages.map(named),
  whole: messagesWhole,
  failure: named(messagesFailure),
  refusal: refusedByAnthropic,
};
const overChat = {
  ...overSse,
  frames: chatStream.map((chunk) => sse(chunk)),
  whole: chatWhole,
  failure: sse(chatFailure),
  refusal: refusedByOpenai,
};
const overGemini = {
  ...overSse,
  frames: geminiStream.map((chunk) => sse(chunk)),
  whole: { ...candidate([{ text: 'I will look.' }, geminiCall], 'STOP'), ...geminiUsage },
  failure: sse(geminiFailure),
  refusal: refusedByGoogle,
};

const byApi: Readonly<Record<string, Omit<Traffic, 'api'>>> = {
  anthropic: overMessages,
  'vertex-anthropic': overMessages,
  'bedrock-invoke-anthropic': { ...overAws, frames: messages.map(invoked), whole: messagesWhole },
  'bedrock-invoke-nova': {
    ...overAws,
    frames: converse.map(([name, body]) => invoked({ [name]: body })),
    whole: converseWhole,
  },
  'bedrock-converse': {
    ...overAws,
    frames: converse.map(([name, body]) => awsEvent(name, body)),
    whole: converseWhole,
  },
  cohere: {
    ...overSse,
    frames: cohereStream.map(named),
    whole: {
      id: 'c_1',
      finish_reason: 'TOOL_CALL',
      message: {
        role: 'assistant',
        content: [{ type: 'text', text: 'I will look.' }],
        tool_calls: [cohereCall],
      },
      usage: { tokens: { input_tokens: 9, output_tokens: 20 } },
    },
    failure: named({ type: 'message-end', delta: { error: said, finish_reason: 'ERROR' } }),
    refusal: (message) => ({ id: 'c_2', message }),
  },
  gemini: overGemini,
  'vertex-gemini': overGemini,
  'gemini-interactions': {
    ...overSse,
    frames: interactions.map(named),
    whole: interaction,
    failure: named({ event_type: 'error', error: { code: 'unavailable', message: said } }),
    refusal: refusedByGoogle,
  },
  mistral: {
    ...overChat,
    frames: mistralStream.map((chunk) => sse(chunk)),
    refusal: (message) => ({ object: 'error', message, type: 'x', code: 1 }),
  },
  ollama: {
    contentType: 'application/x-ndjson',
    frames: ollamaStream.map((line) => bytes(`${JSON.stringify(line)}\n`)),
    whole: { ...ollamaLine({ content: 'I will look.', ...ollamaCall }), ...ollamaEnd },
    failure: bytes(`${JSON.stringify({ error: said })}\n`),
    garbage: bytes('{"model": "m", "mess\n'),
    refusal: (error) => ({ error }),
  },
  'openai-chat': overChat,
  'openai-chat-compat': overChat,
  'openai-responses': {
    ...overSse,
    frames: responses.map((event, sequence_number) => named({ ...event, sequence_number })),
    whole: response,
    failure: named({ type: 'error', code: 'server_is_overloaded', message: said, param: null }),
    refusal: refusedByOpenai,
  },
};

/** Every API of the catalog; one without traffic is a fault of this file. */
export const traffic: readonly Traffic[] = apiNames.map((api) => ({ api, ...byApi[api]! }));
