import type { JsonObject } from '../../base/json/value.ts';
import type { FunctionTool } from '../request/function-tool.ts';

// The shapes of Chat v2, as far as they are written by us. What is read is taken field by field.

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  readonly tools?: readonly FunctionTool[];
  readonly tool_choice?: 'REQUIRED' | 'NONE';
  readonly strict_tools?: boolean;
  readonly max_tokens?: number;
  readonly temperature?: number;
  readonly p?: number;
  readonly seed?: number;
  readonly stop_sequences?: readonly string[];
  readonly response_format?: { readonly type: 'json_object'; readonly json_schema: JsonObject };
  readonly thinking?: { readonly type: 'enabled' | 'disabled'; readonly token_budget?: number };
  readonly stream?: boolean;
}

export type WireMessage =
  | { readonly role: 'system'; readonly content: string | readonly Content[] }
  | { readonly role: 'user'; readonly content: string | readonly Content[] }
  | {
      readonly role: 'assistant';
      readonly content?: string | readonly Content[];
      readonly tool_plan?: string;
      readonly tool_calls?: readonly WireCall[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string | readonly Content[] };

export type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string; readonly detail?: string } }
  | JsonObject;

export interface WireCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}
