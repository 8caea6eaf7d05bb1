import type { JsonObject } from '../json/value.ts';
import { actionTypes, nullFields } from './action-schema.ts';
import type { Action, ActionType } from './action.ts';
import { asCall } from './call.ts';
import type { Call, CallOrAction } from './call.ts';
import { messageSchema, wordSchema } from './message-schema.ts';
import type { AssistantMessage, Message } from './message.ts';
import type { AssistantPart } from './part.ts';
import type { Result } from './result.ts';
import { expectSchema } from './expect.ts';

/**
 * Messages from outside, checked: answers them as they are, or throws `message_invalid` with the index, the field,
 * what was expected and what was found. A bare action where a call belongs becomes the call that holds it. Fields
 * that are not known are kept: a newer version may have written them. `checkHistory` then says whether the calls
 * are answered.
 *
 * @example readMessages(JSON.parse(text))
 */
export function readMessages(value: unknown): readonly Message[] {
  checks.messages ??= expectSchema(
    { type: 'array', items: { $ref: '#/$defs/Message' }, $defs: messageSchema['$defs'] as JsonObject },
    'messages',
  );
  checks.messages(value);
  const messages = value as readonly Message[];
  const read = messages.map((message, index) => withCalls(message, index));
  return read.every((message, index) => message === messages[index]) ? messages : read;
}

/** A call from outside, checked; a bare action becomes the call that holds it. */
export function readCall(value: unknown): Call {
  checks.call ??= expectSchema(
    {
      anyOf: [{ $ref: '#/$defs/Call' }, { $ref: '#/$defs/Action' }],
      $defs: messageSchema['$defs'] as JsonObject,
    },
    'call',
  );
  checks.call(value);
  return asCall(value as CallOrAction, 'call_0');
}

/** A result from outside, checked. */
export function readResult(value: unknown): Result {
  checks.result ??= expectSchema(wordSchema('Result'), 'result');
  checks.result(value);
  return value as Result;
}

/** An action from outside, checked. */
export function readAction(value: unknown): Action {
  checks.action ??= expectSchema(wordSchema('Action'), 'action');
  checks.action(value);
  return value as Action;
}

/**
 * An action with its defaults: what is not given is `null`, and it runs here.
 *
 * @example makeAction('left_mouse_click', { environment: 'browser', xy: [10, 20], callId: 'call_1' })
 */
export function makeAction<Type extends ActionType>(
  type: Type,
  fields: Omit<Extract<Action, { readonly type: Type }>, 'type'>,
): Extract<Action, { readonly type: Type }> {
  const defaults: Record<string, unknown> = {
    type,
    environment: null,
    environmentVariable: null,
    callId: null,
    requiresLocalExecution: true,
  };
  if (actionTypes.includes(type)) for (const field of nullFields(type)) defaults[field] = null;
  return readAction({ ...defaults, ...fields, type }) as Extract<Action, { readonly type: Type }>;
}

/** Compiled when first needed. */
const checks: Partial<Record<'messages' | 'call' | 'result' | 'action', (value: unknown) => void>> = {};

const actions: ReadonlySet<string> = new Set(actionTypes);

function withCalls(message: Message, index: number): Message {
  if (message.role !== 'assistant' || !message.content.some(isBareAction)) return message;
  const content = message.content.map((part, at) =>
    isBareAction(part) ? asCall(part as unknown as Action, `call_${index}_${at}`) : part,
  );
  return { ...message, content } satisfies AssistantMessage;
}

function isBareAction(part: AssistantPart): boolean {
  return part.type === 'other' ? !('api' in part) : actions.has(part.type);
}
