import { test } from 'node:test';

import type OpenAI from 'openai';

import { comesBack } from '../../../test/comes-back.ts';

// Requests as the official types allow and no recording holds them: each is read and written with its meaning.

const schema = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] } as const;
const closed = { ...schema, additionalProperties: false } as const;

type Chat = OpenAI.Chat.ChatCompletionCreateParams;
const chatBase = { model: 'm', messages: [{ role: 'user', content: 'hi' }] } satisfies Chat;
const look = {
  type: 'function',
  function: { name: 'look', parameters: { ...closed }, strict: true },
} as const satisfies OpenAI.Chat.ChatCompletionTool;
const sql = {
  type: 'custom',
  custom: {
    name: 'sql',
    description: 'asks',
    format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "a"' } },
  },
} as const satisfies OpenAI.Chat.ChatCompletionTool;

test('Chat Completions', () => {
  const settings: Chat = {
    ...chatBase,
    frequency_penalty: 0.5,
    logit_bias: { '5': 1 },
    logprobs: true,
    top_logprobs: 3,
    max_completion_tokens: 9,
    metadata: { a: 'b' },
    n: 2,
    parallel_tool_calls: false,
    tools: [look],
    prediction: { type: 'content', content: 'hi' },
    presence_penalty: 0.1,
    prompt_cache_key: 'k',
    reasoning_effort: 'minimal',
    response_format: { type: 'json_object' },
    safety_identifier: 's',
    seed: 4,
    service_tier: 'flex',
    stop: 'x',
    store: true,
    temperature: 0,
    top_p: 0.5,
    user: 'u',
    verbosity: 'low',
    modalities: ['text'],
    web_search_options: { search_context_size: 'low' },
  };
  const choices: Chat[] = [
    { ...chatBase, tools: [look], tool_choice: 'none' },
    { ...chatBase, tools: [look, sql], tool_choice: { type: 'custom', custom: { name: 'sql' } } },
    { ...chatBase, tools: [look], tool_choice: { type: 'function', function: { name: 'look' } } },
    {
      ...chatBase,
      tools: [look, sql],
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: {
          mode: 'required',
          tools: [
            { type: 'function', function: { name: 'look' } },
            { type: 'custom', custom: { name: 'sql' } },
          ],
        },
      },
    },
    { ...chatBase, tools: [{ type: 'function', function: { name: 'bare' } }], tool_choice: 'required' },
    { ...chatBase, tools: [{ type: 'custom', custom: { name: 'free' } }] },
    { ...chatBase, tools: [look], stream: true, stream_options: { include_usage: true } },
  ];
  const outputs: Chat[] = [
    { ...chatBase, response_format: { type: 'text' } },
    {
      ...chatBase,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', description: 'd', schema: { ...closed }, strict: true },
      },
    },
    {
      ...chatBase,
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { ...schema } } },
    },
  ];
  const said: Chat = {
    model: 'm',
    messages: [
      { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }], name: 'boss' },
      { role: 'user', name: 'ann', content: 'hi' },
      { role: 'system', content: 'Be kind.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
          { type: 'file', file: { file_id: 'file_1' } },
          { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a.pdf' } },
        ],
      },
      {
        role: 'assistant',
        name: 'bob',
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'look', arguments: '{"q": "x"}' } },
          { id: 'b', type: 'custom', custom: { name: 'sql', input: 'SELECT "1"' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'seen' }] },
      { role: 'tool', tool_call_id: 'b', content: '1' },
      { role: 'assistant', content: null, refusal: 'No.' },
      { role: 'assistant', content: [{ type: 'text', text: 'Well.' }] },
      { role: 'user', content: 'on' },
    ],
    tools: [look, sql],
  };
  comesBack('openai-chat', [settings, ...choices, ...outputs, said]);
});

type Responses = OpenAI.Responses.ResponseCreateParams;
const responsesBase = { model: 'm', input: 'hi' } satisfies Responses;
const lookTool = { type: 'function', name: 'look', parameters: { ...closed }, strict: true } as const;
const sqlTool = {
  type: 'custom',
  name: 'sql',
  format: { type: 'grammar', syntax: 'regex', definition: 'a+' },
} as const;
const hostedTools: OpenAI.Responses.Tool[] = [
  { type: 'web_search', search_context_size: 'low' },
  { type: 'file_search', vector_store_ids: ['vs_1'] },
  { type: 'code_interpreter', container: { type: 'auto' } },
  { type: 'image_generation', size: '1024x1024' },
  { type: 'mcp', server_label: 'wiki', server_url: 'https://example.com', require_approval: 'never' },
  { type: 'local_shell' },
  { type: 'shell' },
  { type: 'apply_patch' },
  { type: 'computer' },
  { type: 'tool_search' },
  { type: 'programmatic_tool_calling' },
  { type: 'namespace', name: 'crm', description: 'd', tools: [lookTool] },
];

test('Responses', () => {
  const settings: Responses = {
    ...responsesBase,
    background: false,
    include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
    instructions: 'Be brief.',
    max_output_tokens: 9,
    max_tool_calls: 3,
    metadata: { a: 'b' },
    parallel_tool_calls: true,
    tools: [lookTool],
    previous_response_id: 'resp_0',
    prompt_cache_key: 'k',
    reasoning: { effort: 'high', summary: 'auto' },
    safety_identifier: 's',
    service_tier: 'auto',
    store: false,
    temperature: 1,
    text: { verbosity: 'low', format: { type: 'json_object' } },
    top_logprobs: 2,
    top_p: 1,
    truncation: 'auto',
  };
  const tools = [lookTool, sqlTool, ...hostedTools];
  const choices: Responses[] = (
    [
      'none',
      { type: 'function', name: 'look' },
      { type: 'custom', name: 'sql' },
      { type: 'file_search' },
      { type: 'web_search_preview' },
      { type: 'computer' },
      { type: 'shell' },
      { type: 'apply_patch' },
      { type: 'mcp', server_label: 'wiki', name: 'ask' },
      { type: 'mcp', server_label: 'wiki' },
      {
        type: 'allowed_tools',
        mode: 'auto',
        tools: [
          { type: 'function', name: 'look' },
          { type: 'custom', name: 'sql' },
        ],
      },
      {
        type: 'allowed_tools',
        mode: 'required',
        tools: [
          { type: 'function', name: 'look' },
          { type: 'mcp', server_label: 'wiki' },
          { type: 'image_generation' },
        ],
      },
    ] as const
  ).map((tool_choice) => ({
    ...responsesBase,
    tools,
    tool_choice: tool_choice as Responses['tool_choice'] & object,
  }));
  const outputs: Responses[] = [
    {
      ...responsesBase,
      text: { format: { type: 'json_schema', name: 'answer', schema: { ...closed }, strict: true } },
    },
    { ...responsesBase, text: { format: { type: 'text' } } },
  ];
  const said: Responses = {
    model: 'm',
    input: [
      { role: 'developer', content: 'Be brief.' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
      {
        role: 'user',
        content: [
          { type: 'input_image', detail: 'high', image_url: 'https://example.com/a.png' },
          { type: 'input_image', detail: 'auto', file_id: 'file_1' },
          { type: 'input_file', file_id: 'file_2' },
          { type: 'input_file', file_url: 'https://example.com/a.pdf' },
          { type: 'input_file', file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a.pdf' },
        ],
      },
      { type: 'item_reference', id: 'msg_0' },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' },
      {
        type: 'function_call',
        call_id: 'a',
        name: 'look',
        arguments: '{"q": "x"}',
        id: 'fc_1',
        status: 'completed',
      },
      { type: 'custom_tool_call', call_id: 'b', name: 'sql', input: 'SELECT 1', id: 'ct_1' },
      {
        type: 'function_call_output',
        call_id: 'a',
        output: [
          { type: 'input_text', text: 'seen' },
          { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,iVBORw0KGgo=' },
        ],
      },
      { type: 'custom_tool_call_output', call_id: 'b', output: '1' },
      { type: 'mcp_approval_request', id: 'mcpr_1', name: 'ask', server_label: 'wiki', arguments: '{}' },
      { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
      {
        type: 'message',
        role: 'assistant',
        id: 'msg_1',
        status: 'completed',
        content: [
          { type: 'output_text', text: 'Well.', annotations: [] },
          { type: 'refusal', refusal: 'No.' },
        ],
      },
      { type: 'compaction', encrypted_content: 'gAAA' },
      { role: 'user', content: 'on' },
    ],
    tools: [lookTool, sqlTool],
  };
  comesBack('openai-responses', [settings, { ...responsesBase, tools }, ...choices, ...outputs, said]);
});
