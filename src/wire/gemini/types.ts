import type { JsonObject } from '../../base/json/value.ts';

// The shapes of generateContent, as far as they are written by us. What is read is taken field by field.

export interface GenerateRequest {
  readonly contents: readonly Content[];
  readonly systemInstruction?: { readonly parts: readonly Part[] };
  readonly tools?: readonly WireTool[];
  readonly toolConfig?: { readonly functionCallingConfig: CallingConfig };
  readonly generationConfig?: {
    readonly maxOutputTokens?: number;
    readonly temperature?: number;
    readonly topP?: number;
    readonly seed?: number;
    readonly stopSequences?: readonly string[];
    readonly responseMimeType?: string;
    readonly responseJsonSchema?: JsonObject;
    readonly thinkingConfig?: { readonly thinkingBudget?: number; readonly thinkingLevel?: string };
  };
}

export interface Content {
  readonly role: 'user' | 'model';
  readonly parts: readonly Part[];
}

/** A part is known by its field: `text`, `inlineData`, `functionCall`, `functionResponse`, … */
export type Part =
  | { readonly text: string; readonly thought?: boolean; readonly thoughtSignature?: string }
  | InlineData
  | FileData
  | {
      readonly functionCall: { readonly id?: string; readonly name: string; readonly args: JsonObject };
      readonly thoughtSignature?: string;
    }
  | {
      readonly functionResponse: {
        readonly id?: string;
        readonly name: string;
        readonly response: JsonObject;
        readonly parts?: readonly (InlineData | FileData | JsonObject)[];
      };
    }
  | JsonObject;

export interface InlineData {
  readonly inlineData: { readonly mimeType: string; readonly data: string };
}

export interface FileData {
  readonly fileData: { readonly mimeType?: string; readonly fileUri: string };
}

export type WireTool = { readonly functionDeclarations: readonly Declaration[] } | JsonObject;

export interface Declaration {
  readonly name: string;
  readonly description?: string;
  readonly parametersJsonSchema?: JsonObject;
}

export interface CallingConfig {
  readonly mode: 'AUTO' | 'ANY' | 'NONE' | 'VALIDATED';
  readonly allowedFunctionNames?: readonly string[];
}
