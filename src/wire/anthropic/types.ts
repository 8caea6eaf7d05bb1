import type { JsonObject, JsonValue } from '../../base/json/value.ts';

// The shapes of the Messages API, as far as they are written by us. What is read is taken field by field.

export interface MessagesRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly system?: string | readonly TextBlock[];
  readonly messages: readonly WireMessage[];
  readonly tools?: readonly WireTool[];
  readonly tool_choice?: WireToolChoice;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly stop_sequences?: readonly string[];
  readonly thinking?:
    | { readonly type: 'enabled'; readonly budget_tokens: number }
    | { readonly type: 'disabled' };
  readonly output_config?: {
    readonly effort?: 'low' | 'medium' | 'high';
    readonly format?: { readonly type: 'json_schema'; readonly schema: JsonObject };
  };
  readonly stream?: boolean;
}

export interface WireMessage {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string | readonly Block[];
}

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

export interface ImageBlock {
  readonly type: 'image';
  readonly source: WireSource;
}

export interface DocumentBlock {
  readonly type: 'document';
  readonly source:
    | WireSource
    | { readonly type: 'text'; readonly media_type: 'text/plain'; readonly data: string };
  readonly title?: string;
}

export type WireSource =
  | { readonly type: 'base64'; readonly media_type: string; readonly data: string }
  | { readonly type: 'url'; readonly url: string };

export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly signature: string;
}

export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}

export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content?: string | readonly (TextBlock | ImageBlock | DocumentBlock | OtherBlock)[];
  readonly is_error?: boolean;
}

/** Server calls, their results, and whatever came later: known by their type only. */
export interface OtherBlock {
  readonly type: string;
  readonly [field: string]: JsonValue;
}

export type Block =
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | ThinkingBlock
  | ToolUseBlock
  | ToolResultBlock
  | OtherBlock;

export type WireTool =
  | {
      readonly name: string;
      readonly description?: string;
      readonly input_schema: JsonObject;
      readonly strict?: boolean;
    }
  | JsonObject;

export type WireToolChoice =
  | { readonly type: 'auto' | 'any'; readonly disable_parallel_tool_use?: boolean }
  | { readonly type: 'tool'; readonly name: string; readonly disable_parallel_tool_use?: boolean }
  | { readonly type: 'none' };
