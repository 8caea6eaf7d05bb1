import assert from 'node:assert/strict';
import { test } from 'node:test';

import type Anthropic from '@anthropic-ai/sdk';
import type { Content, Tool } from '@google/genai';
import type OpenAI from 'openai';

import type { JsonObject } from '../base/json/value.ts';
import { normalRequest } from '../../test/normal-request.ts';
import { adapterOf } from './catalog.ts';

// Requests as the official types allow and no recording holds them: each is read and written with its meaning.

function comesBack(api: string, bodies: readonly object[]): void {
  for (const body of bodies as readonly JsonObject[]) {
    const adapter = adapterOf(api);
    const { request, model, stream } = adapter.readRequest(body);
    const written = adapter.writeRequest(request, { model, stream }).body;
    assert.deepEqual(normalRequest(api, written), normalRequest(api, body), JSON.stringify(body));
  }
}

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

type Messages = Anthropic.Beta.MessageCreateParams;
const messagesBase = {
  model: 'm',
  max_tokens: 9,
  messages: [{ role: 'user', content: 'hi' }],
} satisfies Messages;
const anthropicLook: Anthropic.Beta.BetaTool = { name: 'look', input_schema: { ...schema, required: ['q'] } };

test('Messages', () => {
  const settings: Messages = {
    ...messagesBase,
    container: 'container_1',
    context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
    mcp_servers: [{ type: 'url', name: 'wiki', url: 'https://example.com' }],
    metadata: { user_id: 'u' },
    service_tier: 'auto',
    stop_sequences: ['x'],
    system: [
      { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } },
      { type: 'text', text: 'Be kind.' },
    ],
    thinking: { type: 'enabled', budget_tokens: 1024 },
    output_config: { effort: 'high', format: { type: 'json_schema', schema: { ...closed } } },
  };
  // The newest models take none of these; the types have them no more.
  const older = { ...messagesBase, temperature: 1, top_k: 4, top_p: 0.5 };
  const tools: Messages['tools'] = [
    { ...anthropicLook, strict: false, cache_control: { type: 'ephemeral' }, description: 'looks' },
    { ...anthropicLook, name: 'later', defer_loading: true, input_examples: [{ q: 'x' }] },
    { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
    { type: 'computer_20251124', name: 'computer', display_width_px: 100, display_height_px: 100 },
    { type: 'bash_20250124', name: 'bash' },
    { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
    { type: 'memory_20250818', name: 'memory' },
    { type: 'code_execution_20250825', name: 'code_execution' },
    { type: 'mcp_toolset', mcp_server_name: 'wiki' },
  ];
  const choices: Messages[] = (
    [
      { type: 'auto', disable_parallel_tool_use: true },
      { type: 'any', disable_parallel_tool_use: true },
      { type: 'tool', name: 'look' },
      { type: 'tool', name: 'web_search' },
      { type: 'none' },
    ] as const
  ).map((tool_choice) => ({ ...messagesBase, tools, tool_choice }));
  const thinking: Messages[] = [
    { ...messagesBase, thinking: { type: 'disabled' } },
    { ...messagesBase, thinking: { type: 'adaptive', display: 'summarized' } },
    { ...messagesBase, thinking: { type: 'enabled', budget_tokens: 2000, display: 'omitted' } },
    { ...messagesBase, output_config: { effort: 'max' } },
  ];
  const said: Messages = {
    model: 'm',
    max_tokens: 9,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'see', cache_control: { type: 'ephemeral' } },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
          { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
          { type: 'image', source: { type: 'file', file_id: 'file_1' } },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hi' }, title: 't' },
          {
            type: 'document',
            source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
            citations: { enabled: true },
            context: 'c',
          },
          { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } },
          { type: 'document', source: { type: 'file', file_id: 'file_2' } },
          { type: 'document', source: { type: 'content', content: 'hi' } },
          { type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: 'x' }] },
          { type: 'container_upload', file_id: 'file_3' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 'EqQB' },
          { type: 'redacted_thinking', data: 'EmwK' },
          { type: 'text', text: 'Well.', citations: null },
          {
            type: 'tool_use',
            id: 'a',
            name: 'look',
            input: { q: 'x' },
            cache_control: { type: 'ephemeral' },
          },
          { type: 'tool_use', id: 'b', name: 'look', input: {}, caller: { type: 'direct' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'seen', is_error: true },
          {
            type: 'tool_result',
            tool_use_id: 'b',
            content: [
              { type: 'text', text: 'seen' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
              { type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: 'x' }] },
              { type: 'tool_reference', tool_name: 'later' },
            ],
            cache_control: { type: 'ephemeral' },
          },
          { type: 'text', text: 'on' },
        ],
      },
      { role: 'assistant', content: 'Then' },
    ],
    tools: [anthropicLook],
    stream: true,
  };
  comesBack('anthropic', [settings, older, { ...messagesBase, tools }, ...choices, ...thinking, said]);
});

interface GenerateContent {
  contents: Content[];
  systemInstruction?: Content;
  tools?: Tool[];
  toolConfig?: object;
  generationConfig?: object;
  safetySettings?: object[];
  cachedContent?: string;
  labels?: Record<string, string>;
}

test('generateContent', () => {
  const base: GenerateContent = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };
  const declared: Tool = {
    functionDeclarations: [
      { name: 'look', description: 'looks', parametersJsonSchema: { ...schema } },
      { name: 'bare' },
      { name: 'slow', behavior: 'NON_BLOCKING' as never, responseJsonSchema: { type: 'object' } },
    ],
  };
  const hosted: Tool[] = [
    { googleSearch: {} },
    { codeExecution: {} },
    { urlContext: {} },
    { googleMaps: {} },
    { fileSearch: { fileSearchStoreNames: ['s'] } },
  ];
  const settings: GenerateContent = {
    ...base,
    systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] },
    safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
    cachedContent: 'cachedContents/1',
    labels: { a: 'b' },
    generationConfig: {
      candidateCount: 1,
      maxOutputTokens: 9,
      temperature: 0,
      topP: 1,
      topK: 4,
      seed: 5,
      stopSequences: ['x'],
      presencePenalty: 0.1,
      responseLogprobs: true,
      logprobs: 2,
      responseModalities: ['TEXT'],
      mediaResolution: 'MEDIA_RESOLUTION_LOW',
      thinkingConfig: { includeThoughts: true, thinkingBudget: 100 },
      speechConfig: { languageCode: 'en' },
    },
  };
  const configs: GenerateContent[] = [
    { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['look'] } },
    { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['look', 'bare'] } },
    { functionCallingConfig: { mode: 'VALIDATED', allowedFunctionNames: ['look', 'bare'] } },
    { functionCallingConfig: { mode: 'VALIDATED' } },
    { functionCallingConfig: { mode: 'NONE' } },
    { functionCallingConfig: { mode: 'AUTO' }, includeServerSideToolInvocations: true },
    { functionCallingConfig: { mode: 'ANY', streamFunctionCallArguments: true } },
    { retrievalConfig: { languageCode: 'en' } },
  ].map((toolConfig) => ({ ...base, tools: [declared, ...hosted], toolConfig }));
  const outputs: GenerateContent[] = [
    { responseMimeType: 'application/json' },
    { responseMimeType: 'application/json', responseJsonSchema: { ...schema } },
    { responseMimeType: 'application/json', responseSchema: { type: 'OBJECT', properties: {} } },
    { responseMimeType: 'text/x.enum', responseSchema: { type: 'STRING', enum: ['a'] } },
    { thinkingConfig: { thinkingLevel: 'low', includeThoughts: true } },
  ].map((generationConfig) => ({ ...base, generationConfig }));
  const said: GenerateContent = {
    contents: [
      {
        role: 'user',
        parts: [
          { text: 'see' },
          { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
          { inlineData: { mimeType: 'audio/mpeg', data: 'SUQz' } },
          {
            inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' },
            mediaResolution: { level: 'MEDIA_RESOLUTION_LOW' as never },
          },
          { fileData: { mimeType: 'video/mp4', fileUri: 'gs://a/b' }, videoMetadata: { fps: 1 } },
          { fileData: { fileUri: 'https://example.com/a' } },
        ],
      },
      {
        role: 'model',
        parts: [
          { text: 'Hm', thought: true, thoughtSignature: 'AAAA' },
          { text: 'Well.', thoughtSignature: 'BBBB' },
          { functionCall: { id: 'a', name: 'look', args: { q: 'x' } }, thoughtSignature: 'CCCC' },
          { functionCall: { name: 'bare' } },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              id: 'a',
              name: 'look',
              response: { temperature: 1 },
              parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }],
            },
          },
          { functionResponse: { name: 'bare', response: { error: 'no' }, scheduling: 'SILENT' as never } },
        ] as never,
      },
    ],
    tools: [declared],
  };
  for (const api of ['gemini', 'vertex-gemini'])
    comesBack(api, [settings, { ...base, tools: [declared, ...hosted] }, ...configs, ...outputs, said]);
});
