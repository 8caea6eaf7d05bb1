import type { JsonObject } from '../../base/json/value.ts';

// The shapes of the Interactions API, as far as they are written by us. What is read is taken field by field.

export interface InteractionRequest {
  readonly model: string;
  readonly input: readonly Step[];
  readonly system_instruction?: string;
  readonly tools?: readonly WireTool[];
  readonly generation_config?: JsonObject;
  readonly response_format?: JsonObject;
  readonly stream?: boolean;
}

export type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'document'; readonly data: string; readonly mime_type: string }
  | { readonly type: 'image' | 'document'; readonly uri: string; readonly mime_type?: string }
  | JsonObject;

export type Step =
  | { readonly type: 'user_input' | 'model_output'; readonly content: readonly Content[] }
  | {
      readonly type: 'function_call';
      readonly id: string;
      readonly name: string;
      readonly arguments: JsonObject;
    }
  | {
      readonly type: 'function_result';
      readonly call_id: string;
      readonly name?: string;
      readonly is_error?: boolean;
      readonly result: string | readonly Content[];
    }
  | JsonObject;

export type WireTool =
  | {
      readonly type: 'function';
      readonly name: string;
      readonly description?: string;
      readonly parameters: JsonObject;
    }
  | JsonObject;
