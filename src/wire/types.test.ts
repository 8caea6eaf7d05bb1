import assert from 'node:assert/strict';
import { test } from 'node:test';

import type Anthropic from '@anthropic-ai/sdk';
import type { Content, FunctionDeclaration, GenerationConfig } from '@google/genai';
import type OpenAI from 'openai';

import type { JsonObject } from '../base/json/value.ts';
import type { MessagesRequest } from './anthropic/types.ts';
import type { GenerateRequest } from './gemini/types.ts';
import type { ChatRequest } from './openai-chat/types.ts';
import type { ResponsesRequest } from './openai-responses/types.ts';

// What the official clients call a request must hold for what we write. The compiler is the judge: each line below
// is an error where one of our shapes says something that theirs does not take. Parts that we know only as JSON
// (`JsonObject`: a block that came from the API and goes back) are left to the recordings.

type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? JsonObject extends T
      ? never
      : { -readonly [Key in keyof T]: Mutable<T[Key]> }
    : T;

type Fits<Ours, Theirs> = Ours extends Theirs ? true : { readonly ours: Ours };

/** The parts of a union that are more than any JSON. */
type Known<T> = T extends unknown ? (JsonObject extends T ? never : T) : never;

type ChatTool = Mutable<NonNullable<ChatRequest['tools']>[number]>;
type ChatUser = Mutable<Extract<ChatRequest['messages'][number], { role: 'user' }>>;

const fits: readonly true[] = [
  // Chat Completions
  true satisfies Fits<Omit<ChatTool, 'function'>['type'], OpenAI.ChatCompletionTool['type']>,
  true satisfies Fits<NonNullable<ChatRequest['reasoning_effort']>, NonNullable<OpenAI.ReasoningEffort>>,
  true satisfies Fits<
    Exclude<ChatRequest['tool_choice'], object | undefined>,
    OpenAI.ChatCompletionToolChoiceOption
  >,
  true satisfies Fits<ChatUser['role'], OpenAI.ChatCompletionUserMessageParam['role']>,
  true satisfies Fits<
    keyof Omit<ChatRequest, 'reasoning' | 'function_call'>,
    keyof OpenAI.ChatCompletionCreateParams
  >,
  // Responses
  true satisfies Fits<keyof ResponsesRequest, keyof OpenAI.Responses.ResponseCreateParams>,
  true satisfies Fits<
    Exclude<ResponsesRequest['tool_choice'], object | undefined>,
    OpenAI.Responses.ToolChoiceOptions
  >,
  true satisfies Fits<
    Mutable<Extract<Known<ResponsesRequest['input'][number]>, { type: 'function_call' }>>,
    OpenAI.Responses.ResponseFunctionToolCall
  >,
  true satisfies Fits<
    Mutable<Extract<Known<ResponsesRequest['input'][number]>, { type: 'custom_tool_call' }>>,
    OpenAI.Responses.ResponseCustomToolCall
  >,
  // Messages
  true satisfies Fits<keyof MessagesRequest, keyof Anthropic.MessageCreateParams>,
  true satisfies Fits<Mutable<NonNullable<MessagesRequest['tool_choice']>>, Anthropic.ToolChoice>,
  true satisfies Fits<Mutable<NonNullable<MessagesRequest['thinking']>>, Anthropic.ThinkingConfigParam>,
  // generateContent
  true satisfies Fits<Content['role'], string | undefined>,
  true satisfies Fits<keyof NonNullable<GenerateRequest['generationConfig']>, keyof GenerationConfig>,
  true satisfies Fits<
    keyof Extract<
      NonNullable<GenerateRequest['tools']>[number],
      { functionDeclarations: unknown }
    >['functionDeclarations'][number],
    keyof FunctionDeclaration
  >,
];

test('our shapes of requests hold against those of the official clients', () => {
  assert.ok(fits.every(Boolean));
});
