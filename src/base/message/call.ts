import type { JsonObject } from '../json/value.ts';
import { actionArguments } from './action-object.ts';
import type { Action, SafetyCheck } from './action.ts';
import type { ProviderData } from './part.ts';
import { expectObject } from './expect.ts';

/** What a model asks for. A part of an assistant message. */
export interface Call {
  readonly type: 'call';
  /** Unique within a history; made up where the provider gives none. */
  readonly id: string;
  readonly name: string;
  /** As the model gave them, untouched: an object, or text (JSON for a function, free text for a custom tool). */
  readonly arguments: JsonObject | string;
  /** What the model wrote, where the schema it was shown had another shape: `arguments` is then brought back. */
  readonly wireArguments?: JsonObject | string;
  /** The provider gave no id; `id` was made up. */
  readonly idMadeUp?: boolean;
  /** The provider's own id, where it was not unique and ours had to differ. */
  readonly wireId?: string;
  readonly kind: 'function' | 'custom' | 'computer';
  /** False: the provider runs it; it is recorded and never answered by us. */
  readonly requiresLocalExecution: boolean;
  /** The call may be a structured answer in disguise. */
  readonly couldBeStructuredOutput?: boolean;
  /** For `kind: 'computer'`: what to do, in order. */
  readonly actions?: readonly Action[];
  readonly safetyChecks?: readonly SafetyCheck[];
  /** Why this call cannot be run: cut off, not JSON, not an object. What the model wrote stays in `arguments`. */
  readonly invalid?: {
    readonly reason: 'truncated' | 'not-json' | 'not-an-object';
    readonly message: string;
  };
  readonly providerData?: ProviderData;
}

/** An action is accepted wherever a call is. */
export type CallOrAction = Call | Action;

/** A call as it is; a bare action as the computer call that holds it. `id` names an action without a `callId`. */
export function asCall(call: CallOrAction, id = ''): Call {
  expectObject(call, 'call');
  if (call.type === 'call') return call;
  return {
    type: 'call',
    id: call.callId ?? id,
    name: 'computer',
    arguments: actionArguments(call),
    kind: 'computer',
    requiresLocalExecution: requiresLocalExecution(call),
    actions: [call],
  };
}

/** False: the provider runs it, and it is never answered by us. An action runs here unless it says otherwise. */
export function requiresLocalExecution(call: CallOrAction): boolean {
  expectObject(call, 'call');
  return call.requiresLocalExecution ?? true;
}

/** The id that a result must name; null where the provider gave none. */
export function callId(call: CallOrAction): string | null {
  expectObject(call, 'call');
  return call.type === 'call' ? call.id : (call.callId ?? null);
}
