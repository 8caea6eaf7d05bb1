import type { JsonObject, JsonValue } from '../../../base/json/value.ts';

/** One piece of the AI SDK's UI message protocol, as far as a run says it. */
export type UIChunk =
  | { readonly type: 'start'; readonly messageId?: string }
  | { readonly type: 'start-step' | 'finish-step' }
  | ({ readonly type: 'text-start' | 'reasoning-start'; readonly id: string } & Metadata)
  | { readonly type: 'text-delta' | 'reasoning-delta'; readonly id: string; readonly delta: string }
  | ({ readonly type: 'text-end' | 'reasoning-end'; readonly id: string } & Metadata)
  | (OfCall<'tool-input-start'> & { readonly toolName: string } & Executed)
  | (OfCall<'tool-input-delta'> & { readonly inputTextDelta: string })
  | (OfCall<'tool-input-available'> & Input & Executed & Metadata)
  | (OfCall<'tool-input-error'> & Input & Executed & { readonly errorText: string })
  | (OfCall<'tool-approval-request'> & { readonly approvalId: string })
  | (OfCall<'tool-output-available'> &
      Executed & { readonly output: unknown; readonly preliminary?: boolean })
  | (OfCall<'tool-output-error'> & { readonly errorText: string })
  | OfCall<'tool-output-denied'>
  | { readonly type: 'data-note'; readonly id: string; readonly data: JsonValue }
  | { readonly type: 'error'; readonly errorText: string }
  | { readonly type: 'abort' }
  | { readonly type: 'finish'; readonly finishReason: string };

interface OfCall<Type extends string> {
  readonly type: Type;
  readonly toolCallId: string;
}

interface Input {
  readonly toolName: string;
  readonly input: unknown;
}

interface Executed {
  readonly providerExecuted?: boolean;
}

interface Metadata {
  readonly providerMetadata?: Readonly<Record<string, JsonObject>>;
}
