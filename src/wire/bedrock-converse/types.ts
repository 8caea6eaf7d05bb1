import type { JsonObject } from '../../base/json/value.ts';

// The shapes of Converse, as far as they are written by us. What is read is taken field by field.

export interface ConverseRequest {
  readonly messages: readonly WireMessage[];
  readonly system?: readonly SystemBlock[];
  readonly inferenceConfig?: {
    readonly maxTokens?: number;
    readonly temperature?: number;
    readonly topP?: number;
    readonly stopSequences?: readonly string[];
  };
  readonly toolConfig?: { readonly tools: readonly WireTool[]; readonly toolChoice?: WireToolChoice };
  readonly outputConfig?: {
    readonly textFormat: {
      readonly type: 'json_schema';
      readonly structure: { readonly jsonSchema: { readonly name: string; readonly schema: string } };
    };
  };
}

export interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly Block[];
}

export type SystemBlock = { readonly text: string } | JsonObject;

/** A block is known by its only field: `text`, `image`, `document`, `toolUse`, `toolResult`, … */
export type Block =
  | { readonly text: string }
  | { readonly image: { readonly format: string; readonly source: { readonly bytes: string } } }
  | {
      readonly document: {
        readonly format: string;
        readonly name: string;
        readonly source: { readonly bytes: string } | { readonly text: string };
      };
    }
  | { readonly toolUse: { readonly toolUseId: string; readonly name: string; readonly input: JsonObject } }
  | {
      readonly toolResult: {
        readonly toolUseId: string;
        readonly content: readonly Block[];
        readonly status?: 'success' | 'error';
      };
    }
  | JsonObject;

export type WireTool =
  | {
      readonly toolSpec: {
        readonly name: string;
        readonly description?: string;
        readonly inputSchema: { readonly json: JsonObject };
        readonly strict?: boolean;
      };
    }
  | JsonObject;

export type WireToolChoice =
  | { readonly auto: JsonObject }
  | { readonly any: JsonObject }
  | { readonly tool: { readonly name: string } };
