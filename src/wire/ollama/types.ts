import type { JsonObject } from '../../base/json/value.ts';
import type { FunctionTool } from '../request/function-tool.ts';

// The shapes of `/api/chat`, as far as they are written by us. What is read is taken field by field.

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  readonly tools?: readonly FunctionTool[];
  readonly format?: JsonObject;
  readonly think?: boolean | 'low' | 'medium' | 'high';
  readonly options?: {
    readonly num_predict?: number;
    readonly temperature?: number;
    readonly top_p?: number;
    readonly seed?: number;
    readonly stop?: readonly string[];
  };
  /** The API streams unless it is told not to. */
  readonly stream: boolean;
}

export interface WireMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly thinking?: string;
  readonly images?: readonly string[];
  readonly tool_calls?: readonly WireCall[];
  readonly tool_name?: string;
  readonly tool_call_id?: string;
}

export interface WireCall {
  readonly id?: string;
  readonly function: { readonly name: string; readonly arguments: JsonObject };
}
