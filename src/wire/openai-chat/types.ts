import type { JsonObject } from '../../base/json/value.ts';

// The shapes of Chat Completions, as far as they are written by us. What is read is taken field by field.

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  readonly tools?: readonly WireTool[];
  readonly tool_choice?: WireToolChoice;
  readonly parallel_tool_calls?: boolean;
  readonly max_completion_tokens?: number;
  /** The older name, which most compatible hosts still want. */
  readonly max_tokens?: number;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly seed?: number;
  readonly stop?: readonly string[];
  readonly response_format?: {
    readonly type: 'json_schema';
    readonly json_schema: { readonly name: string; readonly schema: JsonObject; readonly strict?: boolean };
  };
  readonly reasoning_effort?: 'none' | 'low' | 'medium' | 'high';
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage: boolean };
}

export type WireMessage =
  | { readonly role: 'system' | 'developer'; readonly content: string | readonly TextContent[] }
  | { readonly role: 'user'; readonly content: string | readonly UserContent[] }
  | WireAssistant
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

export interface WireAssistant {
  readonly role: 'assistant';
  readonly content?: string | readonly TextContent[] | null;
  readonly refusal?: string;
  readonly tool_calls?: readonly WireCall[];
}

export interface TextContent {
  readonly type: 'text';
  readonly text: string;
}

export type UserContent =
  | TextContent
  | {
      readonly type: 'image_url';
      readonly image_url: { readonly url: string; readonly detail?: 'auto' | 'low' | 'high' };
    }
  | { readonly type: 'file'; readonly file: { readonly file_data: string; readonly filename?: string } };

export type WireCall =
  | {
      readonly id: string;
      readonly type: 'function';
      readonly function: { readonly name: string; readonly arguments: string };
    }
  | {
      readonly id: string;
      readonly type: 'custom';
      readonly custom: { readonly name: string; readonly input: string };
    };

export type WireTool =
  | {
      readonly type: 'function';
      readonly function: {
        readonly name: string;
        readonly description?: string;
        readonly parameters?: JsonObject;
        readonly strict?: boolean;
      };
    }
  | {
      readonly type: 'custom';
      readonly custom: {
        readonly name: string;
        readonly description?: string;
        readonly format?: {
          readonly type: 'grammar';
          readonly grammar: { readonly syntax: 'lark' | 'regex'; readonly definition: string };
        };
      };
    };

export type WireToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | { readonly type: 'function'; readonly function: { readonly name: string } }
  | { readonly type: 'custom'; readonly custom: { readonly name: string } }
  | {
      readonly type: 'allowed_tools';
      readonly allowed_tools: { readonly mode: 'auto' | 'required'; readonly tools: JsonObject[] };
    };
