import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Interactions } from '@google/genai';

import type { JsonObject } from '../../base/json/value.ts';
import { comesBack } from '../../../test/comes-back.ts';
import { adapterOf } from '../catalog.ts';

// As request-unrecorded.test.ts, for the APIs whose types are not at hand: from their documents.

const schema = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };
const functionTool = {
  type: 'function',
  function: { name: 'look', description: 'looks', parameters: schema },
};
const called = { id: 'abcdefghi', type: 'function', function: { name: 'look', arguments: '{"q": "x"}' } };

test('Mistral', () => {
  const base = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
  comesBack('mistral', [
    {
      ...base,
      tools: [functionTool],
      tool_choice: 'any',
      parallel_tool_calls: false,
      max_tokens: 9,
      random_seed: 4,
      safe_prompt: true,
      prompt_mode: 'reasoning',
      n: 2,
      presence_penalty: 0.1,
      stop: ['x', 'y'],
      prediction: { type: 'content', content: 'hi' },
      response_format: { type: 'json_object' },
    },
    { ...base, tools: [functionTool], tool_choice: { type: 'function', function: { name: 'look' } } },
    {
      ...base,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema: { ...schema, additionalProperties: false }, strict: true },
      },
    },
    {
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'see' },
            { type: 'image_url', image_url: 'https://example.com/a.png' },
            { type: 'document_url', document_url: 'https://example.com/a.pdf', document_name: 'a' },
            { type: 'document_url', document_url: 'data:application/pdf;base64,JVBERi0=' },
            { type: 'input_audio', input_audio: 'SUQz' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }], signature: 's' },
            { type: 'text', text: 'Well.' },
          ],
          tool_calls: [called],
        },
        { role: 'tool', tool_call_id: 'abcdefghi', name: 'look', content: 'seen' },
        { role: 'assistant', content: 'Then', prefix: true },
      ],
      tools: [functionTool],
    },
  ]);
});

test('Cohere', () => {
  const base = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
  comesBack('cohere', [
    {
      ...base,
      tools: [functionTool],
      tool_choice: 'REQUIRED',
      strict_tools: true,
      documents: ['one', { id: 'd', data: { text: 'two' } }],
      citation_options: { mode: 'FAST' },
      response_format: { type: 'json_object' },
      safety_mode: 'OFF',
      max_tokens: 9,
      stop_sequences: ['x'],
      temperature: 0,
      seed: 4,
      frequency_penalty: 0.1,
      k: 3,
      p: 0.5,
      logprobs: true,
      priority: 1,
    },
    { ...base, tools: [functionTool], tool_choice: 'NONE' },
    { ...base, response_format: { type: 'json_object', json_schema: schema } },
    { ...base, thinking: { type: 'enabled', token_budget: 100 } },
    { ...base, thinking: { type: 'disabled' } },
    {
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'see' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' } },
          ],
        },
        { role: 'assistant', tool_plan: 'I will look.', tool_calls: [called] },
        {
          role: 'tool',
          tool_call_id: 'abcdefghi',
          content: [{ type: 'document', document: { id: 'd', data: { a: 1 } } }],
        },
        { role: 'user', content: 'on' },
      ],
      tools: [functionTool],
      stream: true,
    },
  ]);
});

test('Ollama', () => {
  const base = { model: 'm', messages: [{ role: 'user', content: 'hi' }], stream: false };
  comesBack('ollama', [
    {
      ...base,
      tools: [functionTool],
      format: schema,
      think: 'high',
      keep_alive: '5m',
      logprobs: true,
      options: {
        num_predict: 9,
        temperature: 0,
        top_p: 0.5,
        seed: 4,
        stop: ['x'],
        num_ctx: 4096,
        mirostat: 1,
      },
    },
    { ...base, format: 'json', think: true },
    { ...base, think: false },
    {
      model: 'm',
      stream: true,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'see', images: ['iVBORw0KGgo='] },
        {
          role: 'assistant',
          content: 'Well.',
          thinking: 'Hm',
          tool_calls: [
            { id: 'a', function: { name: 'look', arguments: { q: 'x' } } },
            { function: { name: 'look', arguments: {} } },
          ],
        },
        { role: 'tool', tool_name: 'look', tool_call_id: 'a', content: 'seen' },
        { role: 'tool', tool_name: 'look', content: 'seen' },
        { role: 'user', content: 'on' },
      ],
      tools: [functionTool],
    },
  ]);
});

test('Converse', () => {
  const base = { messages: [{ role: 'user', content: [{ text: 'hi' }] }] };
  const toolSpec = { name: 'look', description: 'looks', inputSchema: { json: schema } };
  comesBack('bedrock-converse', [
    {
      ...base,
      system: [
        { text: 'Be brief.' },
        { cachePoint: { type: 'default' } },
        { guardContent: { text: { text: 'x' } } },
      ],
      inferenceConfig: { maxTokens: 9, temperature: 0, topP: 0.5, stopSequences: ['x'] },
      additionalModelRequestFields: { top_k: 4 },
      additionalModelResponseFieldPaths: ['/stop_sequence'],
      guardrailConfig: { guardrailIdentifier: 'g', guardrailVersion: '1', trace: 'enabled' },
      performanceConfig: { latency: 'optimized' },
      promptVariables: { a: { text: 'b' } },
      requestMetadata: { a: 'b' },
      serviceTier: { type: 'flex' },
      toolConfig: {
        tools: [
          { toolSpec },
          { cachePoint: { type: 'default' } },
          { systemTool: { name: 'nova_grounding' } },
        ],
        toolChoice: { any: {} },
      },
    },
    { ...base, toolConfig: { tools: [{ toolSpec }], toolChoice: { tool: { name: 'look' } } } },
    {
      ...base,
      outputConfig: {
        textFormat: {
          type: 'json_schema',
          structure: { jsonSchema: { name: 'answer', schema: JSON.stringify(schema), description: 'd' } },
        },
      },
    },
    {
      messages: [
        {
          role: 'user',
          content: [
            { text: 'see' },
            { image: { format: 'png', source: { bytes: 'iVBORw0KGgo=' } } },
            {
              document: {
                format: 'pdf',
                name: 'a',
                source: { bytes: 'JVBERi0=' },
                citations: { enabled: true },
              },
            },
            { video: { format: 'mp4', source: { s3Location: { uri: 's3://a/b' } } } },
            { cachePoint: { type: 'default' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { reasoningContent: { reasoningText: { text: 'Hm', signature: 'EqQB' } } },
            { text: 'Well.' },
            { toolUse: { toolUseId: 'a', name: 'look', input: { q: 'x' } } },
            { toolUse: { toolUseId: 's', name: 'nova_grounding', input: {}, type: 'server_tool_use' } },
            { toolResult: { toolUseId: 's', content: [{ json: {} }], type: 'nova_grounding_result' } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              toolResult: {
                toolUseId: 'a',
                status: 'error',
                content: [
                  { text: 'seen' },
                  { json: { a: 1 } },
                  { image: { format: 'png', source: { bytes: 'iVBORw0KGgo=' } } },
                  { searchResult: { source: 's', title: 't', content: [{ text: 'x' }] } },
                ],
              },
            },
            { text: 'on' },
          ],
        },
      ],
      toolConfig: { tools: [{ toolSpec }] },
    },
  ]);
});

test('Interactions', () => {
  const tools = [
    { type: 'function', name: 'look', description: 'looks', parameters: schema },
    { type: 'google_search' },
    { type: 'code_execution' },
    { type: 'mcp_server', name: 'wiki', url: 'https://example.com' },
  ];
  const steps = [
    { type: 'user_input', content: [{ type: 'text', text: 'see' }] },
    { type: 'thought', signature: 'AAAA', summary: [{ type: 'text', text: 'Hm' }] },
    { type: 'model_output', content: [{ type: 'text', text: 'Well.' }] },
    { type: 'function_call', id: 'a', name: 'look', arguments: { q: 'x' }, signature: 'BBBB' },
    { type: 'function_result', call_id: 'a', name: 'look', result: { a: 1 }, is_error: false },
  ] as unknown as Interactions.Step[];
  const body = {
    model: 'm',
    input: steps as unknown as JsonObject[],
    system_instruction: 'Be brief.',
    tools,
    generation_config: {
      max_output_tokens: 9,
      temperature: 0,
      top_p: 0.5,
      seed: 4,
      stop_sequences: ['x'],
      tool_choice: { allowed_tools: { mode: 'any', tools: ['look'] } },
      thinking_level: 'low',
      thinking_summaries: 'auto',
    },
    previous_interaction_id: 'v1_0',
    store: false,
    response_format: { type: 'text', mime_type: 'application/json', schema },
    stream: true,
  } as unknown as JsonObject;
  const adapter = adapterOf('gemini-interactions');
  const { request, model, stream } = adapter.readRequest(body);
  assert.deepEqual(adapter.writeRequest(request, { model, stream }).body, body);
});
