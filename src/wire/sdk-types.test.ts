import assert from 'node:assert/strict';
import { test } from 'node:test';

import type Anthropic from '@anthropic-ai/sdk';
import type { Content, FunctionDeclaration, GenerationConfig } from '@google/genai';
import type OpenAI from 'openai';

import type { MessagesRequest } from './anthropic/types.ts';
import type { GenerateRequest } from './gemini/types.ts';
import type { ChatRequest } from './openai-chat/types.ts';
import type { ResponsesRequest } from './openai-responses/types.ts';

/**
 * Their request types want arrays and fields that can be changed; ours are the same but for that. What only the
 * provider knows the shape of (a block or a tool that goes back as it came) is left out of the comparison, and so
 * are media types, of which they list those of today.
 */
type Changeable<T> = T extends readonly (infer Item)[]
  ? Changeable<Item>[]
  : T extends object
    ? string extends keyof T
      ? never
      : { -readonly [Key in keyof T]: Key extends 'media_type' ? never : Changeable<T[Key]> }
    : T;

test('what we write is what the official SDKs take, by their own types', () => {
  type Chat = Changeable<Omit<ChatRequest, 'stream'>>;
  type Messages = Changeable<Omit<MessagesRequest, 'stream' | 'messages'>>;
  type Said<Role> = Changeable<Omit<MessagesRequest['messages'][number], 'role'>> & { role: Role };
  type Theirs = Omit<Anthropic.MessageCreateParamsNonStreaming, 'messages'>;
  const chat = (body: Chat): OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming => body;
  const messages = (body: Messages): Theirs => body;
  const user = (message: Said<'user'>): Anthropic.MessageParam => message;
  const assistant = (message: Said<'assistant'>): Anthropic.MessageParam => message;
  // The compiler is the judge; here it only shows that the bodies pass as they are.
  const said = { model: 'm', messages: [{ role: 'user' as const, content: 'hi' }] };
  assert.equal(chat(said), said);
  const asked = { model: 'm', max_tokens: 1 };
  assert.equal(messages(asked), asked);
  for (const [role, take] of [
    ['user', user],
    ['assistant', assistant],
  ] as const)
    assert.deepEqual(take({ role, content: 'hi' } as never), { role, content: 'hi' });
});

/** Members of a union that say more than any JSON does. */
type Known<T> = T extends unknown ? (string extends keyof T ? never : T) : never;

test('what we write is what the official SDKs take, for Responses and generateContent too', () => {
  type Responses = Changeable<Omit<ResponsesRequest, 'stream' | 'input' | 'text'>>;
  type Theirs = OpenAI.Responses.ResponseCreateParamsNonStreaming;
  type Call = Extract<
    Known<ResponsesRequest['input'][number]>,
    { type: 'function_call' | 'custom_tool_call' }
  >;
  type Settings = Changeable<NonNullable<GenerateRequest['generationConfig']>>;
  type Declared = Extract<
    NonNullable<GenerateRequest['tools']>[number],
    { functionDeclarations: unknown }
  >['functionDeclarations'][number];
  const responses = (body: Responses): Theirs => body;
  const call = (item: Changeable<Call>): OpenAI.Responses.ResponseInputItem => item;
  const content = (said: Omit<Changeable<GenerateRequest['contents'][number]>, 'parts'>): Content => said;
  const settings = (config: Omit<Settings, 'thinkingConfig'>): GenerationConfig => config;
  const declared = (tool: Changeable<Omit<Declared, 'parametersJsonSchema'>>): FunctionDeclaration => tool;
  const asked = { model: 'm', parallel_tool_calls: false };
  assert.equal(responses(asked), asked);
  const made = { type: 'function_call' as const, call_id: 'c', name: 'n', arguments: '{}' };
  assert.equal(call(made), made);
  assert.deepEqual(content({ role: 'model' }), { role: 'model' });
  assert.deepEqual(settings({ seed: 1 }), { seed: 1 });
  assert.deepEqual(declared({ name: 'n' }), { name: 'n' });
});
