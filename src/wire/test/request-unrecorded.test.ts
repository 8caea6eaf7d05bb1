import { test } from 'node:test';

import type Anthropic from '@anthropic-ai/sdk';
import type { Content, Tool } from '@google/genai';

import { comesBack } from '../../../test/comes-back.ts';

// Requests as the official types allow and no recording holds them: each is read and written with its meaning.

const schema = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] } as const;
const closed = { ...schema, additionalProperties: false } as const;

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
