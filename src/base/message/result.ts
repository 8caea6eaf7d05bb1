import { WhetstoneError } from '../host/errors.ts';
import type { JsonValue } from '../json/value.ts';
import { callId } from './call.ts';
import type { CallOrAction } from './call.ts';
import type { ProviderData, ResultPart } from './part.ts';
import { expectObject, expectObjects } from './expect.ts';

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

/** A result that is one text. */
export function textResult(call: CallOrAction, text: string): Result {
  return { callId: idToAnswer(call), name: nameOf(call), content: [{ type: 'text', text }] };
}

/** A result that tells the model what went wrong; `code` tells it to programs. */
export function errorResult(call: CallOrAction, code: string, text: string): Result {
  return { ...textResult(call, text), isError: true, errorCode: code };
}

/** The text of a result, its parts joined by newlines. */
export function resultText(result: Result): string {
  expectObject(result, 'result');
  expectObjects(result.content, 'result.content');
  const texts = result.content.filter((part) => part.type === 'text');
  return texts.map((part) => part.text).join('\n');
}

function idToAnswer(call: CallOrAction): string {
  const id = callId(call);
  if (id !== null) return id;
  throw new WhetstoneError(
    'action_without_id',
    `The action "${call.type}" has no callId, so no result can name it. Set callId, or wrap it with asCall(action, id).`,
    { details: { type: call.type } },
  );
}

function nameOf(call: CallOrAction): string {
  return call.type === 'call' ? call.name : 'computer';
}
