import assert from 'node:assert/strict';
import { test } from 'node:test';

import type Anthropic from '@anthropic-ai/sdk';
import type * as Google from '@google/genai';
import type OpenAI from 'openai';

import type { JsonObject } from '../../base/json/value.ts';
import type { Finish } from '../../base/message/usage.ts';
import { adapterOf } from '../catalog.ts';
import { omitUndefined } from '../json-fields.ts';

// Every word that the official SDKs know for what a provider may say, and what it is for us. A word that an SDK
// learns does not compile here until somebody has decided; that the decision is kept is what the tests show.

/** `kept`: said back to the API that said it, and no more. */
type PartKind = 'text' | 'reasoning' | 'call' | 'hosted-result' | 'image' | 'kept' | 'nothing';

/** The first part that a reply with this in it has. */
function kindOf(api: string, reply: JsonObject): PartKind {
  const [part] = adapterOf(api).readReply(reply).message.content;
  if (part === undefined) return 'nothing';
  return part.type === 'other' ? 'kept' : (part.type as PartKind);
}

type Item = OpenAI.Responses.ResponseOutputItem['type'];

const items: Readonly<Record<Item, PartKind>> = {
  message: 'text',
  reasoning: 'reasoning',
  function_call: 'call',
  custom_tool_call: 'call',
  computer_call: 'call',
  local_shell_call: 'call',
  shell_call: 'call',
  apply_patch_call: 'call',
  tool_search_call: 'call',
  file_search_call: 'call',
  web_search_call: 'call',
  code_interpreter_call: 'call',
  image_generation_call: 'call',
  mcp_call: 'call',
  program: 'call',
  // The outcome of what the API ran, or a step towards it.
  function_call_output: 'kept',
  custom_tool_call_output: 'kept',
  computer_call_output: 'kept',
  local_shell_call_output: 'kept',
  shell_call_output: 'kept',
  apply_patch_call_output: 'kept',
  tool_search_output: 'kept',
  program_output: 'kept',
  additional_tools: 'kept',
  compaction: 'kept',
  mcp_list_tools: 'kept',
  mcp_approval_request: 'kept',
  mcp_approval_response: 'kept',
};

test('every item that Responses may answer with is words, a thought, a call, or kept', () => {
  for (const [type, kind] of Object.entries(items)) {
    const content = [{ type: 'output_text', text: 'x' }];
    const item = { type, id: 'i', call_id: 'c', name: 'n', status: 'completed', content };
    assert.equal(kindOf('openai-responses', { status: 'completed', output: [item] }), kind, type);
  }
});

type Event = OpenAI.Responses.ResponseStreamEvent['type'];

/** The events that a reply is put together from; the others say nothing that these do not. */
const events: Readonly<Record<Event, 'read' | 'passed over'>> = {
  'response.created': 'read',
  'response.output_item.added': 'read',
  'response.output_item.done': 'read',
  'response.output_text.delta': 'read',
  'response.refusal.delta': 'read',
  'response.reasoning_summary_part.added': 'read',
  'response.reasoning_summary_text.delta': 'read',
  'response.reasoning_text.delta': 'read',
  'response.function_call_arguments.delta': 'read',
  'response.function_call_arguments.done': 'read',
  'response.custom_tool_call_input.delta': 'read',
  'response.custom_tool_call_input.done': 'read',
  'response.completed': 'read',
  'response.incomplete': 'read',
  'response.failed': 'read',
  error: 'read',
  'response.queued': 'passed over',
  'response.in_progress': 'passed over',
  // The item that is done repeats these.
  'response.content_part.added': 'passed over',
  'response.content_part.done': 'passed over',
  'response.output_text.done': 'passed over',
  'response.output_text.annotation.added': 'passed over',
  'response.refusal.done': 'passed over',
  'response.reasoning_summary_part.done': 'passed over',
  'response.reasoning_summary_text.done': 'passed over',
  'response.reasoning_text.done': 'passed over',
  'response.compaction.compacting': 'passed over',
  'response.code_interpreter_call_code.delta': 'passed over',
  'response.code_interpreter_call_code.done': 'passed over',
  'response.code_interpreter_call.completed': 'passed over',
  'response.code_interpreter_call.in_progress': 'passed over',
  'response.code_interpreter_call.interpreting': 'passed over',
  'response.file_search_call.completed': 'passed over',
  'response.file_search_call.in_progress': 'passed over',
  'response.file_search_call.searching': 'passed over',
  'response.web_search_call.completed': 'passed over',
  'response.web_search_call.in_progress': 'passed over',
  'response.web_search_call.searching': 'passed over',
  'response.image_generation_call.completed': 'passed over',
  'response.image_generation_call.generating': 'passed over',
  'response.image_generation_call.in_progress': 'passed over',
  'response.image_generation_call.partial_image': 'passed over',
  'response.mcp_call_arguments.delta': 'passed over',
  'response.mcp_call_arguments.done': 'passed over',
  'response.mcp_call.completed': 'passed over',
  'response.mcp_call.failed': 'passed over',
  'response.mcp_call.in_progress': 'passed over',
  'response.mcp_list_tools.completed': 'passed over',
  'response.mcp_list_tools.failed': 'passed over',
  'response.mcp_list_tools.in_progress': 'passed over',
  'response.shell_call_command.added': 'passed over',
  'response.shell_call_command.delta': 'passed over',
  'response.shell_call_command.done': 'passed over',
  'response.shell_call_output_content.delta': 'passed over',
  'response.shell_call_output_content.done': 'passed over',
  // No modality of ours: the SDK knows it, and no model of the API speaks it.
  'response.audio.delta': 'passed over',
  'response.audio.done': 'passed over',
  'response.audio.transcript.delta': 'passed over',
  'response.audio.transcript.done': 'passed over',
};

test('every event of a stream of Responses is read, or says nothing', () => {
  const { reader } = adapterOf('openai-responses');
  const open = (): unknown =>
    reader.read(reader.begin(), {
      data: {
        type: 'response.output_item.added',
        output_index: 0,
        item: { type: 'function_call', call_id: 'c', name: 'n', arguments: '' },
      },
    })[0];
  const said = {
    output_index: 0,
    content_index: 0,
    delta: 'x',
    arguments: '{}',
    input: '{}',
    message: 'x',
    item: { type: 'function_call', call_id: 'c', name: 'n', arguments: '{}', status: 'completed' },
    response: { id: 'r', status: 'completed', output: [] },
  };
  for (const [type, what] of Object.entries(events)) {
    // The first paragraph of a summary needs no line before it: only the second shows.
    if (type === 'response.reasoning_summary_part.added') continue;
    const first = type === 'response.created' || type === 'response.output_item.added';
    const told = reader.read(first ? reader.begin() : open(), { data: { type, ...said } })[1];
    // Of an item that is ready nothing is left to tell but that it is.
    assert.equal(told.some(({ type: kind }) => kind !== 'call-start') || first, what === 'read', type);
  }
});

type Status = NonNullable<OpenAI.Responses.Response['status']>;

const statuses: Readonly<Record<Status, Finish['reason']>> = {
  completed: 'stop',
  incomplete: 'length',
  failed: 'error',
  cancelled: 'error',
  // No end at all.
  in_progress: 'other',
  queued: 'other',
};

test('every status of a response has its reason to end', () => {
  for (const [status, reason] of Object.entries(statuses))
    assert.equal(adapterOf('openai-responses').readReply({ status, output: [] }).finish.reason, reason);
});

type Block = Anthropic.Beta.BetaContentBlock['type'];

const blocks: Readonly<Record<Block, PartKind>> = {
  text: 'text',
  thinking: 'reasoning',
  redacted_thinking: 'reasoning',
  tool_use: 'call',
  server_tool_use: 'call',
  mcp_tool_use: 'call',
  web_search_tool_result: 'hosted-result',
  web_fetch_tool_result: 'hosted-result',
  advisor_tool_result: 'hosted-result',
  code_execution_tool_result: 'hosted-result',
  bash_code_execution_tool_result: 'hosted-result',
  text_editor_code_execution_tool_result: 'hosted-result',
  tool_search_tool_result: 'hosted-result',
  mcp_tool_result: 'hosted-result',
  container_upload: 'kept',
  compaction: 'kept',
  fallback: 'kept',
  mcp_tool_listing: 'kept',
};

test('every block that Anthropic may answer with is words, a thought, a call, a result, or kept', () => {
  for (const [type, kind] of Object.entries(blocks)) {
    const block = { type, id: 'i', tool_use_id: 'c', name: 'n', text: 'x', thinking: 'x', data: 'x' };
    assert.equal(kindOf('anthropic', { stop_reason: 'end_turn', content: [block] }), kind, type);
  }
});

const stops: Readonly<Record<Anthropic.Beta.BetaStopReason, Finish['reason']>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'refusal',
  pause_turn: 'pause',
  compaction: 'pause',
};

test('every reason of Anthropic to stop has its reason to end', () => {
  for (const [stop_reason, reason] of Object.entries(stops))
    assert.equal(adapterOf('anthropic').readReply({ stop_reason, content: [] }).finish.reason, reason);
});

type Delta = Anthropic.Beta.BetaRawContentBlockDelta['type'];

/** The block that each kind of delta adds to, and the field of the request in which it goes back. */
const deltas: Readonly<Record<Delta, readonly [block: Block, delta: JsonObject, back: string]>> = {
  text_delta: ['text', { text: 'said' }, 'text'],
  citations_delta: ['text', { citation: { cited_text: 'said' } }, 'citations'],
  thinking_delta: ['thinking', { thinking: 'said' }, 'thinking'],
  signature_delta: ['thinking', { signature: 'said' }, 'signature'],
  input_json_delta: ['tool_use', { partial_json: '{"x":"said"}' }, 'input'],
  compaction_delta: ['compaction', { content: 'said' }, 'content'],
};

test('what every delta of Anthropic adds goes back with its block', () => {
  const adapter = adapterOf('anthropic');
  for (const [type, [block, delta, back]] of Object.entries(deltas)) {
    const chunks = [
      { type: 'message_start', message: { id: 'm', content: [], usage: {} } },
      {
        type: 'content_block_start',
        index: 0,
        content_block: {
          type: block,
          id: 'i',
          name: 'n',
          text: 'x',
          thinking: 'x',
          signature: 's',
          input: {},
        },
      },
      { type: 'content_block_delta', index: 0, delta: { type, ...delta } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} },
    ];
    let state = adapter.reader.begin();
    for (const data of chunks) [state] = adapter.reader.read(state, { data });
    const last = adapter.reader.end(state)[1].at(-1);
    assert.ok(last?.type === 'finish');
    const { body } = adapter.writeRequest({ messages: [last.reply.message] }, { model: 'm' });
    const message = (body['messages'] as readonly JsonObject[]).find(({ role }) => role === 'assistant');
    const [written] = message!['content'] as readonly JsonObject[];
    assert.match(JSON.stringify(written![back]), /said/, type);
  }
});

type PartField = keyof Google.Part;

/** A part is known by its field; these are beside one of the others and go back with it. */
const beside = ['thought', 'thoughtSignature', 'videoMetadata', 'mediaResolution', 'partMetadata'] as const;
const fields: Readonly<Record<Exclude<PartField, (typeof beside)[number]>, PartKind>> = {
  text: 'text',
  functionCall: 'call',
  executableCode: 'call',
  toolCall: 'call',
  codeExecutionResult: 'hosted-result',
  toolResponse: 'hosted-result',
  inlineData: 'image',
  fileData: 'kept',
  // The model asks and is not asked.
  functionResponse: 'kept',
  audioTranscription: 'kept',
  mediaProcessing: 'kept',
  speechMetadata: 'kept',
};

test('every part that Gemini may answer with is words, a call, a result, an image, or kept', () => {
  for (const [field, kind] of Object.entries(fields)) {
    const value = field === 'text' ? 'x' : { name: 'n', mimeType: 'image/png', data: 'x', id: 'i' };
    const parts = [{ [field]: value, partMetadata: { kept: true } }];
    const reply = { candidates: [{ content: { parts }, finishReason: 'STOP' }] };
    assert.equal(kindOf('gemini', reply), kind, field);
    const { message } = adapterOf('gemini').readReply(reply);
    const { body } = adapterOf('gemini').writeRequest({ messages: [message] }, { model: 'm' });
    assert.match(JSON.stringify(body['contents']), /"partMetadata":\{"kept":true\}/, field);
  }
});

const finishes: Readonly<Record<`${Google.FinishReason}`, Finish['reason']>> = {
  STOP: 'stop',
  UNEXPECTED_TOOL_CALL: 'calls',
  MAX_TOKENS: 'length',
  CONTINUATION: 'pause',
  SAFETY: 'filter',
  RECITATION: 'filter',
  LANGUAGE: 'filter',
  BLOCKLIST: 'filter',
  PROHIBITED_CONTENT: 'filter',
  SPII: 'filter',
  IMAGE_SAFETY: 'filter',
  IMAGE_PROHIBITED_CONTENT: 'filter',
  IMAGE_RECITATION: 'filter',
  MALFORMED_FUNCTION_CALL: 'error',
  MALFORMED_RESPONSE: 'error',
  TOO_MANY_TOOL_CALLS: 'error',
  FINISH_REASON_UNSPECIFIED: 'other',
  OTHER: 'other',
  NO_IMAGE: 'other',
  IMAGE_OTHER: 'other',
};

test('every reason of Gemini to finish has its reason to end', () => {
  for (const [finishReason, reason] of Object.entries(finishes)) {
    const reply = adapterOf('gemini').readReply({ candidates: [{ finishReason }] });
    assert.equal(reply.finish.reason, reason, finishReason);
  }
});

type ChatDelta = OpenAI.Chat.ChatCompletionChunk.Choice.Delta;

/** What may be in a delta and in a whole message. */
const chat: Readonly<
  Record<keyof ChatDelta | keyof OpenAI.Chat.ChatCompletionMessage, readonly [value: unknown, kind: string]>
> = {
  role: ['assistant', 'nothing'],
  content: ['x', 'text'],
  refusal: ['x', 'refusal'],
  tool_calls: [[{ index: 0, id: 'c', type: 'function', function: { name: 'n', arguments: '{}' } }], 'call'],
  function_call: [{ name: 'n', arguments: '{}' }, 'call'],
  // Kept with the reply and with the words that it is beside.
  annotations: [[{ type: 'url_citation' }], 'text'],
  audio: [{ id: 'a', data: 'AAAA' }, 'nothing'],
};

test('every field of a message of Chat Completions is read, but audio', () => {
  for (const [field, [value, kind]] of Object.entries(chat)) {
    const message = { [field]: value } as unknown as JsonObject;
    assert.equal(kindOf('openai-chat', { choices: [{ message, finish_reason: 'stop' }] }), kind, field);
  }
});

type ChatFinish = OpenAI.Chat.ChatCompletion.Choice['finish_reason'];

const chatFinishes: Readonly<Record<ChatFinish, Finish['reason']>> = {
  stop: 'stop',
  tool_calls: 'calls',
  function_call: 'calls',
  length: 'length',
  content_filter: 'filter',
};

test('every reason of Chat Completions to finish has its reason to end', () => {
  for (const [finish_reason, reason] of Object.entries(chatFinishes)) {
    const { finish } = adapterOf('openai-chat').readReply({ choices: [{ message: {}, finish_reason }] });
    assert.equal(finish.reason, reason);
  }
});

/** Compiles only where all of these are names of fields of theirs. */
function reads<Theirs>(...names: readonly (keyof Theirs & string)[]): readonly string[] {
  return names;
}

test('the counters that we read are those that the SDKs know, with the numbers where they belong', () => {
  const [prompt, completion, total] = reads<OpenAI.CompletionUsage>(
    'prompt_tokens',
    'completion_tokens',
    'total_tokens',
  );
  const [input, output] = reads<OpenAI.Responses.ResponseUsage>('input_tokens', 'output_tokens');
  const [fresh, said, cached, written] = reads<Anthropic.Beta.BetaUsage>(
    'input_tokens',
    'output_tokens',
    'cache_read_input_tokens',
    'cache_creation_input_tokens',
  );
  const [asked, answered, thought, tools] = reads<Google.GenerateContentResponseUsageMetadata>(
    'promptTokenCount',
    'candidatesTokenCount',
    'thoughtsTokenCount',
    'toolUsePromptTokenCount',
  );
  const counted = (api: string, field: string, usage: JsonObject) => {
    const read = adapterOf(api).readReply({ [field]: usage }).usage;
    return omitUndefined({ input: read?.input, output: read?.output });
  };
  assert.deepEqual(counted('openai-chat', 'usage', { [prompt!]: 3, [completion!]: 4, [total!]: 7 }), {
    input: 3,
    output: 4,
  });
  assert.deepEqual(counted('openai-responses', 'usage', { [input!]: 3, [output!]: 4 }), {
    input: 3,
    output: 4,
  });
  assert.deepEqual(
    counted('anthropic', 'usage', { [fresh!]: 3, [said!]: 4, [cached!]: 10, [written!]: 20 }),
    { input: 33, output: 4 },
  );
  assert.deepEqual(
    counted('gemini', 'usageMetadata', { [asked!]: 3, [answered!]: 4, [thought!]: 10, [tools!]: 20 }),
    { input: 23, output: 14 },
  );
});
