import type { JsonValue } from '../json/value.ts';
import type { ProviderData, ResultPart } from './part.ts';

/** What a model gets for a call. Every call has exactly one. */
export interface Result {
  readonly callId: string;
  readonly name: string;
  readonly content: readonly ResultPart[];
  readonly isError?: boolean;
  /** Why it is an error, for programs: `invalid_arguments`, `unknown_tool`, `timeout`, … */
  readonly errorCode?: string;
  /** Kept in the history, never sent to a model. */
  readonly artifact?: JsonValue;
  readonly startedAt?: number;
  readonly durationMs?: number;
  /** The content was cut to the tool's budget: how much there was. */
  readonly truncated?: { readonly characters: number };
  readonly acknowledgedSafetyChecks?: readonly string[];
  readonly providerData?: ProviderData;
}
