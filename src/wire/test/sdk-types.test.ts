import assert from 'node:assert/strict';
import { test } from 'node:test';

import type Anthropic from '@anthropic-ai/sdk';
import type * as Google from '@google/genai';
import type OpenAI from 'openai';

import type { MessagesRequest, WireMessage } from '../anthropic/types.ts';
import type { GenerateRequest } from '../gemini/types.ts';
import type { ChatRequest } from '../openai-chat/types.ts';
import type { ResponsesRequest } from '../openai-responses/types.ts';

// What we write holds against the request types that the official SDKs publish, whole bodies and every kind of
// message, item, block, part and tool in them. The compiler is the judge: nothing of it is left when this runs.

/**
 * Ours as theirs could be written: their types want lists and fields that can be changed. A member that is any JSON
 * (a tool or a block that goes back as it came) says nothing and is left out, and so is a field that can only be that.
 */
type Said<T> = T extends readonly (infer Item)[]
  ? Said<Item>[]
  : T extends object
    ? string extends keyof T
      ? never
      : // oxlint-disable-next-line typescript/no-explicit-any -- what is any JSON fits wherever JSON does
        { -readonly [Key in keyof T]: IsLoose<Key, T[Key]> extends true ? any : Said<T[Key]> }
    : T;

/** What theirs list and ours do not: media types, of which they know those of today, and any JSON. */
type IsLoose<Key, T> = Key extends 'media_type' ? true : IsAnyJson<T>;

type IsAnyJson<T> = [NonNullable<T>] extends [object]
  ? string extends keyof NonNullable<T>
    ? true
    : false
  : false;

/** Google's types are enums, in which no word of JSON fits: as words they are the same. */
type Words<T> = T extends string
  ? string extends T
    ? string
    : `${T}`
  : T extends (infer Item)[]
    ? Words<Item>[]
    : T extends object
      ? { [Key in keyof T]: Words<T[Key]> }
      : T;

type Fits<Ours, Theirs> = [Ours] extends [Theirs] ? true : { readonly ours: Ours; readonly theirs: Theirs };

/** Says nothing when it runs; it does not compile where ours does not fit. */
function fits<_Fit extends true>(): void {
  assert.ok(true);
}

test('a request of ours for Chat Completions is one of the SDK, streamed and not', () => {
  type Asked = Omit<Said<ChatRequest>, 'stream'>;
  fits<Fits<Asked, OpenAI.Chat.ChatCompletionCreateParamsNonStreaming>>();
  fits<Fits<Asked & { stream: true }, OpenAI.Chat.ChatCompletionCreateParamsStreaming>>();
  fits<Fits<Asked['messages'][number], OpenAI.Chat.ChatCompletionMessageParam>>();
  fits<Fits<NonNullable<Asked['tools']>[number], OpenAI.Chat.ChatCompletionTool>>();
  fits<Fits<NonNullable<Asked['tool_choice']>, OpenAI.Chat.ChatCompletionToolChoiceOption>>();
});

test('a request of ours for Responses is one of the SDK, streamed and not', () => {
  type Asked = Omit<Said<ResponsesRequest>, 'stream'>;
  fits<Fits<Asked, OpenAI.Responses.ResponseCreateParamsNonStreaming>>();
  fits<Fits<Asked & { stream: true }, OpenAI.Responses.ResponseCreateParamsStreaming>>();
  fits<Fits<Asked['input'][number], OpenAI.Responses.ResponseInputItem>>();
  fits<Fits<NonNullable<Asked['tools']>[number], OpenAI.Responses.Tool>>();
});

test('a request of ours for Messages is one of the SDK, streamed and not', () => {
  type Asked = Omit<Said<MessagesRequest>, 'stream' | 'messages'>;
  type Theirs<Params> = Omit<Params, 'messages'>;
  fits<Fits<Asked, Theirs<Anthropic.MessageCreateParamsNonStreaming>>>();
  fits<Fits<Asked & { stream: true }, Theirs<Anthropic.MessageCreateParamsStreaming>>>();
  fits<Fits<Asked, Theirs<Anthropic.Beta.MessageCreateParamsNonStreaming>>>();
  type SaidBlock = Exclude<Said<WireMessage>['content'], string>[number];
  fits<Fits<SaidBlock, Anthropic.ContentBlockParam>>();
  fits<Fits<SaidBlock, Anthropic.Beta.BetaContentBlockParam>>();
  fits<Fits<NonNullable<Asked['tools']>[number], Anthropic.ToolUnion>>();
  fits<Fits<NonNullable<Asked['tool_choice']>, Anthropic.ToolChoice>>();
});

test('a request of ours for generateContent is made of what the SDK knows', () => {
  type Asked = Said<GenerateRequest>;
  type Known<T> = Words<T>;
  // The service takes a level in small letters; the enum has capitals.
  type Settings = NonNullable<Asked['generationConfig']>;
  type Thinking = Omit<NonNullable<Settings['thinkingConfig']>, 'thinkingLevel'>;
  fits<Fits<Asked['contents'][number], Known<Google.Content>>>();
  fits<Fits<NonNullable<Asked['systemInstruction']>, Known<Google.Content>>>();
  fits<Fits<NonNullable<Asked['tools']>[number], Known<Google.Tool>>>();
  fits<Fits<NonNullable<Asked['toolConfig']>, Known<Google.ToolConfig>>>();
  fits<Fits<Omit<Settings, 'thinkingConfig'>, Known<Google.GenerationConfig>>>();
  fits<Fits<Thinking, Known<Google.ThinkingConfig>>>();
});

test('the compiler sees what does not fit', () => {
  // @ts-expect-error -- a number is not a name of a model
  fits<Fits<Omit<Said<ChatRequest>, 'model'> & { model: number }, OpenAI.Chat.ChatCompletionCreateParams>>();
  // @ts-expect-error -- there is no such mode
  fits<Fits<{ functionCallingConfig: { mode: 'SOMETIMES' } }, Words<Google.ToolConfig>>>();
});
