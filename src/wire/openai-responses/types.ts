import type { JsonObject } from '../../base/json/value.ts';

// The shapes of the Responses API, as far as they are written by us. What is read is taken field by field.

export interface ResponsesRequest {
  readonly model: string;
  readonly instructions?: string;
  readonly input: readonly Item[];
  readonly tools?: readonly WireTool[];
  readonly tool_choice?: WireToolChoice;
  readonly parallel_tool_calls?: boolean;
  readonly max_output_tokens?: number;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly text?: { readonly format: JsonObject };
  readonly reasoning?: { readonly effort?: 'none' | 'low' | 'medium' | 'high' };
  readonly stream?: boolean;
}

export type Content =
  | { readonly type: 'input_text'; readonly text: string }
  | { readonly type: 'input_image'; readonly image_url: string; readonly detail: 'auto' | 'low' | 'high' }
  | {
      readonly type: 'input_file';
      readonly file_data?: string;
      readonly file_url?: string;
      readonly filename?: string;
    }
  | JsonObject;

/** An item of the input or the output: a message, a call, an output, reasoning, … */
export type Item =
  | {
      readonly role: 'system' | 'developer' | 'user' | 'assistant';
      readonly content: string | readonly Content[];
    }
  | {
      readonly type: 'function_call';
      readonly call_id: string;
      readonly name: string;
      readonly arguments: string;
    }
  | {
      readonly type: 'custom_tool_call';
      readonly call_id: string;
      readonly name: string;
      readonly input: string;
    }
  | {
      readonly type: 'function_call_output' | 'custom_tool_call_output';
      readonly call_id: string;
      readonly output: string | readonly Content[];
    }
  | ScreenshotOutput
  | ShellOutput
  | PatchOutput
  | JsonObject;

export interface ScreenshotOutput {
  readonly type: 'computer_call_output';
  readonly call_id: string;
  readonly output: { readonly type: 'computer_screenshot'; readonly image_url: string };
  readonly acknowledged_safety_checks?: readonly {
    readonly id: string;
    readonly code?: string;
    readonly message?: string;
  }[];
}

export interface ShellOutput {
  readonly type: 'shell_call_output';
  readonly call_id: string;
  readonly output: readonly {
    readonly stdout: string;
    readonly stderr: string;
    readonly outcome: { readonly type: 'exit'; readonly exit_code: number };
  }[];
}

export interface PatchOutput {
  readonly type: 'apply_patch_call_output';
  readonly call_id: string;
  readonly status: 'completed' | 'failed';
  readonly output: string;
}

export type WireTool =
  | {
      readonly type: 'function';
      readonly name: string;
      readonly description?: string;
      readonly parameters: JsonObject;
      readonly strict: boolean;
    }
  | {
      readonly type: 'custom';
      readonly name: string;
      readonly description?: string;
      readonly format?: {
        readonly type: 'grammar';
        readonly syntax: 'lark' | 'regex';
        readonly definition: string;
      };
    }
  | JsonObject;

export type WireToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | NamedTool
  | { readonly type: 'allowed_tools'; readonly mode: 'auto' | 'required'; readonly tools: JsonObject[] };

/** A function, a free-text tool, or one that the API runs itself. */
export type NamedTool = { readonly type: 'function' | 'custom'; readonly name: string } | JsonObject;
