import type { JsonObject } from '../json/value.ts';
import type { Action, SafetyCheck } from './action.ts';
import type { ProviderData } from './part.ts';

/** What a model asks for. A part of an assistant message. */
export interface Call {
  readonly type: 'call';
  /** Unique within a history; made up where the provider gives none. */
  readonly id: string;
  readonly name: string;
  /** As the model gave them, untouched: an object, or text (JSON for a function, free text for a custom tool). */
  readonly arguments: JsonObject | string;
  readonly kind: 'function' | 'custom' | 'computer';
  /** False: the provider runs it; it is recorded and never answered by us. */
  readonly requiresLocalExecution: boolean;
  /** The call may be a structured answer in disguise. */
  readonly couldBeStructuredOutput?: boolean;
  /** For `kind: 'computer'`: what to do, in order. */
  readonly actions?: readonly Action[];
  readonly safetyChecks?: readonly SafetyCheck[];
  /** Why this call cannot be run: cut off, no JSON, no object. What the model wrote stays in `arguments`. */
  readonly invalid?: {
    readonly reason: 'truncated' | 'not-json' | 'not-an-object';
    readonly message: string;
  };
  readonly providerData?: ProviderData;
}
