import type { AssistantPart, ProviderData, TextPart, UserPart } from './part.ts';
import type { Result } from './result.ts';

export interface SystemMessage {
  readonly role: 'system';
  readonly content: string | readonly TextPart[];
  readonly providerData?: ProviderData;
}

export interface UserMessage {
  readonly role: 'user';
  readonly content: string | readonly UserPart[];
  readonly providerData?: ProviderData;
}

/** One reply of a model, its parts in the order in which they came. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly AssistantPart[];
  /** Who wrote it: decides whether opaque parts may be sent back. */
  readonly from?: { readonly api: string; readonly model: string };
  readonly providerData?: ProviderData;
}

/** The results of one step, in call order. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly results: readonly Result[];
}

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;
